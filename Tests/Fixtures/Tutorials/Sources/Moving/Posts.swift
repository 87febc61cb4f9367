/// The items that the guides of docs/moving page through.
nonisolated struct Post: Codable, Identifiable, Sendable {
    let id: Int
    var text: String
    var isLiked = false
}

/// The API client of the app: pages by number, and writes.
protocol PostAPI: Sendable {
    func posts(page: Int, size: Int) async throws -> [Post]
    func posts(author: String, page: Int, size: Int) async throws -> [Post]
    func like(_ id: Post.ID) async throws
}

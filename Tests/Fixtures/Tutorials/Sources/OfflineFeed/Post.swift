/// What the server sends, the store keeps and the list shows.
nonisolated struct Post: Codable, Identifiable, Sendable {
    let id: Int
    var text: String
}

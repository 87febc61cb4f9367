/// The item that the server sends, the store saves and the list shows.
nonisolated struct Post: Codable, Identifiable, Sendable {
    let id: Int
    var text: String
}

/// A message. Its author creates its identity; the server numbers it when it arrives.
nonisolated struct Message: Identifiable, Sendable {
    let id: String
    var number: Int?
    let author: String
    let text: String
}

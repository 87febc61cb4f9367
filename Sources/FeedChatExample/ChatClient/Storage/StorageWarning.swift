/// What the user is told while space is scarce. Nothing of the user's is deleted without being asked.
package struct StorageWarning: Sendable, Hashable {
    /// The sentence to show.
    package var text: String
    /// What the conversations occupy, the largest first: what may be deleted.
    package var usage: [ConversationUsage]

    /// Says what the matter is; `nil` while there is enough space.
    package init?(_ status: StorageStatus, usage: [ConversationUsage]) {
        guard status.level > .enough else { return nil }
        let left = status.freeBytes.map { "Only \($0 / 1_000_000) MB are left" } ?? "Space is low"
        let advice = usage.first.map { "; the chat with \($0.contact.name) is the largest" } ?? ""
        text = left + advice + (status.level == .critical ? ". Photos and videos cannot be sent" : "")
        self.usage = usage
    }
}

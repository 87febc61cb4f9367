package import AppFoundation

/// What the user is told while space is scarce. Nothing of the user's is deleted without being asked.
package struct StorageWarning: Sendable, Hashable {
    /// The sentence to show.
    package var text: String
    /// What the conversations occupy, the largest first: what may be deleted.
    package var usage: [ConversationUsage]

    /// Says what the matter is; `nil` while there is enough space.
    package init?(_ status: StorageStatus, usage: [ConversationUsage], _ texts: AppTexts = AppTexts()) {
        guard status.level > .enough else { return nil }
        let left = texts.spaceLeft(status.freeBytes.map { $0 / 1_000_000 })
        let advice = usage.first.map { texts.largestChat($0.contact.name) } ?? ""
        text = left + advice + (status.level == .critical ? texts.mediaNotSent : "")
        self.usage = usage
    }
}

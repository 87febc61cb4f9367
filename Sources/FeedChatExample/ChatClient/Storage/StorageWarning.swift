package import AppFoundation

/// The warning about scarce space. Data of the user is deleted only at the user's request.
package struct StorageWarning: Sendable, Hashable {
    /// The sentence to show.
    package var text: String
    /// The space of the conversations, the largest first, which may be deleted.
    package var usage: [ConversationUsage]

    /// Creates a warning; `nil` while there is enough space.
    package init?(_ status: StorageStatus, usage: [ConversationUsage], _ texts: AppTexts = AppTexts()) {
        guard status.level > .enough else { return nil }
        let left = texts.spaceLeft(status.freeBytes.map { $0 / 1_000_000 })
        let advice = usage.first.map { texts.largestChat($0.contact.name) } ?? ""
        text = left + advice + (status.level == .critical ? texts.mediaNotSent : "")
        self.usage = usage
    }
}

/// When the user is told that space is low. Nothing is deleted without being asked.
package struct StorageWarning: Sendable, Hashable {
    /// Free bytes below which the warning is shown.
    package var threshold: Int64 = 200_000_000

    package init(threshold: Int64 = 200_000_000) { self.threshold = threshold }

    /// The sentence to show; `nil` while there is enough space.
    ///
    /// - Parameters:
    ///   - freeBytes: what the volume has left.
    ///   - usage: what the conversations occupy, the largest first.
    package func text(freeBytes: Int64, usage: [ConversationUsage]) -> String? {
        guard freeBytes < threshold else { return nil }
        let advice = usage.first.map { "; the chat with \($0.contact.name) is the largest" } ?? ""
        return "Only \(freeBytes / 1_000_000) MB are left\(advice)"
    }
}

package import PaginatorCore

/// When the other side is told of typing: at once, then again before it expires there, and when it ends.
package struct TypingThrottle: Sendable {
    /// How often it is repeated at most while the typing goes on.
    package static let interval: Duration = .seconds(3)

    private var told: [String: PaginatorInstant] = [:]

    package init() {}

    /// Takes a change of the draft.
    ///
    /// - Returns: what to tell; `nil` for nothing.
    package mutating func type(_ isTyping: Bool, to contactId: String, at now: PaginatorInstant) -> Bool? {
        guard isTyping else { return told.removeValue(forKey: contactId) == nil ? nil : false }
        if let last = told[contactId], last.advanced(by: Self.interval) > now { return nil }
        told[contactId] = now
        return true
    }

    /// The message was sent: it says that the typing has ended.
    package mutating func stop(_ contactId: String) { told[contactId] = nil }
}

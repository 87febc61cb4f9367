package import PaginatorCore

/// Decides when typing is reported to the other side: at once, again before it expires there, and at the end.
package struct TypingThrottle: Sendable {
    /// The minimum interval between reports while the user is typing.
    package static let interval: Duration = .seconds(3)

    private var told: [String: PaginatorInstant] = [:]

    package init() {}

    /// Handles a change of the draft.
    ///
    /// - Returns: the report; `nil` for none.
    package mutating func type(_ isTyping: Bool, to contactId: String, at now: PaginatorInstant) -> Bool? {
        guard isTyping else { return told.removeValue(forKey: contactId) == nil ? nil : false }
        if let last = told[contactId], last.advanced(by: Self.interval) > now { return nil }
        told[contactId] = now
        return true
    }

    /// Ends the typing without a report, because the message itself ends it.
    package mutating func stop(_ contactId: String) { told[contactId] = nil }
}

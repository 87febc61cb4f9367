/// The way in which a conversation's list shows a message of the device.
package enum JumpPlan: Sendable, Hashable {
    /// It is shown already.
    case nothing
    /// The page around it is placed before all loaded pages.
    case before
    /// The page around it is placed after all loaded pages.
    case behind
    /// The list restarts around it, because it is between loaded pages and belongs at neither end.
    case anew

    /// Decides by the messages that the list shows.
    ///
    /// - Parameters:
    ///   - messageId: the target.
    ///   - shown: the first and the last message shown; `nil` if there is none.
    ///   - isShown: whether the target is among the shown messages.
    package init(to messageId: Int64, shown: (first: Int64, last: Int64)?, isShown: Bool) {
        guard !isShown else {
            self = .nothing
            return
        }
        switch shown {
        case .some(let shown) where messageId < shown.first: self = .before
        case .some(let shown) where messageId > shown.last: self = .behind
        case .some, nil: self = .anew
        }
    }
}

/// How a conversation's list comes to show a message that is on the device.
package enum JumpPlan: Sendable, Hashable {
    /// It is shown already.
    case nothing
    /// The page around it goes before everything that is loaded.
    case before
    /// The page around it goes behind everything that is loaded.
    case behind
    /// The list begins anew around it, as it lies between what is loaded, and neither end is its place.
    case anew

    /// Decides from what the list shows.
    ///
    /// - Parameters:
    ///   - messageId: where to go.
    ///   - shown: the first and the last message shown; `nil` where none is.
    ///   - isShown: whether the message is among those shown.
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

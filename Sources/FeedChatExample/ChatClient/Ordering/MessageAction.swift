package import ChatWire

/// An action of the user on a row of a conversation.
package enum MessageAction: Sendable, Hashable {
    case edit
    /// Shows the texts before its edits.
    case showEdits
    /// Deletes it for all users, on every device.
    case deleteForAll
    /// Deletes it on this device.
    case deleteForMe
    /// Sends a failed message again.
    case resend
    /// Deletes a message that has failed or was not sent yet.
    case discard
}

extension TimelineRow {
    /// Returns the actions of `userId` on the row, in display order.
    ///
    /// - Parameter role: the user's role in the group; `nil` in a chat of two.
    package func actions(of userId: String, role: GroupRole? = nil) -> [MessageAction] {
        switch self {
        case .gap, .missing: []
        case .waiting(let request) where request.status == .failed: [.resend, .discard]
        case .waiting(let request): request.lastSentAt == nil ? [.discard] : []
        case .message(let message) where message.fromUserId == userId && !message.isDeleted:
            [.edit] + message.editActions + [.deleteForAll, .deleteForMe]
        case .message(let message) where role?.allows(.deleteMessage) == true && !message.isDeleted:
            message.editActions + [.deleteForAll, .deleteForMe]
        case .message(let message): message.editActions + [.deleteForMe]
        }
    }
}

extension Message {
    fileprivate var editActions: [MessageAction] { revision > 0 && !isDeleted ? [.showEdits] : [] }
}

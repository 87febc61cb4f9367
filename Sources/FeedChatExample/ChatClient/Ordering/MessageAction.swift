package import ChatWire

/// What a user can do with a row of a conversation.
package enum MessageAction: Sendable, Hashable {
    case edit
    /// Shows the texts that it had before it was edited.
    case showEdits
    /// Deletes it on every device of everybody.
    case deleteForAll
    /// Deletes it on this device.
    case deleteForMe
    /// Sends what has failed again.
    case resend
    /// Deletes what has failed or was not handed to the network yet.
    case discard
}

extension TimelineRow {
    /// What `userId` can do with the row, in the order in which it is offered.
    ///
    /// - Parameter role: what the user is in the group; `nil` in a chat of two.
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

package import ChatWire

/// The delivery status of a message. It only advances.
package enum MessageStatus: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// The server has it.
    case synced
    /// The recipient's device has committed it.
    case delivered
    /// The recipient has seen it.
    case read

    package static func < (left: MessageStatus, right: MessageStatus) -> Bool { left.rawValue < right.rawValue }
}

/// A message that the server has accepted. Its id determines its position in the conversation.
package struct Message: Sendable, Hashable, Identifiable {
    package var messageId: Int64
    package var fromUserId: String
    package var toUserId: String
    package var content: String
    package var status: MessageStatus
    /// The server's time of acceptance, in milliseconds since 1970.
    package var createdAt: Int64
    /// The request of the message; `nil` for those of other users.
    package var requestId: String?
    /// The newest applied change; zero for none.
    package var revision: Int64
    /// Whether it was deleted for both sides; its content is empty then.
    package var isDeleted: Bool
    /// The attachment; it is not shown if the message was deleted for both sides.
    package var attachment: ChatAttachment?
    /// The mentioned members of a group.
    package var mentions: [String]

    package var id: Int64 { messageId }

    package init(
        messageId: Int64, fromUserId: String, toUserId: String, content: String, status: MessageStatus = .synced,
        createdAt: Int64, requestId: String? = nil, revision: Int64 = 0, isDeleted: Bool = false,
        attachment: ChatAttachment? = nil, mentions: [String] = []
    ) {
        self.mentions = mentions
        self.attachment = attachment
        self.messageId = messageId
        self.fromUserId = fromUserId
        self.toUserId = toUserId
        self.content = content
        self.status = status
        self.createdAt = createdAt
        self.requestId = requestId
        self.revision = revision
        self.isDeleted = isDeleted
    }

    /// The text, or a short description of the attachment.
    package var summary: String { content.isEmpty ? attachment?.label ?? "" : content }

    /// Returns the other side of the conversation for `userId`: a contact, or the group of the message.
    package func contactId(for userId: String) -> String { toUserId == userId ? fromUserId : toUserId }
}

package import ChatWire

/// How far a message has come. It only moves forward.
package enum MessageStatus: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// The server has it.
    case synced
    /// The recipient's device has committed it.
    case delivered
    /// The recipient has seen it.
    case read

    package static func < (left: MessageStatus, right: MessageStatus) -> Bool { left.rawValue < right.rawValue }
}

/// A message that the server has accepted; its id is its place in the conversation.
package struct Message: Sendable, Hashable, Identifiable {
    package var messageId: Int64
    package var fromUserId: String
    package var toUserId: String
    package var content: String
    package var status: MessageStatus
    /// The server's time of acceptance, in milliseconds since 1970.
    package var createdAt: Int64
    /// The request that became this message; `nil` for those of others.
    package var requestId: String?
    /// The newest change that it shows; zero for none.
    package var revision: Int64
    /// Whether it was deleted for both; its content is empty then.
    package var isDeleted: Bool
    /// What comes with it; one of a message that was deleted for both is not shown.
    package var attachment: ChatAttachment?
    /// The members of a group that it names.
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

    /// The text, or a few words for what comes without one.
    package var summary: String { content.isEmpty ? attachment?.label ?? "" : content }

    /// The other side of the conversation, as `userId` sees it: a contact, or the group that it was sent to.
    package func contactId(for userId: String) -> String { toUserId == userId ? fromUserId : toUserId }
}

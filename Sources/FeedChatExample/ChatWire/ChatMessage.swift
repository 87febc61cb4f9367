/// A message as the server tells it, to a user or to a group.
package struct ChatMessage: Codable, Sendable, Hashable {
    /// Time-ordered, given by the server; it is the order of a conversation.
    package var messageId: Int64
    package var fromUserId: String
    package var toUserId: String
    package var content: String
    /// The server's time of acceptance, in milliseconds since 1970.
    package var createdAt: Int64
    package var attachment: ChatAttachment?
    /// The members of a group that it names.
    package var mentions: [String]?
    /// Whether it was deleted for all since; told to who sends it again.
    package var isDeleted: Bool?

    package init(
        messageId: Int64, fromUserId: String, toUserId: String, content: String, createdAt: Int64,
        attachment: ChatAttachment? = nil, mentions: [String]? = nil, isDeleted: Bool? = nil
    ) {
        self.isDeleted = isDeleted
        self.mentions = mentions
        self.attachment = attachment
        self.messageId = messageId
        self.fromUserId = fromUserId
        self.toUserId = toUserId
        self.content = content
        self.createdAt = createdAt
    }
}

/// `POST /v1/messages`: the sender is the user of the token, and the request id makes a repetition harmless.
package struct SendMessageBody: Codable, Sendable, Hashable {
    package var requestId: String
    package var toUserId: String
    package var content: String
    /// The sender's clock, in milliseconds since 1970; it orders nothing.
    package var createdAt: Int64
    /// What comes with it; then the content may be empty.
    package var attachment: ChatAttachment?
    /// The members of a group that it names.
    package var mentions: [String]?

    package init(
        requestId: String, toUserId: String, content: String, createdAt: Int64, attachment: ChatAttachment? = nil,
        mentions: [String]? = nil
    ) {
        self.mentions = mentions
        self.attachment = attachment
        self.requestId = requestId
        self.toUserId = toUserId
        self.content = content
        self.createdAt = createdAt
    }
}

/// The answer to ``SendMessageBody``, 201: the same one for the same request id.
package struct SentMessage: Codable, Sendable, Hashable {
    package var message: ChatMessage
    package var fromMessageRequestId: String

    package init(message: ChatMessage, fromMessageRequestId: String) {
        self.message = message
        self.fromMessageRequestId = fromMessageRequestId
    }
}

/// `POST /v1/messages/batch`: messages in their order, all of them or none. A batch of which one is refused is refused,
/// and its messages may be sent one by one.
package struct SendBatchBody: Codable, Sendable, Hashable {
    /// How many messages a batch may have.
    package static let limit = 100

    package var messages: [SendMessageBody]

    package init(messages: [SendMessageBody]) { self.messages = messages }
}

/// The answer to ``SendBatchBody``, 201: a message for each, in their order.
package struct SentBatch: Codable, Sendable, Hashable {
    package var messages: [SentMessage]

    package init(messages: [SentMessage]) { self.messages = messages }
}

/// `PATCH /v1/messages/{id}`: a new content of one's own message.
package struct EditMessageBody: Codable, Sendable, Hashable {
    package var requestId: String
    package var content: String

    package init(requestId: String, content: String) {
        self.requestId = requestId
        self.content = content
    }
}

/// A message that changed after it was accepted: the newest revision wins.
package struct MessageRevision: Codable, Sendable, Hashable {
    package var messageId: Int64
    /// The id of the change; a greater one is newer.
    package var revision: Int64
    /// The new content; `nil` where the message was deleted for both.
    package var content: String?
    /// The server's time of the change, in milliseconds since 1970; `nil` where it is not told.
    package var changedAt: Int64?

    package init(messageId: Int64, revision: Int64, content: String?, changedAt: Int64? = nil) {
        self.messageId = messageId
        self.revision = revision
        self.content = content
        self.changedAt = changedAt
    }
}

/// A message from the server, to a user or to a group.
package struct ChatMessage: Codable, Sendable, Hashable {
    /// The maximum length of a content, in UTF-8 bytes.
    package static let contentLimit = 20_000

    /// Assigned by the server and ordered by time; it orders a conversation.
    package var messageId: Int64
    package var fromUserId: String
    package var toUserId: String
    package var content: String
    /// The server's time of acceptance, in milliseconds since 1970.
    package var createdAt: Int64
    package var attachment: ChatAttachment?
    /// The mentioned members of a group.
    package var mentions: [String]?
    /// Whether it was deleted for all since; the answer to a repeated request.
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
    /// The sender's clock, in milliseconds since 1970; it is not used for ordering.
    package var createdAt: Int64
    /// The attachment; with one the content may be empty.
    package var attachment: ChatAttachment?
    /// The mentioned members of a group.
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

/// The answer to ``SendMessageBody``, 201: the same for the same request id.
package struct SentMessage: Codable, Sendable, Hashable {
    package var message: ChatMessage
    package var fromMessageRequestId: String

    package init(message: ChatMessage, fromMessageRequestId: String) {
        self.message = message
        self.fromMessageRequestId = fromMessageRequestId
    }
}

/// `POST /v1/messages/batch`: messages in order, all of them or none. If one is refused, the batch is refused, and its
/// messages may be sent one by one.
package struct SendBatchBody: Codable, Sendable, Hashable {
    /// The maximum number of messages in a batch.
    package static let limit = 100

    package var messages: [SendMessageBody]

    package init(messages: [SendMessageBody]) { self.messages = messages }
}

/// The answer to ``SendBatchBody``, 201: a message for each, in order.
package struct SentBatch: Codable, Sendable, Hashable {
    package var messages: [SentMessage]

    package init(messages: [SentMessage]) { self.messages = messages }
}

/// `PATCH /v1/messages/{id}`: a new content of the user's message.
package struct EditMessageBody: Codable, Sendable, Hashable {
    package var requestId: String
    package var content: String

    package init(requestId: String, content: String) {
        self.requestId = requestId
        self.content = content
    }
}

/// A change of a message after it was accepted: the newest revision wins.
package struct MessageRevision: Codable, Sendable, Hashable {
    package var messageId: Int64
    /// The id of the change; a greater one is newer.
    package var revision: Int64
    /// The new content; `nil` if the message was deleted for both sides.
    package var content: String?
    /// The server's time of the change, in milliseconds since 1970; `nil` if unknown.
    package var changedAt: Int64?

    package init(messageId: Int64, revision: Int64, content: String?, changedAt: Int64? = nil) {
        self.messageId = messageId
        self.revision = revision
        self.content = content
        self.changedAt = changedAt
    }
}

/// A message as the server tells it.
package struct ChatMessage: Codable, Sendable, Hashable {
    /// Time-ordered, given by the server; it is the order of a conversation.
    package var messageId: Int64
    package var fromUserId: String
    package var toUserId: String
    package var content: String
    /// The server's time of acceptance, in milliseconds since 1970.
    package var createdAt: Int64

    package init(messageId: Int64, fromUserId: String, toUserId: String, content: String, createdAt: Int64) {
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

    package init(requestId: String, toUserId: String, content: String, createdAt: Int64) {
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

    package init(messageId: Int64, revision: Int64, content: String?) {
        self.messageId = messageId
        self.revision = revision
        self.content = content
    }
}

import ChatWire

/// The status of a message that the server has not accepted yet.
package enum MessageRequestStatus: Int, Sendable, Hashable {
    /// Being written; it survives restarts and is never sent.
    case draft
    /// Waits to be sent.
    case pending
    /// Sent at least once without an answer; it is sent again with the same id.
    case sent
    /// Failed permanently; it waits for the user to resend or delete it.
    case failed
}

/// A message that this device has written and the server has not accepted yet.
package struct MessageRequest: Sendable, Hashable, Identifiable {
    /// The idempotency key; the same for all attempts.
    package var requestId: String
    package var toUserId: String
    package var content: String
    package var status: MessageRequestStatus
    /// This device's clock at the time of writing, in milliseconds since 1970. Set once, and greater than that of every
    /// earlier request, so that a clock that is set back does not change the order.
    package var createdAt: Int64
    package var lastSentAt: Int64?
    package var failCount: Int
    /// The attachment and its upload progress.
    package var attachment: OutgoingAttachment?
    /// The mentioned members of a group.
    package var mentions: [String] = []

    package var id: String { requestId }

    package init(
        requestId: String, toUserId: String, content: String, status: MessageRequestStatus, createdAt: Int64,
        lastSentAt: Int64? = nil, failCount: Int = 0,
        attachment: OutgoingAttachment? = nil
    ) {
        self.attachment = attachment
        self.requestId = requestId
        self.toUserId = toUserId
        self.content = content
        self.status = status
        self.createdAt = createdAt
        self.lastSentAt = lastSentAt
        self.failCount = failCount
    }

    /// The text, or a short description of the attachment.
    package var summary: String { content.isEmpty ? attachment?.told.label ?? "" : content }

    /// Returns whether it was written before another one.
    package func precedes(_ other: MessageRequest) -> Bool {
        (createdAt, requestId) < (other.createdAt, other.requestId)
    }
}

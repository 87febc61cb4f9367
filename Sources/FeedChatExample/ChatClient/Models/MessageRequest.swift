import ChatWire

/// Where a message that the server has not accepted yet stands.
package enum MessageRequestStatus: Int, Sendable, Hashable {
    /// Being written; it stays over restarts and is never sent.
    case draft
    /// Waits to be sent.
    case pending
    /// Was handed to the network at least once; the answer is missing, so it is sent again under the same id.
    case sent
    /// Given up; it waits for the user to send it again or to delete it.
    case failed
}

/// A message that this device has written and the server has not accepted yet.
package struct MessageRequest: Sendable, Hashable, Identifiable {
    /// The idempotency key; the same from the first attempt to the last.
    package var requestId: String
    package var toUserId: String
    package var content: String
    package var status: MessageRequestStatus
    /// This device's clock when it was written, in milliseconds since 1970; set once, and greater than that of every
    /// request written before, so that a clock which is set back changes no order.
    package var createdAt: Int64
    package var lastModifiedAt: Int64
    package var lastSentAt: Int64?
    package var failCount: Int
    /// What goes with it, and how far its upload has come.
    package var attachment: OutgoingAttachment?
    /// The members of a group that it names.
    package var mentions: [String] = []

    package var id: String { requestId }

    package init(
        requestId: String, toUserId: String, content: String, status: MessageRequestStatus, createdAt: Int64,
        lastModifiedAt: Int64? = nil, lastSentAt: Int64? = nil, failCount: Int = 0,
        attachment: OutgoingAttachment? = nil
    ) {
        self.attachment = attachment
        self.requestId = requestId
        self.toUserId = toUserId
        self.content = content
        self.status = status
        self.createdAt = createdAt
        self.lastModifiedAt = lastModifiedAt ?? createdAt
        self.lastSentAt = lastSentAt
        self.failCount = failCount
    }

    /// The text, or a few words for what goes without one.
    package var summary: String { content.isEmpty ? attachment?.told.label ?? "" : content }

    /// Where it stands among those that wait: by the time of writing.
    package func precedes(_ other: MessageRequest) -> Bool {
        (createdAt, requestId) < (other.createdAt, other.requestId)
    }
}

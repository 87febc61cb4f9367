/// The delivery status of a message at its recipient.
package enum ReceiptType: String, Codable, Sendable, Hashable {
    /// The recipient's device has committed it.
    case delivered
    /// The recipient has seen it.
    case read
}

/// The receipt of a recipient for a message.
package struct ChatReceipt: Codable, Sendable, Hashable {
    package var messageId: Int64
    package var type: ReceiptType

    package init(messageId: Int64, type: ReceiptType) {
        self.messageId = messageId
        self.type = type
    }
}

/// `POST /v1/receipts`: receipts in a batch; a repetition changes nothing.
package struct ReceiptsBody: Codable, Sendable, Hashable {
    package var receipts: [ChatReceipt]

    package init(receipts: [ChatReceipt]) { self.receipts = receipts }
}

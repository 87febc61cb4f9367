/// An event of the server for a user: sent over the socket at once, and by `GET /v1/messages` until it is acknowledged.
///
/// On the wire it is `{"type", "payload", "id", "previous"}`. A lasting event has an id, which grows, and names the id
/// of the user's event before it, so that a client detects missed ones. A status or a position has neither and is not
/// stored.
package struct ChatEvent: Sendable, Hashable {
    /// The kind of event and its payload.
    package enum Content: Sendable, Hashable {
        case newMessage(ChatMessage)
        case messageDelivered(messageId: Int64)
        case messageRead(messageId: Int64)
        case messageChanged(MessageRevision)
        /// The current state of a group; it is sent to a removed member once more.
        case groupChanged(ChatGroup)
        case contactStatusUpdate(ContactStatus)
        /// The id of the user's last event, sent with each heartbeat, so that a lost frame is detected without further
        /// events.
        case position(Int64)
        /// A type or a payload that this version does not know; its position in the order counts nevertheless.
        case unknown(type: String)
    }

    /// Time-ordered within all events of the server; zero for a status.
    package var id: Int64
    /// The id of the user's event before it, zero for the first; zero for a status.
    package var previous: Int64
    package var content: Content

    package init(id: Int64 = 0, previous: Int64 = 0, content: Content) {
        self.id = id
        self.previous = previous
        self.content = content
    }
}

/// The current activity of a contact.
package struct ContactStatus: Codable, Sendable, Hashable {
    package var userId: String
    package var online: Bool
    package var typing: Bool
    /// In milliseconds since 1970; `nil` if it was never connected, and in a typing notice. A status with a time tells
    /// nothing about typing.
    package var lastConnectedAt: Int64?
    /// The group in which the contact is typing; `nil` for the chat of two.
    package var groupId: String?

    package init(userId: String, online: Bool, typing: Bool, lastConnectedAt: Int64?, groupId: String? = nil) {
        self.groupId = groupId
        self.userId = userId
        self.online = online
        self.typing = typing
        self.lastConnectedAt = lastConnectedAt
    }
}

/// A frame that the client sends: best effort, never answered.
package struct TypingFrame: Codable, Sendable, Hashable {
    package var type = "typing"
    package var toUserId: String
    package var isTyping: Bool

    package init(toUserId: String, isTyping: Bool) {
        self.toUserId = toUserId
        self.isTyping = isTyping
    }
}

/// `GET /v1/messages?lastSyncedMessage=&limit=`: the waiting events after one that the client has committed.
///
/// The request acknowledges everything up to that event.
package struct SyncPage: Codable, Sendable, Hashable {
    package var events: [ChatEvent]
    /// The position for the next request: the id of the last event in the answer, or that of the request.
    package var lastSyncedMessage: Int64
    package var hasMore: Bool

    package init(events: [ChatEvent], lastSyncedMessage: Int64, hasMore: Bool) {
        self.events = events
        self.lastSyncedMessage = lastSyncedMessage
        self.hasMore = hasMore
    }
}

extension ChatEvent: Codable {
    private enum Key: String, CodingKey { case id, previous, type, payload }
    private struct Reference: Codable { var messageId: Int64 }
    private struct Position: Codable { var lastEvent: Int64 }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        id = try values.decodeIfPresent(Int64.self, forKey: .id) ?? 0
        previous = try values.decodeIfPresent(Int64.self, forKey: .previous) ?? 0
        let type = try values.decode(String.self, forKey: .type)
        do {
            content = try Self.content(type, values)
        } catch {
            // A payload that this version cannot read must not stop the events after it.
            content = .unknown(type: type)
        }
    }

    private static func content(_ type: String, _ values: KeyedDecodingContainer<Key>) throws -> Content {
        switch type {
        case "new_message": .newMessage(try values.decode(ChatMessage.self, forKey: .payload))
        case "message_delivered":
            .messageDelivered(messageId: try values.decode(Reference.self, forKey: .payload).messageId)
        case "message_read": .messageRead(messageId: try values.decode(Reference.self, forKey: .payload).messageId)
        case "message_changed": .messageChanged(try values.decode(MessageRevision.self, forKey: .payload))
        case "group_changed": .groupChanged(try values.decode(ChatGroup.self, forKey: .payload))
        case "contact_status_update":
            .contactStatusUpdate(try values.decode(ContactStatus.self, forKey: .payload))
        case "position": .position(try values.decode(Position.self, forKey: .payload).lastEvent)
        default: .unknown(type: type)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        if id != 0 {
            try values.encode(id, forKey: .id)
            try values.encode(previous, forKey: .previous)
        }
        try values.encode(type, forKey: .type)
        switch content {
        case .newMessage(let message): try values.encode(message, forKey: .payload)
        case .messageDelivered(let messageId), .messageRead(let messageId):
            try values.encode(Reference(messageId: messageId), forKey: .payload)
        case .messageChanged(let revision): try values.encode(revision, forKey: .payload)
        case .groupChanged(let group): try values.encode(group, forKey: .payload)
        case .contactStatusUpdate(let status): try values.encode(status, forKey: .payload)
        case .position(let last): try values.encode(Position(lastEvent: last), forKey: .payload)
        case .unknown: break
        }
    }

    /// The name of the event on the wire.
    package var type: String {
        switch content {
        case .newMessage: "new_message"
        case .messageDelivered: "message_delivered"
        case .messageRead: "message_read"
        case .messageChanged: "message_changed"
        case .groupChanged: "group_changed"
        case .contactStatusUpdate: "contact_status_update"
        case .position: "position"
        case .unknown(let type): type
        }
    }
}

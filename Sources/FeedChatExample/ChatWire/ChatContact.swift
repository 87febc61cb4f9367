/// `GET /v1/contacts`: a user to write to.
package struct ChatContact: Codable, Sendable, Hashable {
    package var id: String
    package var name: String
    package var avatarUrl: String
    /// In milliseconds since 1970; `nil` if it was never connected.
    package var lastConnectedAt: Int64?

    package init(id: String, name: String, avatarUrl: String, lastConnectedAt: Int64?) {
        self.id = id
        self.name = name
        self.avatarUrl = avatarUrl
        self.lastConnectedAt = lastConnectedAt
    }
}

/// `PUT /v1/devices`: the push token of a device.
package struct DeviceBody: Codable, Sendable, Hashable {
    package var deviceId: String
    package var pushToken: String

    package init(deviceId: String, pushToken: String) {
        self.deviceId = deviceId
        self.pushToken = pushToken
    }
}

/// A notification of the push provider to a device.
package struct PushNotification: Codable, Sendable, Hashable {
    package var pushToken: String
    package var fromUserId: String
    package var messageId: Int64
    package var title: String
    package var text: String
    /// The group of the message; `nil` for a message to the device's user.
    package var groupId: String?

    package init(
        pushToken: String, fromUserId: String, messageId: Int64, title: String, text: String, groupId: String? = nil
    ) {
        self.groupId = groupId
        self.pushToken = pushToken
        self.fromUserId = fromUserId
        self.messageId = messageId
        self.title = title
        self.text = text
    }
}

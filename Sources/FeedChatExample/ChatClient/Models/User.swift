/// Somebody to chat with, a group, or the signed-in user.
package struct User: Sendable, Hashable, Identifiable {
    package var id: String
    package var name: String
    package var avatarUrl: String
    /// In milliseconds since 1970; `nil` where it never was connected.
    package var lastConnectedAt: Int64?
    /// Whether it is a group, whose name is its title.
    package var isGroup: Bool

    package init(
        id: String, name: String, avatarUrl: String = "", lastConnectedAt: Int64? = nil, isGroup: Bool = false
    ) {
        self.isGroup = isGroup
        self.id = id
        self.name = name
        self.avatarUrl = avatarUrl
        self.lastConnectedAt = lastConnectedAt
    }
}

/// What a contact, or somebody in a group, is doing now; it expires.
package struct ContactInfo: Sendable, Hashable {
    package var onlineStatus: Bool
    package var typing: Bool
    /// The ids of those who type in a group.
    package var typists: [String]

    package init(onlineStatus: Bool = false, typing: Bool = false, typists: [String] = []) {
        self.typists = typists
        self.onlineStatus = onlineStatus
        self.typing = typing
    }
}

/// A contact, a group, or the signed-in user.
package struct User: Sendable, Hashable, Identifiable {
    package var id: String
    package var name: String
    package var avatarUrl: String
    /// In milliseconds since 1970; `nil` if it was never connected.
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

/// The current activity of a contact or in a group; it expires.
package struct ContactInfo: Sendable, Hashable {
    package var onlineStatus: Bool
    package var typing: Bool
    /// The ids of the members who are typing in a group.
    package var typists: [String]

    package init(onlineStatus: Bool = false, typing: Bool = false, typists: [String] = []) {
        self.typists = typists
        self.onlineStatus = onlineStatus
        self.typing = typing
    }
}

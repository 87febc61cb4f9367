/// The role of a member of a group.
package enum GroupRole: String, Codable, Sendable, Hashable, CaseIterable {
    /// May write, and leave.
    case member
    /// Adds and removes members, renames the group, and deletes messages of others.
    case admin
    /// May do everything, including changes of roles. There is always exactly one.
    case owner
}

/// An action in a group.
package enum GroupAct: Sendable, Hashable {
    case write, leave, rename, add
    /// Deletes a message of another user for all.
    case deleteMessage
    case remove(GroupRole)
    /// Changes another member's role; an owner who appoints another owner becomes an admin.
    case setRole(from: GroupRole, to: GroupRole)
}

extension GroupRole {
    /// Returns whether the role allows an action: the server refuses others, and screens do not offer them.
    package func allows(_ act: GroupAct) -> Bool {
        switch (self, act) {
        case (_, .write), (_, .leave): true
        case (.owner, .remove(let role)): role != .owner
        case (.admin, .remove(let role)): role == .member
        case (.owner, .setRole(from: let before, to: let after)): before != .owner && before != after
        case (.owner, _): true
        case (.admin, .rename), (.admin, .add), (.admin, .deleteMessage): true
        case (.admin, _), (.member, _): false
        }
    }
}

/// A member of a group.
package struct GroupMember: Codable, Sendable, Hashable, Identifiable {
    package var userId: String
    package var name: String
    package var role: GroupRole

    package var id: String { userId }

    package init(userId: String, name: String, role: GroupRole) {
        self.userId = userId
        self.name = name
        self.role = role
    }

    /// A role that this version does not know has the permissions of a member.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        userId = try values.decode(String.self, forKey: .userId)
        name = try values.decode(String.self, forKey: .name)
        role = GroupRole(rawValue: try values.decode(String.self, forKey: .role)) ?? .member
    }
}

/// A chat of several users. A message to its id is sent to every member.
package struct ChatGroup: Codable, Sendable, Hashable, Identifiable {
    /// The maximum number of members.
    package static let limit = 200

    package var id: String
    package var title: String
    /// In the order of joining.
    package var members: [GroupMember]
    /// The id of its last change; a greater one is newer.
    package var revision: Int64

    package init(id: String, title: String, members: [GroupMember], revision: Int64) {
        self.revision = revision
        self.id = id
        self.title = title
        self.members = members
    }

    /// Returns the role of a user; `nil` if the user is not a member.
    package func role(of userId: String) -> GroupRole? { members.first { $0.userId == userId }?.role }

    /// Returns the new owner after the owner has left: the first admin, otherwise the first member.
    package static func successor(of owner: String, in members: [GroupMember]) -> String? {
        let others = members.filter { $0.userId != owner }
        return (others.first { $0.role == .admin } ?? others.first)?.userId
    }
}

/// `POST /v1/groups`: the creator owns it, and the request id makes a repetition harmless.
package struct NewGroupBody: Codable, Sendable, Hashable {
    package var requestId: String
    package var title: String
    package var memberIds: [String]

    package init(requestId: String, title: String, memberIds: [String]) {
        self.requestId = requestId
        self.title = title
        self.memberIds = memberIds
    }
}

/// `PATCH /v1/groups/{id}`.
package struct GroupTitleBody: Codable, Sendable, Hashable {
    package var title: String

    package init(title: String) { self.title = title }
}

/// `PUT /v1/groups/{id}/members/{user}`: adds a member, or changes a member's role.
package struct GroupRoleBody: Codable, Sendable, Hashable {
    package var role: GroupRole

    package init(role: GroupRole) { self.role = role }
}

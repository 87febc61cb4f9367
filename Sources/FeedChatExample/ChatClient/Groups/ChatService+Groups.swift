package import ChatWire

/// Groups are changed on the server, and its answers are stored; without a connection nothing is changed.
extension ChatService {
    /// Creates a group that the user owns.
    ///
    /// - Parameter requestId: from ``makeRequestID()``, the same one for a repetition.
    package func makeGroup(_ title: String, with userIds: [String], requestId: String) async throws -> ChatGroup {
        try await keep(try await api.makeGroup(NewGroupBody(requestId: requestId, title: title, memberIds: userIds)))
    }

    @discardableResult
    package func renameGroup(_ id: String, to title: String) async throws -> ChatGroup {
        try await keep(try await api.renameGroup(id, to: title))
    }

    /// Adds a member, or changes a member's role.
    @discardableResult
    package func setRole(_ role: GroupRole, of userId: String, in groupId: String) async throws -> ChatGroup {
        try await keep(try await api.setRole(role, of: userId, in: groupId))
    }

    /// Removes a member, or lets the user leave; the messages stay until the user deletes them.
    @discardableResult
    package func removeMember(_ userId: String, from groupId: String) async throws -> ChatGroup {
        try await keep(try await api.removeMember(userId, from: groupId))
    }

    private func keep(_ group: ChatGroup) async throws -> ChatGroup {
        try await database.write { try $0.save(group) }
        return group
    }
}

import AppFoundation
package import ChatWire

/// The state of a group's screen.
package struct GroupState: Sendable, Hashable {
    /// An action on a member.
    package enum Action: Sendable, Hashable {
        case makeAdmin, makeMember, makeOwner, remove, leave
    }

    package struct Row: Sendable, Hashable, Identifiable {
        package var member: GroupMember
        package var actions: [Action]
        /// The member's image; `nil` for the user, and for users who are not contacts.
        package var avatarUrl: String?

        package var id: String { member.userId }
    }

    package var title = ""
    package var rows: [Row] = []
    /// The users who may be added, by name; empty if the user may add none.
    package var addable: [User] = []
    package var canRename = false
    package var isChanging = false
    package var errorMessage: String?

    package init() {}

    /// Creates the state of a group as one of its members sees it.
    package init(_ group: ChatGroup, userId: String, contacts: [User]) {
        let role = group.role(of: userId)
        title = group.title
        canRename = role?.allows(.rename) == true
        let images = Dictionary(contacts.map { ($0.id, $0.avatarUrl) }, uniquingKeysWith: { first, _ in first })
        rows = group.members.map {
            Row(member: $0, actions: Self.actions(of: userId, role, on: $0), avatarUrl: images[$0.userId])
        }
        let ids = Set(group.members.map(\.userId))
        addable = role?.allows(.add) == true ? contacts.filter { !ids.contains($0.id) } : []
    }

    private static func actions(of userId: String, _ role: GroupRole?, on member: GroupMember) -> [Action] {
        guard let role else { return [] }
        guard member.userId != userId else { return [.leave] }
        let roles: [(GroupRole, Action)] = [(.admin, .makeAdmin), (.member, .makeMember), (.owner, .makeOwner)]
        return roles.filter { role.allows(.setRole(from: member.role, to: $0.0)) }.map(\.1)
            + (role.allows(.remove(member.role)) ? [.remove] : [])
    }
}

/// The members of a group, and the user's actions on them.
@MainActor package final class GroupScreen {
    package private(set) var state = GroupState()
    private let service: ChatService
    private let groupId: String
    private var subscription: ChatSubscription?
    private lazy var emitter = Emitter<GroupState> { [weak self] in self?.state }
    private lazy var reading = SerialReading { [weak self] in await self?.read() }

    package init(_ service: ChatService, group groupId: String) {
        self.service = service
        self.groupId = groupId
    }

    /// Calls `handler` with the state, now and after each change.
    package func onChange(_ handler: @escaping (GroupState) -> Void) { emitter.setHandler(handler) }

    /// Waits for a state; throws when the task is cancelled first.
    @discardableResult
    package func first(
        where isMet: (GroupState) -> Bool, file: StaticString = #fileID, line: UInt = #line
    ) async throws -> GroupState {
        try await emitter.first(where: isMet, file: file, line: line)
    }

    /// Reads the group, and follows it.
    package func open() async {
        subscription = service.database.changes.subscribe { [weak self] changes in
            if changes.contains(.users) { Task { await self?.reading.run() } }
        }
        await reading.run()
    }

    package func rename(to title: String) async { await change { _ = try await $0.renameGroup($1, to: title) } }

    package func add(_ userId: String) async {
        await change { _ = try await $0.setRole(.member, of: userId, in: $1) }
    }

    package func perform(_ action: GroupState.Action, on userId: String) async {
        await change { service, groupId in
            switch action {
            case .makeAdmin: try await service.setRole(.admin, of: userId, in: groupId)
            case .makeMember: try await service.setRole(.member, of: userId, in: groupId)
            case .makeOwner: try await service.setRole(.owner, of: userId, in: groupId)
            case .remove, .leave: try await service.removeMember(userId, from: groupId)
            }
        }
    }

    private func change(_ action: @Sendable (ChatService, String) async throws -> Void) async {
        state.isChanging = true
        emitter.changed()
        do {
            try await action(service, groupId)
            state.errorMessage = nil
        } catch let error as APIError where error.outboxFailure.kind == .refused {
            state.errorMessage = service.texts.groupForbids
        } catch {
            state.errorMessage = service.texts.groupNotChanged
        }
        state.isChanging = false
        await reading.run()
    }

    private func read() async {
        let (groupId, userId) = (groupId, service.database.userId)
        do {
            let (group, contacts) = try await service.database.read { read in
                (try read.group(groupId), try read.contacts())
            }
            let (isChanging, message) = (state.isChanging, state.errorMessage)
            state = group.map { GroupState($0, userId: userId, contacts: contacts) } ?? GroupState()
            (state.isChanging, state.errorMessage) = (isChanging, message)
        } catch {
            state.errorMessage = service.texts.groupNotRead
        }
        emitter.changed()
    }
}

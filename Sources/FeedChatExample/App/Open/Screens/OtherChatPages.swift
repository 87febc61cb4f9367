import AppFoundation
import ChatClient
import ChatWire
import Foundation

/// The search of messages, in one conversation or in all.
@MainActor final class ChatSearchPage: AppScreen {
    let kind = "chatSearch"
    private let screen: SearchScreen
    private let environment: AppEnvironment

    init(_ model: AppModel, text: String, contact: String?, changed: @escaping @MainActor () -> Void) {
        environment = model.environment
        screen = model.chatCoordinator.makeSearch(in: contact)
        screen.onChange { _ in changed() }
        screen.type(text)
    }

    var state: AppJSON { ChatProjection.state(screen.state, environment.texts) }
    var rows: [AppRow]? { ChatProjection.rows(screen.state) }

    func visible(_ rows: Range<Int>, of all: [AppRow]) async { screen.show(visible: rows) }

    func perform(_ intent: AppIntent) async throws -> Bool {
        switch intent.what {
        case "type": screen.type(String(intent.text.prefix(200)))
        case "older": screen.loadMore()
        case "retry": screen.retry()
        default: return false
        }
        return true
    }
}

/// A group's members, or a new group.
@MainActor final class GroupPage: AppScreen {
    let kind = "group"
    private let model: AppModel
    private let screen: GroupScreen?
    private var contacts: [User] = []
    /// The last attempt to make a group: a second tap repeats its request, and another group is another request.
    private var lastAttempt: (name: String, members: Set<String>)?
    private var requestID = ""

    /// - Parameter group: `nil` for a new one.
    init(_ model: AppModel, group: String?, changed: @escaping @MainActor () -> Void) async throws {
        self.model = model
        screen = group.map(model.chatCoordinator.makeGroup)
        screen?.onChange { _ in changed() }
        await screen?.open()
        if group == nil { contacts = try await model.chat.service.database.read { try $0.contacts() } }
    }

    var state: AppJSON {
        var new = GroupState()
        new.addable = contacts
        new.canRename = true
        return ChatProjection.state(screen?.state ?? new, user: model.chat.user)
    }

    func perform(_ intent: AppIntent) async throws -> Bool {
        guard let screen else { return try await create(intent) }
        let member = intent.message["member"]?.string ?? ""
        switch intent.what {
        case "rename": await screen.rename(to: intent.text)
        case "add": await screen.add(member)
        case "remove": await screen.perform(.remove, on: member)
        case "leave": await screen.perform(.leave, on: model.chat.user.id)
        case "role":
            switch intent.message["role"]?.string.flatMap(GroupRole.init(rawValue:)) {
            case .owner?: await screen.perform(.makeOwner, on: member)
            case .admin?: await screen.perform(.makeAdmin, on: member)
            case .member?: await screen.perform(.makeMember, on: member)
            case nil: return false
            }
        default: return false
        }
        if let error = screen.state.errorMessage { throw AppIntentError(text: error) }
        return true
    }

    private func create(_ intent: AppIntent) async throws -> Bool {
        guard intent.what == "create" else { return false }
        let (name, members) = (intent.message["name"]?.string ?? "", Set(intent.message["members"]?.strings ?? []))
        guard !name.isEmpty, !members.isEmpty else {
            throw AppIntentError(text: model.environment.texts.groupIsIncomplete)
        }
        let service = model.chat.service
        if lastAttempt?.name != name || lastAttempt?.members != members {
            lastAttempt = (name, members)
            requestID = service.makeRequestID()
        }
        do {
            _ = try await service.makeGroup(name, with: members.sorted(), requestId: requestID)
            lastAttempt = nil
        } catch {
            throw AppIntentError(text: model.environment.texts.groupNotMade)
        }
        return true
    }
}

import AppFoundation
import ArgumentParser
import ChatClient
import ChatWire
import ExampleBackend
import Foundation
import MediaLoader
import PaginatorStorage

/// A client of the chat in its own process, which executes commands line by line.
struct ChatClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat-client", abstract: "Run a client of the chat that takes its commands from standard input.")

    @OptionGroup var options: ClientOptions

    func run() async throws {
        let environment = options.makeEnvironment()
        var config = ChatServiceConfig()
        config.socket.heartbeatInterval = .seconds(2)
        config.socket.backoffCap = .seconds(1)
        config.sending.backoffCap = .seconds(1)
        let app = try await ChatApp.open(
            root: options.rootFolder, at: try options.baseURL(), signIn: options.signIn, environment: environment,
            config: config)
        try await ChatClientSession(app, environment).serve()
        try await app.close()
    }
}

/// The commands of a chat client.
@MainActor final class ChatClientSession: LineClient {
    private let app: ChatApp
    private let environment: AppEnvironment
    private let list: ChatListScreen
    private let coordinator: ChatCoordinator
    private var screen: ConversationScreen?
    private var contactId = ""

    init(_ app: ChatApp, _ environment: AppEnvironment) {
        self.app = app
        self.environment = environment
        coordinator = ChatCoordinator(app.service, media: app.media, storage: app.storage)
        list = coordinator.makeList()
    }

    func answer(_ line: String) async throws -> String? {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        let rest = words.count > 1 ? words[1] : ""
        switch words.first {
        case "contact":
            // Offline, the contacts of the last refresh are used.
            if environment.state.isOnline { try await app.service.refreshContacts() }
            let contacts = try await app.service.database.read { try $0.contacts() }
            contactId = contacts.first { $0.name == rest }?.id ?? ""
            return contactId
        case "chats":
            await list.open()
            return ChatFrames.list(list.state).replacing("\n", with: "|")
        case "group":
            let names = rest.split(separator: " ").map(String.init)
            let members = try await app.service.database.read { try $0.contacts() }.filter { names.contains($0.name) }
            contactId = try await app.service.makeGroup(
                names.first ?? "", with: members.map(\.id), requestId: app.service.makeRequestID()
            ).id
            return contactId
        case "join":
            contactId = rest
        case "open":
            coordinator.show(.conversation(contactId))
            return try await openLast()
        case "link":
            guard let link = URL(string: rest), coordinator.open(link) else { return "leads nowhere" }
            return try await openLast()
        case "find": return try await find(rest)
        case "older":
            let count = rows
            screen?.loadOlder()
            try await screen?.first { $0.conversation.messages.count > count || !$0.hasOlder }
            return "\(rows)"
        case "newer":
            let count = rows
            screen?.loadNewer()
            try await screen?.first { $0.conversation.messages.count > count }
            return "\(rows)"
        case "rows": return "\(rows)"
        case "frame":
            guard let screen else { return "" }
            await screen.refresh()
            return ChatFrames.conversation(screen.state, of: app.user.id, last: 6).replacing("\n", with: "|")
        case "type": try await app.service.type(rest, to: contactId)
        case "send": try await app.service.send(rest, to: contactId)
        case "photo":
            let photo = NewMedia(
                .image, content: SampleImage.png(seed: rest, width: 480, height: 320),
                thumbnail: SampleImage.png(seed: rest, width: 60, height: 40))
            try await app.service.send(photo, with: rest, to: contactId)
        case "place":
            try await app.service.sendPlace(latitude: 48.137, longitude: 11.575, name: rest, to: contactId)
        case "pictures": return "\(try await pictures())"
        case "flood":
            let parts = rest.split(separator: " ")
            for index in 0..<(Int(parts.first ?? "") ?? 0) {
                try await app.service.send("\(parts.last ?? "") \(index + 1)", to: contactId)
            }
        case "edit":
            guard let message = try await lastOwn() else { return "none" }
            _ = try await app.service.edit(message.messageId, to: rest)
        case "edits":
            guard case .message(let message)? = screen?.state.conversation.messages.last else { return "none" }
            await screen?.showEdits(of: message.messageId)
        case "delete": try await delete(rest)
        case "read": try await app.service.markRead(from: contactId, upTo: .max)
        case "offline": environment.update { $0.link = .none }
        case "online": environment.update { $0.link = .good }
        case "until": try await wait(for: rest)
        case "digest": return try await digest()
        default: return nil
        }
        return "done"
    }

    /// Opens the conversation that the coordinator points to.
    private func openLast() async throws -> String {
        guard case .conversation(let contactId, at: let messageId)? = coordinator.path.last,
            let opened = try await coordinator.makeConversation(with: contactId, pageSize: 30)
        else { return "none" }
        screen = opened
        await opened.open(at: messageId)
        try await opened.first { !$0.isLoading && (messageId == nil || $0.focus == messageId) }
        return "done"
    }

    /// Searches all conversations for a text, and opens the last result.
    private func find(_ text: String) async throws -> String {
        let search = coordinator.makeSearch()
        search.type(text)
        let found = try await search.first { !$0.isSearching }
        let link = found.hits.first.flatMap { ChatRoute.link(to: $0.id, with: $0.contact.id) }
        return "\(found.hits.count) \(link?.absoluteString ?? "")"
    }

    /// Returns the sizes in bytes of the small images of the last messages, and of the contact's picture, once loaded.
    private func pictures() async throws -> [Int] {
        let contactId = contactId
        let (messages, contact) = try await app.service.database.read { read in
            (try read.history(.newest, with: contactId, limit: 20).messages, try read.user(contactId))
        }
        var sizes: [Int] = []
        for attachment in messages.compactMap(\.attachment) {
            sizes.append(await size { app.media.thumbnail(of: attachment, onStep: $0) })
        }
        if let contact { sizes.append(await size { app.media.avatar(of: contact, onStep: $0) }) }
        return sizes
    }

    private func size(_ load: (@escaping @Sendable (ImageStep) -> Void) -> ImageRequest?) async -> Int {
        let (steps, continuation) = AsyncStream<ImageStep>.makeStream()
        let request = load { continuation.yield($0) }
        defer { request?.cancel() }
        guard request != nil else { return 0 }
        for await step in steps {
            switch step {
            case .image(let item, _): return item.bytes.count
            case .failed: return 0
            case .preview: continue
            }
        }
        return 0
    }

    private func lastOwn() async throws -> Message? {
        let (contactId, userId) = (contactId, app.user.id)
        return try await app.service.database.read { read in
            try read.history(.newest, with: contactId, limit: 50).messages.last { $0.fromUserId == userId }
        }
    }

    /// Deletes the last message for `all` or for `me`, or the whole `chat`.
    private func delete(_ what: String) async throws {
        guard what != "chat" else { return await list.deleteConversation(with: contactId) }
        // A sent message is shown as waiting until the list has it.
        let last = try await screen?.first { state in
            if case .message = state.conversation.messages.last { true } else { false }
        }.conversation.messages.last
        guard case .message(let message)? = last else { return }
        if what == "all" {
            await screen?.deleteForAll(message.messageId)
        } else {
            await screen?.deleteForMe(message.messageId)
            try await screen?.first { $0.conversation.messages.last != last }
        }
    }

    private var rows: Int { screen?.state.conversation.messages.count ?? 0 }

    /// Waits for `group`, `typing`, `live`, `messages N`, for the last message to be `sent`, `edited` or `deleted`, or
    /// for `read`: everything written here was read there.
    private func wait(for what: String) async throws {
        let (contactId, userId) = (contactId, app.user.id)
        let words = what.split(separator: " ")
        let count = words.last.flatMap { Int($0) } ?? 0
        while true {
            let service = app.service
            let isMet: Bool
            switch words.first {
            case "group": isMet = try await service.database.read { try $0.groups().count >= count }
            case "typing": isMet = service.updates.info(of: contactId)?.typing == true
            case "live": isMet = service.updates.status.isLive && !service.updates.status.hasGap
            case "sent": isMet = try await service.database.read { try $0.requests(to: contactId).isEmpty }
            case "messages":
                isMet = try await service.database.read { read in
                    try read.history(.after(0), with: contactId, limit: 100_000).messages.count >= count
                }
            case "edited":
                isMet = try await service.database.read { read in
                    try read.history(.newest, with: contactId, limit: 2).messages.last.map { $0.revision > 0 } == true
                }
            case "deleted":
                isMet = try await service.database.read { read in
                    try read.history(.newest, with: contactId, limit: 2).messages.last?.isDeleted == true
                }
            case "read":
                isMet = try await service.database.read { read in
                    try read.history(.after(0), with: contactId, limit: 100_000).messages.allSatisfy { message in
                        message.fromUserId != userId || message.status == .read
                    }
                }
            default: return
            }
            if isMet { return }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Returns the whole conversation, in order, in one line.
    private func digest() async throws -> String {
        let contactId = contactId
        let messages = try await app.service.database.read { read in
            try read.history(.after(0), with: contactId, limit: 100_000).messages
        }
        return messages.map { "\($0.messageId):\($0.fromUserId):\($0.status):\($0.content)" }.joined(separator: "|")
    }
}

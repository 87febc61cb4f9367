import AppFoundation
import ArgumentParser
import ChatClient
import Foundation

/// A client of the chat in a process of its own, which does what it is told line by line, and may be killed at any time.
///
/// It answers each line with one line, `ok` and more, after what was asked is on disk.
struct ChatClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat-client", abstract: "Run a client of the chat that takes its commands from standard input.")

    @Option(help: "Where the backend is.")
    var url: String

    @Option(help: "The folder that keeps everything.")
    var root: String

    @Option(help: "The user to sign in; without one the user of the last run is used.")
    var signIn: String?

    @Flag(help: "Start without a connection.")
    var offline = false

    func run() async throws {
        guard let baseURL = URL(string: url) else { throw ValidationError("\(url) is no address") }
        let environment = AppEnvironment(AppEnvironment.State(link: offline ? .none : .good))
        var config = ChatServiceConfig()
        config.socket.heartbeatInterval = .seconds(2)
        config.socket.backoffCap = .seconds(1)
        config.sending.backoffCap = .seconds(1)
        let app = try await ChatApp.open(
            root: URL(filePath: root), at: baseURL, signIn: signIn, environment: environment, config: config)
        let session = await ChatClientSession(app, environment)
        Transcript.say("ok ready")
        while let line = await Self.nextLine() {
            guard let answer = try await session.answer(line) else { break }
            Transcript.say("ok \(answer)")
        }
        try await app.service.shutDown()
    }

    /// The next line that comes in, read off the threads that work is done on.
    private static func nextLine() async -> String? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: readLine()) }
        }
    }
}

/// What a client of the chat can be told.
@MainActor final class ChatClientSession {
    private let app: ChatApp
    private let environment: AppEnvironment
    private let list: ChatListScreen
    private var screen: ConversationScreen?
    private var contactId = ""

    init(_ app: ChatApp, _ environment: AppEnvironment) {
        self.app = app
        self.environment = environment
        list = ChatListScreen(app.service)
    }

    /// Does what a line says; `nil` at the end.
    func answer(_ line: String) async throws -> String? {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        let rest = words.count > 1 ? words[1] : ""
        switch words.first {
        case "contact":
            // Offline the contacts of the last time do.
            if environment.state.isOnline { try await app.service.refreshContacts() }
            let contacts = try await app.service.database.read { try $0.contacts() }
            contactId = contacts.first { $0.name == rest }?.id ?? ""
            return contactId
        case "chats":
            await list.open()
            return ChatFrames.list(list.state).replacing("\n", with: "|")
        case "open":
            let contactId = contactId
            guard let contact = try await app.service.database.read({ try $0.user(contactId) }) else { return "none" }
            let opened = ConversationScreen(app.service, contact: contact, pageSize: 30)
            screen = opened
            await opened.open()
            await opened.first { !$0.isLoading }
        case "older":
            let count = rows
            screen?.loadOlder()
            await screen?.first { $0.conversation.messages.count > count || !$0.hasOlder }
            return "\(rows)"
        case "newer":
            let count = rows
            screen?.loadNewer()
            await screen?.first { $0.conversation.messages.count > count }
            return "\(rows)"
        case "rows": return "\(rows)"
        case "frame":
            guard let screen else { return "" }
            await screen.refresh()
            return ChatFrames.conversation(screen.state, of: app.user.id, last: 6).replacing("\n", with: "|")
        case "type": try await app.service.type(rest, to: contactId)
        case "send": try await app.service.send(rest, to: contactId)
        case "flood":
            let parts = rest.split(separator: " ")
            for index in 0..<(Int(parts.first ?? "") ?? 0) {
                try await app.service.send("\(parts.last ?? "") \(index + 1)", to: contactId)
            }
        case "read": try await app.service.markRead(from: contactId, upTo: .max)
        case "offline": environment.update { $0.link = .none }
        case "online": environment.update { $0.link = .good }
        case "until": try await wait(for: rest)
        case "digest": return try await digest()
        default: return nil
        }
        return "done"
    }

    private var rows: Int { screen?.state.conversation.messages.count ?? 0 }

    /// Waits for `typing`, `live`, `messages N`, `sent`, or `read`: all that was written here was seen there.
    private func wait(for what: String) async throws {
        let (contactId, userId) = (contactId, app.user.id)
        let words = what.split(separator: " ")
        let count = words.last.flatMap { Int($0) } ?? 0
        while true {
            let service = app.service
            let isMet: Bool
            switch words.first {
            case "typing": isMet = service.updates.info(of: contactId)?.typing == true
            case "live": isMet = service.updates.status.isLive && !service.updates.status.hasGap
            case "sent": isMet = try await service.database.read { try $0.requests(to: contactId).isEmpty }
            case "messages":
                isMet = try await service.database.read { read in
                    try read.history(.after(0), with: contactId, limit: 100_000).messages.count >= count
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

    /// Everything of the conversation, in its order, in one line.
    private func digest() async throws -> String {
        let contactId = contactId
        let messages = try await app.service.database.read { read in
            try read.history(.after(0), with: contactId, limit: 100_000).messages
        }
        return messages.map { "\($0.messageId):\($0.fromUserId):\($0.status):\($0.content)" }.joined(separator: "|")
    }
}

extension ConversationScreen {
    /// Waits until the state is as wanted.
    func first(_ isMet: @escaping (ConversationState) -> Bool) async {
        guard !isMet(state) else { return }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            onChange = { [weak self] state in
                guard isMet(state) else { return }
                self?.onChange = nil
                continuation.resume()
            }
        }
    }
}

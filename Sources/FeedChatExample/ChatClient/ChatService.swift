package import AppFoundation
import ChatWire
package import Foundation
package import PaginatorCore

/// What a chat is made of. Every variable has a default, stated with it.
package struct ChatServiceConfig: Sendable {
    package var socket = SocketConfig()
    /// How messages, edits and deletions are sent: ten of a conversation in a batch, by default.
    package var sending = OutboxPolicy()
    /// Where the time comes from; the device's clock by default.
    package var clock: any PaginatorClock = SystemPaginatorClock()
    /// The seed of jitter; `nil`, the default, takes one from the system.
    package var seed: UInt64?
    /// Whether what was written is on the disk when it is shown; on by default. Off, it survives the end of the process,
    /// and no more.
    package var survivesPowerCuts = true

    package init() { sending.batchLimit = 10 }

    /// How receipts are sent: in batches, and never given up.
    var receipts: OutboxPolicy {
        var policy = sending
        policy.batchLimit = 200
        policy.attemptLimit = .max
        return policy
    }
}

/// The chat of one signed-in user: what the screens call. The database is the truth; what is written is shown at once
/// and sent by the outbox, and what comes is committed before it is shown.
package final class ChatService: Sendable {
    package let database: ChatDatabase
    package let updates: ChatUpdates
    package let outbox: Outbox
    let api: any ChatAPI
    let clock: any PaginatorClock
    private let ids: RequestIDs
    private let typing = Guarded(TypingThrottle())

    /// Opens the chat of a user; it stands still until ``follow(_:)``.
    ///
    /// - Parameters:
    ///   - file: the user's chat database.
    ///   - socketURL: the server's socket, `ws` on loopback and `wss` elsewhere.
    ///   - token: the present token; `nil` while nobody is signed in.
    package static func open(
        _ file: URL, userId: String, api: any ChatAPI, socketURL: URL,
        transport: any ChatTransport = WebSocketTransport(), config: ChatServiceConfig = ChatServiceConfig(),
        token: @escaping @Sendable () async -> String?
    ) async throws -> ChatService {
        let database = try await ChatDatabase.open(
            file, userId: userId, survivesPowerCuts: config.survivesPowerCuts)
        let place = try await database.read { try $0.lastSyncedMessage() }
        return ChatService(
            database, place: place, api: api, socketURL: socketURL, transport: transport, config: config, token: token)
    }

    private init(
        _ database: ChatDatabase, place: Int64, api: any ChatAPI, socketURL: URL, transport: any ChatTransport,
        config: ChatServiceConfig, token: @escaping @Sendable () async -> String?
    ) {
        self.database = database
        self.api = api
        clock = config.clock
        ids = RequestIDs(clock: config.clock)
        let seed = config.seed ?? .random(in: 0 ... .max)
        let receipts = ReceiptTable(database, api: api)
        let outbox = Outbox(
            [
                .init(MessageRequestTable(database, api: api, clock: config.clock), policy: config.sending),
                .init(MessageChangeTable(database, api: api), policy: config.sending),
                .init(receipts, policy: config.receipts),
            ], clock: config.clock, closedGates: .paused, seed: seed)
        self.outbox = outbox
        updates = ChatUpdates(
            database, place: place, api: api, transport: transport, url: socketURL, config: config.socket,
            clock: config.clock, seed: seed &+ 2, token: token, onCommit: { outbox.changed(receipts.name) })
    }

    /// Sends and receives only while a user is signed in; what waits is kept.
    package func follow(_ session: AppSession, of user: AppSession.User) {
        outbox.follow(session, of: user)
        updates.follow(session, of: user)
    }

    /// Begins to send and to receive, as the device allows.
    package func follow(_ environment: AppEnvironment) {
        outbox.setGates(.paused, closed: false)
        outbox.follow(environment)
        updates.follow(environment)
    }

    /// Stops for good; what waits is kept. The database's file can be deleted afterwards.
    package func shutDown() async throws {
        await updates.shutDown()
        await outbox.shutDown()
        try await database.close()
    }

    // MARK: Writing

    /// Writes a message: it is shown at once and goes out in order, now or when the connection is back.
    ///
    /// - Returns: the request; `nil` for a text of nothing but white space.
    @discardableResult
    package func send(_ text: String, to contactId: String) async throws -> MessageRequest? {
        guard text.contains(where: { !$0.isWhitespace }) else { return nil }
        let (id, now) = (ids.next(), clock.milliseconds)
        let request = try await database.write {
            try $0.compose(requestId: id, to: contactId, content: text, now: now)
        }
        typing.withLock { $0.stop(contactId) }
        outbox.changed()
        return request
    }

    /// Keeps what is being written, and says that the user is typing, at most every few seconds.
    package func type(_ text: String, to contactId: String) async throws {
        let (id, now) = (ids.next(), clock.milliseconds)
        let instant = clock.now
        if let isTyping = typing.withLock({ $0.type(!text.isEmpty, to: contactId, at: instant) }) {
            updates.sendTyping(isTyping, to: contactId)
        }
        try await database.write { try $0.saveDraft(requestId: id, to: contactId, content: text, now: now) }
    }

    /// Sends what has failed again, under the same id and in its place.
    package func resend(_ requestId: String) async throws -> Bool {
        let now = clock.milliseconds
        let isSent = try await database.write { try $0.resend(requestId, now: now) }
        outbox.changed()
        return isSent
    }

    /// Deletes what has failed or was not handed to the network yet.
    package func deleteRequest(_ requestId: String) async throws -> Bool {
        try await database.write { try $0.deleteRequest(requestId) }
    }

    /// Edits one's own message, shown at once.
    package func edit(_ messageId: Int64, to content: String) async throws -> Bool {
        try await change(messageId, to: content)
    }

    /// Deletes one's own message for both, shown at once.
    package func deleteForBoth(_ messageId: Int64) async throws -> Bool {
        try await change(messageId, to: nil)
    }

    /// Deletes a message on this device.
    package func deleteForMe(_ messageId: Int64) async throws -> Bool {
        try await database.write { try $0.deleteForMe(messageId) }
    }

    private func change(_ messageId: Int64, to content: String?) async throws -> Bool {
        let id = ids.next()
        let isChanged = try await database.write { try $0.change(messageId, to: content, requestId: id) }
        outbox.changed()
        return isChanged
    }

    /// Says that the user has seen what a contact wrote, up to a message.
    package func markRead(from contactId: String, upTo messageId: Int64) async throws {
        let count = try await database.write { try $0.markRead(from: contactId, upTo: messageId) }
        if count > 0 { outbox.changed() }
    }

    /// Deletes a conversation's messages on this device, because the user asked for it.
    @discardableResult
    package func deleteMessages(with contactId: String, olderThan: Int64?) async throws -> Int {
        let count = try await database.write { try $0.deleteMessages(with: contactId, olderThan: olderThan) }
        outbox.changed()
        return count
    }

    /// Renews the contacts from the server.
    package func refreshContacts() async throws {
        let contacts = try await api.contacts()
        try await database.write { write in
            try write.save(
                contacts.map {
                    User(id: $0.id, name: $0.name, avatarUrl: $0.avatarUrl, lastConnectedAt: $0.lastConnectedAt)
                })
        }
    }
}

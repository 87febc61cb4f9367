package import AppFoundation
import ChatWire
package import Foundation
package import PaginatorCore

/// What a chat is made of. Every variable has a default, stated with it.
package struct ChatServiceConfig: Sendable {
    package var socket = SocketConfig()
    /// How messages, edits and deletions are sent: ten of a conversation in a batch, and two minutes for an attempt, by
    /// default. What of a file went up meanwhile is there for the next attempt, which then counts as the first.
    package var sending = OutboxPolicy()
    /// Where the time comes from; the device's clock by default.
    package var clock: any PaginatorClock = SystemPaginatorClock()
    /// The seed of jitter; `nil`, the default, takes one from the system.
    package var seed: UInt64?
    /// Whether what was written is on the disk when it is shown; on by default. Off, it survives the end of the process,
    /// and no more.
    package var survivesPowerCuts = true
    /// Takes what the chat does, line by line; nobody by default.
    package var log: AppLog?

    package init() {
        sending.batchLimit = 10
        sending.timeout = .seconds(120)
    }

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
    let log: AppLog?
    private let files: OutgoingFiles
    private let messages: MessageRequestTable
    private let ids: RequestIDs
    private let typing = Guarded(TypingThrottle())
    private let environment = Guarded<AppEnvironment?>(nil)

    /// Opens the chat of a user; it stands still until ``follow(_:)``.
    ///
    /// - Parameters:
    ///   - file: the user's chat database.
    ///   - socketURL: the server's socket, `ws` on loopback and `wss` elsewhere.
    ///   - token: the present token; `nil` while nobody is signed in.
    package static func open(
        _ file: URL, userId: String, api: any ChatAPI, socketURL: URL,
        transport: any ChatTransport = FallbackTransport(), config: ChatServiceConfig = ChatServiceConfig(),
        token: @escaping @Sendable () async -> String?
    ) async throws -> ChatService {
        let database = try await ChatDatabase.open(
            file, userId: userId, survivesPowerCuts: config.survivesPowerCuts)
        let place = try await database.read { try $0.lastSyncedMessage() }
        let files = OutgoingFiles(folder: file.deletingPathExtension().appendingPathExtension("outgoing"))
        try await files.removeAll(but: try await database.read { try $0.requestsWithAttachments() })
        return ChatService(
            database, place: place, files: files, api: api, socketURL: socketURL, transport: transport, config: config,
            token: token)
    }

    private init(
        _ database: ChatDatabase, place: Int64, files: OutgoingFiles, api: any ChatAPI, socketURL: URL,
        transport: any ChatTransport,
        config: ChatServiceConfig, token: @escaping @Sendable () async -> String?
    ) {
        self.database = database
        self.files = files
        self.api = api
        clock = config.clock
        log = config.log
        ids = RequestIDs(clock: config.clock)
        let seed = config.seed ?? .random(in: 0 ... .max)
        let receipts = ReceiptTable(database, api: api)
        let messages = MessageRequestTable(database, api: api, clock: config.clock, files: files)
        self.messages = messages
        let outbox = Outbox(
            [
                .init(messages, policy: config.sending),
                .init(MessageChangeTable(database, api: api), policy: config.sending),
                .init(receipts, policy: config.receipts),
            ], clock: config.clock, closedGates: .paused, seed: seed,
            observer: { [log = config.log] in log?(.sync, .info, "chat outbox: \($0.summary)") })
        self.outbox = outbox
        updates = ChatUpdates(
            database, place: place, api: api, transport: transport, url: socketURL, config: config.socket,
            clock: config.clock, seed: seed &+ 2, log: config.log, token: token,
            onCommit: { outbox.changed(receipts.name) })
    }

    /// Sends and receives only while a user is signed in; what waits is kept.
    package func follow(_ session: AppSession, of user: AppSession.User) {
        outbox.follow(session, of: user)
        updates.follow(session, of: user)
    }

    /// Begins to send and to receive, as the device allows.
    package func follow(_ environment: AppEnvironment) {
        self.environment.withLock { $0 = environment }
        outbox.setGates(.paused, closed: false)
        outbox.follow(environment)
        updates.follow(environment)
    }

    /// What is said to people, in their language.
    var texts: AppTexts { environment.withLock { $0 }?.texts ?? AppTexts() }

    /// Stops for good; what waits is kept. The database's file can be deleted afterwards.
    package func shutDown() async throws {
        await updates.shutDown()
        await outbox.shutDown()
        try await database.close()
    }

    /// An id for a request that may be repeated.
    package func makeRequestID() -> String { ids.next() }

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

    /// Writes a message with an image or a video, which goes up first; what was written before it does not wait for that.
    ///
    /// - Throws: a ``NewMedia/Refusal`` for what cannot be sent.
    @discardableResult
    package func send(_ media: NewMedia, with text: String = "", to contactId: String) async throws -> MessageRequest {
        var attachment = OutgoingAttachment(try media.told())
        (attachment.hasFile, attachment.hasThumbnail) = (true, media.thumbnail != nil)
        let id = ids.next()
        try await files.keep(media, of: id)
        return try await compose(id, text, attachment, to: contactId)
    }

    /// Writes a message with a place on the map.
    @discardableResult
    package func sendPlace(
        latitude: Double, longitude: Double, name: String, to contactId: String
    ) async throws -> MessageRequest {
        let place = ChatAttachment.place(latitude: latitude, longitude: longitude, name: name)
        return try await compose(ids.next(), "", OutgoingAttachment(place), to: contactId)
    }

    private func compose(
        _ id: String, _ text: String, _ attachment: OutgoingAttachment, to contactId: String
    ) async throws -> MessageRequest {
        let now = clock.milliseconds
        let request = try await database.write { write in
            // What is being written stays: a medium is sent beside it.
            let draft = try write.draft(to: contactId)
            let request = try write.compose(
                requestId: id, to: contactId, content: text, attachment: attachment, now: now)
            if let draft { try write.saveDraft(requestId: id + "-draft", to: contactId, content: draft, now: now) }
            return request
        }
        outbox.changed()
        return request
    }

    /// Where the file of a message that waits is, to be shown meanwhile.
    package func file(of request: MessageRequest) -> URL? {
        request.attachment?.hasFile == true ? files.file(request.requestId) : nil
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

    /// Deletes what has failed or was not handed to the network yet, and stops its upload.
    package func deleteRequest(_ requestId: String) async throws -> Bool {
        let deleted = try await database.write { write in
            let request = try write.request(requestId)
            return try write.deleteRequest(requestId) ? request : nil
        }
        guard let request = deleted else { return false }
        if request.attachment?.isUploading == true { outbox.stop(lane: request.toUserId, of: messages.name) }
        try await files.remove(requestId)
        for upload in request.attachment?.uploadIDs ?? [] {
            do {
                try await api.discard(upload: upload)
            } catch {
                // No message names it; the server forgets it by itself.
            }
        }
        return true
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

    /// Deletes what the server took before a time, and gives the space back to the device.
    ///
    /// - Parameter time: in milliseconds since 1970; `nil` deletes the conversation.
    package func freeSpace(of contactId: String, before time: Int64?) async throws {
        let first = try await database.read { read in
            try time.map { try read.firstMessage(with: contactId, since: $0) ?? .max }
        }
        try await deleteMessages(with: contactId, olderThan: first)
        do {
            try await database.giveBackSpace()
        } catch {
            // What was deleted is; the next messages take its place.
        }
    }

    /// Renews the contacts and the groups from the server.
    package func refreshContacts() async throws {
        let before = try await database.read { try $0.groupRevisions() }
        let contacts = try await api.contacts()
        let groups = try await api.groups()
        try await database.write { write in
            try write.save(
                contacts.map {
                    User(id: $0.id, name: $0.name, avatarUrl: $0.avatarUrl, lastConnectedAt: $0.lastConnectedAt)
                })
            try write.save(groups, insteadOf: before)
        }
    }
}

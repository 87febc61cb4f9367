package import AppFoundation
import ChatWire
package import Foundation
package import PaginatorCore

/// A text of more than ``ChatMessage/contentLimit`` bytes.
package struct MessageTooLong: Error {}

/// The configuration of a chat. Each variable documents its default.
package struct ChatServiceConfig: Sendable {
    package var socket = SocketConfig()
    /// The policy of messages, edits and deletions: ten of a conversation in a batch, and a timeout of two minutes, by
    /// default. Uploaded parts of a file are kept for the next attempt, which then counts as the first.
    package var sending = OutboxPolicy()
    /// The clock; the device's by default.
    package var clock: any PaginatorClock = SystemPaginatorClock()
    /// The seed of jitter; `nil`, the default, takes one from the system.
    package var seed: UInt64?
    /// Whether a written message is on disk when it is shown; true by default. If false, it survives only the end of
    /// the process.
    package var survivesPowerCuts = true
    /// The log; none by default.
    package var log: AppLog?

    package init() {
        sending.batchLimit = 10
        sending.timeout = .seconds(120)
    }

    /// The policy of receipts: in batches, and without an attempt limit.
    var receipts: OutboxPolicy {
        var policy = sending
        policy.batchLimit = 200
        policy.attemptLimit = .max
        return policy
    }
}

/// The chat of one signed-in user, for the screens. The database is the source of truth: written messages are shown at
/// once and sent by the outbox, and received ones are committed before they are shown.
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

    /// Opens the chat of a user, without a connection until ``follow(_:)``.
    ///
    /// - Parameters:
    ///   - file: the user's chat database.
    ///   - socketURL: the server's socket, `ws` on loopback and `wss` elsewhere.
    ///   - token: the current token; `nil` while no user is signed in.
    package static func open(
        _ file: URL, userId: String, api: any ChatAPI, socketURL: URL,
        transport: any ChatTransport = FallbackTransport(), config: ChatServiceConfig = ChatServiceConfig(),
        token: @escaping @Sendable () async -> String?
    ) async throws -> ChatService {
        let database = try await ChatDatabase.open(
            file, userId: userId, survivesPowerCuts: config.survivesPowerCuts)
        let place = try await database.read { try $0.lastSyncedMessage() }
        let files = OutgoingFiles(folder: file.deletingPathExtension().appendingPathExtension("outgoing"))
        await config.log.attempt("not all left-over files of messages were removed") {
            try await files.removeAll(but: try await database.read { try $0.requestsWithAttachments() })
        }
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

    /// Sends and receives only while a user is signed in; pending operations are kept.
    package func follow(_ session: AppSession, of user: AppSession.User) {
        outbox.follow(session, of: user)
        updates.follow(session, of: user)
    }

    /// Starts sending and receiving, as the device allows.
    package func follow(_ environment: AppEnvironment) {
        self.environment.withLock { $0 = environment }
        outbox.follow(environment)
        outbox.setGates(.paused, closed: false)
        updates.follow(environment)
    }

    /// The texts in the user's language.
    var texts: AppTexts { environment.withLock { $0 }?.texts ?? AppTexts() }

    /// Stops permanently; pending operations are kept. The database's file can be deleted afterwards.
    package func shutDown() async throws {
        await updates.shutDown()
        await outbox.shutDown()
        try await database.close()
    }

    /// Creates an id for a request that may be repeated.
    package func makeRequestID() -> String { ids.next() }

    // MARK: Writing

    /// Writes a message: it is shown at once and sent in order, now or when the connection returns.
    ///
    /// - Returns: the request; `nil` if the text is only white space.
    /// - Throws: ``MessageTooLong``, in addition to the errors of the database.
    @discardableResult
    package func send(_ text: String, to contactId: String) async throws -> MessageRequest? {
        guard text.contains(where: { !$0.isWhitespace }) else { return nil }
        try check(text)
        let (id, now) = (ids.next(), clock.milliseconds)
        let request = try await database.write {
            try $0.compose(requestId: id, to: contactId, content: text, now: now)
        }
        typing.withLock { $0.stop(contactId) }
        outbox.changed()
        return request
    }

    /// Writes a message with an image or a video, which is uploaded first; earlier messages do not wait for that.
    ///
    /// - Throws: a ``NewMedia/Refusal`` if the media cannot be sent, and ``MessageTooLong``.
    @discardableResult
    package func send(_ media: NewMedia, with text: String = "", to contactId: String) async throws -> MessageRequest {
        try check(text)
        var attachment = OutgoingAttachment(try media.told())
        (attachment.hasFile, attachment.hasThumbnail) = (true, media.thumbnail != nil)
        let id = ids.next()
        try await files.keep(media, of: id)
        return try await compose(id, text, attachment, to: contactId)
    }

    /// The server would refuse it for good.
    private func check(_ text: String) throws(MessageTooLong) {
        guard text.utf8.count <= ChatMessage.contentLimit else { throw MessageTooLong() }
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
            // The draft stays, because the media is sent as another message.
            let draft = try write.draft(to: contactId)
            let request = try write.compose(
                requestId: id, to: contactId, content: text, attachment: attachment, now: now)
            if let draft { try write.saveDraft(requestId: id + "-draft", to: contactId, content: draft, now: now) }
            return request
        }
        outbox.changed()
        return request
    }

    /// Returns the file of a waiting message, for display.
    package func file(of request: MessageRequest) -> URL? {
        request.attachment?.hasFile == true ? files.file(request.requestId) : nil
    }

    /// Stores the draft, and reports that the user is typing, at most every few seconds.
    package func type(_ text: String, to contactId: String) async throws {
        let (id, now) = (ids.next(), clock.milliseconds)
        let instant = clock.now
        if let isTyping = typing.withLock({ $0.type(!text.isEmpty, to: contactId, at: instant) }) {
            updates.sendTyping(isTyping, to: contactId)
        }
        try await database.write { try $0.saveDraft(requestId: id, to: contactId, content: text, now: now) }
    }

    /// Sends a failed message again, with the same id and place.
    package func resend(_ requestId: String) async throws -> Bool {
        let isSent = try await database.write { try $0.resend(requestId) }
        outbox.changed()
        return isSent
    }

    /// Deletes a message that has failed or was not sent yet, and stops its upload.
    package func deleteRequest(_ requestId: String) async throws -> Bool {
        let deleted = try await database.write { write in
            let request = try write.request(requestId)
            return try write.deleteRequest(requestId) ? request : nil
        }
        guard let request = deleted else { return false }
        if request.attachment?.isUploading == true { outbox.stop(lane: request.toUserId, of: messages.name) }
        try await files.remove(requestId)
        // Nobody waits for the server.
        Task { [api] in
            for upload in request.attachment?.uploadIDs ?? [] {
                // Otherwise the server deletes it later, because no message names it.
                try? await api.discard(upload: upload)
            }
        }
        return true
    }

    /// Edits the user's message; shown at once.
    ///
    /// - Throws: ``MessageTooLong``, in addition to the errors of the database.
    package func edit(_ messageId: Int64, to content: String) async throws -> Bool {
        try check(content)
        return try await change(messageId, to: content)
    }

    /// Deletes the user's message for both sides; shown at once.
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

    /// Reports that the user has seen a contact's messages, up to one of them.
    package func markRead(from contactId: String, upTo messageId: Int64) async throws {
        let count = try await database.write { try $0.markRead(from: contactId, upTo: messageId) }
        if count > 0 { outbox.changed() }
    }

    /// Deletes a conversation's messages on this device, at the user's request.
    @discardableResult
    package func deleteMessages(with contactId: String, olderThan: Int64?) async throws -> Int {
        let count = try await database.write { try $0.deleteMessages(with: contactId, olderThan: olderThan) }
        outbox.changed()
        return count
    }

    /// Deletes messages that the server accepted before a time, and returns the space to the device.
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
            // The deletion is done; later messages reuse the space.
        }
    }

    /// Refreshes the contacts and the groups from the server.
    package func refreshContacts() async throws {
        try await ContactRefresh(database: database, api: api)()
    }
}

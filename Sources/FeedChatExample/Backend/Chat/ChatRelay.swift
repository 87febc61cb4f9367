import ChatWire
import Foundation
import GRDB

/// The caller: a user on one of their devices.
struct ChatCaller: Sendable, Hashable {
    let user: Int64
    /// The session of the device.
    let session: Int64
}

/// Forwards messages: it stores each before it answers, and keeps it for each device of the recipient only until the
/// device has confirmed its commit. A write to a socket proves nothing.
///
/// A message counts as delivered when the first device has it. Messages that one device of a user sends or reads are
/// reported to the user's other devices. A device starts with the events after its first heartbeat: the history is on
/// the devices, and a relay has none.
///
/// Every lasting change is an event in a mailbox, with an id from one growing sequence; each names the one before it.
/// Events are sent to the sockets in the order of their commits.
package actor ChatRelay {
    let database: BackendDatabase
    let configuration: ChatConfiguration
    let push: PushNotifier?
    package nonisolated let streams = ChatStreams()
    var sockets: [Int64: [Int: OpenSocket]] = [:]
    var lastSocket = 0
    var announced: [Int64: ContinuousClock.Instant] = [:]
    /// The last message for which each mailbox's device got a push.
    private var pushed: [Int64: Int64] = [:]
    private let outgoing: AsyncStream<Outgoing>.Continuation

    /// A socket of a device.
    struct OpenSocket: Sendable {
        let socket: ChatSocket
        let mailbox: Int64
        let session: Int64
    }

    /// Committed or read data, and its recipients.
    enum Outgoing: Sendable {
        case event(ChatEvent, user: Int64, mailbox: Int64)
        /// The position of a mailbox at this point of the order.
        case position(Int64, ChatSocket)
    }

    init(_ database: BackendDatabase, configuration: ChatConfiguration) throws {
        self.database = database
        self.configuration = configuration
        push = configuration.pushProvider.map(PushNotifier.init)
        var migrator = DatabaseMigrator()
        for (name, script) in ChatSchema.migrations {
            migrator.registerMigration(name) { db in try db.execute(sql: script) }
        }
        try migrator.migrate(database.queue)
        // The clock may be behind that of an earlier run.
        database.raiseID(
            to: try database.queue.read { db in
                try Int64.fetchOne(
                    db,
                    sql: """
                        SELECT max(
                            coalesce((SELECT max(id) FROM chatMessage), 0),
                            coalesce((SELECT max(lastEvent) FROM chatMailbox), 0),
                            coalesce((SELECT max(revision) FROM chatGroup), 0),
                            coalesce((SELECT max(revision) FROM chatChange), 0))
                        """) ?? 0
            })
        let (stream, continuation) = AsyncStream<Outgoing>.makeStream()
        outgoing = continuation
        Task { [weak self] in
            for await next in stream { await self?.deliver(next) }
        }
    }

    deinit { outgoing.finish() }

    /// Runs one transaction, and sends its events to the sockets after it, in the order of the commits.
    func transact<R: Sendable>(_ body: @escaping @Sendable (inout ChatWriter) throws -> R) async throws -> R {
        try await database.queue.write { [configuration, database, outgoing] db in
            var writer = ChatWriter(db, configuration: configuration, database: database)
            let result = try body(&writer)
            let made = writer.outgoing
            db.afterNextTransaction { _ in for next in made { outgoing.yield(next) } }
            return result
        }
    }

    private func deliver(_ outgoing: Outgoing) async {
        switch outgoing {
        case .position(let last, let socket): socket.send(ChatEvent(content: .position(last)))
        case .event(let event, let user, let mailbox):
            let open = (sockets[user] ?? [:]).values.filter { $0.mailbox == mailbox }
            for open in open { open.socket.send(event) }
            guard open.isEmpty, let push, case .newMessage(let message) = event.content, message.fromUserId != "\(user)"
            else { return }
            await announce(message, to: mailbox, push)
        }
    }

    /// Sends a push to a device without a socket for a message that it was sent and has not confirmed.
    func announceWaiting(in mailbox: Int64) async {
        guard let push, !sockets.values.contains(where: { $0.values.contains { $0.mailbox == mailbox } }) else {
            return
        }
        let last = pushed[mailbox] ?? 0
        do {
            let message = try await database.queue.read { try ChatWriter.lastMessage($0, in: mailbox, after: last) }
            if let message { await announce(message, to: mailbox, push) }
        } catch {
            push.noteFailure()
        }
    }

    /// Sends a push to a device that has no socket.
    private func announce(_ message: ChatMessage, to mailbox: Int64, _ push: PushNotifier) async {
        pushed[mailbox] = max(pushed[mailbox] ?? 0, message.messageId)
        do {
            let (tokens, name, title) = try await database.queue.read { db in
                (
                    try String.fetchAll(
                        db,
                        sql: """
                            SELECT pushToken FROM chatDevice
                            JOIN chatMailbox ON chatMailbox.sessionId = chatDevice.sessionId WHERE chatMailbox.id = ?
                            """, arguments: [mailbox]),
                    try String.fetchOne(
                        db, sql: "SELECT name FROM user WHERE id = ?", arguments: [Int64(message.fromUserId)]),
                    try String.fetchOne(
                        db, sql: "SELECT title FROM chatGroup WHERE id = ?", arguments: [Int64(message.toUserId)])
                )
            }
            for token in tokens {
                push.send(
                    PushNotification(
                        pushToken: token, fromUserId: message.fromUserId, messageId: message.messageId,
                        title: [name ?? message.fromUserId, title].compactMap(\.self).joined(separator: " · "),
                        text: message.summary, groupId: title == nil ? nil : message.toUserId))
            }
        } catch {
            push.noteFailure()
        }
    }

    nonisolated var now: Int64 { Self.milliseconds(configuration.now()) }

    static func milliseconds(_ date: Date) -> Int64 { Int64((date.timeIntervalSince1970 * 1_000).rounded()) }
}

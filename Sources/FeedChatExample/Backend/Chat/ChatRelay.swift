import ChatWire
import Foundation
import GRDB

/// Passes messages on: it stores one before it answers, and keeps it only until the recipient's device has said that it
/// has committed it. A write to a socket proves nothing.
///
/// Everything that lasts is an event of its recipient with an id from one growing sequence; each names the one before
/// it. An actor, so that events leave for the sockets in the order in which they were committed.
package actor ChatRelay {
    let database: BackendDatabase
    let configuration: ChatConfiguration
    let push: PushNotifier?
    private var lastID: Int64
    var sockets: [Int64: [Int: ChatSocket]] = [:]
    var lastSocket = 0
    var announced: [Int64: ContinuousClock.Instant] = [:]

    init(_ database: BackendDatabase, configuration: ChatConfiguration) throws {
        self.database = database
        self.configuration = configuration
        push = configuration.pushProvider.map(PushNotifier.init)
        var migrator = DatabaseMigrator()
        migrator.registerMigration("chat") { db in try db.execute(sql: ChatSchema.script) }
        try migrator.migrate(database.queue)
        // The clock may have gone back since an earlier run.
        lastID = try database.queue.read { db in
            try Int64.fetchOne(
                db,
                sql: """
                    SELECT max(
                        coalesce((SELECT max(id) FROM chatMessage), 0), coalesce((SELECT max(id) FROM chatEvent), 0),
                        coalesce((SELECT max(lastEvent) FROM chatUser), 0))
                    """) ?? 0
        }
    }

    /// An event that was committed, and who is to hear of it.
    struct Committed: Sendable {
        let userId: Int64
        let event: ChatEvent
    }

    /// One transaction: its events leave for the sockets after it, in order.
    ///
    /// It blocks, which is what makes the order of leaving the order of the commits.
    func transact<R>(_ body: (inout ChatWriter) throws -> R) throws -> R {
        let (result, made, last) = try database.queue.write { [lastID] db in
            var writer = ChatWriter(
                db, now: Self.milliseconds(Date()), configuration: configuration, database: database, lastID: lastID)
            let result = try body(&writer)
            return (result, writer.events, writer.lastID)
        }
        lastID = last
        for committed in made { deliver(committed) }
        return result
    }

    private func deliver(_ committed: Committed) {
        let open = sockets[committed.userId] ?? [:]
        for socket in open.values { socket.send(committed.event) }
        guard open.isEmpty, let push, case .newMessage(let message) = committed.event.content else { return }
        do {
            let (tokens, name) = try database.queue.read { db in
                (
                    try String.fetchAll(
                        db, sql: "SELECT pushToken FROM chatDevice WHERE userId = ?", arguments: [committed.userId]),
                    try String.fetchOne(
                        db, sql: "SELECT name FROM user WHERE id = ?", arguments: [Int64(message.fromUserId)])
                )
            }
            for token in tokens {
                push.send(
                    PushNotification(
                        pushToken: token, fromUserId: message.fromUserId, messageId: message.messageId,
                        title: name ?? message.fromUserId, text: message.content))
            }
        } catch {
            push.noteFailure()
        }
    }

    static func milliseconds(_ date: Date) -> Int64 { Int64((date.timeIntervalSince1970 * 1_000).rounded()) }
}

import AppFoundation
package import Foundation
package import GRDB

/// The chats of one signed-in user: the source of truth of everything that the screens show.
package final class ChatDatabase: Sendable {
    /// The signed-in user.
    package let userId: String
    /// Told after each commit.
    package let changes = ChatChanges()
    private let database: AppDatabase

    private init(_ database: AppDatabase, userId: String) {
        self.database = database
        self.userId = userId
    }

    /// Opens or makes the database of a user, and brings it to the present schema.
    ///
    /// - Parameters:
    ///   - file: where it is; its folder is made if it is not there.
    ///   - userId: the signed-in user.
    ///   - survivesPowerCuts: whether a commit is on the disk when it returns.
    @concurrent
    package static func open(_ file: URL, userId: String, survivesPowerCuts: Bool = true) async throws -> ChatDatabase {
        let database = try await AppDatabase.open(
            file, ChatSchema.migrations, survivesPowerCuts: survivesPowerCuts)
        let opened = ChatDatabase(database, userId: userId)
        try await opened.write { try $0.ensureUser(userId) }
        return opened
    }

    /// Runs one transaction, and tells what it changed once it is committed.
    package func write<R: Sendable>(
        _ body: @escaping @Sendable (ChatTransaction) throws -> R
    ) async throws -> R {
        try await database.write { [userId, changes] db in
            let transaction = ChatTransaction(db, userId: userId)
            let result = try body(transaction)
            let made = transaction.changes
            db.afterNextTransaction { _ in changes.tell(made) }
            return result
        }
    }

    /// Reads one consistent state.
    package func read<R: Sendable>(_ body: @escaping @Sendable (ChatTransaction) throws -> R) async throws -> R {
        try await database.read { [userId] db in try body(ChatTransaction(db, userId: userId)) }
    }

    /// Reads on the caller's thread, which must not be the main one.
    package func readNow<R>(_ body: (ChatTransaction) throws -> R) throws -> R {
        try database.pool.read { db in try body(ChatTransaction(db, userId: userId)) }
    }

    /// Closes the file; later calls throw.
    /// Gives the space of what was deleted back to the device. It takes as long as copying what is left, and as much space
    /// meanwhile; without that much, the space serves the next messages.
    func giveBackSpace() async throws { try await database.pool.vacuum() }

    package func close() async throws { try await database.close() }
}

/// One transaction of a ``ChatDatabase``, on the queue that it was handed out on.
package final class ChatTransaction {
    package let db: Database
    package let userId: String
    package internal(set) var changes: [ChatChange] = []

    init(_ db: Database, userId: String) {
        self.db = db
        self.userId = userId
    }

    /// Notes that what waits for a contact is different, once.
    func noteRequests(_ contactId: String) {
        let change = ChatChange.requests(contactId: contactId)
        if changes.last != change { changes.append(change) }
    }
}

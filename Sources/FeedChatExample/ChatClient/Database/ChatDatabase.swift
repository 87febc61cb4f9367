import AppFoundation
package import Foundation
package import GRDB

/// The chats of one signed-in user: the source of truth for everything that the screens show.
package final class ChatDatabase: Sendable {
    /// The signed-in user.
    package let userId: String
    /// The changes, reported after each commit.
    package let changes = ChatChanges()
    private let database: AppDatabase

    private init(_ database: AppDatabase, userId: String) {
        self.database = database
        self.userId = userId
    }

    /// Opens or creates the database of a user, and migrates its schema.
    ///
    /// - Parameters:
    ///   - file: its path; the folder is created if it is missing.
    ///   - userId: the signed-in user.
    ///   - survivesPowerCuts: whether a commit is on disk when it returns.
    @concurrent
    package static func open(_ file: URL, userId: String, survivesPowerCuts: Bool = true) async throws -> ChatDatabase {
        let database = try await AppDatabase.open(
            file, ChatSchema.migrations, survivesPowerCuts: survivesPowerCuts)
        let opened = ChatDatabase(database, userId: userId)
        try await opened.write { try $0.ensureUser(userId) }
        return opened
    }

    /// Runs one transaction, and reports its changes after the commit.
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

    /// Returns the space of deleted data to the device. It takes as long, and as much space, as copying the remaining
    /// data; without that space, later messages reuse it.
    func giveBackSpace() async throws { try await database.pool.vacuum() }

    package func close() async throws { try await database.close() }
}

/// One transaction of a ``ChatDatabase``, valid only on its queue.
package final class ChatTransaction {
    package let db: Database
    package let userId: String
    package internal(set) var changes: [ChatChange] = []
    /// Whether users were added of whom only the id is known.
    var hasNewUsers = false

    init(_ db: Database, userId: String) {
        self.db = db
        self.userId = userId
    }

    /// Records once that the requests of a contact have changed.
    func noteRequests(_ contactId: String) {
        let change = ChatChange.requests(contactId: contactId)
        if changes.last != change { changes.append(change) }
    }
}

package import Foundation
package import GRDB

/// A feature's SQLite database: opened with its migrations, in WAL, never on the main thread.
///
///     let database = try await AppDatabase.open(folder.appendingPathComponent("feed.sqlite"), FeedSchema.migrations)
///     let count = try await database.read { try Draft.fetchCount($0) }
///
/// A commit is on disk when ``write(_:)`` returns, unless the opener asks for less, so that user actions also survive a
/// power failure.
package final class AppDatabase: Sendable {
    /// One step of the schema; a released step never changes.
    package struct Migration: Sendable {
        let name: String
        let step: @Sendable (Database) throws -> Void

        package init(_ name: String, _ step: @escaping @Sendable (Database) throws -> Void) {
            self.name = name
            self.step = step
        }
    }

    /// The reason why a database was not opened.
    package enum OpenError: Error {
        /// A newer version of the app has changed the schema.
        case newerSchema
    }

    /// For observation, and for calls that this type lacks. Its synchronous calls block.
    package let pool: DatabasePool

    private init(pool: DatabasePool) {
        self.pool = pool
    }

    /// Opens or creates a database and migrates its schema.
    ///
    /// - Parameters:
    ///   - file: the database; its folder is created if it is missing.
    ///   - migrations: the steps of the schema, in order.
    ///   - survivesPowerCuts: whether a commit is on disk when it returns; if not, it only survives the end of the
    ///     process.
    @concurrent
    package static func open(
        _ file: URL, _ migrations: [Migration], survivesPowerCuts: Bool = true
    ) async throws -> AppDatabase {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 4
        configuration.label = file.lastPathComponent
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = \(survivesPowerCuts ? "FULL" : "NORMAL")")
            // Deleted data is overwritten, and not only unlinked.
            try database.execute(sql: "PRAGMA secure_delete = ON")
        }
        let pool = try DatabasePool(path: file.path, configuration: configuration)
        var migrator = DatabaseMigrator()
        for migration in migrations { migrator.registerMigration(migration.name, migrate: migration.step) }
        let plan = migrator
        guard try await !pool.read({ try plan.hasBeenSuperseded($0) }) else {
            try pool.close()
            throw OpenError.newerSchema
        }
        try plan.migrate(pool)
        return AppDatabase(pool: pool)
    }

    /// Reads, on one of the pool's threads.
    package func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await pool.read(body)
    }

    /// Writes in one transaction, on the pool's writer thread; an error rolls it back.
    package func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await pool.write(body)
    }

    /// Closes the files, so that they can be deleted; later calls throw.
    @concurrent
    package func close() async throws {
        try pool.close()
    }
}

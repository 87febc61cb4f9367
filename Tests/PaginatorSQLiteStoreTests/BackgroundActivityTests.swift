import Foundation
import PaginatorCore
import PaginatorStorage
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

/// What an activity does when the system calls its block; the system's part is on Apple's platforms only.
struct BackgroundActivityTests {
    @Test func `Time that runs out interrupts once begun, and nothing after the end`() throws {
        let interrupts = Guarded(0)
        let block = Guarded<(@Sendable (Bool) -> Void)?>(nil)
        let activity = BackgroundActivity(
            onExpiration: { interrupts.withLock { $0 += 1 } }, system: { given in block.withLock { $0 = given } })
        let system = try #require(block.withLock { $0 })
        system(true)
        #expect(interrupts.withLock { $0 } == 1)
        activity.end()
        system(true)
        #expect(interrupts.withLock { $0 } == 1)
        // The system is not held up any longer.
        system(false)
    }

    @Test func `Time that runs out between two statements undoes their transaction, and no later one`() throws {
        let folder = TemporaryFolder()
        let file = try SQLiteFile.shared(path: folder.file, vfs: nil, busyTimeout: 5_000)
        func write(runsOut: Bool) throws(PaginatorError) {
            try file.write(durably: true) { connection, _ throws(SQLiteError) in
                try connection.run(.noteFlush)
                if runsOut { connection.interrupt() }
                try connection.run(.noteFlush)
            }
        }
        let error = #expect(throws: PaginatorError.self) { try write(runsOut: true) }
        // What is busy is tried again.
        #expect(error?.storeKind == .busy)
        let inspector = try Inspector(folder.file)
        #expect(try inspector.number("SELECT flushes FROM store") == 0)
        try write(runsOut: false)
        #expect(try inspector.number("SELECT flushes FROM store") == 2)
    }

    @Test func `Time that runs out after the last statement undoes the transaction, too`() throws {
        let folder = TemporaryFolder()
        let file = try SQLiteFile.shared(path: folder.file, vfs: nil, busyTimeout: 5_000)
        #expect(throws: PaginatorError.self) {
            try file.write(durably: true) { connection, _ throws(SQLiteError) in
                try connection.run(.noteFlush)
                connection.interrupt()
            }
        }
        #expect(try Inspector(folder.file).number("SELECT flushes FROM store") == 0)
    }

    @Test(arguments: [false, true])
    func `Time that runs out before a transaction is undone costs its connection; the next one looks for the file`(
        _ vanishes: Bool
    ) throws {
        let folder = TemporaryFolder()
        let file = try SQLiteFile.shared(path: folder.file, vfs: nil, busyTimeout: 5_000)
        func note() throws(PaginatorError) {
            try file.write(durably: true) { connection, _ throws(SQLiteError) in try connection.run(.noteFlush) }
        }
        try note()
        let error = #expect(throws: PaginatorError.self) {
            try file.write(durably: true) { connection, _ throws(SQLiteError) in
                try connection.run(.noteFlush)
                // While a statement runs, SQLite remembers the interrupt, and refuses to roll back.
                _ = try connection.prepared(.version).step()
                connection.interrupt()
                try connection.checkInterrupt()
            }
        }
        #expect(error?.storeKind == .busy)
        #expect(file.writing.withLock { file.writer == nil })
        if vanishes {
            try FileManager.default.removeItem(atPath: folder.file)
            #expect(#expect(throws: PaginatorError.self) { try note() }?.storeKind == .replaced)
        }
        try note()
        #expect(try Inspector(folder.file).number("SELECT flushes FROM store") == (vanishes ? 1 : 2))
    }

    @Test(arguments: ["PRAGMA incremental_vacuum(1)", "VACUUM", "UPDATE t SET x = 1", nil])
    func `Time that has run out lets maintenance begin nothing more, until it begins anew`(_ sql: String?) throws {
        let folder = TemporaryFolder()
        let connection = try SQLiteConnection(
            path: folder.file, role: .writer, vfs: nil, busyTimeout: 5_000, generation: 0)
        try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE t(x)", "fill")
        func work() throws(SQLiteError) {
            // SQLITE_CHECKPOINT_TRUNCATE
            if let sql { try connection.execute(sql, "test") } else { try connection.checkpoint(3) }
        }
        connection.interrupt()
        #expect(throws: SQLiteError.self) { try work() }
        connection.endInterrupt()
        // SQLite itself forgets an interrupt with its next statement, such as a BEGIN.
        _ = try connection.dataVersion()
        try work()
    }

    @Test func `Time that runs out ends the search of a file for copies of removed pages`() throws {
        let folder = TemporaryFolder()
        let connection = try SQLiteConnection(
            path: folder.file, role: .writer, vfs: nil, busyTimeout: 5_000, generation: 0)
        try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE t(x)", "fill")
        // SQLITE_CHECKPOINT_TRUNCATE
        try connection.checkpoint(3)
        #expect(try connection.overwriteUnusedParts())
        connection.interrupt()
        #expect(throws: SQLiteError.self) { try connection.overwriteUnusedParts() }
    }
}

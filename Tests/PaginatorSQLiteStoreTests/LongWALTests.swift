import Dispatch
import PaginatorCore
import PaginatorStorage
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

/// How long the WAL may become.
@Suite("A long WAL")
struct LongWALTests {
    private let folder = TemporaryFolder()

    @Test
    func `The WAL is copied back off the writers' path, and begins anew`() throws {
        let pages = try MegabytePages(in: folder, busyTimeout: 100)
        for _ in 0..<10 {
            try pages.saveByTurns(6)
            // Waits for the checkpoint that the last commit asked for.
            pages.file.maintenance.sync {}
        }
        #expect(try folder.megabytes("-wal") < 15)
    }

    @Test
    func `The first checkpoint already copies, though its connection has read nothing`() throws {
        let pages = try MegabytePages(in: folder, busyTimeout: 100)
        // Several commits ask for it, and get one.
        pages.file.maintenance.suspend()
        try pages.saveByTurns(6)
        pages.file.maintenance.resume()
        pages.file.maintenance.sync {}
        #expect(try folder.megabytes() >= 2)
    }

    @Test
    func `When the WAL was cut, the frames that it had do not count any more`() throws {
        let pages = try MegabytePages(in: folder, busyTimeout: 100)
        pages.file.maintenance.suspend()
        defer { pages.file.maintenance.resume() }
        try pages.saveByTurns(2)
        let writer = try #require(pages.file.writing.withLock { pages.file.writer })
        #expect(writer.framesInWAL > 0)
        // SQLITE_CHECKPOINT_TRUNCATE
        try writer.checkpoint(3)
        #expect(try folder.megabytes("-wal") == 0)
        #expect(writer.framesInWAL == 0)
    }

    @Test
    func `What a transaction adds to the WAL before it finds the disk full is given back`() throws {
        let pages = try MegabytePages(in: folder, busyTimeout: 100)
        pages.file.maintenance.suspend()
        defer { pages.file.maintenance.resume() }
        for number in 0..<30 { try pages.save(number, fill: number) }
        let failure = #expect(throws: PaginatorError.self) {
            try pages.file.write(durably: false) { connection, _ throws(SQLiteError) -> Void in
                try connection.execute("DELETE FROM pages", "remove pages")
                // SQLITE_FULL
                throw SQLiteError(code: SQLiteCode(raw: 13), message: "test", operation: "test")
            }
        }
        #expect(failure?.storeKind == .full)
        #expect(try folder.megabytes("-wal") == 0)
        #expect(try pages.pages.read(MegabytePages.id(29))?.content.first == 29)
    }

    @Test
    func `Writers that leave the checkpointer no time copy the WAL back themselves`() throws {
        let pages = try MegabytePages(in: folder, busyTimeout: 100)
        pages.file.maintenance.suspend()
        defer { pages.file.maintenance.resume() }
        try pages.saveByTurns(150)
        #expect(try folder.megabytes("-wal") < 75)
    }

    @Test
    func `Who reads without an end stops no writer, and when it ends the WAL begins anew`() throws {
        let pages = try MegabytePages(in: folder, busyTimeout: 100)
        pages.file.maintenance.suspend()
        defer { pages.file.maintenance.resume() }
        try pages.saveByTurns(1)
        let reader = try SQLiteConnection(
            path: folder.file, role: .reader, vfs: nil, busyTimeout: 100, generation: 0)
        try reader.execute("BEGIN; SELECT count(*) FROM pages", "read")
        try pages.saveByTurns(100)
        #expect(try folder.megabytes("-wal") > 95)
        try reader.execute("COMMIT", "end")
        try pages.saveByTurns(100)
        #expect(try folder.megabytes("-wal") < 160)
        try pages.saveByTurns(150)
        #expect(try folder.megabytes("-wal") < 75)
    }
}

import Dispatch
import PaginatorCore
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

/// The lock between processes, which maintenance takes.
@Suite("Maintenance and the file's lock")
struct MaintenanceLockTests {
    @Test func `Maintenance lets go of the lock, so that another process may set the file aside`() throws {
        let folder = TemporaryFolder()
        let pages = SQLitePageFile(in: folder)
        try pages.save("1")
        let file = try SQLiteFile.shared(path: folder.file, vfs: nil, busyTimeout: 5_000)
        try file.write(durably: false) { connection, _ throws(SQLiteError) in try file.noteErasure(connection) }
        file.maintenance.sync { file.maintain() }
        #expect(try Inspector(folder.file).number("SELECT erasure FROM store") == 0)
        let other = SideLock(path: folder.file + "-lock", patience: 100)
        try other.take(.exclusive)
        other.release()
        withExtendedLifetime((pages, folder)) {}
    }

    @Test func `What a reader keeps from being erased is due again, and goes when the reader is done`() throws {
        let folder = TemporaryFolder()
        let pages = SQLitePageFile(
            path: folder.file, vfs: nil, busyTimeout: 10, namespace: "pages", erasesClearedPages: true)
        try pages.save("1")
        let file = try SQLiteFile.shared(path: folder.file, vfs: nil, busyTimeout: 10)
        let reader = try Inspector(folder.file)
        try reader.execute("BEGIN")
        #expect(try reader.number("SELECT count(*) FROM pages") == 1)
        try file.write(durably: false) { connection, _ throws(SQLiteError) in try file.noteErasure(connection) }
        file.maintenance.sync { file.maintain() }
        #expect(file.writing.withLock { file.needsErasure && file.isMaintenanceDue })
        try reader.execute("COMMIT")
        file.maintenance.sync { file.maintain() }
        #expect(!file.writing.withLock { file.needsErasure })
        #expect(try Inspector(folder.file).number("SELECT erasure FROM store") == 0)
        withExtendedLifetime((pages, folder)) {}
    }
}

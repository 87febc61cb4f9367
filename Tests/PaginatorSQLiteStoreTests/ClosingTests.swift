import Foundation
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

/// What is left on the disk by who closes the file last.
@Suite("Closing")
struct ClosingTests {
    @Test
    func `The WAL stays, and is empty: the next one to open the file reads nothing of it`() throws {
        let folder = TemporaryFolder()
        func bytesInWAL() throws -> Int { try Data(contentsOf: URL(filePath: folder.file + "-wal")).count }
        do {
            let writer = try SQLiteConnection(
                path: folder.file, role: .writer, vfs: nil, busyTimeout: 5_000, generation: 0)
            try writer.execute(
                "PRAGMA journal_mode = WAL; CREATE TABLE t(x); INSERT INTO t VALUES (zeroblob(100000))", "fill")
            #expect(try bytesInWAL() > 100_000)
        }
        #expect(try bytesInWAL() == 0)
    }

    @Test
    func `Whoever lets go of a store's file last does not wait until it is closed`() throws {
        let folder = TemporaryFolder()
        func bytesInWAL() -> Int { (try? Data(contentsOf: URL(filePath: folder.file + "-wal")).count) ?? -1 }
        var files = [try SQLiteFile.shared(path: folder.file, vfs: nil, busyTimeout: 5_000)]
        try files[0].write(durably: false) { connection, _ throws(SQLiteError) in try connection.run(.noteFlush) }
        // It is closed on this queue, which empties the WAL.
        let queue = files[0].maintenance
        queue.suspend()
        files = []
        let bytes = bytesInWAL()
        queue.resume()
        queue.sync {}
        #expect(bytes > 0)
        #expect(bytesInWAL() == 0)
    }
}

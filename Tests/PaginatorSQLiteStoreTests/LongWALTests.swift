import Dispatch
import Foundation
import PaginatorCore
import PaginatorSQLiteStore
import PaginatorTesting
import TestFolders
import Testing

/// How long the WAL may become.
@Suite("A long WAL")
struct LongWALTests {
    private let folder = TemporaryFolder()
    private let savedAt = Date(timeIntervalSince1970: 1_767_225_600)

    private func megabytesInWAL() throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file + "-wal")
        return try #require(attributes[.size] as? Int) / 1_000_000
    }

    /// Saves a page of a megabyte so many times, each in a transaction of its own.
    private func save(_ times: Int, in pages: SQLitePageFile) throws {
        let tag = CompactPageCodec<SampleItem>().tag
        for round in 0..<times {
            let record = PageRecord(
                identity: PageIdentity(key: "\(round % 2)", pageSize: 30), prevKey: nil, nextKey: nil,
                expirationTime: nil, fetchedAt: savedAt, itemCount: 1, memoryBytes: 100, codec: tag,
                content: [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: 1_000_000))
            try pages.commit([.save(record, savedAt: savedAt)], durably: false)
        }
    }

    @Test("The WAL is copied back off the writers' path, and begins anew")
    func isCopiedBack() throws {
        let file = try SQLiteFile.shared(path: folder.file, vfs: nil, busyTimeout: 100)
        let pages = try SQLitePageFile(file: file, namespace: "long", erasesClearedPages: false)
        for _ in 0..<10 {
            try save(6, in: pages)
            // Waits for the checkpoint that the last commit asked for.
            file.maintenance.sync {}
        }
        #expect(try megabytesInWAL() < 15)
    }

    @Test("Writers that leave the checkpointer no time copy the WAL back themselves")
    func isLimited() throws {
        let file = try SQLiteFile.shared(path: folder.file, vfs: nil, busyTimeout: 100)
        let pages = try SQLitePageFile(file: file, namespace: "long", erasesClearedPages: false)
        file.maintenance.suspend()
        defer { file.maintenance.resume() }
        try save(150, in: pages)
        #expect(try megabytesInWAL() < 75)
    }

    @Test("Who reads without an end stops no writer, and when it ends the WAL begins anew")
    func waitsForNobody() throws {
        let file = try SQLiteFile.shared(path: folder.file, vfs: nil, busyTimeout: 100)
        let pages = try SQLitePageFile(file: file, namespace: "long", erasesClearedPages: false)
        file.maintenance.suspend()
        defer { file.maintenance.resume() }
        try save(1, in: pages)
        let reader = try SQLiteConnection(
            path: folder.file, role: .reader, vfs: nil, busyTimeout: 100, generation: 0)
        try reader.execute("BEGIN; SELECT count(*) FROM pages", "read")
        try save(100, in: pages)
        #expect(try megabytesInWAL() > 95)
        try reader.execute("COMMIT", "end")
        try save(100, in: pages)
        #expect(try megabytesInWAL() < 160)
        try save(150, in: pages)
        #expect(try megabytesInWAL() < 75)
    }
}

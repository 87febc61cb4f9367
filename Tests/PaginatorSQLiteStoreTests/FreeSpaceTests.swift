import Dispatch
import Foundation
import PaginatorCore
import PaginatorSQLiteStore
import PaginatorTesting
import TestFolders
import Testing

/// What becomes of the space of pages that went.
@Suite("Free space")
struct FreeSpaceTests {
    private let folder = TemporaryFolder()
    private let savedAt = Date(timeIntervalSince1970: 1_767_225_600)

    private func id(_ number: Int) -> PageIdentity { PageIdentity(key: "\(number)", pageSize: 30) }

    private func megabytes() throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file)
        return try #require(attributes[.size] as? Int) / 1_000_000
    }

    private func save(_ numbers: some Sequence<Int>, in pages: SQLitePageFile, version: Int = 0) throws {
        for number in numbers {
            let record = PageRecord(
                identity: id(number), prevKey: nil, nextKey: nil, expirationTime: nil, fetchedAt: savedAt,
                itemCount: 1, memoryBytes: 100, codec: CompactPageCodec<SampleItem>().tag,
                content: [UInt8](repeating: UInt8(number + version), count: 1_000_000))
            try pages.commit([.save(record, savedAt: savedAt)], durably: false)
        }
    }

    /// Leaves a closed file in which some of 30 pages of a megabyte are still there.
    private func leave(_ kept: Int) throws {
        try closing(folder.file) {
            let file = try SQLiteFile.shared(path: folder.file, vfs: nil, busyTimeout: 5_000)
            try save(0..<30, in: SQLitePageFile(file: file, namespace: "free", erasesClearedPages: true))
        }
        try Inspector(folder.file).execute("DELETE FROM pages WHERE CAST(key AS INTEGER) >= \(kept)")
        #expect(try megabytes() > 28)
    }

    @Test("Opening a file of which most is free gives the space back, and keeps the pages")
    func isGivenBack() throws {
        try leave(5)
        let file = try SQLiteFile.shared(path: folder.file, vfs: nil, busyTimeout: 5_000)
        let pages = try SQLitePageFile(file: file, namespace: "free", erasesClearedPages: true)
        file.maintenance.sync {}
        #expect(try megabytes() < 7)
        for number in 0..<30 {
            #expect(try pages.read(id(number))?.content.first == (number < 5 ? UInt8(number) : nil))
        }
        #expect(try Inspector(folder.file).texts("PRAGMA integrity_check") == ["ok"])
    }

    @Test("A file that is half full stays as it is: new pages will need the space")
    func isKept() throws {
        try leave(20)
        let file = try SQLiteFile.shared(path: folder.file, vfs: nil, busyTimeout: 5_000)
        let pages = try SQLitePageFile(file: file, namespace: "free", erasesClearedPages: true)
        file.maintenance.sync {}
        #expect(try megabytes() > 28)
        withExtendedLifetime(pages) {}
    }

    @Test("So does a store that goes on being used")
    func isGivenBackMeanwhile() throws {
        let file = try SQLiteFile.shared(path: folder.file, vfs: nil, busyTimeout: 5_000)
        let pages = try SQLitePageFile(file: file, namespace: "free", erasesClearedPages: true)
        try save(0..<30, in: pages)
        try pages.commit((5..<30).map { .remove(.identity(id($0))) }, durably: false)
        // Enough for the WAL to be copied back; SQLite would not write the same again.
        for version in 1...2 { try save(0..<5, in: pages, version: version) }
        file.maintenance.sync {}
        #expect(try megabytes() < 10)
    }
}

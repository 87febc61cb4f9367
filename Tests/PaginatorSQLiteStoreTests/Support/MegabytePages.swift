import Foundation
import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import TestFolders

@testable import PaginatorSQLiteStore

/// Pages of a megabyte in a store's file, and how long its files become.
struct MegabytePages {
    let file: SQLiteFile
    let pages: SQLitePageFile
    private let folder: TemporaryFolder

    init(in folder: TemporaryFolder, busyTimeout: Int32 = 5_000) throws {
        self.folder = folder
        file = try SQLiteFile.shared(path: folder.file, vfs: nil, busyTimeout: busyTimeout)
        pages = SQLitePageFile(
            path: folder.file, vfs: nil, busyTimeout: busyTimeout, namespace: "large", erasesClearedPages: true)
    }

    static func id(_ number: Int) -> PageIdentity { PageIdentity(key: "\(number)", pageSize: 30) }

    /// Saves a page in a transaction of its own.
    ///
    /// - Parameter fill: every byte of it; SQLite would not write the same page again.
    func save(_ number: Int, fill: Int) throws {
        let savedAt = Date(timeIntervalSince1970: 1_767_225_600)
        let record = PageRecord(
            identity: Self.id(number), prevKey: nil, nextKey: nil, expirationTime: nil, fetchedAt: savedAt,
            itemCount: 1, memoryBytes: 100, codec: CompactPageCodec<SampleItem>().tag,
            content: [UInt8](repeating: UInt8(truncatingIfNeeded: fill), count: 1_000_000))
        try pages.commit([.save(record, savedAt: savedAt)], durably: false)
    }

    /// Saves two pages by turns, so many times in all.
    func saveByTurns(_ times: Int) throws {
        for round in 0..<times { try save(round % 2, fill: round) }
    }
}

extension TemporaryFolder {
    /// The length of the store's file, or of the one beside it, in megabytes.
    func megabytes(_ suffix: String = "") throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: file + suffix)
        return (attributes[.size] as? Int ?? .max) / 1_000_000
    }
}

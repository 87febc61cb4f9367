import Foundation
import PaginatorCore
import PaginatorStorage
import TestFolders

@testable import PaginatorSQLiteStore

extension SQLitePageFile {
    /// The pages of one namespace in the folder's file.
    convenience init(in folder: TemporaryFolder, vfs: String? = nil) {
        self.init(path: folder.file, vfs: vfs, busyTimeout: 5_000, namespace: "pages", erasesClearedPages: true)
    }

    /// Saves a page of one byte in a transaction of its own.
    func save(_ key: String, durably: Bool = false) throws {
        let savedAt = Date(timeIntervalSince1970: 1_767_225_600)
        let record = PageRecord(
            identity: PageIdentity(key: key, pageSize: 3), prevKey: nil, nextKey: nil, expirationTime: nil,
            fetchedAt: savedAt, itemCount: 1, memoryBytes: 100, codec: PageCodecTag(name: "test", version: 1),
            content: [1])
        try commit([.save(record, savedAt: savedAt)], durably: durably)
    }
}

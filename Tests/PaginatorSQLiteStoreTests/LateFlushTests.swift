import CTestVFS
import Foundation
import PaginatorCore
import PaginatorTesting
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

extension TestVFSTests {
    /// A flush when everything is written already, but not on the disk for certain.
    @Suite("A flush without changes")
    struct LateFlushTests {
        /// The folder after the power was cut now: nothing is there that was not synced.
        private func folderAfterPowerLoss() throws -> TemporaryFolder {
            var disk = LossyDisk()
            for index in 0..<powervfs_count() {
                let call = powervfs_get(index)
                let path = String(cString: powervfs_file(call.file))
                disk.take(call, name: URL(fileURLWithPath: path).lastPathComponent)
            }
            let folder = TemporaryFolder()
            var random = SeededRandom(seed: 1)
            for (name, bytes) in disk.afterPowerLoss(.all, &random) {
                try Data(bytes).write(to: folder.url.appendingPathComponent(name))
            }
            return folder
        }

        @Test
        func `What was written before the flush is there after the power was cut`() throws {
            #expect(powervfs_register() == 0)
            let folder = TemporaryFolder()
            powervfs_start(folder.path)
            defer { powervfs_start(nil) }
            // Not through a store, which might write the page with the flush.
            let file = SQLitePageFile(in: folder, vfs: String(cString: powervfs_name))
            try file.commit([], durably: true)
            // A commit that need not survive, so that nothing is left for the flush to write.
            try file.save("a")
            try file.commit([], durably: true)
            let left = try folderAfterPowerLoss()
            let next = SQLitePageFile(in: left)
            #expect(try next.read(PageIdentity(key: "a", pageSize: 3))?.content == [1])
            withExtendedLifetime((folder, file, left)) {}
        }
    }
}

import CTestVFS
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

extension TestVFSTests {
    /// Which commits wait until the disk has them.
    @Suite("Waiting for the disk")
    struct DiskWaitTests {
        @Test func `A commit waits for the disk only if it must survive a loss of power`() throws {
            #expect(powervfs_register() == 0)
            let folder = TemporaryFolder()
            powervfs_start(folder.path)
            defer { powervfs_start(nil) }
            let pages = SQLitePageFile(in: folder, vfs: String(cString: powervfs_name))
            func syncs(_ key: String, durably: Bool) throws -> Int {
                let before = powervfs_count()
                try pages.save(key, durably: durably)
                return (before..<powervfs_count()).count { powervfs_get($0).kind == powervfs_sync }
            }
            // This one creates the file.
            try pages.save("0", durably: true)
            for key in ["1", "2", "3"] { #expect(try syncs(key, durably: false) == 0) }
            #expect(try syncs("4", durably: true) > 0)
            #expect(try syncs("5", durably: false) == 0)
            withExtendedLifetime(folder) {}
        }
    }
}

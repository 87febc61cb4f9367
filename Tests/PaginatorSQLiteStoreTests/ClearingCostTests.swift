import CTestVFS
import Foundation
import PaginatorCore
import PaginatorTesting
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

extension TestVFSTests {
    /// What it costs to clear a little of a large file.
    @Suite("Clearing a scope")
    struct ClearingCostTests {
        @Test(arguments: [0, 12])
        func `Clearing one page of a large file takes the work of that page, and leaves nothing of it`(
            _ reserved: Int
        ) throws {
            #expect(TestVFS.isRegistered)
            let folder = TemporaryFolder()
            // Apple's SQLite reserves bytes of each page.
            try Data.emptyDatabase(reserving: reserved).write(to: URL(fileURLWithPath: folder.file))
            var config = SQLiteStoreConfig()
            config.vfs = String(cString: testvfs_name)
            let store = try SQLitePageStore<SampleItem>(path: folder.file, config: config)
            func id(_ key: String, _ scope: String) -> PageIdentity {
                PageIdentity(key: key, pageSize: 10, scope: scope)
            }
            for number in 0..<300 {
                store.applyNow([.save(id("\(number)", "bob"), .sample("\(number)", count: 10, length: 10_000))])
            }
            store.applyNow([.save(id("secret-key", "alice"), .sample("secret-key", count: 10, length: 500))])
            try store.flushNow().get()
            // What waits in the WAL is copied back first: it is no part of what the clearing costs.
            store.applyNow([.remove(.scope("nobody"))])
            try SQLiteFile.shared(path: folder.file, vfs: config.vfs, busyTimeout: 5_000).maintenance.sync {}
            try Inspector(folder.file).execute("PRAGMA wal_checkpoint(TRUNCATE)")

            testvfs_fail_at(0)
            store.applyNow([.remove(.scope("alice"))])
            try store.flushNow().get()
            let calls = testvfs_calls()
            // The file has more than 7,000 pages of 4 KB.
            #expect(calls < 300, "it took \(calls) I/O calls")
            for name in folder.contents {
                let data = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))
                #expect(data.range(of: Data("secret-key".utf8)) == nil, "\(name)")
            }
            #expect(try store.loadNow(id("7", "bob")).get()?.isSample(of: "7") == true)
            #expect(try Inspector(folder.file).texts("PRAGMA integrity_check") == ["ok"])
        }

        @Test func `Clearing what has no page, after nothing was removed, does not read the file`() throws {
            #expect(TestVFS.isRegistered)
            let folder = TemporaryFolder()
            var config = SQLiteStoreConfig()
            config.vfs = String(cString: testvfs_name)
            let store = try SQLitePageStore<SampleItem>(path: folder.file, config: config)
            func id(_ key: String) -> PageIdentity { PageIdentity(key: key, pageSize: 10, scope: "bob") }
            for number in 0..<300 {
                store.applyNow([.save(id("\(number)"), .sample("\(number)", count: 10, length: 10_000))])
            }
            // The first clear after the opening looks for what an earlier process has left.
            store.applyNow([.remove(.scope("nobody"))])
            try store.flushNow().get()
            let maintenance = try SQLiteFile.shared(path: folder.file, vfs: config.vfs, busyTimeout: 5_000).maintenance
            // The best of some, because the WAL of the saves may be copied back beside the first ones.
            let calls =
                try (0..<10).map { _ in
                    maintenance.sync {}
                    testvfs_fail_at(0)
                    store.applyNow([.remove(.scope("nobody"))])
                    try store.flushNow().get()
                    return testvfs_calls()
                }.min() ?? .max
            #expect(calls < 50, "it took \(calls) I/O calls")
        }

        @Test func `While the space of most pages is given back, others write`() throws {
            let folder = TemporaryFolder()
            let pages = try MegabytePages(in: folder)
            for number in 0..<60 { try pages.save(number, fill: number) }
            let inspector = try Inspector(folder.file)
            pages.file.maintenance.sync {}
            try pages.pages.commit((2..<60).map { .remove(.identity(MegabytePages.id($0))) }, durably: false)
            let whole = try inspector.number("PRAGMA freelist_count")
            #expect(whole > 10_000)
            var seen: Set<Int> = []
            var round = 0
            while try inspector.number("PRAGMA freelist_count") > 1_000, round < 100_000 {
                round += 1
                try pages.save(0, fill: round)
                seen.insert(try inspector.number("PRAGMA freelist_count") / 2_000)
            }
            #expect(seen.count > 2, "the space went in one piece: \(seen.sorted())")
            #expect(try inspector.texts("PRAGMA integrity_check") == ["ok"])
        }
    }
}

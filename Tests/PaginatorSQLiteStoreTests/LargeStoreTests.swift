import CTestVFS
import Foundation
import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

extension TestVFSTests {
    @Suite("A hundred thousand pages")
    struct LargeStoreTests {
        @Test
        func `Opening does not depend on the number of pages, and neither eviction nor a read scans them`() throws {
            #expect(TestVFS.isRegistered)
            let vfs = String(cString: testvfs_name)
            let folder = TemporaryFolder()
            let count = 100_000
            func id(_ index: Int) -> PageIdentity { PageIdentity(key: "cursor-\(index)", pageSize: 30) }
            let savedAt = Date(timeIntervalSince1970: 1_767_225_600)
            do {
                let pages = SQLitePageFile(
                    path: folder.file, vfs: vfs, busyTimeout: 5_000, namespace: "large", erasesClearedPages: true)
                let content = try CompactPageCodec<SampleItem>().encode([SampleItem(id: 1, text: "large")])
                for start in stride(from: 0, to: count, by: 5_000) {
                    let changes = (start..<start + 5_000).map { index in
                        RecordChange.save(
                            PageRecord(
                                identity: id(index), prevKey: nil, nextKey: "next", expirationTime: nil,
                                fetchedAt: savedAt,
                                itemCount: 1, memoryBytes: 100, codec: CompactPageCodec<SampleItem>().tag,
                                content: content),
                            savedAt: savedAt)
                    }
                    try pages.commit(changes, durably: false)
                }
            }
            try ChildProcess.sql(folder.file, "PRAGMA wal_checkpoint(TRUNCATE)")
            var config = SQLiteStoreConfig()
            config.vfs = vfs
            let memory = residentBytes()
            testvfs_fail_at(0)
            let clock = ContinuousClock()
            var store: SQLitePageStore<SampleItem>?
            let file = try SQLiteFile.shared(path: folder.file, vfs: vfs, busyTimeout: 5_000)
            let opening = try clock.measure {
                store = try SQLitePageStore<SampleItem>(path: folder.file, namespace: "large", config: config)
                // The first read opens the file; what the file holds is learned beside it.
                try file.open()
            }
            let calls = testvfs_calls()
            #expect(calls < 150, "opening took \(calls) I/O calls")
            let opened = try #require(store)
            opened.attach(to: StoreEnvironment(evictionStrategy: .lru(maxPages: count - 10)))
            let recovery = clock.measure {
                opened.applyNow([.save(id(count), .sample("cursor-\(count)"))])
                opened.flushNow()
            }
            let learned = residentBytes()
            #expect(learned - memory < 150_000_000, "learning the facts took \(learned - memory) bytes")
            // Eleven went at once; each further save pushes one out, and neither call reads much.
            testvfs_fail_at(0)
            for index in 1...20 {
                opened.applyNow([.save(id(count + index), .sample("cursor-\(count + index)"))])
                try opened.flushNow().get()
            }
            let perSave = testvfs_calls() / 20
            #expect(perSave < 60, "a save with an eviction took \(perSave) I/O calls")
            #expect(try opened.loadNow(id(30)).get() == nil)
            #expect(try opened.loadNow(id(31)).get() != nil)
            print(
                "100,000 pages: open \(opening) with \(calls) I/O calls, facts \(recovery), "
                    + "\((learned - memory) / 1_000_000) MB for them, \(perSave) I/O calls for a save with an eviction")
        }

        private func residentBytes() -> Int {
            #if os(Linux)
                let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
                return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0) * 4_096
            #else
                return 0
            #endif
        }
    }
}

@Suite("Query plans")
struct QueryPlanTests {
    @Test
    func `Only learning the facts, or what others changed, and counting anew go through the table`() throws {
        let folder = TemporaryFolder()
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        try store.flushNow().get()
        let inspector = try Inspector(folder.file)
        for query in SQLiteQuery.allCases {
            let plan = try inspector.queryPlan(of: query)
            if [.facts, .changed, .recount].contains(query) { continue }
            #expect(!plan.contains { $0.hasPrefix("SCAN pages") }, "\(query.name): \(plan)")
            if ["read", "use", "removePage", "invalidatePage", "rewrite"].contains(query.name) {
                #expect(
                    plan.contains {
                        $0.contains("USING INDEX pages_identity (namespace=? AND scope=? AND key=? AND page_size=?)")
                    },
                    "\(query.name): \(plan)")
            }
        }
        withExtendedLifetime(store) {}
    }
}

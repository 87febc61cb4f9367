import CTestVFS
import Foundation
import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import TestFolders
import Testing

@testable import PaginatorSQLiteStore

extension TestVFSTests {
    @Suite("Limits over many operations")
    struct LimitTests {
        @Test
        func `50,000 operations against a model of LRU, across restarts: the limits hold after each`() throws {
            #expect(TestVFS.isRegistered)
            testvfs_fail_at(0)
            let folder = TemporaryFolder()
            let (maxPages, maxBytes) = (40, 30_000)
            var config = SQLiteStoreConfig()
            config.vfs = String(cString: testvfs_name)
            func open() throws -> SQLitePageStore<SampleItem> {
                let store = try SQLitePageStore<SampleItem>(path: folder.file, namespace: "limits", config: config)
                store.attach(to: StoreEnvironment(evictionStrategy: .lru(maxPages: maxPages, maxBytes: maxBytes)))
                return store
            }
            var store = try open()
            try store.flushNow().get()
            let inspector = try Inspector(folder.file)
            let coder = CompactPageCodec<SampleItem>()
            var random = SeededRandom(seed: 50_000)
            /// From the page used longest ago to the one used last.
            var model: [(id: PageIdentity, bytes: Int, version: Int)] = []
            let operations = 50_000
            var evictions = 0
            for step in 0..<operations {
                let id = PageIdentity(key: "\(random.number(in: 0..<120))", pageSize: 10)
                switch random.number(in: 0..<100) {
                case 0..<45:
                    let page = StoredPage<SampleItem>.sample(
                        id.key, version: step, count: random.number(in: 0..<6), length: random.number(in: 0..<400))
                    let content = try coder.encode(page.page.content)
                    let bytes = content.count + id.key.utf8.count * 2 + 1 + 128
                    store.applyNow([.save(id, page)])
                    model.removeAll { $0.id == id }
                    model.append((id, bytes, page.page.content.isEmpty ? -1 : step))
                    while model.count > maxPages || model.reduce(0, { $0 + $1.bytes }) > maxBytes {
                        model.removeFirst()
                    }
                case 45..<90:
                    let found = try store.loadNow(id).get()
                    let known = model.firstIndex { $0.id == id }
                    #expect((found == nil) == (known == nil), "step \(step): \(id)")
                    #expect(found?.version ?? -1 == known.map { model[$0].version } ?? -1, "step \(step): \(id)")
                    if let known { model.append(model.remove(at: known)) }
                default:
                    store.applyNow([.remove(.identity(id))])
                    model.removeAll { $0.id == id }
                }
                try store.flushNow().get()
                let pages = try inspector.number("SELECT pages FROM namespaces WHERE name = 'limits'")
                let bytes = try inspector.number("SELECT bytes FROM namespaces WHERE name = 'limits'")
                #expect(pages <= maxPages && bytes <= maxBytes, "step \(step): \(pages) pages, \(bytes) bytes")
                #expect(pages == model.count, "step \(step)")
                #expect(bytes == model.reduce(0) { $0 + $1.bytes }, "step \(step)")
                if step % 2_500 == 2_499 {
                    // The totals that triggers keep are those of the rows.
                    #expect(try inspector.number("SELECT sum(bytes) FROM pages") == bytes, "step \(step)")
                    evictions += store.statistics.evictions
                    store = try open()
                }
                if pages != model.count { break }
            }
            #expect(evictions > 1_000)
        }
    }
}

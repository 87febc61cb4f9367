import Foundation
import PaginatorCore
import PaginatorSQLiteStore
import PaginatorTesting
import TestFolders
import Testing

@Suite("Erasure")
struct ErasureTests {
    private func id(_ key: String, _ scope: String) -> PageIdentity {
        PageIdentity(key: key, pageSize: 10, scope: scope)
    }

    /// The files of the folder that hold `marker`.
    private func files(in folder: TemporaryFolder, with marker: String) throws -> [String] {
        try folder.contents.filter { name in
            try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name)).range(of: Data(marker.utf8)) != nil
        }
    }

    @Test(
        "A cleared scope or namespace leaves none of its bytes in the file, its free pages or its WAL",
        arguments: [false, true])
    func clearedPagesLeaveNoTrace(clearsAll: Bool) throws {
        let folder = TemporaryFolder()
        let store = try SQLitePageStore<SampleItem>(path: folder.file, namespace: "feed")
        let other = try SQLitePageStore<SampleItem>(path: folder.file, namespace: "other")
        let secret = "secret-of-alice"
        store.attach(to: StoreEnvironment(evictionStrategy: .lru(maxPages: 60)))
        var random = SeededRandom(seed: 11)
        // Replaced, evicted and removed along the way, so that old copies lie everywhere.
        for round in 0..<400 {
            let key = "\(random.number(in: 0..<80))"
            let count = random.number(in: 1..<8)
            let items = (0..<count).map {
                SampleItem(id: $0, text: "\(secret) " + String(repeating: "y", count: 40 * count))
            }
            let page = StoredPage(page: PaginatorPage(content: items, key: key, nextKey: secret), fetchedAt: Date())
            store.applyNow([.save(id(key, "alice"), page)])
            store.applyNow([.save(id("bob-\(key)", "bob"), .sample("bob-\(key)", length: 300))])
            other.applyNow([.save(id(key, "alice"), .sample(key))])
            if round % 50 == 49 {
                store.applyNow([.remove(.key("\(round / 50)"))])
                store.flushNow()
                other.flushNow()
            }
        }
        try store.flushNow().get()
        #expect(!(try files(in: folder, with: secret)).isEmpty)
        store.applyNow([.remove(clearsAll ? .all : .scope("alice"))])
        try store.flushNow().get()
        #expect(try files(in: folder, with: secret) == [])
        #expect(try other.loadNow(id("1", "alice")).get() != nil)
        #expect(try Inspector(folder.file).number("SELECT count(*) FROM pages WHERE scope = 'bob'") > 0 || clearsAll)
        #expect(try Inspector(folder.file).texts("PRAGMA integrity_check") == ["ok"])
        withExtendedLifetime(other) {}
    }
}

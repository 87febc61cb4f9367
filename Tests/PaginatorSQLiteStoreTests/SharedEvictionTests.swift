import PaginatorTesting
import TestFolders
import Testing

@testable import PaginatorCore
@testable import PaginatorSQLiteStore

/// What a store counts as evicted, beside pages that went in another way.
@Suite("Evictions of a file that is shared or opened again")
struct SharedEvictionTests {
    private let folder = TemporaryFolder()

    private func id(_ key: String) -> PageIdentity { PageIdentity(key: key, pageSize: 3) }

    private func store(maxPages: Int? = nil, maxItems: Int? = nil) throws -> SQLitePageStore<SampleItem> {
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        store.attach(to: StoreEnvironment(evictionStrategy: .lru(maxPages: maxPages, maxItems: maxItems)))
        return store
    }

    private func apply(_ change: StoreChange<SampleItem>, by store: SQLitePageStore<SampleItem>) throws {
        store.applyNow([change])
        try store.flushNow().get()
    }

    private func save(_ key: String, by store: SQLitePageStore<SampleItem>) throws {
        try apply(.save(id(key), .sample(key)), by: store)
    }

    private var keys: [String] {
        get throws { try Inspector(folder.file).texts("SELECT key FROM pages ORDER BY key") }
    }

    @Test func `A page of another store that a clear has removed is not evicted later`() throws {
        let store = try store(maxPages: 2)
        let other = try self.store(maxPages: 2)
        // From here on both know what the file has.
        try store.flushNow().get()
        try other.flushNow().get()
        try save("other", by: other)
        try apply(.remove(.all), by: store)
        #expect(try keys == [])
        for key in ["1", "2", "3"] { try save(key, by: store) }
        #expect(try keys == ["2", "3"])
        #expect(store.statistics.evictions == 1)
    }

    @Test func `A page that was saved last outlives one that another store has saved before`() throws {
        let store = try store(maxPages: 1)
        let other = try self.store(maxPages: 1)
        try store.flushNow().get()
        try other.flushNow().get()
        try save("other", by: other)
        try save("own", by: store)
        #expect(try keys == ["own"])
        #expect(try store.loadNow(id("own")).get()?.isSample(of: "own") == true)
    }

    /// Takes two pages and no more.
    private struct TwoPages: PaginatorEvictionStrategy {
        var inserts = 0
        mutating func inserted(_ page: PageHandle, _ facts: PageFacts) { inserts += 1 }
        mutating func used(_ page: PageHandle) {}
        mutating func removed(_ page: PageHandle) {}
        mutating func victim(in usage: PageUsage) -> PageHandle? { nil }
        func admits(_ facts: PageFacts) -> Bool { inserts < 2 }
    }

    @Test func `A page that is refused beside one of another store does not stay in the file`() throws {
        let store = try SQLitePageStore<SampleItem>(path: folder.file)
        store.attach(to: StoreEnvironment(evictionStrategy: EvictionStrategy(TwoPages())))
        let other = try self.store(maxPages: 9)
        try store.flushNow().get()
        try other.flushNow().get()
        try save("other", by: other)
        try save("own", by: store)
        #expect(try keys == ["other"])
    }

    @Test(arguments: [false, true])
    func `The first page, which LIFO keeps, is also kept after it was edited`(_ isReopened: Bool) throws {
        func store() throws -> SQLitePageStore<SampleItem> {
            try SQLitePageStore<SampleItem>(path: folder.file, evictionStrategy: .lifo(maxPages: 3))
        }
        var first = try store()
        for key in ["1", "2", "3"] { try save(key, by: first) }
        let like = PageEdit<SampleItem> { page in
            PaginatorPage(content: page.content.map { SampleItem(id: $0.id, text: "liked") }, key: page.key)
        }
        for _ in 0..<2 { try apply(.edit(.identity(id("1")), like), by: first) }
        if isReopened { first = try store() }
        try save("4", by: first)
        #expect(try keys == ["1", "2", "4"])
    }

    @Test(arguments: [false, true])
    func `The first page, which LIFO keeps, is also kept after it was saved again`(_ isReopened: Bool) throws {
        func store() throws -> SQLitePageStore<SampleItem> {
            try SQLitePageStore<SampleItem>(path: folder.file, evictionStrategy: .lifo(maxPages: 3))
        }
        var first = try store()
        for key in ["1", "2", "3", "1"] { try save(key, by: first) }
        if isReopened { first = try store() }
        for key in ["4", "1", "5"] { try save(key, by: first) }
        #expect(try keys == ["1", "2", "5"])
    }

    @Test func `A limit on items takes no more pages than it needs`() throws {
        // Each page has three.
        let store = try store(maxItems: 6)
        for key in ["1", "2", "3"] { try save(key, by: store) }
        #expect(try keys == ["2", "3"])
        #expect(store.statistics.evictions == 1)
    }

    @Test func `Pages over a lowered limit are evicted once, also if an edit comes first`() throws {
        do {
            let store = try store(maxPages: 10)
            for number in 0..<10 { try save("\(number)", by: store) }
        }
        let store = try store(maxPages: 4)
        let identifier = ItemIdentifier<SampleItem, Int> { $0.id }
        let target = ItemTarget(identifier: identifier, hash: 1) {
            PaginatorPage<SampleItem>.from($0).content.map { UInt32($0.id) }
        }
        // It looks for what others have written before the pages over the limit have left the file.
        let rename = PageEdit<SampleItem>(of: target) { page in
            let items = page.content.map { SampleItem(id: $0.id, text: $0.id == 1 ? "new" : $0.text) }
            return PaginatorPage(content: items, key: page.key)
        }
        try apply(.edit(.all, rename), by: store)
        #expect(try keys == ["6", "7", "8", "9"])
        #expect(try store.loadNow(id("9")).get()?.page.content[1].text == "new")
        #expect(store.statistics.evictions == 6)
        for key in ["a", "b", "c", "d", "e"] { try save(key, by: store) }
        #expect(try keys == ["b", "c", "d", "e"])
        #expect(store.statistics.evictions == 11)
    }
}

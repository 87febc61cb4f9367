import PaginatorTesting
import TestFolders
import Testing

@testable import PaginatorCore
@testable import PaginatorSQLiteStore

@Suite("The lifetime of pages that two stores have")
struct SharedLifetimeTests {
    private let folder = TemporaryFolder()
    private let clock = ManualPaginatorClock()
    private let stores: [SQLitePageStore<SampleItem>]

    init() throws {
        let path = folder.file
        stores = try (0..<2).map { _ in try SQLitePageStore<SampleItem>(path: path, namespace: "n") }
        let strategy = EvictionStrategy.lru(maxPages: 100).and(.timeToLive(.seconds(60)))
        for store in stores { store.attach(to: StoreEnvironment(evictionStrategy: strategy, clock: clock)) }
    }

    private func id(_ key: String) -> PageIdentity { PageIdentity(key: key, pageSize: 3) }

    private func apply(_ change: StoreChange<SampleItem>, by store: Int) throws {
        stores[store].applyNow([change])
        try stores[store].flushNow().get()
    }

    private func save(_ key: String, by store: Int) throws { try apply(.save(id(key), .sample(key)), by: store) }

    private var keys: [String] {
        get throws { try Inspector(folder.file).texts("SELECT key FROM pages ORDER BY key") }
    }

    @Test(arguments: [false, true])
    func `A page that another store has saved again begins a new lifetime, also if an edit has learned of it before`(
        edits: Bool
    ) throws {
        try save("1", by: 0)
        clock.advance(by: .seconds(59))
        try save("1", by: 1)
        if edits {
            let identifier = ItemIdentifier<SampleItem, Int> { $0.id }
            let target = ItemTarget(identifier: identifier, hash: 7) {
                PaginatorPage<SampleItem>.from($0).content.map { UInt32($0.id) }
            }
            try apply(.edit(.all, PageEdit(of: target) { _ in nil }), by: 0)
        }
        clock.advance(by: .seconds(2))
        try save("2", by: 0)
        #expect(try keys == ["1", "2"])
        let third = try SQLitePageStore<SampleItem>(path: folder.file, namespace: "n")
        #expect(try third.loadNow(id("1")).get()?.isSample(of: "1") == true)
        clock.advance(by: .seconds(59))
        try save("3", by: 0)
        #expect(try keys == ["2", "3"], "the new lifetime ends too")
    }

    @Test(arguments: [false, true])
    func `A wall clock that is set back lets no page live longer, whether this run or an earlier one has saved it`(
        isEarlier: Bool
    ) throws {
        try save("1", by: 0)
        clock.moveWallTime(by: .seconds(10))
        try save("1", by: 0)
        // The other store learns here what the file has, as one of a later run does.
        if isEarlier { try stores[1].flushNow().get() }
        let store = isEarlier ? 1 : 0
        clock.moveWallTime(by: .hours(-1))
        clock.advance(by: .seconds(59))
        // An edit looks for what others have written.
        let identifier = ItemIdentifier<SampleItem, Int> { $0.id }
        let target = ItemTarget(identifier: identifier, hash: 7) {
            PaginatorPage<SampleItem>.from($0).content.map { UInt32($0.id) }
        }
        try apply(.edit(.all, PageEdit(of: target) { _ in nil }), by: store)
        #expect(try keys == ["1"])
        clock.advance(by: .seconds(2))
        try save("2", by: store)
        #expect(try keys == ["2"])
    }

    @Test(arguments: [60, 65])
    func `A page that another store has saved again goes after its new lifetime, also if it is learned of only then`(
        _ seconds: Int
    ) throws {
        try save("1", by: 0)
        clock.advance(by: .seconds(1))
        try save("1", by: 1)
        clock.advance(by: .seconds(seconds))
        try save("2", by: 0)
        #expect(try keys == ["2"])
    }

    @Test
    func `A page that another store has only edited keeps its lifetime`() throws {
        try save("1", by: 0)
        clock.advance(by: .seconds(59))
        let edit = PageEdit<SampleItem> { PaginatorPage(content: [SampleItem(id: 0, text: "new")], key: $0.key) }
        try apply(.edit(.identity(id("1")), edit), by: 1)
        #expect(try stores[1].loadNow(id("1")).get()?.page.content.map(\.text) == ["new"])
        clock.advance(by: .seconds(2))
        try save("2", by: 0)
        #expect(try keys == ["2"])
    }

    @Test
    func `A page of another store that a clear removes is not counted, also if many pages expire at once`() throws {
        var config = SQLiteStoreConfig()
        config.writeBehind.maxBatchChanges = 2
        let store = try SQLitePageStore<SampleItem>(path: folder.file, namespace: "n", config: config)
        let strategy = EvictionStrategy.lru(maxPages: 100).and(.timeToLive(.seconds(60)))
        store.attach(to: StoreEnvironment(evictionStrategy: strategy, clock: clock))
        store.applyNow((0..<5).map { .save(id("\($0)"), .sample("\($0)")) })
        try store.flushNow().get()
        clock.advance(by: .seconds(30))
        try apply(.save(PageIdentity(key: "other", pageSize: 3, scope: "s"), .sample("other")), by: 1)
        clock.advance(by: .seconds(31))
        store.applyNow([.remove(.scope("s"))])
        try store.flushNow().get()
        #expect(try keys == [])
        let pages = store.state.fields.first { $0.name == "pages" }?.value
        guard case .count(0)? = pages else {
            Issue.record("\(String(describing: pages)) pages are counted")
            return
        }
    }
}

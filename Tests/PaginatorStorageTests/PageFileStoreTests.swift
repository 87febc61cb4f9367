import Dispatch
import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import StorageTesting
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("The store over a page file")
struct PageFileStoreTests {
    private let file = ScriptedPageFile()
    private let clock = ManualPaginatorClock()
    private let reports = Handshake<[PaginatorError]>([])

    private func store(
        _ strategy: EvictionStrategy = .lru(maxPages: 1_000),
        config: WriteBehindConfig = WriteBehindConfig()
    ) -> PageFileStore<SampleItem> {
        let store = PageFileStore(file: file, codec: CompactPageCodec<SampleItem>(), config: config)
        store.attach(
            to: StoreEnvironment(evictionStrategy: strategy, clock: clock) { [reports] event in
                if let error = event.error { reports.update { $0.append(error) } }
            })
        return store
    }

    private func id(_ key: String) -> PageIdentity { PageIdentity(key: key, pageSize: 10) }

    private func page(_ key: String, _ count: Int = 2) -> StoredPage<SampleItem> {
        StoredPage(
            page: PaginatorPage(content: (0..<count).map { SampleItem(id: $0, text: key) }, key: key),
            fetchedAt: clock.wallTime)
    }

    private func load(
        _ store: PageFileStore<SampleItem>, _ key: String
    ) -> Result<StoredPage<SampleItem>?, PaginatorError> {
        waitFor { store.load(id(key), completion: $0) }
    }

    private func apply(_ store: PageFileStore<SampleItem>, _ changes: StoreChange<SampleItem>...) {
        let _: Result<Void, PaginatorError> = waitFor { store.apply(changes, accepted: $0) }
    }

    private func flush(_ store: PageFileStore<SampleItem>) throws {
        let result: Result<Void, PaginatorError> = waitFor { store.flush(completion: $0) }
        try result.get()
    }

    @Test
    func `A flush outlives a loss of power; what came after it may be lost`() throws {
        let store = store()
        apply(store, .save(id("a"), page("a")))
        try flush(store)
        apply(store, .save(id("b"), page("b")))
        file.losePower()
        #expect(try file.read(id("a")) != nil)
        #expect(try file.read(id("b")) == nil)
    }

    @Test
    func `A batch lingers on the clock, and many saves are one commit`() async throws {
        let store = store()
        for index in 0..<100 { apply(store, .save(id("\(index)"), page("\(index)"))) }
        #expect(file.commits.all == 0)
        #expect(store.pendingChanges == 100)
        try await clock.waitForTimer()
        clock.advance(by: .milliseconds(50))
        try flush(store)
        #expect(file.commits.all <= 2)
        #expect(store.statistics.savedPages == 100)
        #expect(store.pendingChanges == 0)
    }

    @Test
    func `Releasing the store writes what waits`() throws {
        do {
            let store = store()
            apply(store, .save(id("a"), page("a")))
        }
        // Another commit comes after the one that the release ordered.
        let again = self.store()
        while try file.read(id("a")) == nil { try flush(again) }
        #expect(try load(again, "a").get() != nil)
    }

    @Test
    func `A damaged record is an error once, then a miss; it is removed`() throws {
        let store = store()
        apply(store, .save(id("a"), page("a")))
        try flush(store)
        file.corrupt(id("a")) { record in
            PageRecord(
                identity: record.identity, prevKey: record.prevKey, nextKey: "wrong",
                expirationTime: record.expirationTime,
                fetchedAt: record.fetchedAt, itemCount: record.itemCount, memoryBytes: record.memoryBytes,
                codec: record.codec, content: record.content, isInvalidated: record.isInvalidated,
                checksum: record.checksum)
        }
        #expect(throws: PaginatorError.self) { try load(store, "a").get() }
        #expect(try load(store, "a").get() == nil)
        try flush(store)
        #expect(file.count == 0)
        #expect(store.statistics.damagedPages == 1)
    }

    @Test
    func `A record of another page counts as damaged, and takes no edit`() throws {
        let store = store()
        apply(store, .save(id("a"), page("a")))
        apply(store, .save(id("b"), page("b")))
        try flush(store)
        let other = try #require(try file.read(id("b")))
        file.corrupt(id("a")) { _ in other }
        apply(store, .edit(.identity(id("a")), PageEdit<SampleItem> { $0 }))
        try flush(store)
        #expect(throws: PaginatorError.self) { try load(store, "a").get() }
        #expect(try load(store, "a").get() == nil)
        #expect(try load(store, "b").get() != nil)
        try flush(store)
        #expect(file.count == 1)
        #expect(store.statistics.damagedPages == 1)
    }

    @Test
    func `A page that cannot be encoded is reported, and the older one does not stay in its place`() throws {
        struct Stubborn: Codable, Sendable {
            var isBad = false
            func encode(to encoder: any Encoder) throws { if isBad { throw PageCodingError("No.") } }
            init(isBad: Bool) { self.isBad = isBad }
            init(from decoder: any Decoder) throws {}
        }
        let reports = reports
        let store = PageFileStore(file: file, codec: CompactPageCodec<Stubborn>())
        store.attach(
            to: StoreEnvironment(clock: clock) { event in
                if let error = event.error { reports.update { $0.append(error) } }
            })
        for isBad in [false, true] {
            let page = StoredPage(
                page: PaginatorPage(content: [Stubborn(isBad: isBad)], key: "a"), fetchedAt: clock.wallTime)
            let accepted: Result<Void, PaginatorError> = waitFor { store.apply([.save(id("a"), page)], accepted: $0) }
            try accepted.get()
            let flushed: Result<Void, PaginatorError> = waitFor { store.flush(completion: $0) }
            try flushed.get()
        }
        #expect(file.count == 0)
        reports.block { $0.count == 1 }
    }

    @Test
    func `Failures are reported once, flushes fail, loads go on; with room again nothing is lost`() throws {
        let store = store()
        // The file's facts are known, so that it is commits that fail.
        try flush(store)
        apply(store, .save(id("a"), page("a")))
        file.fail(with: StoreFailure(.full, operation: "test", message: "No room."))
        for _ in 0..<3 { #expect(throws: PaginatorError.self) { try flush(store) } }
        #expect(try load(store, "a").get() != nil)
        #expect(reports.read { $0.map { "\($0.storeKind)" } } == ["full"])
        file.fail(with: nil)
        try flush(store)
        #expect(file.count == 1)
        #expect(store.statistics.failedCommits >= 3)
    }

    @Test
    func `The statistics tell loads that found a page, and those that found none`() throws {
        let store = store()
        apply(store, .save(id("a"), page("a")))
        try flush(store)
        #expect(try load(store, "a").get() != nil)
        #expect(try load(store, "none").get() == nil)
        #expect(try load(store, "a").get() != nil)
        #expect(store.statistics.hits == 2)
        #expect(store.statistics.misses == 1)
    }

    @Test
    func `An edit whose pages cannot be read is a commit that failed`() throws {
        let store = store()
        apply(store, .save(id("a"), page("a")))
        try flush(store)
        #expect(store.statistics.failedCommits == 0)
        file.fail(with: StoreFailure(.inputOutput, operation: "test", message: "No."), next: 1)
        apply(store, .edit(.identity(id("a")), PageEdit<SampleItem> { PaginatorPage(content: [], key: $0.key) }))
        #expect(throws: PaginatorError.self) { try flush(store) }
        #expect(store.statistics.failedCommits == 1)
        try flush(store)
        #expect(try load(store, "a").get()?.page.content.isEmpty == true)
        #expect(store.statistics.failedCommits == 1)
    }

    @Test
    func `A store knows the paginators that use it`() {
        final class User: Sendable {}
        let store = PageFileStore(file: file, codec: CompactPageCodec<SampleItem>())
        let users = [User(), User()]
        for user in users {
            var environment = StoreEnvironment(clock: clock)
            environment.user = { [weak user] in user }
            store.attach(to: environment)
        }
        #expect(store.users == users.map { ObjectIdentifier($0) })
    }

    @Test
    func `The clock of a store is that of the first paginator that uses it`() {
        let store = PageFileStore(file: file, codec: CompactPageCodec<SampleItem>())
        #expect(store.attachedClock == nil)
        for clock in [clock, ManualPaginatorClock()] { store.attach(to: StoreEnvironment(clock: clock)) }
        #expect((store.attachedClock as? ManualPaginatorClock) === clock)
    }

    @Test(arguments: [false, true])
    func `A paginator that comes after the first call is too late to set the strategy`(_ isRead: Bool) {
        let executor = SimulatedExecutor()
        var config = WriteBehindConfig()
        config.simulate(on: executor)
        let store = PageFileStore(file: file, codec: CompactPageCodec<SampleItem>(), config: config)
        if isRead {
            store.load(id("0")) { _ in }
        } else {
            store.apply([.save(id("0"), page("0"))]) { _ in }
        }
        store.attach(to: StoreEnvironment(evictionStrategy: .lru(maxPages: 1), clock: clock))
        store.apply((0..<3).map { .save(id("\($0)"), page("\($0)")) }) { _ in }
        store.flush { _ in }
        executor.runAll()
        #expect(file.count == 3)
    }

    @Test
    func `A producer faster than the disk is slowed by accepted, and memory stays bounded`() throws {
        var config = WriteBehindConfig()
        config.maxPendingChanges = 16
        config.maxBatchChanges = 8
        let store = store(config: config)
        var most = 0
        for index in 0..<500 {
            apply(store, .save(id("\(index)"), page("\(index)")))
            most = max(most, store.pendingChanges)
        }
        try flush(store)
        #expect(file.count == 500)
        #expect(most <= 24)
    }

    @Test
    func `Lifetime: gone with the next commit; a jump of the wall clock across a restart deletes nothing`() throws {
        let strategy = EvictionStrategy.lru(maxPages: 100).and(.timeToLive(.days(10)))
        do {
            let store = store(strategy)
            apply(store, .save(id("old"), page("old")))
            try flush(store)
            clock.advance(by: .days(6))
            apply(store, .save(id("new"), page("new")))
            try flush(store)
            clock.advance(by: .days(5))
            // Gone already, if the timer of the last batch committed once more; stale otherwise.
            #expect(try load(store, "old").get()?.isInvalidated != false)
            apply(store, .save(id("third"), page("third")))
            try flush(store)
            #expect(try load(store, "old").get() == nil)
            #expect(try load(store, "new").get()?.isInvalidated == false)
        }
        clock.moveWallTime(by: .days(1_000))
        do {
            let store = store(strategy)
            apply(store, .save(id("fourth"), page("fourth")))
            try flush(store)
            #expect(try load(store, "new").get()?.isInvalidated == true)
        }
        clock.moveWallTime(by: .days(-3_000))
        let store = store(strategy)
        apply(store, .save(id("fifth"), page("fifth")))
        try flush(store)
        #expect(try load(store, "fourth").get() != nil)
        #expect(file.count == 4)
    }

    @Test func `An edit does not start the lifetime of its page again`() throws {
        let store = store(.lru(maxPages: 100).and(.timeToLive(.days(10))))
        apply(store, .save(id("edited"), page("edited")), .save(id("saved"), page("saved")))
        try flush(store)
        clock.advance(by: .days(6))
        let edit = PageEdit<SampleItem> {
            PaginatorPage(content: [SampleItem(id: 0, text: "new")], key: $0.key)
        }
        apply(store, .edit(.identity(id("edited")), edit), .save(id("saved"), page("saved")))
        try flush(store)
        #expect(try load(store, "edited").get()?.page.content.map(\.text) == ["new"])
        clock.advance(by: .days(5))
        apply(store, .save(id("third"), page("third")))
        try flush(store)
        #expect(try file.read(id("edited")) == nil)
        #expect(try file.read(id("saved")) != nil)
    }

    @Test
    func `A page larger than the whole limit is not stored, empties nothing, and replaces the older one`() throws {
        let store = store(.lru(maxBytes: 2_000))
        apply(store, .save(id("a"), page("a")), .save(id("b"), page("b")))
        try flush(store)
        apply(store, .save(id("a"), page("a", 1_000)))
        try flush(store)
        #expect(try load(store, "a").get() == nil)
        #expect(try load(store, "b").get() != nil)
    }

    @Test
    func `A lowered limit is kept after a restart`() throws {
        do {
            let store = store()
            for index in 0..<50 { apply(store, .save(id("\(index)"), page("\(index)"))) }
            try flush(store)
        }
        let store = store(.lru(maxPages: 7))
        apply(store, .save(id("last"), page("last")))
        try flush(store)
        #expect(file.count == 7)
        #expect(try load(store, "last").get() != nil)
    }

    @Test func `A store tells what it evicts, and how long it writes and decodes`() throws {
        let told = Handshake<[PaginatorEvent]>([])
        let store = PageFileStore(file: file, codec: CompactPageCodec<SampleItem>())
        store.attach(
            to: StoreEnvironment(evictionStrategy: .lru(maxPages: 3), clock: clock) { event in
                told.update { $0.append(event) }
            })
        let saves = (0..<5).map { StoreChange.save(id("\($0)"), page("\($0)")) }
        let accepted: Result<Void, PaginatorError> = waitFor { store.apply(saves, accepted: $0) }
        try accepted.get()
        let flushed: Result<Void, PaginatorError> = waitFor { store.flush(completion: $0) }
        try flushed.get()
        func events(_ kind: PaginatorEvent.Kind) -> [PaginatorEvent] {
            told.read { $0.filter { $0.kind == kind } }
        }
        #expect(events(.storeEvicted).reduce(0) { $0 + $1.weight } == 2)
        #expect(events(.stored).reduce(0) { $0 + ($1.count ?? 0) } == 5)
        #expect(events(.stored).allSatisfy { $0.duration != nil })
        // One more takes the place of one; a removal of none.
        for change in [StoreChange.save(id("5"), page("5")), .remove(.identity(id("5")))] {
            apply(store, change)
            try flush(store)
        }
        #expect(events(.storeEvicted).map(\.count) == [2, 1])
        #expect(events(.decoded).isEmpty)
        let found: Result<StoredPage<SampleItem>?, PaginatorError> = waitFor { store.load(id("4"), completion: $0) }
        #expect(try found.get()?.page.content.count == 2)
        #expect(events(.decoded).map(\.identity) == [id("4")] && events(.decoded).map(\.origin) == [.store])
    }
}

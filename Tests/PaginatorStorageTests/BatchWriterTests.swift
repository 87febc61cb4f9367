import PaginatorTesting
import StorageTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorStorage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the writer of batches reads, keeps and calls.
@Suite("Batches that are written")
struct BatchWriterTests {
    private typealias Store = PageFileStore<Int>

    private let file = ScriptedPageFile()
    private let executor = SimulatedExecutor()
    private let identifier = ItemIdentifier<Int, Int> { $0 }

    private func store(_ strategy: EvictionStrategy = .lru(maxPages: 1_000), version: Int = 1) -> Store {
        var config = WriteBehindConfig()
        config.simulate(on: executor)
        let store = Store(file: file, codec: Codec(version: version), evictionStrategy: strategy, config: config)
        store.attach(to: StoreEnvironment(clock: ManualPaginatorClock()))
        return store
    }

    /// A negative number cannot be encoded.
    private struct Codec: PageCodec {
        let version: Int
        var tag: PageCodecTag { PageCodecTag(name: "numbers", version: version) }
        func encode(_ items: [Int]) throws -> [UInt8] {
            try items.map { if $0 < 0 { throw PageCodingError("No.") } else { UInt8($0) } }
        }
        func decode(_ bytes: [UInt8]) -> [Int] { bytes.map(Int.init) }
    }

    private func id(_ key: String) -> PageIdentity { PageIdentity(key: key, pageSize: 10) }

    private func save(_ key: String, _ items: Int...) -> StoreChange<Int> {
        .save(id(key), StoredPage(page: PaginatorPage(content: items, key: key), fetchedAt: Date()))
    }

    /// Replaces an item, found by its number, on all pages.
    private func edit(_ item: Int, to new: Int) -> StoreChange<Int> {
        let target = ItemTarget(identifier: identifier, hash: UInt32(item)) {
            PaginatorPage<Int>.from($0).content.map { UInt32($0) }
        }
        return .edit(
            .all,
            PageEdit(of: target) { page in
                guard page.content.contains(item) else { return nil }
                return PaginatorPage(content: page.content.map { $0 == item ? new : $0 }, key: page.key)
            })
    }

    /// Writes the changes in one batch.
    private func write(_ changes: StoreChange<Int>..., to store: Store) {
        store.apply(changes) { _ in }
        store.flush { _ in }
        executor.runAll()
    }

    private func read(_ key: String, times: Int = 1, from store: Store) {
        for _ in 0..<times { store.load(id(key)) { _ in } }
        executor.runAll()
    }

    // MARK: - Edits

    @Test func `After the first edit through a closure, an edit reads the pages that have its item and no others`() {
        let store = store()
        for number in 0..<10 { write(save("\(number)", number, 100), to: store) }
        write(save("damaged", 3), to: store)
        file.corrupt(id("damaged")) { record in
            PageRecord(
                identity: record.identity, prevKey: "wrong", nextKey: record.nextKey,
                expirationTime: record.expirationTime, fetchedAt: record.fetchedAt, itemCount: record.itemCount,
                memoryBytes: record.memoryBytes, codec: record.codec, content: record.content,
                isInvalidated: record.isInvalidated, checksum: record.checksum)
        }
        func reads(_ change: StoreChange<Int>) -> Int {
            let before = file.reads
            write(change, to: store)
            return file.reads - before
        }
        #expect(reads(edit(3, to: 13)) == 11)
        #expect(reads(edit(5, to: 15)) == 1)
        // What an edit has made of a page is known, too.
        #expect(reads(edit(15, to: 25)) == 1)
        #expect(reads(edit(5, to: 35)) == 0)
        #expect(reads(save("5", 45)) == 0)
        #expect(reads(edit(25, to: 55)) == 0)
        #expect(reads(edit(45, to: 65)) == 1)
        #expect(reads(edit(100, to: 101)) == 9)
    }

    @Test func `An edit makes a page of another codec stale, because whoever reads it would miss the edit`() throws {
        write(save("a", 1), to: store())
        let later = store(version: 2)
        func reads(_ change: StoreChange<Int>) -> Int {
            let before = file.reads
            write(change, to: later)
            return file.reads - before
        }
        #expect(reads(edit(1, to: 2)) == 1)
        #expect(try file.read(id("a"))?.isInvalidated == true)
        // Known to be stale from the second time on.
        #expect(reads(edit(1, to: 2)) == 1)
        #expect(reads(edit(1, to: 2)) == 0)
    }

    @Test func `What is known of the items of pages goes with the pages`() throws {
        let store = store(.lru(maxPages: 100))
        for number in 0..<100 { write(save("\(number)", number), to: store) }
        write(edit(0, to: 200), to: store)
        func known() throws -> Int {
            let writer = try #require(Mirror(reflecting: store.writeBehind).descendant("writer"))
            return try #require(Mirror(reflecting: writer).descendant("items", "kept", 0, "index", "items") as? Int)
        }
        #expect(try known() == 100)
        write(.remove(.identity(id("1"))), to: store)
        #expect(try known() == 99)
        // One more than the limit goes when two are added.
        write(save("a", 201), save("b", 202), to: store)
        #expect(try known() == 100)
        write(.remove(.all), to: store)
        #expect(try known() == 0)
    }

    @Test(arguments: ["save", "edit of the file's page", "edit of a page in the batch"])
    func `A page that cannot be encoded counts as gone, whatever a later edit of the batch would make of it`(
        _ failure: String
    ) {
        let store = store()
        write(save("a", 1), save("b", 1), to: store)
        func spoil(_ item: Int) -> StoreChange<Int> {
            .edit(.key("a"), PageEdit { $0.content == [item] ? PaginatorPage(content: [-1], key: $0.key) : nil })
        }
        let mend = StoreChange.edit(.all, PageEdit<Int> { PaginatorPage(content: [2], key: $0.key) })
        switch failure {
        case "save": write(save("a", -1), mend, to: store)
        case "edit of the file's page": write(spoil(1), mend, to: store)
        default: write(save("a", 3), spoil(3), mend, to: store)
        }
        #expect(file.count == 1)
        let pages = store.state.fields.first { $0.name == "pages" }?.value
        if case .count(1)? = pages { return }
        Issue.record("\(String(describing: pages)) pages are counted")
    }

    // MARK: - Eviction

    /// The pages that are left of a, b and c where two fit, after a restart. The one that came last stays in any case.
    private func leastUsed(_ body: (Store) -> Void) -> [String] {
        do {
            let store = store()
            write(save("a", 1), save("b", 2), to: store)
            body(store)
            write(save("c", 3), to: store)
        }
        write(to: store(.lfu(maxPages: 2)))
        return ["a", "b", "c"].filter { file.durableRecord(id($0)) != nil }
    }

    @Test func `A page that was saved again keeps its uses after a restart`() {
        let left = leastUsed { store in
            read("a", times: 3, from: store)
            write(save("a", 4), to: store)
            read("b", times: 2, from: store)
            write(to: store)
        }
        #expect(left == ["a", "c"])
    }

    @Test func `A read counts once, however often the file fails before it is written`() {
        let store = store(.lfu(maxPages: 2))
        write(save("a", 1), save("b", 2), to: store)
        read("b", times: 3, from: store)
        write(to: store)
        read("a", from: store)
        file.fail(with: StoreFailure(.full, operation: "test", message: "No room."))
        for _ in 0..<6 { write(to: store) }
        file.fail(with: nil)
        write(save("c", 3), to: store)
        #expect(["a", "b", "c"].filter { file.durableRecord(id($0)) != nil } == ["b", "c"])
    }

    @Test func `A page that was never read counts no use after a restart`() {
        let left = leastUsed { store in
            read("a", from: store)
            write(to: store)
            write(save("b", 2), to: store)
        }
        #expect(left == ["a", "c"])
    }

    @Test(arguments: [false, true])
    func `An edited page keeps its place in the order of eviction`(_ isReopened: Bool) {
        func left(_ strategy: EvictionStrategy) -> [String] {
            var store = store(strategy)
            for (number, key) in ["a", "b", "c"].enumerated() { write(save(key, number), to: store) }
            write(edit(0, to: 9), to: store)
            if isReopened { store = self.store(strategy) }
            write(save("d", 3), to: store)
            defer { write(.remove(.all), to: store) }
            return ["a", "b", "c", "d"].filter { file.durableRecord(id($0)) != nil }
        }
        // LIFO promises to keep the first pages; for the others the edit is no read.
        #expect(left(.lifo(maxPages: 3)) == ["a", "b", "d"])
        #expect(left(.fifo(maxPages: 3)) == ["b", "c", "d"])
        #expect(left(.lru(maxPages: 3)) == ["b", "c", "d"])
    }

    /// Replaces the content of a page.
    private func edit(_ key: String, to items: [Int], _ body: @escaping @Sendable () -> Void = {}) -> StoreChange<Int> {
        .edit(
            .identity(id(key)),
            PageEdit { page in
                body()
                return PaginatorPage(content: items, key: page.key)
            })
    }

    @Test func `An edited page counts with what it has now, and a limit makes room for it`() {
        let store = store(.lru(maxItems: 5))
        write(save("a", 1), save("b", 2), save("c", 3), to: store)
        write(edit("c", to: [4, 5, 6]), to: store)
        #expect(file.count == 3)
        write(edit("c", to: [4, 5, 6, 7]), to: store)
        #expect(["a", "b", "c"].filter { file.durableRecord(id($0)) != nil } == ["b", "c"])
        write(edit("c", to: [4]), to: store)
        write(save("d", 1), save("e", 2), save("f", 3), to: store)
        #expect(file.count == 5)
    }

    @Test func `A page that an edit makes larger than the limit goes, also if the first attempt to write that fails`() {
        let store = store(.lru(maxItems: 2))
        write(save("a", 1), save("b", 2), to: store)
        write(edit("a", to: [1, 2, 3]), to: store)
        #expect(file.count == 1)
        let failure = StoreFailure(.inputOutput, operation: "test", message: "No.")
        // After the page was read, so that it is the commit that fails.
        write(edit("b", to: [1, 2, 3]) { [file] in file.fail(with: failure, next: 1) }, to: store)
        #expect(file.count == 1)
        write(to: store)
        #expect(file.count == 0)
    }

    @Test func `The state tells the limits, the pages and what the timer is for`() {
        let store = store(.lru(maxPages: 3))
        func field(_ name: String) -> StateValue? { store.state.fields.first { $0.name == name }?.value }
        func count(_ name: String) -> Int? {
            guard case .list(let elements)? = field(name) else { return nil }
            return elements.count
        }
        func isTimer(for purpose: String) -> Bool { field("timers").map { "\($0)".contains(purpose) } ?? false }
        #expect(isTimer(for: "what the file holds is learned"))
        store.apply([save("a", 1)]) { _ in }
        executor.runAll()
        #expect(isTimer(for: "what waits is written"))
        write(to: store)
        #expect(count("entries") == 1)
        #expect(field("limits")?.fields.map(\.name) == ["pages"])
        write(save("b", 2), to: store)
        #expect(count("entries") == 2)
        write(.remove(.identity(id("a"))), to: store)
        #expect(count("entries") == 1)
        // One more than the limit: the oldest is evicted, and not shown any more.
        write(save("c", 3), save("d", 4), save("e", 5), to: store)
        #expect(count("entries") == 3)
    }

    // MARK: - Locks

    /// The user's code that a batch comes by, each of which shows the store's state, as `dump()` does.
    private final class CuriousUser: PageFile, PageCodec, PaginatorClock {
        struct State {
            weak var store: PageFileStore<Int>?
            var isAsking = false
            var asked: Set<String> = []
        }

        let state = Guarded(State())
        private let file = ScriptedPageFile()
        private let clock = ManualPaginatorClock()

        func ask(_ place: String) {
            let store = state.withLock { state in
                defer { if state.store != nil { state.isAsking = true } }
                return state.isAsking ? nil : state.store
            }
            guard let store else { return }
            _ = (store.state, store.statistics, store.pendingChanges)
            state.withLock { state in
                state.isAsking = false
                state.asked.insert(place)
            }
        }

        func read(_ identity: PageIdentity) throws(PaginatorError) -> PageRecord? {
            ask("read")
            return try file.read(identity)
        }

        func commit(_ changes: [RecordChange], durably: Bool) throws(PaginatorError) {
            ask("commit")
            try file.commit(changes, durably: durably)
        }

        func recover() throws(PaginatorError) -> [RecordFacts] {
            ask("recover")
            return try file.recover()
        }

        let tag = PageCodecTag(name: "numbers", version: 1)

        func encode(_ items: [Int]) -> [UInt8] {
            ask("encode")
            return items.map(UInt8.init)
        }

        func decode(_ bytes: [UInt8]) -> [Int] {
            ask("decode")
            return bytes.map(Int.init)
        }

        var now: PaginatorInstant {
            ask("now")
            return clock.now
        }

        var wallTime: Date {
            ask("wallTime")
            return clock.wallTime
        }

        func makeTimer(_ handler: @escaping @Sendable () -> Void) -> any PaginatorTimer { clock.makeTimer(handler) }
    }

    // With a lock held, a call would wait for itself.
    @Test func `The codec, the clock, edits and the file of a batch may ask for the store's state`() {
        let user = CuriousUser()
        var config = WriteBehindConfig()
        config.simulate(on: executor)
        let store = Store(file: user, codec: user, evictionStrategy: .lru(maxPages: 1_000), config: config)
        store.attach(to: StoreEnvironment(clock: user))
        user.state.withLock { $0.store = store }
        write(save("a", 1), to: store)
        write(
            .edit(
                .all,
                PageEdit { page in
                    user.ask("edit")
                    return PaginatorPage(content: [2], key: page.key)
                }), to: store)
        #expect(
            user.state.withLock { $0.asked }
                == ["read", "commit", "recover", "encode", "decode", "now", "wallTime", "edit"])
    }
}

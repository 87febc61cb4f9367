import Dispatch
import Foundation
import PaginatorCore
import PaginatorSQLiteStore
import PaginatorStorage
import Synchronization

// Edits of stored pages: what one costs with few pages and with many, and what they cost those who read meanwhile.
extension Group {
    static let edits = Group(name: "edits") { session in
        let folder = session.folder.appendingPathComponent("edits")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let count = session.scaled(100_000)
        func stored(_ pages: Int) throws -> StoredStories {
            session.progress("edits: a file of \(pages) pages")
            return try StoredStories(folder.appendingPathComponent("\(pages).sqlite").path, pages: pages)
        }
        let few = try stored(100)
        let many = try stored(count)
        let quiet = try many.readTimes(1_000)
        session.progress("edits: the first of a process")
        let first = try many.readTimes(beside: true) { try many.editAndFlush() }
        session.record("read beside the first edit of a process, \(count) pages", "read", latencies: first.reads)
        session.record("read of \(count) pages, no edit", "read", latencies: quiet.reads)
        session.record(
            "first edit of a process, \(count) pages, written", "store", samples: [first.took], unit: "ns", clock: .wall
        )
        session.ratio(
            "edit-stored-first-read-beside", first.reads.percentile(0.5) / quiet.reads.percentile(0.5), .atMost(2))
        let edits = try session.run(
            Contest(
                row: "edit of stored pages, written", clock: .process, operations: 20, rounds: 11,
                contenders: [(few, "100 pages"), (many, "\(count) pages")].map { stories, name in
                    Contender(name) { watch in
                        for _ in 0..<20 { try watch.time { try stories.editAndFlush() } }
                    }
                }))
        session.ratio("edit-stored-growth-100-to-\(count)", of: edits[1], to: edits[0], .atMost(2))
        let reads = try session.run(
            Contest(
                row: "read of \(count) stored pages", clock: .wall, operations: 200, rounds: 11,
                contenders: [
                    Contender("alone") { watch in for _ in 0..<200 { try watch.time { try many.read() } } },
                    Contender("beside edits") { watch in
                        let end = many.editForEver()
                        for _ in 0..<200 { try watch.time { try many.read() } }
                        try end()
                    },
                ]))
        session.ratio("edit-stored-read-beside", of: reads[1], to: reads[0], .atMost(2))
        let shown = try StoredStories(folder.appendingPathComponent("shown.sqlite").path, pages: 0)
        try shown.prime(session.scaled(10_000))
        let calls = try session.run(
            Contest(
                row: "edit, on the caller's thread", operations: 100, rounds: 21,
                contenders: [
                    Contender("\(session.scaled(10_000)) pages in memory") { watch in
                        for _ in 0..<100 { watch.time { shown.edit() } }
                    }
                ]))
        session.count("edit-caller-microseconds", calls[0].median / 1_000, .atMost(20))
    }
}

/// A paginator with a file of pages of ten stories each, no two of which have a story in common.
private final class StoredStories: Sendable {
    private let pages: Int
    private let store: SQLitePageStore<Story>
    private let paginator: CallbackPaginator<Story>
    private let edits: PaginatorEdits<Story, Int>
    private let number = Atomic(0)

    init(_ path: String, pages: Int) throws {
        let lasting = EvictionStrategy.lru(maxPages: 1_000_000)
        do {
            let filled = try SQLitePageStore<Story>(
                path: path, codec: BinaryPageCodec<Story>(), evictionStrategy: lasting)
            for start in stride(from: 0, to: pages, by: 200) {
                filled.apply(
                    (start..<min(pages, start + 200)).map { page in
                        .save(
                            PageIdentity(key: "\(page)", pageSize: 10),
                            StoredPage(page: Self.page(page), fetchedAt: Date()))
                    }
                ) { _ in }
                try Self.wait { filled.flush(completion: $0) }
            }
        }
        self.pages = pages
        store = try SQLitePageStore<Story>(path: path, codec: BinaryPageCodec<Story>(), evictionStrategy: lasting)
        var config = DefaultPaginatorConfig()
        config.inMemoryEvictionStrategy = lasting
        config.storeEvictionStrategy = lasting
        config.storeTimeout = .seconds(120)
        paginator = CallbackPaginator(dataSource: ArrayDataSource<Story>([]), store: store, config: config)
        edits = paginator.edits(id: { $0.id })
        // What the file holds is known before the clock runs.
        try flush()
    }

    static func page(_ number: Int) -> PaginatorPage<Story> {
        PaginatorPage(content: (number * 10..<number * 10 + 10).map { Story($0) }, key: "\(number)")
    }

    private static func wait(_ call: (@escaping @Sendable (Result<Void, PaginatorError>) -> Void) -> Void) throws {
        let isOver = DispatchSemaphore(value: 0)
        let answer = Mutex<Result<Void, PaginatorError>>(.success(()))
        call { result in
            answer.withLock { $0 = result }
            isOver.signal()
        }
        isOver.wait()
        try answer.withLock { $0 }.get()
    }

    func prime(_ count: Int) throws {
        for page in 0..<count { try paginator.prime(Self.page(page), pageSize: 10) }
        // From the third on an edit knows where its item is.
        for _ in 0..<3 {
            edits.update(0) { $0 }
            try flush()
        }
    }

    func edit() {
        let number = number.add(1, ordering: .relaxed).newValue
        edits.update(number * 7_919 % 1_000) { story in
            var story = story
            story.likes = number
            return story
        }
    }

    func flush() throws {
        try Self.wait { paginator.flush(completion: $0) }
    }

    func editAndFlush() throws {
        edit()
        try flush()
    }

    func read() throws {
        let number = number.add(1, ordering: .relaxed).newValue
        let isOver = DispatchSemaphore(value: 0)
        let isFound = Atomic(false)
        store.load(PageIdentity(key: "\(number * 104_729 % pages)", pageSize: 10)) { result in
            if case .success(.some) = result { isFound.store(true, ordering: .releasing) }
            isOver.signal()
        }
        isOver.wait()
        guard isFound.load(ordering: .acquiring) else { throw Command.Failure(description: "a page was not read") }
    }

    /// How long reads take while something is done, or so many of them.
    func readTimes(
        _ count: Int = .max, beside: Bool = false, _ body: @escaping @Sendable () throws -> Void = {}
    ) throws -> (reads: [Double], took: Double) {
        let isOver = Atomic(false)
        let took = Atomic<UInt64>(0)
        let group = DispatchGroup()
        let failure = Mutex<(any Error)?>(nil)
        if beside {
            DispatchQueue.global().async(group: group) {
                let start = BenchClock.wall.nanoseconds
                do { try body() } catch { failure.withLock { $0 = error } }
                took.store(BenchClock.wall.nanoseconds - start, ordering: .relaxed)
                isOver.store(true, ordering: .releasing)
            }
        }
        var reads: [Double] = []
        while reads.count < count, !isOver.load(ordering: .acquiring) {
            let start = BenchClock.wall.nanoseconds
            try read()
            reads.append(Double(BenchClock.wall.nanoseconds - start))
        }
        group.wait()
        if let failure = failure.withLock({ $0 }) { throw failure }
        return (reads, Double(took.load(ordering: .relaxed)))
    }

    /// Edits in the background until the function returned is called.
    func editForEver() -> () throws -> Void {
        let isOver = Flag()
        let group = DispatchGroup()
        let failure = Mutex<(any Error)?>(nil)
        DispatchQueue.global().async(group: group) {
            do {
                while !isOver.isSet { try self.editAndFlush() }
            } catch {
                failure.withLock { $0 = error }
            }
        }
        return {
            isOver.set()
            group.wait()
            if let failure = failure.withLock({ $0 }) { throw failure }
        }
    }

    private final class Flag: Sendable {
        private let value = Atomic(false)
        var isSet: Bool { value.load(ordering: .acquiring) }
        func set() { value.store(true, ordering: .releasing) }
    }
}

import CBaseline
import Dispatch
import Foundation
import GRDB
import PaginatorAsync
import PaginatorCore
import PaginatorSQLiteStore
import PaginatorStorage

/// What needs a process of its own: this program, started again by a row. Each prints a line a figure, name, tab, value.
enum Child {
    static func run(_ arguments: [String]) throws {
        switch arguments.first {
        case "operations": countInstructions(arguments.dropFirst().compactMap { Int($0) })
        case "allocations": try countAllocations()
        case "start-up" where arguments.count == 3: try startUp(arguments[1], path: arguments[2])
        default: throw Command.Failure(description: "no such child: \(arguments)")
        }
    }

    private static func tell(_ name: String, _ value: Double) { print("\(name)\t\(value)") }

    /// The figures that a child printed.
    static func figures(_ output: String) -> [(name: String, value: Double)] {
        output.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "\t")
            guard cells.count == 2, let value = Double(cells[1]) else { return nil }
            return (String(cells[0]), value)
        }
    }

    // MARK: - Instructions

    static let counted = [
        "cache-get-lru", "cache-get-adaptive", "cache-set-lru", "cache-set-adaptive", "cache-evict-lru",
        "cache-evict-adaptive", "scheduler-cancel", "scheduler-reprioritise", "scheduler-take",
    ]
    static let countedTurns = 2_000

    /// Does what callgrind is to count, with names for the counts.
    private static func countInstructions(_ sizes: [Int]) {
        func count(_ name: String, _ size: Int, _ body: () -> Void) {
            // What is done once, such as a table's growth, is done before.
            body()
            baseline_start_counting()
            body()
            baseline_stop_counting("\(name) \(size)")
        }
        for size in sizes {
            let stock = TokenSet(2 * size)
            let draws = Workloads.uniform(countedTurns, below: size, seed: 70)
            let priorities = Workloads.uniform(countedTurns, below: 3, seed: 71)
            for (name, strategy) in [
                ("lru", EvictionStrategy.lru(maxPages: size)), ("adaptive", .adaptive(maxPages: size)),
            ] {
                let cache = LibraryTokens(stock, strategy).filled(size)
                count("cache-get-\(name)", size) { for number in draws { blackHole(cache.get(number)) } }
                count("cache-set-\(name)", size) { for number in draws { cache.set(number) } }
                var newest = size
                count("cache-evict-\(name)", size) {
                    for _ in 0..<countedTurns {
                        cache.set(newest % (2 * size))
                        newest += 1
                    }
                }
            }
            var queue = Waiting(size)
            count("scheduler-cancel", size) {
                for (turn, number) in draws.enumerated() { queue.replace(number, priorities[turn]) }
            }
            count("scheduler-reprioritise", size) {
                for number in draws { queue.move(number) }
            }
            count("scheduler-take", size) { for priority in priorities { queue.take(priority) } }
        }
    }

    // MARK: - Allocations

    /// The row of the allocations that has a goal.
    static let miss = "fetch with a closure, asked of a source that answers at once"

    private static func countAllocations() throws {
        guard baseline_allocations() >= 0 else { throw Command.Failure(description: "nothing counts allocations") }
        let turns = 4_096
        let pages = 100
        let paginator = try Group.warmPaginator(pages: pages)
        let keys = Workloads.uniform(turns, below: pages, seed: 1).map(Workloads.key)
        /// The least of some runs: what happens once, or now and then, is left out.
        func count(_ name: String, _ body: () throws -> Void) rethrows {
            var least = Double.infinity
            for _ in 0..<5 {
                let before = baseline_allocations()
                try body()
                least = min(least, Double(baseline_allocations() - before) / Double(turns))
            }
            tell(name, least)
        }
        count("bare async on a serial queue") {
            let (queue, done, counting) = (DispatchQueue(label: "bench"), DispatchSemaphore(value: 0), Counting())
            for _ in 0..<turns { queue.async { counting.add(upTo: turns, done) } }
            done.wait()
        }
        count("fetch with a closure, memory hit") {
            let (done, counting) = (DispatchSemaphore(value: 0), Counting())
            for key in keys { paginator.fetch(key: key, pageSize: 30) { _ in counting.add(upTo: turns, done) } }
            done.wait()
        }
        count("fetch with a listener, memory hit") {
            let (done, counting) = (DispatchSemaphore(value: 0), Counting())
            let listener = CountingListener(counting, turns, done)
            for key in keys { paginator.fetch(key: key, pageSize: 30, listener: listener) }
            done.wait()
        }
        try count("checked continuation resumed inline") {
            try Blocking.run {
                let token = Token(1)
                for _ in 0..<turns { blackHole(await withCheckedContinuation { $0.resume(returning: token) }) }
            }
        }
        try count("await fetch, memory hit") {
            try Blocking.run { for key in keys { blackHole(try await paginator.fetch(key: key, pageSize: 30)) } }
        }
        count("peek") { for key in keys { blackHole(paginator.peek(key: key, pageSize: 30)) } }
        count("withPage") {
            for key in keys { paginator.withPage(key: key, pageSize: 30) { blackHole($0.key.utf8.count) } }
        }
        let stock = TokenSet(pages)
        let cache = LibraryTokens(stock, .adaptive(maxPages: pages)).filled(pages)
        count("cache, get") { for turn in 0..<turns { blackHole(cache.get(turn % pages)) } }
        count("cache, set over an old one") { for turn in 0..<turns { cache.set(turn % pages) } }
        var run = 0
        count(miss) {
            let (done, counting) = (DispatchSemaphore(value: 0), Counting())
            run += 1
            for turn in 0..<turns {
                paginator.fetch(key: "fresh-\(run)-\(turn)", pageSize: 30) { _ in counting.add(upTo: turns, done) }
            }
            done.wait()
        }
    }

    // MARK: - Start-up

    /// Opens a file of many pages and gets the first one, from the start of `main` to the page.
    private static func startUp(_ kind: String, path: String) throws {
        let start = BenchClock.wall.nanoseconds
        switch kind {
        case "store":
            let store = try SQLitePageStore<Story>(
                path: path, namespace: "stories", codec: BinaryPageCodec<Story>())
            let source = ClosureDataSource<Story>(firstKey: Workloads.key(0)) { _, completion in
                completion(.failure(.fatal(Command.Failure(description: "nothing is to be asked"))))
                return .none
            }
            let paginator = CallbackPaginator(dataSource: source, store: store)
            let done = DispatchSemaphore(value: 0)
            let items = Guarded(0)
            paginator.fetch(key: Workloads.key(0), pageSize: 30) { result in
                if case .success(let fetched) = result { items.withLock { $0 = fetched.page.content.count } }
                done.signal()
            }
            done.wait()
            guard items.withLock({ $0 }) > 0 else { throw Command.Failure(description: "the first page did not come") }
            tell("first page", Double(BenchClock.wall.nanoseconds - start))
        case "c":
            let keys = CKeys([Workloads.key(0)])
            let file = try CFile(path: path, namespace: "stories")
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            let length = file.content(keys.pointers[0], into: &buffer)
            blackHole(try BinaryPageCodec<Story>().decode(Array(buffer[..<max(0, length)])))
            tell("first page", Double(BenchClock.wall.nanoseconds - start))
        case "pool":
            let pages = try PoolBytes(path: path)
            guard try pages.load(0) != nil else { throw Command.Failure(description: "the first page is missing") }
            tell("first page", Double(BenchClock.wall.nanoseconds - start))
        case "recovery":
            let file = SQLitePageFile(
                path: path, vfs: nil, busyTimeout: 1_000, namespace: "stories", erasesClearedPages: true)
            guard try file.recover().count > 0 else { throw Command.Failure(description: "no facts came") }
            tell("facts", Double(BenchClock.wall.nanoseconds - start))
        default: throw Command.Failure(description: "no such start-up: \(kind)")
        }
    }
}

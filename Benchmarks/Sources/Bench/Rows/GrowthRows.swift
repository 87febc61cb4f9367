// Long because the rows of all parts share how sizes are measured in the same rounds.

import CBaseline
import Dispatch
import Foundation
import PaginatorAsync
import PaginatorCore
import PaginatorSQLiteStore
import PaginatorStorage

// Long because all figures of growth share one form: a contender for each, over the same sizes.
//
// Every headline figure by how much is held, beside a bare dictionary, a bare slab, or C with the same tables.
extension Group {
    static let growth = Group(name: "growth") { session in
        try caches(session)
        try schedulers(session)
        try fetches(session)
        try disks(session)
        try operations(session)
    }

    private static func goal(_ session: Session, _ name: String, _ curves: [GrowthCurve], _ large: Int) {
        let names = ["lru": "LRU", "adaptive": "adaptive", "": "ready queue"]
        for (suffix, contender) in names.sorted(by: { $0.key < $1.key }) {
            guard let curve = curves.first(where: { $0.contender == contender }) else { continue }
            session.ratio(
                "growth-\(name)\(suffix.isEmpty ? "" : "-" + suffix)-to-\(large)",
                curve.growth(to: curves[0], from: 1_000, to: large), .atMost(2))
        }
    }

    // MARK: - Cache

    private static func caches(_ session: Session) throws {
        let sizes = session.isQuick ? [1_000, 10_000, 100_000] : [1_000, 10_000, 100_000, 1_000_000]
        let largest = sizes.last ?? 1_000
        session.progress("growth: filling caches")
        // Twice as many keys as the largest holds, so that one that comes is always one that is not there.
        let stock = TokenSet(2 * largest)
        let tables = sizes.map { DictionaryTokens(stock).filled($0) }
        let recent = sizes.map { LibraryTokens(stock, .lru(maxPages: $0)).filled($0) }
        let adaptive = sizes.map { LibraryTokens(stock, .adaptive(maxPages: $0)).filled($0) }
        let turns = session.scaled(100_000)
        let draws = sizes.map { Workloads.uniform(turns, below: $0, seed: 60) }
        func contest(
            _ figure: String, _ body: @escaping (any TokenCache, _ place: Int) -> Void
        ) throws
            -> [GrowthCurve]
        {
            func contender(
                _ name: String, _ caches: [any TokenCache]
            )
                -> (name: String, run: (Int, inout Stopwatch) throws -> Void)
            {
                (
                    name,
                    { size, watch in
                        guard let place = sizes.firstIndex(of: size) else { return }
                        watch.time { body(caches[place], place) }
                    }
                )
            }
            return try session.run(
                GrowthContest(
                    figure: figure, sizes: sizes, operations: turns,
                    contenders: [
                        contender("dictionary behind a lock", tables), contender("LRU", recent),
                        contender("adaptive", adaptive),
                    ]))
        }
        let gets = try contest("cache, get") { cache, place in
            for number in draws[place] { blackHole(cache.get(number)) }
        }
        goal(session, "cache-get", gets, largest)
        let sets = try contest("cache, set over an old one") { cache, place in
            for number in draws[place] { cache.set(number) }
        }
        goal(session, "cache-set", sets, largest)
        // The dictionary gives up the oldest by hand; every cache has its own place in the circle of keys.
        var newest = [ObjectIdentifier: Int]()
        let evictions = try contest("cache, set a new one, evict one") { cache, place in
            let (size, around) = (sizes[place], 2 * sizes[place])
            let start = newest[ObjectIdentifier(cache)] ?? size
            let isTable = cache is DictionaryTokens
            for turn in 0..<turns {
                cache.set((start + turn) % around)
                if isTable { cache.remove((start + turn - size) % around) }
            }
            newest[ObjectIdentifier(cache)] = start + turns
        }
        goal(session, "cache-evict", evictions, largest)
    }

    // MARK: - Scheduler

    private static func schedulers(_ session: Session) throws {
        let sizes = session.isQuick ? [1, 1_000, 10_000, 100_000] : [1, 1_000, 10_000, 100_000, 1_000_000]
        let largest = sizes.last ?? 1
        let turns = session.scaled(100_000)
        let priorities = Workloads.uniform(turns, below: 3, seed: 61)
        let draws = sizes.map { Workloads.uniform(turns, below: $0, seed: 62) }
        var slabs = sizes.map { LinkedSlab(count: $0) }
        // An array holds no values that cannot be copied.
        let queues = sizes.map { size in
            let place = UnsafeMutablePointer<Waiting>.allocate(capacity: 1)
            place.initialize(to: Waiting(size))
            return place
        }
        defer {
            for queue in queues {
                queue.deinitialize(count: 1)
                queue.deallocate()
            }
        }
        func contest(
            _ figure: String, slab: @escaping (inout LinkedSlab, Int, Int) -> Void,
            queue: @escaping (inout Waiting, Int, Int) -> Void
        ) throws -> [GrowthCurve] {
            try session.run(
                GrowthContest(
                    figure: figure, sizes: sizes, operations: turns,
                    contenders: [
                        (
                            "linked lists in an array",
                            { size, watch in
                                guard let place = sizes.firstIndex(of: size) else { return }
                                watch.time {
                                    for turn in 0..<turns { slab(&slabs[place], draws[place][turn], priorities[turn]) }
                                }
                            }
                        ),
                        (
                            "ready queue",
                            { size, watch in
                                guard let place = sizes.firstIndex(of: size) else { return }
                                watch.time {
                                    for turn in 0..<turns {
                                        queue(&queues[place].pointee, draws[place][turn], priorities[turn])
                                    }
                                }
                            }
                        ),
                    ]))
        }
        let cancels = try contest("scheduler, cancel one and add one") {
            $0.move($1, to: $2)
        } queue: {
            $0.replace($1, $2)
        }
        goal(session, "scheduler-cancel", cancels, largest)
        let moves = try contest("scheduler, re-prioritise one") {
            $0.move($1, to: $2)
        } queue: { queue, number, _ in
            queue.move(number)
        }
        goal(session, "scheduler-reprioritise", moves, largest)
        let takes = try contest("scheduler, take one and add one") {
            blackHole($0.takeFirst(to: $2))
        } queue: {
            $0.take($2)
        }
        goal(session, "scheduler-take", takes, largest)
    }

    // MARK: - Whole fetches

    private static func fetches(_ session: Session) throws {
        let sizes = session.isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000]
        let turns = session.scaled(20_000)
        session.progress("growth: filling paginators")
        let keys = (0..<(sizes.last ?? 0)).map(Workloads.key)
        let paginators = try sizes.map { try filledPaginator(keys.prefix($0)) }
        let stock = TokenSet(keys.count)
        let tables = sizes.map { DictionaryTokens(stock).filled($0) }
        let draws = sizes.map { Workloads.uniform(turns, below: $0, seed: 63) }
        func place(_ size: Int) -> Int { sizes.firstIndex(of: size) ?? 0 }
        let table: (name: String, run: (Int, inout Stopwatch) throws -> Void) = (
            "dictionary behind a lock",
            { size, watch in
                watch.time { for number in draws[place(size)] { blackHole(tables[place(size)].get(number)) } }
            }
        )
        try session.run(
            GrowthContest(
                figure: "memory hit", clock: .process, sizes: sizes, operations: turns,
                contenders: [
                    table,
                    (
                        "withPage",
                        { size, watch in
                            let paginator = paginators[place(size)]
                            watch.time {
                                for number in draws[place(size)] {
                                    paginator.withPage(key: keys[number], pageSize: 30) { blackHole($0.key.utf8.count) }
                                }
                            }
                        }
                    ),
                    (
                        "peek",
                        { size, watch in
                            let paginator = paginators[place(size)]
                            watch.time {
                                for number in draws[place(size)] {
                                    blackHole(paginator.peek(key: keys[number], pageSize: 30))
                                }
                            }
                        }
                    ),
                    (
                        "await fetch",
                        { size, watch in
                            let (paginator, draws) = (paginators[place(size)], draws[place(size)])
                            watch.add(
                                try Blocking.run {
                                    var watch = Stopwatch(.thread)
                                    watch.start()
                                    for number in draws {
                                        blackHole(try await paginator.fetch(key: keys[number], pageSize: 30))
                                    }
                                    watch.stop()
                                    return watch.elapsed
                                })
                        }
                    ),
                    (
                        "fetch with a closure",
                        { size, watch in
                            let (paginator, draws) = (paginators[place(size)], draws[place(size)])
                            let (done, counting) = (DispatchSemaphore(value: 0), Counting())
                            watch.time {
                                for number in draws {
                                    paginator.fetch(key: keys[number], pageSize: 30) { _ in
                                        counting.add(upTo: turns, done)
                                    }
                                }
                                done.wait()
                            }
                        }
                    ),
                ]))
    }

    /// A paginator that has these pages in memory.
    private static func filledPaginator(_ keys: ArraySlice<String>) throws -> CallbackPaginator<Token> {
        var config = DefaultPaginatorConfig()
        config.inMemoryEvictionStrategy = .lru(maxPages: keys.count)
        let paginator = CallbackPaginator(
            dataSource: ClosureDataSource<Token>(firstKey: "0") { request, completion in
                completion(.success(PaginatorPage(content: [], key: request.key)))
                return .none
            }, config: config)
        let content = [Token(1)]
        for key in keys { try paginator.prime(PaginatorPage(content: content, key: key), pageSize: 30) }
        guard let last = keys.last, paginator.peek(key: last, pageSize: 30) != nil else {
            throw Command.Failure(description: "a page that was put is not there")
        }
        return paginator
    }

    // MARK: - Disk

    private static func disks(_ session: Session) throws {
        let sizes = session.isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000]
        let folder = session.folder.appendingPathComponent("growth")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let content = try BinaryPageCodec<Story>().encode((0..<5).map { Story($0) })
        let other = try BinaryPageCodec<Story>().encode((0..<6).map { Story(900 + $0) })
        let keys = CKeys((0..<(sizes.last ?? 0)).map(Workloads.key))
        var stores: [StoreBytes] = []
        var plains: [CFile] = []
        for size in sizes {
            session.progress("growth: a file of \(size) pages")
            let path = folder.appendingPathComponent("ours-\(size).sqlite")
            try StoreFile.make(path.path, pages: size, content, items: 5)
            let copy = folder.appendingPathComponent("c-\(size).sqlite")
            try FileManager.default.copyItem(at: path, to: copy)
            stores.append(try StoreBytes(path: path.path))
            plains.append(try CFile(path: copy.path, namespace: "stories"))
        }
        let reads = session.scaled(2_000)
        let draws = sizes.map { Workloads.uniform(reads, below: $0, seed: 64) }
        func place(_ size: Int) -> Int { sizes.firstIndex(of: size) ?? 0 }
        let curves = try session.run(
            GrowthContest(
                figure: "disk read", sizes: sizes, operations: reads,
                contenders: [
                    (
                        "SQLite in C, no checksum",
                        { size, watch in
                            let plain = plains[place(size)]
                            watch.time {
                                for number in draws[place(size)] {
                                    blackHole(plain.read(keys.pointers[number], sums: false))
                                }
                            }
                        }
                    ),
                    (
                        "the store's file",
                        { size, watch in
                            let store = stores[place(size)]
                            try watch.time {
                                for number in draws[place(size)] { blackHole(try store.load(number)) }
                            }
                        }
                    ),
                ]))
        let writes = min(reads, 100)
        // SQLite leaves alone what is there already, so what is saved is never what was saved before.
        var turns: [String: Int] = [:]
        func next(_ file: String) -> [UInt8] {
            turns[file, default: 0] += 1
            return turns[file, default: 0] % 2 == 0 ? content : other
        }
        let saved = try session.run(
            GrowthContest(
                figure: "disk write, a transaction a page", sizes: sizes, operations: writes,
                contenders: [
                    (
                        "SQLite in C, no checksum",
                        { size, watch in
                            let plain = plains[place(size)]
                            let content = next("c \(size)")
                            plain.checkpoint()
                            try watch.time {
                                for number in draws[place(size)].prefix(writes) {
                                    try plain.save([keys.pointers[number]], content, sums: false)
                                }
                            }
                        }
                    ),
                    (
                        "the store's file",
                        { size, watch in
                            let store = stores[place(size)]
                            let content = next("ours \(size)")
                            try store.settle()
                            try watch.time {
                                for number in draws[place(size)].prefix(writes) { try store.save([number], content) }
                            }
                        }
                    ),
                ]))
        let largest = sizes.last ?? 0
        session.ratio(
            "growth-disk-read-to-\(largest)", curves[1].growth(to: curves[0], from: 1_000, to: largest), .atMost(2))
        session.ratio(
            "growth-disk-write-to-\(largest)", saved[1].growth(to: saved[0], from: 1_000, to: largest), .atMost(2))
    }

    // MARK: - Operations

    /// Instructions an operation, counted by callgrind in a process of its own: no time is in them, and no cache.
    private static func operations(_ session: Session) throws {
        let sizes = session.isQuick ? [1_000, 10_000] : [1_000, 1_000_000]
        guard let valgrind = Command.path("PAGINATOR_BENCH_VALGRIND") else {
            session.note("instructions an operation: SKIPPED, valgrind with its headers is not installed")
            for name in Child.counted { session.ratio("growth-instructions-\(name)", nil, .atMost(1.1)) }
            return
        }
        session.progress("growth: instructions an operation, by callgrind")
        let output = session.folder.appendingPathComponent("callgrind")
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        guard let path = Bundle.main.executablePath else {
            throw Command.Failure(description: "this program is not found")
        }
        // Valgrind stumbles over newer debug information than it knows.
        let program = output.appendingPathComponent("Bench").path
        try Command.run("strip", ["-o", program, path])
        try Command.run(
            valgrind,
            [
                "--quiet", "--tool=callgrind", "--instr-atstart=no",
                "--callgrind-out-file=\(output.appendingPathComponent("out").path)", program, "--child", "operations",
            ] + sizes.map(String.init))
        var counts: [String: Double] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: output.path) where file.hasPrefix("out") {
            let lines = try String(contentsOf: output.appendingPathComponent(file), encoding: .utf8)
                .split(separator: "\n")
            guard let trigger = lines.first(where: { $0.hasPrefix("desc: Trigger: Client Request: ") }),
                let total = lines.last(where: { $0.hasPrefix("totals: ") || $0.hasPrefix("summary: ") }),
                let count = Double(total.split(separator: " ").last ?? "")
            else { continue }
            counts[String(trigger.dropFirst("desc: Trigger: Client Request: ".count))] = count
        }
        for name in Child.counted {
            let figures = sizes.map { (counts["\(name) \($0)"] ?? .nan) / Double(Child.countedTurns) }
            for (size, figure) in zip(sizes, figures) {
                session.record("instructions an operation, \(name)", "\(size) held", figure, unit: "instructions")
            }
            session.ratio("growth-instructions-\(name)", figures[1] / figures[0], .atMost(1.1))
        }
    }
}

extension TokenCache {
    /// The same cache with the first tokens in it.
    func filled(_ count: Int) -> Self {
        for number in 0..<count { set(number) }
        return self
    }
}

/// A ready queue, and the handle and priority of each task that waits in it.
struct Waiting: ~Copyable {
    private var queue = ReadyQueue()
    private var tasks: [(handle: ReadyQueue.Handle, priority: Int)] = []
    private static let priorities: [FetchPriority] = [.low, .medium, .high]

    init(_ count: Int) {
        tasks.reserveCapacity(count)
        for number in 0..<count { tasks.append((queue.add(number, Self.priorities[number % 3]), number % 3)) }
    }

    mutating func replace(_ number: Int, _ priority: Int) {
        queue.remove(tasks[number].handle)
        tasks[number] = (queue.add(number, Self.priorities[priority]), priority)
    }

    /// Gives a task another priority: one that it has already would leave it where it is.
    mutating func move(_ number: Int) {
        let priority = (tasks[number].priority + 1) % Self.priorities.count
        tasks[number].priority = priority
        let moved = queue.reprioritize(
            tasks[number].handle, priority: Self.priorities[priority], kind: .wanted, at: .zero)
        if let moved { tasks[number].handle = moved }
    }

    mutating func take(_ priority: Int) {
        guard let entry = queue.take(upTo: .idlePrefetch) else { return }
        let number = Int(entry.task.id)
        tasks[number] = (queue.add(number, Self.priorities[priority]), priority)
    }
}

/// Files of the store with many pages.
enum StoreFile {
    /// Makes one and closes it.
    static func make(_ path: String, pages: Int, _ content: [UInt8], items: Int) throws {
        let store = try StoreBytes(path: path)
        for start in stride(from: 0, to: pages, by: 256) {
            try store.save(Array(start..<min(pages, start + 256))[...], content, items: items)
            // So that the WAL is as long as the store lets it become.
            if start % 1_024 == 0 { try store.settle() }
        }
        try store.settle()
    }
}

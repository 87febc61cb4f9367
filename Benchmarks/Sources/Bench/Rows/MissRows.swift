import Dispatch
import PaginatorAsync
import PaginatorCore

// A miss whose source answers at once, beside what one would write for one screen.
extension Group {
    static let misses = Group(name: "misses") { session in
        var fresh = 0
        let trips = session.scaled(2_000)
        /// Runs a loop of awaits to its end; the keys of each run are new.
        func awaiting(
            _ watch: inout Stopwatch, _ body: @escaping @Sendable (Range<Int>) async throws -> Void
        ) {
            let numbers = fresh..<fresh + trips
            fresh += trips
            let done = DispatchSemaphore(value: 0)
            watch.time {
                Task {
                    do { try await body(numbers) } catch { fatalError("the source never fails: \(error)") }
                    done.signal()
                }
                done.wait()
            }
        }
        // As the actor's: a closure that runs in a task.
        let content = Story.page(0)
        let source = AsyncDataSource<Story>(firstKey: Workloads.key(0)) { request in
            PaginatorPage(content: content, key: request.key)
        }
        let paginator = CallbackPaginator(dataSource: source)
        // One that may block is called on a thread of its own: whatever else a miss does, it goes there and back.
        let blocking = try warmPaginator(pages: 1)
        let loader = HandMadeLoader()
        let lane = DispatchQueue(label: "bench.lane")
        let floor = "to a serial queue and back"
        let singles = try session.run(
            Contest(
                row: "async miss, one after the other", clock: .wall, operations: trips, rounds: 11,
                contenders: [
                    Contender("actor with tasks in flight") { watch in
                        awaiting(&watch) { for number in $0 { _ = try await loader.page(Workloads.key(number)) } }
                    },
                    Contender("await fetch") { watch in
                        awaiting(&watch) {
                            for number in $0 { _ = try await paginator.fetch(key: Workloads.key(number), pageSize: 30) }
                        }
                    },
                    Contender(floor) { watch in
                        awaiting(&watch) { for _ in $0 { await hop(to: lane) } }
                    },
                    Contender("await fetch, a source that may block") { watch in
                        awaiting(&watch) {
                            for number in $0 { _ = try await blocking.fetch(key: Workloads.key(number), pageSize: 30) }
                        }
                    },
                ]))
        session.ratio(
            "miss-latency-to-actor", of: singles[1], to: singles[0], .atMost(4),
            floor: Floor(floor, of: singles[2], to: singles[0]))
        let bursts = try session.run(
            Contest(
                row: "async miss, burst of \(trips)", clock: .wall, operations: trips, rounds: 11,
                contenders: [
                    Contender("actor with tasks in flight") { watch in
                        awaiting(&watch) { numbers in
                            try await withThrowingTaskGroup(of: Void.self) { group in
                                for number in numbers {
                                    group.addTask { _ = try await loader.page(Workloads.key(number)) }
                                }
                                try await group.waitForAll()
                            }
                        }
                    },
                    Contender("await fetch") { watch in
                        awaiting(&watch) { numbers in
                            try await withThrowingTaskGroup(of: Void.self) { group in
                                for number in numbers {
                                    group.addTask {
                                        _ = try await paginator.fetch(key: Workloads.key(number), pageSize: 30)
                                    }
                                }
                                try await group.waitForAll()
                            }
                        }
                    },
                    Contender(floor) { watch in
                        awaiting(&watch) { numbers in
                            await withTaskGroup(of: Void.self) { group in
                                for _ in numbers { group.addTask { await hop(to: lane) } }
                                await group.waitForAll()
                            }
                        }
                    },
                ]))
        session.ratio(
            "miss-burst-to-actor", of: bursts[1], to: bursts[0], .atMost(2),
            floor: Floor(floor, of: bursts[2], to: bursts[0]))
    }

    private static func hop(to queue: DispatchQueue) async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }
}

/// What one would write for one screen: a dictionary of pages, and the tasks that load others, in an actor.
private actor HandMadeLoader {
    private let content = Story.page(0)
    private var pages: [String: PaginatorPage<Story>] = [:]
    private var tasks: [String: Task<PaginatorPage<Story>, any Error>] = [:]

    func page(_ key: String) async throws -> PaginatorPage<Story> {
        if let page = pages[key] { return page }
        if let task = tasks[key] { return try await task.value }
        let task = Task<PaginatorPage<Story>, any Error> { [content] in PaginatorPage(content: content, key: key) }
        tasks[key] = task
        defer { tasks[key] = nil }
        let page = try await task.value
        pages[key] = page
        return page
    }
}

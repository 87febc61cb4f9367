import Dispatch
import Foundation
import PaginatorAsync
import PaginatorCore
import Synchronization

// A whole fetch that memory answers, by callback and by async, beside what a bare hop and a bare continuation cost.
extension Group {
    static let fetch = Group(name: "fetch") { session in
        let pages = 100
        let paginator = try warmPaginator(pages: pages)
        let numbers = Workloads.uniform(4_096, below: pages, seed: 1)
        let keys = numbers.map(Workloads.key)
        let byHand = HandMadeFetch((0..<pages).map { PaginatorPage(content: [Story($0)], key: Workloads.key($0)) })

        let burst = 4_096
        let counting = Counting()
        let bursts = try session.run(
            Contest(
                row: "callback hit, burst of 4,096", clock: .process, operations: burst, rounds: 41,
                contenders: [
                    Contender("bare async on a serial queue") { watch in
                        let queue = DispatchQueue(label: "bench.bare")
                        let done = DispatchSemaphore(value: 0)
                        counting.value = 0
                        watch.time {
                            for _ in 0..<burst { queue.async { counting.add(upTo: burst, done) } }
                            done.wait()
                        }
                    },
                    Contender("fetch with a closure") { watch in
                        let done = DispatchSemaphore(value: 0)
                        counting.value = 0
                        watch.time {
                            for key in keys {
                                paginator.fetch(key: key, pageSize: 30) { _ in counting.add(upTo: burst, done) }
                            }
                            done.wait()
                        }
                    },
                    Contender("fetch with a listener") { watch in
                        let done = DispatchSemaphore(value: 0)
                        counting.value = 0
                        let listener = CountingListener(counting, burst, done)
                        watch.time {
                            for key in keys { paginator.fetch(key: key, pageSize: 30, listener: listener) }
                            done.wait()
                        }
                    },
                    Contender("by hand: dictionary, ticket, mailbox") { watch in
                        let done = DispatchSemaphore(value: 0)
                        counting.value = 0
                        watch.time {
                            for key in keys { byHand.fetch(key) { _ in counting.add(upTo: burst, done) } }
                            done.wait()
                        }
                    },
                ]))
        session.ratio(
            "callback-hit-burst", of: bursts[1], to: bursts[0], .atMost(2),
            floor: Floor("by hand: dictionary, ticket, mailbox", of: bursts[3], to: bursts[0]))
        session.ratio("callback-hit-burst-listener", of: bursts[2], to: bursts[0], .atMost(2))

        var fresh = 0
        let absent = try warmPaginator(pages: 1)
        try session.run(
            Contest(
                row: "callback miss, burst of 4,096, a source that answers at once", clock: .process,
                operations: burst, rounds: 7,
                contenders: [
                    Contender("bare async on a concurrent queue, and one from there") { watch in
                        let queue = DispatchQueue(label: "bench.work", attributes: .concurrent)
                        let answers = DispatchQueue(label: "bench.bare")
                        let done = DispatchSemaphore(value: 0)
                        counting.value = 0
                        watch.time {
                            for _ in 0..<burst {
                                queue.async { answers.async { counting.add(upTo: burst, done) } }
                            }
                            done.wait()
                        }
                    },
                    Contender("fetch with a closure") { watch in
                        let done = DispatchSemaphore(value: 0)
                        counting.value = 0
                        fresh += burst
                        watch.time {
                            for number in fresh..<fresh + burst {
                                absent.fetch(key: Workloads.key(number), pageSize: 30) { _ in
                                    counting.add(upTo: burst, done)
                                }
                            }
                            done.wait()
                        }
                    },
                ]))

        let trips = 2_000
        let singles = try session.run(
            Contest(
                row: "callback hit, one after the other", clock: .wall, operations: trips, rounds: 21,
                contenders: [
                    Contender("bare async on a serial queue") { watch in
                        let queue = DispatchQueue(label: "bench.bare")
                        let done = DispatchSemaphore(value: 0)
                        watch.time {
                            for _ in 0..<trips {
                                queue.async { done.signal() }
                                done.wait()
                            }
                        }
                    },
                    Contender("fetch with a closure") { watch in
                        let done = DispatchSemaphore(value: 0)
                        watch.time {
                            for index in 0..<trips {
                                paginator.fetch(key: keys[index], pageSize: 30) { _ in done.signal() }
                                done.wait()
                            }
                        }
                    },
                    Contender("by hand: dictionary, ticket, mailbox") { watch in
                        let done = DispatchSemaphore(value: 0)
                        watch.time {
                            for index in 0..<trips {
                                byHand.fetch(keys[index]) { _ in done.signal() }
                                done.wait()
                            }
                        }
                    },
                ]))
        session.ratio(
            "callback-hit-latency", of: singles[1], to: singles[0], .atMost(2),
            floor: Floor("by hand: dictionary, ticket, mailbox", of: singles[2], to: singles[0]))

        let asyncs = try session.run(
            Contest(
                row: "async hit", clock: .thread, operations: keys.count * 8, rounds: 41,
                contenders: [
                    Contender("continuation resumed inline") { watch in
                        watch.add(
                            try Blocking.run {
                                var watch = Stopwatch(.thread)
                                let token = Token(1)
                                watch.start()
                                for _ in 0..<8 * keys.count {
                                    let value = await withCheckedContinuation { $0.resume(returning: token) }
                                    blackHole(value)
                                }
                                watch.stop()
                                return watch.elapsed
                            })
                    },
                    Contender("unsafe continuation resumed inline") { watch in
                        watch.add(
                            try Blocking.run {
                                var watch = Stopwatch(.thread)
                                let token = Token(1)
                                watch.start()
                                for _ in 0..<8 * keys.count {
                                    let value = await withUnsafeContinuation { $0.resume(returning: token) }
                                    blackHole(value)
                                }
                                watch.stop()
                                return watch.elapsed
                            })
                    },
                    Contender("fetch(key:pageSize:)") { watch in
                        watch.add(
                            try Blocking.run {
                                var watch = Stopwatch(.thread)
                                watch.start()
                                for _ in 0..<8 {
                                    for key in keys { blackHole(try await paginator.fetch(key: key, pageSize: 30)) }
                                }
                                watch.stop()
                                return watch.elapsed
                            })
                    },
                    Contender("peek, no async") { watch in
                        watch.time {
                            for _ in 0..<8 { for key in keys { blackHole(paginator.peek(key: key, pageSize: 30)) } }
                        }
                    },
                    Contender("async function over a dictionary behind a lock") { watch in
                        watch.add(
                            try Blocking.run {
                                var watch = Stopwatch(.thread)
                                watch.start()
                                for _ in 0..<8 { for key in keys { blackHole(await byHand.page(key)) } }
                                watch.stop()
                                return watch.elapsed
                            })
                    },
                ]))
        session.ratio(
            "async-hit", of: asyncs[2], to: asyncs[0], .atMost(4),
            floor: Floor("async function over a dictionary behind a lock", of: asyncs[4], to: asyncs[0]))
        session.ratio("async-hit-to-unsafe-continuation", of: asyncs[2], to: asyncs[1], .atMost(4))
        session.count(
            "async-hit-thread-hops-of-\(keys.count)",
            Double(
                try Blocking.run {
                    var hops = 0
                    for key in keys {
                        let before = Threads.current
                        blackHole(try await paginator.fetch(key: key, pageSize: 30))
                        if Threads.current != before { hops += 1 }
                    }
                    return hops
                }), .exactly(0))
        try coalesce(session)
    }

    /// Ten thousand callers of one key that nobody has yet.
    private static func coalesce(_ session: Session) throws {
        session.progress("coalescing")
        let callers = 10_000
        let calls = Counting()
        let held = Guarded<[@Sendable () -> Void]>([])
        let source = ClosureDataSource<Token>(firstKey: "0") { request, completion in
            calls.value += 1
            held.withLock {
                $0.append { completion(.success(PaginatorPage(content: [Token(1)], key: request.key))) }
            }
            return .none
        }
        let paginator = CallbackPaginator(dataSource: source)
        let answers = Counting()
        let done = DispatchSemaphore(value: 0)
        for _ in 0..<callers { paginator.fetch(key: "0", pageSize: 30) { _ in answers.add(upTo: callers, done) } }
        while held.withLock({ $0.isEmpty }) { sched_yield() }
        for answer in held.withLock({ $0 }) { answer() }
        done.wait()
        // What would come twice, would come before this.
        let later = DispatchSemaphore(value: 0)
        paginator.fetch(key: "0", pageSize: 30) { _ in later.signal() }
        later.wait()
        session.count("source-calls-of-10000-callers", Double(calls.value), .exactly(1))
        session.count("answers-of-10000-callers", Double(answers.value), .exactly(Double(callers)))
    }

    /// A paginator that has the first pages in memory.
    static func warmPaginator(pages: Int, maxPages: Int = 200) throws -> CallbackPaginator<Story> {
        let content = Story.page(0)
        let source = ClosureDataSource<Story>(firstKey: Workloads.key(0)) { request, completion in
            completion(.success(PaginatorPage(content: content, key: request.key)))
            return .none
        }
        var config = DefaultPaginatorConfig()
        config.inMemoryEvictionStrategy = .adaptive(maxPages: maxPages)
        let paginator = CallbackPaginator(dataSource: source, config: config)
        let done = DispatchSemaphore(value: 0)
        for number in 0..<pages {
            paginator.fetch(key: Workloads.key(number), pageSize: 30) { _ in done.signal() }
            done.wait()
        }
        return paginator
    }
}

/// The least that answers from memory by callback and can be cancelled: what one would write for one screen.
///
/// `@unchecked Sendable`: `pages` and `waiting` are reached with `lock` held.
final class HandMadeFetch: @unchecked Sendable {
    /// Says whether an answer is still wanted.
    final class Ticket: Sendable {
        private let isOpen = Atomic(true)
        func cancel() { isOpen.store(false, ordering: .releasing) }
        func take() -> Bool { isOpen.exchange(false, ordering: .acquiringAndReleasing) }
    }

    typealias Answer = @Sendable (PaginatorPage<Story>?) -> Void
    private let lock = Lock()
    private let queue = DispatchQueue(label: "bench.by-hand")
    private var pages: [PageIdentity: PaginatorPage<Story>] = [:]
    private var waiting: [(Ticket, PaginatorPage<Story>?, Answer)] = []
    private var isPosted = false

    init(_ pages: [PaginatorPage<Story>]) {
        for page in pages { self.pages[PageIdentity(key: page.key, pageSize: 30)] = page }
    }

    @discardableResult
    func fetch(_ key: String, _ answer: @escaping Answer) -> Ticket {
        let ticket = Ticket()
        let identity = PageIdentity(key: key, pageSize: 30)
        let posts = lock.withLock {
            waiting.append((ticket, pages[identity], answer))
            defer { isPosted = true }
            return !isPosted
        }
        if posts { queue.async { self.drain() } }
        return ticket
    }

    func page(_ key: String) async -> PaginatorPage<Story>? {
        let identity = PageIdentity(key: key, pageSize: 30)
        return lock.withLock { pages[identity] }
    }

    private func drain() {
        while true {
            let turn = lock.withLock {
                var turn: [(Ticket, PaginatorPage<Story>?, Answer)] = []
                swap(&turn, &waiting)
                if turn.isEmpty { isPosted = false }
                return turn
            }
            if turn.isEmpty { return }
            for (ticket, page, answer) in turn where ticket.take() { answer(page) }
        }
    }
}

/// A number that one queue at a time counts.
///
/// `@unchecked Sendable`: `value` is set before the counting starts, and counted on one serial queue.
final class Counting: @unchecked Sendable {
    var value = 0

    @inline(__always)
    func add(upTo end: Int, _ done: DispatchSemaphore) {
        value += 1
        if value == end { done.signal() }
    }
}

/// `@unchecked Sendable`: its state is a ``Counting``, and constants.
final class CountingListener: PaginatorFetchListener<Story>, @unchecked Sendable {
    private let counting: Counting
    private let end: Int
    private let done: DispatchSemaphore

    init(_ counting: Counting, _ end: Int, _ done: DispatchSemaphore) {
        self.counting = counting
        self.end = end
        self.done = done
        super.init()
    }

    override func fetchDidEnd(_ result: Result<FetchedPage<Story>, PaginatorError>) { counting.add(upTo: end, done) }
}

/// Runs async work from a thread that may wait.
enum Blocking {
    /// `@unchecked Sendable`: `value` is set before the signal and read after it.
    private final class Slot<R>: @unchecked Sendable {
        var value: Result<R, any Error>?
    }

    static func run<R>(_ body: @escaping @Sendable () async throws -> R) throws -> R {
        let slot = Slot<R>()
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            do { slot.value = .success(try await body()) } catch { slot.value = .failure(error) }
            done.signal()
        }
        done.wait()
        guard let value = slot.value else { throw Command.Failure(description: "the task gave no answer") }
        return try value.get()
    }
}

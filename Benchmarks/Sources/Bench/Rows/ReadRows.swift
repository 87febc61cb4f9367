import Dispatch
import Foundation
import PaginatorCore
import Synchronization

// Reads of hot pages on one thread and on two, beside what returning a strong reference alone reaches.
extension Group {
    static let reads = Group(name: "reads") { session in
        let pages = 200
        let draws = Workloads.zipf(1 << 16, below: pages, seed: 3)
        let others = Workloads.zipf(1 << 16, below: pages, seed: 4)
        let paginator = try warmPaginator(pages: pages)
        let keys = (0..<pages).map(Workloads.key)
        let shelf = Shelf((0..<pages).map { PaginatorPage(content: [Story($0)], key: keys[$0]) })
        let handOut = Shelf.handOut(shelf)
        let hand = LockedDictionary()
        let identities = Workloads.identities(pages)
        for number in 0..<pages { hand.set(Token(number), for: identities[number]) }
        let repeats = session.scaled(20)

        func reader(_ draws: [Int], _ read: @escaping @Sendable (Int) -> Void) -> @Sendable () -> Void {
            { for _ in 0..<repeats { for draw in draws { read(draw) } } }
        }
        let cores = ProcessInfo.processInfo.activeProcessorCount
        func pair(_ name: String, _ read: @escaping @Sendable (Int) -> Void) -> [Contender] {
            let bodies = [reader(draws, read), reader(others, read)]
            let all = (0..<cores).map { reader($0 % 2 == 0 ? draws : others, read) }
            let allThreads = Contender(
                "\(name), \(cores) threads", operations: cores * repeats * draws.count
            ) { watch in watch.add(Threads.run(all)) }
            return [
                Contender("\(name), one thread", operations: repeats * draws.count) { watch in
                    watch.add(Threads.run([bodies[0]]))
                },
                Contender("\(name), two threads", operations: 2 * repeats * draws.count) { watch in
                    watch.add(Threads.run(bodies))
                },
            ] + (cores > 2 ? [allThreads] : [])
        }
        let contenders =
            pair("strong reference") { blackHole(handOut($0)) }
            + pair("withPage") { number in
                paginator.withPage(key: keys[number], pageSize: 30) { blackHole($0.key.utf8.count) }
            }
            + pair("peek") { blackHole(paginator.peek(key: keys[$0], pageSize: 30)) }
            + pair("dictionary behind a lock") { blackHole(hand.get(identities[$0])) }
            // Each thread by itself, nothing shared: what the machine's cores can do.
            + pair("hash of a key, nothing shared") {
                blackHole(PageIdentity(key: "cursor-\($0)", pageSize: 30).hashValue)
            }
        let reads = try session.run(
            Contest(
                row: "reads by Zipf of 200 pages", clock: .wall, operations: 1, rounds: 11, contenders: contenders))
        func scaling(_ first: Int) -> Double {
            // By contender: on one thread and on two, and on all cores where there are more.
            let place = first / 2 * (cores > 2 ? 3 : 2)
            return reads[place].ratio(to: reads[place + 1])
        }
        for (place, name) in [
            "strong reference", "withPage", "peek", "dictionary behind a lock", "hash of a key, nothing shared",
        ].enumerated() {
            session.record("reads on two threads to one", name, scaling(2 * place), unit: "x")
        }
        session.record(
            "reads on two threads to one", "withPage to strong reference", scaling(2) / scaling(0), unit: "x")
        session.ratio(
            "reads-two-threads-peek-to-strong-reference", scaling(4) / scaling(0), .atLeast(0.8),
            floor: Floor("dictionary behind a lock", scaling(6) / scaling(0)))
    }
}

/// Pages that are handed out as strong references: the ceiling of a read that returns one.
final class Shelf: Sendable {
    private let pages: [PaginatorPage<Story>]

    init(_ pages: [PaginatorPage<Story>]) {
        self.pages = pages
    }

    /// A function behind which the optimizer does not look. Of one that it sees it returns a page without a reference of
    /// its own, when the caller does not need one: an earlier form of this row measured the reading of an array.
    @inline(never)
    @_optimize(none)
    static func handOut(_ shelf: Shelf) -> @Sendable (Int) -> PaginatorPage<Story> {
        { shelf.pages[$0] }
    }
}

/// Runs bodies on threads of their own that start together.
enum Threads {
    /// Tells the calling thread from others.
    static var current: Int { pthread_self().hashValue }

    private final class Arrivals: Sendable {
        let count = Atomic(0)
    }

    /// Returns the time from the first one's start to the last one's end.
    static func run(_ bodies: [@Sendable () -> Void]) -> UInt64 {
        let arrived = Arrivals()
        let spans = Guarded<[(UInt64, UInt64)]>([])
        let group = DispatchGroup()
        for body in bodies {
            group.enter()
            let thread = Thread {
                arrived.count.add(1, ordering: .acquiringAndReleasing)
                while arrived.count.load(ordering: .acquiring) < bodies.count { sched_yield() }
                let start = BenchClock.wall.nanoseconds
                body()
                let end = BenchClock.wall.nanoseconds
                spans.withLock { $0.append((start, end)) }
                group.leave()
            }
            thread.start()
        }
        group.wait()
        return spans.withLock { spans in
            (spans.map(\.1).max() ?? 0) - (spans.map(\.0).min() ?? 0)
        }
    }
}

import HeapModule
import PaginatorCore

// The ready queue of the scheduler beside a binary heap and bare rings: all hand tasks out by priority, then in order of
// arrival.
extension Group {
    static let scheduler = Group(name: "scheduler") { session in
        let waiting = 10_000
        let priorities = Workloads.uniform(1 << 16, below: 3, seed: 5).map { FetchPriority(rawValue: $0) ?? .low }
        let bursts = try session.run(
            Contest(
                row: "scheduler, add 10,000 and take them all", operations: 2 * waiting, rounds: 31,
                contenders: [
                    Contender("Heap of swift-collections") { watch in
                        var heap = Heap<HeapTask>()
                        watch.time {
                            for number in 0..<waiting { heap.insert(HeapTask(number, priorities[number])) }
                            while let task = heap.popMax() { blackHole(task) }
                        }
                    },
                    Contender("ready queue") { watch in
                        var queue = ReadyQueue()
                        watch.time {
                            for number in 0..<waiting { queue.add(number, priorities[number]) }
                            while let entry = queue.take(upTo: .idlePrefetch) { blackHole(entry) }
                        }
                    },
                    Contender("a ring for each priority, no handles") { watch in
                        let rings = FIFORings()
                        watch.time {
                            for number in 0..<waiting { rings.add(number, priorities[number]) }
                            while let task = rings.take() { blackHole(task) }
                        }
                    },
                ]))
        session.ratio(
            "scheduler-burst-heap-to-ready-queue", of: bursts[0], to: bursts[1], .atLeast(2),
            floor: Floor("a ring for each priority, no handles, no age", of: bursts[0], to: bursts[2]))
        try steady(session, priorities)
        try changes(session, priorities)
    }

    private static func steady(_ session: Session, _ priorities: [FetchPriority]) throws {
        let turns = session.scaled(100_000)
        for waiting in [1, 100, 10_000, session.isQuick ? 100_000 : 1_000_000] {
            let row = "scheduler, add one and take one at \(waiting) waiting"
            // Kept from round to round: with one added for one taken, they hold as many after a round as before. A round
            // takes them out of these variables, whose every use would be checked for exclusivity at run time.
            var heap = Heap<HeapTask>()
            var queue = ReadyQueue()
            let rings = FIFORings()
            for number in 0..<waiting {
                heap.insert(HeapTask(number, priorities[number & 0xffff]))
                queue.add(number, priorities[number & 0xffff])
                rings.add(number, priorities[number & 0xffff])
            }
            var ticket = waiting
            let steady = try session.run(
                Contest(
                    row: row, operations: 2 * turns, rounds: waiting == 10_000 ? 21 : 7,
                    contenders: [
                        Contender("Heap of swift-collections") { watch in
                            ticket += turns
                            var mine = Heap<HeapTask>()
                            swap(&mine, &heap)
                            watch.time {
                                for turn in 0..<turns {
                                    mine.insert(HeapTask(ticket + turn, priorities[turn & 0xffff]))
                                    if let task = mine.popMax() { blackHole(task) }
                                }
                            }
                            swap(&mine, &heap)
                        },
                        Contender("ready queue") { watch in
                            var mine = ReadyQueue()
                            swap(&mine, &queue)
                            watch.time {
                                for turn in 0..<turns {
                                    mine.add(waiting + turn, priorities[turn & 0xffff])
                                    if let entry = mine.take(upTo: .idlePrefetch) { blackHole(entry) }
                                }
                            }
                            swap(&mine, &queue)
                        },
                        Contender("a ring for each priority, no handles") { watch in
                            watch.time {
                                for turn in 0..<turns {
                                    rings.add(waiting + turn, priorities[turn & 0xffff])
                                    if let task = rings.take() { blackHole(task) }
                                }
                            }
                        },
                    ]))
            guard waiting == 10_000 else { continue }
            session.ratio(
                "scheduler-steady-heap-to-ready-queue", of: steady[0], to: steady[1], .atLeast(2),
                floor: Floor("a ring for each priority, no handles, no age", of: steady[0], to: steady[2]))
        }
    }

    /// A burst of which much is cancelled or becomes more or less urgent before it starts, as when somebody scrolls on.
    private static func changes(_ session: Session, _ priorities: [FetchPriority]) throws {
        let waiting = 10_000
        let cancelled = Workloads.shuffled(waiting, seed: 6).prefix(waiting * 3 / 10)
        let moved = Workloads.shuffled(waiting, seed: 7).prefix(waiting * 3 / 10)
        let row = "scheduler, add 10,000, cancel 30 %, re-prioritise 30 %, take the rest"
        // Where the tasks are is kept by both, in memory that they had before.
        var places = [Int](repeating: -1, count: waiting)
        var kept: [ReadyQueue.Handle] = []
        kept.reserveCapacity(waiting)
        let changes = try session.run(
            Contest(
                row: row, operations: waiting, rounds: 15,
                contenders: [
                    // A heap has no handles: what is cancelled or moved is marked, and skipped when it comes up.
                    Contender("Heap of swift-collections, marks") { watch in
                        var heap = Heap<HeapTask>()
                        var current: [Int] = []
                        swap(&current, &places)
                        watch.time {
                            for number in 0..<waiting {
                                heap.insert(HeapTask(number, priorities[number]))
                                current[number] = number
                            }
                            for number in cancelled { current[number] = -1 }
                            var ticket = waiting
                            // Who asks for the same again keeps the place.
                            for number in moved
                            where current[number] >= 0 && priorities[number + waiting] != priorities[number] {
                                heap.insert(HeapTask(ticket, priorities[number + waiting], task: number))
                                current[number] = ticket
                                ticket += 1
                            }
                            while let task = heap.popMax() {
                                if current[Int(task.task.id)] == task.ticket { blackHole(task) }
                            }
                        }
                        swap(&current, &places)
                    },
                    Contender("ready queue") { watch in
                        var queue = ReadyQueue()
                        var handles: [ReadyQueue.Handle] = []
                        swap(&handles, &kept)
                        handles.removeAll(keepingCapacity: true)
                        watch.time {
                            for number in 0..<waiting { handles.append(queue.add(number, priorities[number])) }
                            for number in cancelled { queue.remove(handles[number]) }
                            for number in moved {
                                let moved = queue.reprioritize(
                                    handles[number], priority: priorities[number + waiting], kind: .wanted,
                                    at: PaginatorInstant(nanoseconds: Int64(number)))
                                if let moved { handles[number] = moved }
                            }
                            while let entry = queue.take(upTo: .idlePrefetch) { blackHole(entry) }
                        }
                        swap(&handles, &kept)
                    },
                ]))
        session.ratio("scheduler-changes-heap-to-ready-queue", of: changes[0], to: changes[1], .atLeast(2))
    }
}

/// What a heap needs for the same order and the same answer.
struct HeapTask: Comparable {
    /// The priority, and below it the more the earlier it was added: a comparison is one of two words, without a branch.
    private let rank: UInt64
    let task: SchedulerTask
    let readySince: PaginatorInstant

    private static let ticketBits: UInt64 = 56
    private static let lastTicket: UInt64 = 1 &<< ticketBits &- 1

    @inline(__always)
    init(_ number: Int, _ priority: FetchPriority, task: Int? = nil) {
        rank =
            UInt64(truncatingIfNeeded: priority.rawValue) &<< Self.ticketBits
            | (Self.lastTicket &- UInt64(truncatingIfNeeded: number))
        self.task = SchedulerTask(client: 1, id: UInt64(task ?? number))
        readySince = PaginatorInstant(nanoseconds: Int64(number))
    }

    /// Later tasks have greater ones.
    @inline(__always)
    var ticket: Int { Int(truncatingIfNeeded: Self.lastTicket &- rank & Self.lastTicket) }

    @inline(__always)
    static func < (left: HeapTask, right: HeapTask) -> Bool { left.rank < right.rank }

    @inline(__always)
    static func == (left: HeapTask, right: HeapTask) -> Bool { left.rank == right.rank }
}

extension ReadyQueue {
    @inline(__always)
    @discardableResult
    mutating func add(_ number: Int, _ priority: FetchPriority) -> Handle {
        add(
            SchedulerTask(client: 1, id: UInt64(number)), priority: priority, kind: .wanted,
            at: PaginatorInstant(nanoseconds: Int64(number)))
    }
}

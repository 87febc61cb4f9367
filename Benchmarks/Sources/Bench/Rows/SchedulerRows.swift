import HeapModule
import PaginatorCore

// The ready queue of the scheduler beside a binary heap: both hand tasks out by priority, then in order of arrival.
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
                            while let entry = queue.take(includingPrefetch: true) { blackHole(entry) }
                        }
                    },
                ]))
        session.ratio("scheduler-burst-heap-to-ready-queue", of: bursts[0], to: bursts[1], .atLeast(5))

        let turns = session.scaled(200_000)
        let steady = try session.run(
            Contest(
                row: "scheduler, add one and take one at 10,000 waiting", operations: 2 * turns, rounds: 21,
                contenders: [
                    Contender("Heap of swift-collections") { watch in
                        var heap = Heap<HeapTask>()
                        for number in 0..<waiting { heap.insert(HeapTask(number, priorities[number])) }
                        watch.time {
                            for turn in 0..<turns {
                                heap.insert(HeapTask(waiting + turn, priorities[turn & 0xffff]))
                                if let task = heap.popMax() { blackHole(task) }
                            }
                        }
                    },
                    Contender("ready queue") { watch in
                        var queue = ReadyQueue()
                        for number in 0..<waiting { queue.add(number, priorities[number]) }
                        watch.time {
                            for turn in 0..<turns {
                                queue.add(waiting + turn, priorities[turn & 0xffff])
                                if let entry = queue.take(includingPrefetch: true) { blackHole(entry) }
                            }
                        }
                    },
                ]))
        session.ratio("scheduler-steady-heap-to-ready-queue", of: steady[0], to: steady[1], .atLeast(5))
    }
}

/// What a heap needs for the same order and the same answer.
struct HeapTask: Comparable {
    let priority: UInt8
    /// Later tasks have greater ones.
    let ticket: UInt64
    let task: SchedulerTask
    let readySince: PaginatorInstant

    @inline(__always)
    init(_ number: Int, _ priority: FetchPriority) {
        self.priority = UInt8(priority.rawValue)
        ticket = UInt64(number)
        task = SchedulerTask(client: 1, id: UInt64(number))
        readySince = PaginatorInstant(nanoseconds: Int64(number))
    }

    @inline(__always)
    static func < (left: HeapTask, right: HeapTask) -> Bool {
        left.priority == right.priority ? left.ticket > right.ticket : left.priority < right.priority
    }

    static func == (left: HeapTask, right: HeapTask) -> Bool { left.ticket == right.ticket }
}

extension ReadyQueue {
    @inline(__always)
    @discardableResult
    mutating func add(_ number: Int, _ priority: FetchPriority) -> Handle {
        add(
            SchedulerTask(client: 1, id: UInt64(number)), priority: priority, isPrefetch: false,
            at: PaginatorInstant(nanoseconds: Int64(number)))
    }
}

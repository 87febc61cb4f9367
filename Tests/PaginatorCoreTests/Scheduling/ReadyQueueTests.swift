import Testing

@testable import PaginatorCore

@Suite struct ReadyQueueTests {
    private func task(_ id: UInt64) -> SchedulerTask { SchedulerTask(client: 1, id: id) }
    private func at(_ nanoseconds: Int64) -> PaginatorInstant { PaginatorInstant(nanoseconds: nanoseconds) }

    private func drain(_ queue: inout ReadyQueue, upTo last: ReadyQueue.Kind = .idlePrefetch) -> [UInt64] {
        var ids: [UInt64] = []
        while let entry = queue.take(upTo: last) { ids.append(entry.task.id) }
        return ids
    }

    @Test func `priority first then first in first out`() {
        var queue = ReadyQueue()
        let priorities: [FetchPriority] = [.low, .high, .medium, .high, .low, .medium]
        for (id, priority) in priorities.enumerated() {
            _ = queue.add(task(UInt64(id)), priority: priority, kind: .wanted, at: .zero)
        }
        #expect(queue.count == 6)
        #expect(drain(&queue) == [1, 3, 2, 5, 0, 4])
        #expect(queue.count == 0)
        #expect(queue.first(upTo: .idlePrefetch) == nil)
        #expect(queue.oldest(upTo: .idlePrefetch) == nil)
    }

    @Test func `prefetches keep their place and can be passed over`() {
        var queue = ReadyQueue()
        for id in 0..<6 as Range<UInt64> {
            _ = queue.add(task(id), priority: .medium, kind: id % 2 == 0 ? .prefetch : .wanted, at: .zero)
        }
        _ = queue.add(task(6), priority: .high, kind: .prefetch, at: .zero)
        #expect(queue.take(upTo: .idlePrefetch)?.task.id == 6)
        #expect(queue.take(upTo: .idlePrefetch)?.task.id == 0)
        #expect(drain(&queue, upTo: .wanted) == [1, 3, 5])
        #expect(drain(&queue) == [2, 4])
    }

    @Test func `a raised task goes to the end of its new priority`() {
        var queue = ReadyQueue()
        let raised = queue.add(task(0), priority: .low, kind: .wanted, at: .zero)
        _ = queue.add(task(1), priority: .high, kind: .wanted, at: .zero)
        #expect(queue.reprioritize(raised, priority: .high, kind: .wanted, at: at(5)) == raised)
        _ = queue.add(task(2), priority: .high, kind: .wanted, at: at(5))
        #expect(queue[raised]?.readySince == .zero)
        #expect(drain(&queue) == [1, 0, 2])
    }

    @Test func `asking for the same again keeps the place`() {
        var queue = ReadyQueue()
        let first = queue.add(task(0), priority: .low, kind: .wanted, at: .zero)
        _ = queue.add(task(1), priority: .low, kind: .wanted, at: .zero)
        #expect(queue.reprioritize(first, priority: .low, kind: .wanted, at: at(5)) == first)
        #expect(drain(&queue) == [0, 1])
    }

    @Test func `the oldest is found whatever its priority`() throws {
        var queue = ReadyQueue()
        let low = queue.add(task(0), priority: .low, kind: .wanted, at: at(1))
        let prefetch = queue.add(task(1), priority: .high, kind: .prefetch, at: at(2))
        _ = queue.add(task(2), priority: .high, kind: .wanted, at: at(3))
        #expect(queue.oldest(upTo: .idlePrefetch)?.handle == low)
        queue.reprioritize(low, priority: .medium, kind: .wanted, at: at(4))
        #expect(queue.oldest(upTo: .idlePrefetch)?.arrival == at(1))
        #expect(queue.remove(low)?.task.id == 0)
        #expect(queue.oldest(upTo: .idlePrefetch)?.handle == prefetch)
        #expect(queue.oldest(upTo: .wanted)?.arrival == at(3))
    }

    @Test func `a prefetch that a caller wants arrives anew`() {
        var queue = ReadyQueue()
        let prefetch = queue.add(task(0), priority: .low, kind: .prefetch, at: at(1))
        _ = queue.add(task(1), priority: .low, kind: .wanted, at: at(2))
        let wanted = queue.reprioritize(prefetch, priority: .low, kind: .wanted, at: at(3))
        #expect(queue.oldest(upTo: .wanted)?.arrival == at(2))
        #expect(queue[prefetch] == nil)
        #expect(wanted.flatMap { queue[$0] }?.readySince == at(1))
        #expect(drain(&queue, upTo: .wanted) == [1, 0])
    }

    @Test func `a stale handle is harmless`() {
        var queue = ReadyQueue()
        let stale = queue.add(task(0), priority: .low, kind: .wanted, at: .zero)
        #expect(queue.remove(stale)?.task.id == 0)
        #expect(queue.remove(stale) == nil)
        _ = queue.add(task(1), priority: .low, kind: .wanted, at: .zero)
        #expect(queue[stale] == nil)
        #expect(queue.remove(stale) == nil)
        #expect(queue.reprioritize(stale, priority: .high, kind: .wanted, at: .zero) == nil)
        #expect(queue.count == 1)
    }

    @Test func `a stale handle is harmless after an empty queue gave its memory back`() {
        var queue = ReadyQueue()
        let handles = (0..<5_000 as Range<UInt64>).map {
            queue.add(task($0), priority: .low, kind: .wanted, at: .zero)
        }
        #expect(drain(&queue).count == 5_000)
        _ = queue.add(task(1), priority: .high, kind: .wanted, at: .zero)
        for handle in handles { #expect(queue.remove(handle) == nil) }
        #expect(drain(&queue) == [1])
    }

    /// With many waiting, and with so few that rows are removed again and again.
    @Test(arguments: 1...8 as ClosedRange<UInt64>, [(Int.max, 1_500), (30, 3_000), (4, 3_000)])
    func `agrees with a sorted list`(seed: UInt64, size: (limit: Int, steps: Int)) throws {
        struct Row {
            var handle: ReadyQueue.Handle
            let id: UInt64
            let readySince: Int64
            var priority: FetchPriority
            var kind: ReadyQueue.Kind
            var ticket: Int
            var arrival: (Int64, Int)
            /// The priority with which it arrived, and its place there.
            var home: (priority: FetchPriority, ticket: Int)
        }
        func matches(_ entry: ReadyQueue.Entry?, _ row: Row?) -> Bool {
            entry?.task.id == row?.id && entry?.readySince.nanoseconds == row?.readySince
        }
        var random = SplitMix64(seed: seed)
        var queue = ReadyQueue()
        var rows: [Row] = []
        var tickets = 0
        for step in 0..<size.steps {
            let now = Int64(step / 3)
            let priority = FetchPriority.allCases.randomElement(using: &random) ?? .low
            let kind = ReadyQueue.Kind.allCases.randomElement(using: &random) ?? .wanted
            tickets += 1
            switch Int.random(in: 0..<(rows.count > size.limit ? 16 : 8), using: &random) {
            case 0...3:
                let id = UInt64(step)
                let handle = queue.add(task(id), priority: priority, kind: kind, at: at(now))
                rows.append(
                    Row(
                        handle: handle, id: id, readySince: now, priority: priority, kind: kind,
                        ticket: tickets, arrival: (now, tickets), home: (priority, tickets)))
            case 4, 5:
                guard let place = rows.indices.randomElement(using: &random) else { continue }
                let row = rows[place]
                let handle = queue.reprioritize(row.handle, priority: priority, kind: kind, at: at(now))
                rows[place].handle = try #require(handle)
                guard row.priority != priority || row.kind != kind else { continue }
                rows[place].priority = priority
                if row.kind != kind {
                    rows[place].arrival = (now, tickets)
                    rows[place].home = (priority, tickets)
                }
                rows[place].ticket = rows[place].home.priority == priority ? rows[place].home.ticket : tickets
                rows[place].kind = kind
            case 6:
                guard let place = rows.indices.randomElement(using: &random) else { continue }
                let row = rows.remove(at: place)
                let removed = queue.remove(row.handle)
                try #require(matches(removed, row), "seed \(seed), step \(step)")
            default:
                let candidates = rows.filter { $0.kind <= kind }
                let first = candidates.min { ($1.priority, $0.ticket) < ($0.priority, $1.ticket) }
                let taken = queue.take(upTo: kind)
                try #require(matches(taken, first), "seed \(seed), step \(step)")
                rows.removeAll { $0.id == first?.id }
            }
            for last in ReadyQueue.Kind.allCases {
                let candidates = rows.filter { $0.kind <= last }
                let oldest = candidates.min {
                    ($0.arrival.0, $0.kind, $0.arrival.1)
                        < ($1.arrival.0, $1.kind, $1.arrival.1)
                }
                let found = queue.oldest(upTo: last)
                try #require(found.flatMap { queue[$0.handle] }?.task.id == oldest?.id, "seed \(seed), step \(step)")
            }
            for last in ReadyQueue.Kind.allCases {
                let candidates = rows.filter { $0.kind <= last }
                let first = candidates.min { ($1.priority, $0.ticket) < ($0.priority, $1.ticket) }
                try #require(
                    queue.first(upTo: last) == first?.handle, "seed \(seed), step \(step)")
            }
            try #require(queue.count == rows.count, "seed \(seed), step \(step)")
            try #require(queue.invariantViolations() == [], "seed \(seed), step \(step)")
            if let row = rows.randomElement(using: &random) {
                let found = queue[row.handle]
                try #require(matches(found, row), "seed \(seed), step \(step)")
            }
        }
    }

    /// Fills one queue with some thousand tasks, changes many of them and takes all out, several times.
    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func `a large queue empties in order again and again`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var queue = ReadyQueue()
        var ticket = 0
        var stale: [ReadyQueue.Handle] = []
        for round in 0..<4 {
            var waiting: [UInt64: (handle: ReadyQueue.Handle, priority: FetchPriority, ticket: Int)] = [:]
            let ids = 0..<UInt64(round == 1 ? 100 : 3_000)
            for id in ids {
                ticket += 1
                let priority = FetchPriority.allCases.randomElement(using: &random) ?? .low
                let handle = queue.add(
                    task(id), priority: priority, kind: id % 5 == 0 ? .prefetch : .wanted, at: at(Int64(ticket)))
                waiting[id] = (handle, priority, ticket)
            }
            for id in ids.shuffled(using: &random).prefix(ids.count / 2) {
                guard let row = waiting[id] else { continue }
                ticket += 1
                let priority = FetchPriority.allCases.randomElement(using: &random) ?? .low
                let moved = queue.reprioritize(
                    row.handle, priority: priority, kind: id % 7 == 0 ? .prefetch : .wanted, at: at(Int64(ticket)))
                let handle = try #require(moved)
                if priority != row.priority || (id % 5 == 0) != (id % 7 == 0) {
                    waiting[id] = (handle, priority, ticket)
                }
            }
            for id in ids.shuffled(using: &random).prefix(ids.count / 3) {
                guard let row = waiting.removeValue(forKey: id) else { continue }
                try #require(queue.remove(row.handle)?.task.id == id, "seed \(seed), round \(round)")
                stale.append(row.handle)
            }
            let order = waiting.sorted { ($1.value.priority, $0.value.ticket) < ($0.value.priority, $1.value.ticket) }
            try #require(drain(&queue) == order.map(\.key), "seed \(seed), round \(round)")
            stale += waiting.values.map(\.handle)
            #expect(queue.count == 0)
            #expect(queue.oldest(upTo: .idlePrefetch) == nil)
        }
        for handle in stale { try #require(queue[handle] == nil, "seed \(seed)") }
    }
}

/// Tasks that are ready to start: the most urgent first, within one priority in the order in which they asked for it.
///
/// There is a bucket for each priority, and one beside it for its prefetches, so that they can be passed over without a
/// search. A bucket is an array of rows in the order of their arrival, of which those that were left are passed over when
/// they come to the front. A task that was moved to another priority has a second row there. Its first one stays where it
/// arrived: the task ages by it, and has its old place when it comes back.
package struct ReadyQueue: Sendable {
    /// Leads to a task; it goes stale when the task leaves the queue.
    package struct Handle: Equatable, Sendable {
        let id: UInt64
        /// Where its row was at first; it only moves towards the front.
        let index: Int32
        let bucket: UInt8

        package static func == (left: Handle, right: Handle) -> Bool { left.id == right.id }
    }

    package struct Entry: Hashable, Sendable {
        package let task: SchedulerTask
        package let readySince: PaginatorInstant
    }

    private static let bucketCount = 2 * FetchPriority.allCases.count

    private var buckets = [Bucket](repeating: Bucket(), count: bucketCount)
    private var lastID: UInt64 = 0
    package private(set) var count = 0

    package init() {}

    package subscript(handle: Handle) -> Entry? { row(at: handle)?.entry }

    package func first(includingPrefetch: Bool) -> Handle? {
        firstBucket(includingPrefetch).flatMap { buckets[$0].firstHandle($0) }
    }

    func oldest(includingPrefetch: Bool) -> (handle: Handle, arrival: PaginatorInstant)? {
        let demanded = oldest(isPrefetch: false)
        guard includingPrefetch, let prefetch = oldest(isPrefetch: true) else { return demanded }
        // Demanded work goes before a prefetch of the same age.
        guard let demanded, demanded.arrival <= prefetch.arrival else { return prefetch }
        return demanded
    }

    package mutating func add(
        _ task: SchedulerTask, priority: FetchPriority, isPrefetch: Bool, at now: PaginatorInstant
    ) -> Handle {
        count += 1
        return append(Entry(task: task, readySince: now), .atHome, at: now, to: Self.bucket(priority, isPrefetch))
    }

    // O(1) amortized; O(log count) for a task that has seen more others come and go than wait.
    @discardableResult
    package mutating func remove(_ handle: Handle) -> Entry? {
        guard let row = buckets[Int(handle.bucket)].remove(handle) else { return nil }
        if case .away(let stand) = row.state { buckets[Int(stand.bucket)].remove(stand) }
        count -= 1
        return row.entry
    }

    package mutating func take(includingPrefetch: Bool) -> Entry? {
        first(includingPrefetch: includingPrefetch).flatMap { remove($0) }
    }

    /// Moves a task to the end of another priority; one that changes nothing keeps its place, and one that goes back to the
    /// priority with which it arrived has its place there again.
    ///
    /// Whoever raises a priority asked for it now. For ageing the task keeps the time of its arrival, unless it turns from a
    /// prefetch into demanded work or back: as such it arrives now.
    @discardableResult
    package mutating func reprioritize(
        _ handle: Handle, priority: FetchPriority, isPrefetch: Bool, at now: PaginatorInstant
    ) -> Handle? {
        guard let row = row(at: handle) else { return nil }
        let (home, bucket) = (Int(handle.bucket), Self.bucket(priority, isPrefetch))
        if case .away(let stand) = row.state {
            guard bucket != stand.bucket else { return handle }
            buckets[Int(stand.bucket)].remove(stand)
            buckets[home].change(handle, to: .atHome)
        }
        guard bucket != home else { return handle }
        // Odd buckets are those of prefetches.
        guard bucket & 1 == home & 1 else {
            buckets[home].remove(handle)
            return append(row.entry, .atHome, at: now, to: bucket)
        }
        let stand = append(row.entry, .stand(of: handle), at: now, to: bucket)
        buckets[home].change(handle, to: .away(stand))
        return handle
    }
}

extension ReadyQueue {
    private struct Row: Sendable {
        enum State: Sendable {
            /// A task that starts from where it arrived.
            case atHome
            /// A task that arrived here, and starts from another row.
            case away(Handle)
            /// From where a task starts that arrived at another row.
            case stand(of: Handle)
            case left
        }

        /// Never used before, and greater than those of all rows made before.
        let id: UInt64
        let entry: Entry
        let arrival: PaginatorInstant
        var state: State

        var isStart: Bool {
            switch state {
            case .atHome, .stand: true
            case .away, .left: false
            }
        }

        var isArrival: Bool {
            switch state {
            case .atHome, .away: true
            case .stand, .left: false
            }
        }
    }

    private struct Bucket: Sendable {
        /// So many rows may be left, whatever waits.
        private static let slack = 64

        /// By ascending ids.
        private var rows: [Row] = []
        private var first = 0
        /// Where the first row is at which a task arrived.
        private var oldest = 0
        private var used = 0
        /// The greatest number where no task starts from here.
        var firstID: UInt64 { first < rows.count ? rows[first].id : .max }

        func firstHandle(_ bucket: Int) -> Handle? {
            guard first < rows.count else { return nil }
            if case .stand(let home) = rows[first].state { return home }
            return handle(first, bucket)
        }

        func oldest(_ bucket: Int) -> (handle: Handle, arrival: PaginatorInstant)? {
            oldest < rows.count ? (handle(oldest, bucket), rows[oldest].arrival) : nil
        }

        func row(_ handle: Handle) -> Row? { index(of: handle).map { rows[$0] } }

        mutating func append(_ row: Row) -> Int32 {
            if rows.count > 2 * used + Self.slack {
                // More than half of them go, so this costs each row that was appended a constant.
                rows.removeAll { if case .left = $0.state { true } else { false } }
                (first, oldest) = (0, 0)
                pass()
            }
            used += 1
            // Every new row is a start; one that is no arrival does not count for ageing.
            if oldest == rows.count, !row.isArrival { oldest += 1 }
            rows.append(row)
            return Int32(truncatingIfNeeded: rows.count &- 1)
        }

        @discardableResult
        mutating func remove(_ handle: Handle) -> Row? {
            guard let index = index(of: handle) else { return nil }
            defer { remove(at: index) }
            return rows[index]
        }

        mutating func change(_ handle: Handle, to state: Row.State) {
            guard let index = index(of: handle) else { return }
            rows[index].state = state
            // A task that comes home may start before all that have been first meanwhile.
            if rows[index].isStart { first = min(first, index) }
            pass()
        }

        private func handle(_ index: Int, _ bucket: Int) -> Handle {
            Handle(
                id: rows[index].id, index: Int32(truncatingIfNeeded: index),
                bucket: UInt8(truncatingIfNeeded: bucket))
        }

        private mutating func remove(at index: Int) {
            // It stays where it is: to move the others would cost each removal as many steps as tasks wait.
            rows[index].state = .left
            used -= 1
            // Much memory may not be needed again.
            if used == 0, rows.capacity > 16 * Self.slack { (rows, first, oldest) = ([], 0, 0) }
            pass()
        }

        /// Goes on to the next rows with tasks where those that were first have left.
        private mutating func pass() {
            while first < rows.count, !rows[first].isStart { first += 1 }
            while oldest < rows.count, !rows[oldest].isArrival { oldest += 1 }
        }

        func invariantViolations() -> [String] {
            var violations: [String] = []
            if zip(rows, rows.dropFirst()).contains(where: { $0.id >= $1.id }) {
                violations.append("rows out of order")
            }
            if rows.firstIndex(where: \.isStart) ?? rows.count != first { violations.append("begins at another row") }
            if rows.firstIndex(where: \.isArrival) ?? rows.count != oldest { violations.append("ages by another row") }
            if rows.count(where: { $0.isStart || $0.isArrival }) != used { violations.append("counts \(used) rows") }
            return violations
        }

        private func index(of handle: Handle) -> Int? {
            guard !rows.isEmpty else { return nil }
            // Rows only move towards the front, and stay in the order of their ids.
            var (low, high) = (0, min(Int(handle.index), rows.count - 1))
            while rows[high].id != handle.id, low < high {
                let middle = (low + high) / 2
                if rows[middle].id < handle.id { low = middle + 1 } else { high = middle }
            }
            guard rows[high].id == handle.id else { return nil }
            if case .left = rows[high].state { return nil }
            return high
        }
    }

    func invariantViolations() -> [String] {
        buckets.enumerated().flatMap { bucket, content in
            content.invariantViolations().map { "bucket \(bucket) of the ready queue: \($0)" }
        }
    }

    /// The more urgent, the higher the number; a priority's prefetches have the next one.
    private static func bucket(_ priority: FetchPriority, _ isPrefetch: Bool) -> Int {
        2 * priority.rawValue + (isPrefetch ? 1 : 0)
    }

    private func row(at handle: Handle) -> Row? { buckets[Int(handle.bucket)].row(handle) }

    private mutating func append(
        _ entry: Entry, _ state: Row.State, at now: PaginatorInstant, to bucket: Int
    ) -> Handle {
        lastID &+= 1
        let index = buckets[bucket].append(Row(id: lastID, entry: entry, arrival: now, state: state))
        return Handle(id: lastID, index: index, bucket: UInt8(truncatingIfNeeded: bucket))
    }

    private func firstBucket(_ includingPrefetch: Bool) -> Int? {
        for bucket in stride(from: Self.bucketCount - 2, through: 0, by: -2) {
            // Ids tell who of one priority came first, demanded or not.
            let demanded = buckets[bucket].firstID
            if includingPrefetch, buckets[bucket + 1].firstID < demanded { return bucket + 1 }
            if demanded != .max { return bucket }
        }
        return nil
    }

    private func oldest(isPrefetch: Bool) -> (handle: Handle, arrival: PaginatorInstant)? {
        var oldest: (handle: Handle, arrival: PaginatorInstant)?
        for bucket in stride(from: isPrefetch ? 1 : 0, to: Self.bucketCount, by: 2) {
            guard let first = buckets[bucket].oldest(bucket) else { continue }
            if oldest.map({ first.handle.id < $0.handle.id }) ?? true { oldest = first }
        }
        return oldest
    }
}

/// Tasks that are ready to start: by priority, and within a priority in the order of their requests.
///
/// There is a list for each priority and kind, so that kinds can be skipped without a search, and for each kind one in
/// order of arrival. A task that returns to its priority goes before those that arrived after it. A list would have to
/// be searched for that place, so a heap beside each list holds such tasks. Every call is O(1), and with n such tasks
/// O(log n).
package struct ReadyQueue: Sendable {
    /// The purpose of a task. Kinds that may be skipped come last.
    package enum Kind: Int, CaseIterable, Comparable, Sendable {
        case demanded, prefetch
        /// Skipped while there is any demanded task.
        case idlePrefetch

        package static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
    }

    /// Identifies a task; invalid once the task has left the queue.
    package struct Handle: Equatable, Sendable {
        let cell: Int
        // Unique: cells are reused, and old handles must not match their new tasks.
        let id: UInt64
    }

    package struct Entry: Hashable, Sendable {
        package let task: SchedulerTask
        package let readySince: PaginatorInstant
    }

    private struct Row: Sendable {
        let id: UInt64
        let entry: Entry
        let arrival: PaginatorInstant
        let home: Int
        var bucket: Int
        // The order within the bucket: the number of the arrival, or of the last move.
        var place: UInt64
    }

    private static let kindCount = 3
    private static let bucketCount = kindCount * FetchPriority.allCases.count

    private var rows: ContiguousArray<Row?> = []
    private var free: [Int] = []
    private var lastNumber: UInt64 = 0
    // By priority, the highest last, and by kind.
    private var buckets = [LinkedList](repeating: LinkedList(), count: bucketCount)
    private var places = ListLinks()
    // Tasks that returned to their priority, by number.
    private var returned = [DeadlineQueue<Int>](repeating: DeadlineQueue(), count: bucketCount)
    // By arrival, for each kind.
    private var arrivals = ListLinks()
    private var ages = [LinkedList](repeating: LinkedList(), count: kindCount)

    package init() {}

    package var count: Int { ages.reduce(0) { $0 + $1.count } }

    package subscript(handle: Handle) -> Entry? { row(handle)?.entry }

    package func first(upTo last: Kind) -> Handle? {
        for bucket in stride(from: Self.bucketCount - Self.kindCount, through: 0, by: -Self.kindCount) {
            var found: (handle: Handle, place: UInt64)?
            for kind in 0...last.rawValue {
                guard let first = first(in: bucket + kind) else { continue }
                // The number decides which one of equal priority came first, demanded or not.
                if found.map({ first.place < $0.place }) ?? true { found = first }
            }
            if let found { return found.handle }
        }
        return nil
    }

    func oldest(upTo last: Kind) -> (handle: Handle, arrival: PaginatorInstant)? {
        var found: (handle: Handle, arrival: PaginatorInstant)?
        for list in ages[...last.rawValue] {
            guard let cell = list.first, let row = rows[cell] else { continue }
            // A demanded task goes before a prefetch of the same age.
            if found.map({ row.arrival < $0.arrival }) ?? true {
                found = (Handle(cell: cell, id: row.id), row.arrival)
            }
        }
        return found
    }

    package mutating func add(
        _ task: SchedulerTask, priority: FetchPriority, kind: Kind, at now: PaginatorInstant
    ) -> Handle {
        append(Entry(task: task, readySince: now), at: now, to: Self.bucket(priority, kind))
    }

    @discardableResult
    package mutating func remove(_ handle: Handle) -> Entry? {
        guard let row = row(handle) else { return nil }
        leave(handle.cell, row.bucket)
        arrivals.remove(handle.cell, from: &ages[row.home % Self.kindCount])
        rows[handle.cell] = nil
        free.append(handle.cell)
        // A large queue may not be needed again.
        if count == 0, rows.count > 1_024 { (rows, free, places, arrivals) = ([], [], ListLinks(), ListLinks()) }
        return row.entry
    }

    package mutating func take(upTo last: Kind) -> Entry? {
        first(upTo: last).flatMap { remove($0) }
    }

    /// Moves a task to the end of another priority. With the same priority it keeps its place; back at the priority of
    /// its arrival it returns to its old place.
    ///
    /// A raised priority counts as a request made now. For aging a task keeps its arrival time, unless its kind
    /// changes: then the arrival time is now.
    @discardableResult
    package mutating func reprioritize(
        _ handle: Handle, priority: FetchPriority, kind: Kind, at now: PaginatorInstant
    ) -> Handle? {
        guard let row = row(handle) else { return nil }
        let bucket = Self.bucket(priority, kind)
        guard bucket != row.bucket else { return handle }
        guard kind.rawValue == row.home % Self.kindCount else {
            remove(handle)
            return append(row.entry, at: now, to: bucket)
        }
        leave(handle.cell, row.bucket)
        rows[handle.cell]?.bucket = bucket
        if bucket == row.home {
            rows[handle.cell]?.place = row.id
            returned[bucket].set(handle.cell, at: PaginatorInstant(nanoseconds: Int64(row.id)))
        } else {
            lastNumber += 1
            rows[handle.cell]?.place = lastNumber
            places.append(handle.cell, to: &buckets[bucket])
        }
        return handle
    }
}

extension ReadyQueue {
    private static func bucket(_ priority: FetchPriority, _ kind: Kind) -> Int {
        kindCount * priority.rawValue + kind.rawValue
    }

    private func row(_ handle: Handle) -> Row? {
        guard rows.indices.contains(handle.cell), let row = rows[handle.cell], row.id == handle.id else { return nil }
        return row
    }

    private func first(in bucket: Int) -> (handle: Handle, place: UInt64)? {
        var cell = buckets[bucket].first
        if let other = returned[bucket].first, cell.map({ place(of: other) < place(of: $0) }) ?? true { cell = other }
        guard let cell, let row = rows[cell] else { return nil }
        return (Handle(cell: cell, id: row.id), row.place)
    }

    private func place(of cell: Int) -> UInt64 { rows[cell]?.place ?? 0 }

    private mutating func append(_ entry: Entry, at now: PaginatorInstant, to bucket: Int) -> Handle {
        lastNumber += 1
        let cell = free.popLast() ?? rows.count
        if cell == rows.count { rows.append(nil) }
        rows[cell] = Row(id: lastNumber, entry: entry, arrival: now, home: bucket, bucket: bucket, place: lastNumber)
        places.append(cell, to: &buckets[bucket])
        arrivals.append(cell, to: &ages[bucket % Self.kindCount])
        return Handle(cell: cell, id: lastNumber)
    }

    private mutating func leave(_ cell: Int, _ bucket: Int) {
        if places.contains(cell) { places.remove(cell, from: &buckets[bucket]) } else { returned[bucket].remove(cell) }
    }

    func invariantViolations() -> [String] {
        var violations = returned.flatMap { $0.invariantViolations() }
        var placed = 0
        for (bucket, list) in buckets.enumerated() {
            let waiting = places.elements(of: list)
            if zip(waiting, waiting.dropFirst()).contains(where: { place(of: $0) >= place(of: $1) }) {
                violations.append("bucket \(bucket) of the ready queue is out of order")
            }
            if (waiting + returned[bucket].keys).contains(where: { rows[$0]?.bucket != bucket }) {
                violations.append("bucket \(bucket) of the ready queue has a task of another")
            }
            placed += waiting.count + returned[bucket].count
        }
        if placed != count { violations.append("the ready queue has places for \(placed) tasks of \(count)") }
        if rows.count(where: { $0 != nil }) != count { violations.append("the ready queue counts \(count) tasks") }
        return violations
    }
}

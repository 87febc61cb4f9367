/// Tasks that are ready to start: by priority, and within a priority in the order of their requests.
///
/// There is a list for each priority and kind, so that kinds can be skipped without a search, and for each kind one in
/// order of arrival. A task that returns to its priority goes before those that arrived after it. A list would have to
/// be searched for that place, so a heap beside each list holds such tasks. Every call is O(1), and with n such tasks
/// O(log n).
package struct ReadyQueue: Sendable {
    /// The purpose of a task. Kinds that may be skipped come last.
    package enum Kind: Int, CaseIterable, Comparable, Sendable {
        case wanted, prefetch
        /// Skipped while callers want any task.
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

    /// A task, or both ends of a list: each list is a ring that leads through a row of its own.
    private struct Row: Sendable {
        // 0 in a free cell and in the row of a list.
        var id: UInt64 = 0
        var entry = Entry(task: SchedulerTask(client: 0, id: 0), readySince: .zero)
        var arrival = PaginatorInstant.zero
        // The order within the bucket: the number of the arrival, or of the last move.
        var place: UInt64 = 0
        var home: UInt8 = 0
        var bucket: UInt8 = 0
        // In the bucket. A task that returned is in no list, and its own neighbor. A free cell has the next free one.
        var previous: Int32
        var next: Int32
        // Among the tasks of a kind.
        var older: Int32
        var younger: Int32

        init(alone cell: Int) {
            previous = Int32(cell)
            (next, older, younger) = (previous, previous, previous)
        }
    }

    private static let kindCount = 3
    private static let bucketCount = kindCount * FetchPriority.allCases.count

    // Rows below `bucketCount` are list heads: row n of bucket n, and for n < `kindCount` also of the list by age of
    // kind n. Tasks follow.
    private var rows = ContiguousArray((0..<bucketCount).map { Row(alone: $0) })
    // The first free cell; 0 for none, since no task is there.
    private var free = 0
    private(set) var count = 0
    private var lastNumber: UInt64 = 0
    // A bit for each bucket that has tasks: most have none, and are not looked at.
    private var occupied: UInt64 = 0
    // By bucket, the tasks that returned to it, by number. Nearly always empty.
    private var returned: [Int: DeadlineQueue<Int>] = [:]

    package init() {}

    package subscript(handle: Handle) -> Entry? { row(handle)?.entry }

    package func first(upTo last: Kind) -> Handle? {
        // Bucket = 3 * priority + kind: an octal digit is a priority, its bits are the kinds. Keeps those up to `last`.
        let candidates = occupied & ((2 << UInt64(last.rawValue) - 1) &* 0o111)
        guard candidates != 0 else { return nil }
        let highest = UInt64.bitWidth - 1 - candidates.leadingZeroBitCount
        var buckets = candidates & (7 << UInt64(highest - highest % Self.kindCount))
        var found = first(in: buckets.trailingZeroBitCount)
        while buckets & (buckets - 1) != 0 {
            buckets &= buckets - 1
            let other = first(in: buckets.trailingZeroBitCount)
            // The number decides which one of equal priority came first, wanted by a caller or not.
            if rows[other].place < rows[found].place { found = other }
        }
        return Handle(cell: found, id: rows[found].id)
    }

    func oldest(upTo last: Kind) -> (handle: Handle, arrival: PaginatorInstant)? {
        var found: (handle: Handle, arrival: PaginatorInstant)?
        for kind in 0...last.rawValue {
            let cell = Int(rows[kind].younger)
            guard cell != kind else { continue }
            // A task that a caller wants goes before a prefetch of the same age.
            if found.map({ rows[cell].arrival < $0.arrival }) ?? true {
                found = (Handle(cell: cell, id: rows[cell].id), rows[cell].arrival)
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
        // A span checks once whether it is the only owner, an array at each use.
        var cells = rows.mutableSpan
        Self.leave(row, &cells)
        cells[Int(row.older)].younger = row.younger
        cells[Int(row.younger)].older = row.older
        cells[handle.cell].id = 0
        rows[handle.cell].next = Int32(free)
        free = handle.cell
        count -= 1
        hasLeft(handle.cell, row)
        // A large queue may not be needed again.
        if count == 0, rows.count > 1_024 { (rows, free) = (ContiguousArray(rows.prefix(Self.bucketCount)), 0) }
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
        guard kind.rawValue == Int(row.home) % Self.kindCount else {
            remove(handle)
            return append(row.entry, at: now, to: bucket)
        }
        let isReturning = bucket == row.home
        lastNumber += isReturning ? 0 : 1
        let place = isReturning ? row.id : lastNumber
        var cells = rows.mutableSpan
        Self.leave(row, &cells)
        cells[handle.cell].bucket = UInt8(bucket)
        cells[handle.cell].place = place
        if isReturning {
            (cells[handle.cell].previous, cells[handle.cell].next) = (Int32(handle.cell), Int32(handle.cell))
        } else {
            Self.enter(handle.cell, &cells)
        }
        hasLeft(handle.cell, row)
        occupied |= 1 << UInt64(bucket)
        if isReturning {
            returned[bucket, default: DeadlineQueue()]
                .set(handle.cell, at: PaginatorInstant(nanoseconds: Int64(row.id)))
        }
        return handle
    }
}

extension ReadyQueue {
    private static func bucket(_ priority: FetchPriority, _ kind: Kind) -> Int {
        kindCount * priority.rawValue + kind.rawValue
    }

    private func row(_ handle: Handle) -> Row? {
        guard rows.indices.contains(handle.cell), rows[handle.cell].id == handle.id else { return nil }
        return rows[handle.cell]
    }

    /// Returns the first task in a bucket that has tasks.
    private func first(in bucket: Int) -> Int {
        let cell = Int(rows[bucket].next)
        guard !returned.isEmpty, let other = returned[bucket]?.first else { return cell }
        return cell == bucket || rows[other].place < rows[cell].place ? other : cell
    }

    private mutating func append(_ entry: Entry, at now: PaginatorInstant, to bucket: Int) -> Handle {
        lastNumber += 1
        count += 1
        let cell = free == 0 ? rows.count : free
        let kind = bucket % Self.kindCount
        var row = Row(alone: cell)
        (row.id, row.place) = (lastNumber, lastNumber)
        (row.entry, row.arrival) = (entry, now)
        (row.home, row.bucket) = (UInt8(bucket), UInt8(bucket))
        if free == 0 { rows.append(row) } else { free = Int(rows[cell].next) }
        occupied |= 1 << UInt64(bucket)
        var cells = rows.mutableSpan
        row.older = cells[kind].older
        row.younger = Int32(kind)
        cells[cell] = row
        cells[Int(row.older)].younger = Int32(cell)
        cells[kind].older = Int32(cell)
        Self.enter(cell, &cells)
        return Handle(cell: cell, id: lastNumber)
    }

    /// Puts a task at the end of its bucket.
    private static func enter(_ cell: Int, _ cells: inout MutableSpan<Row>) {
        let bucket = Int(cells[cell].bucket)
        let last = Int(cells[bucket].previous)
        cells[cell].previous = Int32(last)
        cells[cell].next = Int32(bucket)
        cells[last].next = Int32(cell)
        cells[bucket].previous = Int32(cell)
    }

    /// Takes a task out of the list of its bucket; does nothing to one that is in none.
    private static func leave(_ row: Row, _ cells: inout MutableSpan<Row>) {
        cells[Int(row.previous)].next = row.next
        cells[Int(row.next)].previous = row.previous
    }

    /// Updates `returned` and `occupied` after a task left its bucket; `row` is the task's row before that.
    private mutating func hasLeft(_ cell: Int, _ row: Row) {
        let bucket = Int(row.bucket)
        if row.next == cell {
            returned[bucket]?.remove(cell)
            if returned[bucket]?.isEmpty == true { returned[bucket] = nil }
        }
        if rows[bucket].next == bucket, returned.isEmpty || returned[bucket] == nil {
            occupied &= ~(1 << UInt64(bucket))
        }
    }

    func invariantViolations() -> [String] {
        var violations = returned.values.flatMap { $0.invariantViolations() }
        func require(_ condition: Bool, _ text: @autoclosure () -> String) {
            if !condition { violations.append("the ready queue " + text()) }
        }
        var placed = 0
        for bucket in 0..<Self.bucketCount {
            let waiting = cells(from: bucket) { $0.next }
            let back = returned[bucket]?.keys ?? []
            require(waiting == cells(from: bucket) { $0.previous }.reversed(), "has a torn ring of bucket \(bucket)")
            require(isAscending(waiting) { $0.place }, "is out of order in bucket \(bucket)")
            require((waiting + back).allSatisfy { rows[$0].bucket == bucket }, "mixes up bucket \(bucket)")
            require(back.allSatisfy { rows[$0].place == rows[$0].id }, "has a wrong return to bucket \(bucket)")
            require(
                (waiting + back).isEmpty == (occupied & 1 << UInt64(bucket) == 0), "is wrong about bucket \(bucket)")
            placed += waiting.count + back.count
        }
        let used = rows.indices.filter { rows[$0].id != 0 }
        require(placed == count && used.count == count, "counts \(count) tasks of \(used.count) at \(placed) places")
        for kind in 0..<Self.kindCount {
            let waiting = cells(from: kind) { $0.younger }
            require(waiting == cells(from: kind) { $0.older }.reversed(), "has a torn ring of kind \(kind)")
            require(isAscending(waiting) { $0.id }, "has tasks of kind \(kind) out of order")
            require(
                waiting.sorted() == used.filter { Int(rows[$0].home) % Self.kindCount == kind },
                "does not know the ages of kind \(kind)")
        }
        let unused = free == 0 ? [] : [free] + cells(from: free, to: 0) { $0.next }
        require(unused.count == rows.count - Self.bucketCount - count, "has lost free cells")
        return violations
    }

    private func isAscending(_ cells: [Int], _ value: (Row) -> UInt64) -> Bool {
        zip(cells, cells.dropFirst()).allSatisfy { value(rows[$0]) < value(rows[$1]) }
    }

    private func cells(from start: Int, to end: Int? = nil, _ next: (Row) -> Int32) -> [Int] {
        var cells: [Int] = []
        var cell = Int(next(rows[start]))
        while cell != end ?? start {
            cells.append(cell)
            cell = Int(next(rows[cell]))
        }
        return cells
    }
}

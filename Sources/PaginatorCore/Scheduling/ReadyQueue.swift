/// Tasks that are ready to start: the most urgent first, within one priority in the order in which they asked for it.
///
/// There is a list for each priority, and one beside it for its prefetches, so that they can be passed over without a
/// search; two more have all tasks by their arrival. A task that was moved to another priority starts from a second place
/// there, and ages by its arrival. Every call is O(1), but for a task that comes back to its priority: it looks for its place.
package struct ReadyQueue: Sendable {
    /// Leads to a task; it goes stale when the task leaves the queue.
    package struct Handle: Equatable, Sendable {
        let slot: Int
        // Never used before: slots are used again, by tasks whose handles these must not become.
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
        // Greater than the numbers of all places made before, of homes and others alike.
        var place: UInt64

        var isAway: Bool { bucket != home }
    }

    private static let bucketCount = 2 * FetchPriority.allCases.count

    private var rows: ContiguousArray<Row?> = []
    private var free: [Int] = []
    private var lastNumber: UInt64 = 0
    // Of each row two elements: its home, which is kept where the task is away, and its place there.
    private var places = ListLinks()
    // By priority, the most urgent last; odd ones are those of prefetches. The first element of each is never a home whose
    // task is away.
    private var buckets = [LinkedList](repeating: LinkedList(), count: bucketCount)
    // By arrival: demanded work, and prefetches.
    private var arrivals = ListLinks()
    private var ages = [LinkedList](repeating: LinkedList(), count: 2)

    package init() {}

    package var count: Int { ages[0].count + ages[1].count }

    package subscript(handle: Handle) -> Entry? { row(handle)?.entry }

    package func first(includingPrefetch: Bool) -> Handle? {
        for bucket in stride(from: Self.bucketCount - 2, through: 0, by: -2) {
            let (demanded, prefetch) = (first(in: bucket), includingPrefetch ? first(in: bucket + 1) : nil)
            // Numbers tell who of one priority came first, demanded or not.
            if let prefetch, demanded.map({ prefetch.place < $0.place }) ?? true { return prefetch.handle }
            if let demanded { return demanded.handle }
        }
        return nil
    }

    func oldest(includingPrefetch: Bool) -> (handle: Handle, arrival: PaginatorInstant)? {
        func oldest(_ list: LinkedList) -> (handle: Handle, arrival: PaginatorInstant)? {
            list.first.flatMap { slot in rows[slot].map { (Handle(slot: slot, id: $0.id), $0.arrival) } }
        }
        guard includingPrefetch, let prefetch = oldest(ages[1]) else { return oldest(ages[0]) }
        // Demanded work goes before a prefetch of the same age.
        guard let demanded = oldest(ages[0]), demanded.arrival <= prefetch.arrival else { return prefetch }
        return demanded
    }

    package mutating func add(
        _ task: SchedulerTask, priority: FetchPriority, isPrefetch: Bool, at now: PaginatorInstant
    ) -> Handle {
        append(Entry(task: task, readySince: now), at: now, to: Self.bucket(priority, isPrefetch))
    }

    @discardableResult
    package mutating func remove(_ handle: Handle) -> Entry? {
        guard let row = row(handle) else { return nil }
        leave(row.home, Self.home(handle.slot))
        if row.isAway { leave(row.bucket, Self.away(handle.slot)) }
        arrivals.remove(handle.slot, from: &ages[row.home & 1])
        rows[handle.slot] = nil
        free.append(handle.slot)
        // Much memory may not be needed again.
        if count == 0, rows.count > 1_024 { (rows, free, places, arrivals) = ([], [], ListLinks(), ListLinks()) }
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
        guard let row = row(handle) else { return nil }
        let bucket = Self.bucket(priority, isPrefetch)
        guard bucket != row.bucket else { return handle }
        guard bucket & 1 == row.home & 1 else {
            remove(handle)
            return append(row.entry, at: now, to: bucket)
        }
        rows[handle.slot]?.bucket = bucket
        if row.isAway { leave(row.bucket, Self.away(handle.slot)) }
        if bucket == row.home {
            // A home that was passed: only others that were, and came home, can be before it.
            if !places.contains(Self.home(handle.slot)) {
                let next = places.first(in: buckets[bucket]) { number(of: $0) > row.id }
                places.insert(Self.home(handle.slot), before: next, in: &buckets[bucket])
            }
        } else {
            lastNumber += 1
            rows[handle.slot]?.place = lastNumber
            places.append(Self.away(handle.slot), to: &buckets[bucket])
            passHomes(in: row.home)
        }
        return handle
    }
}

extension ReadyQueue {
    private static func home(_ slot: Int) -> Int { 2 * slot }

    private static func away(_ slot: Int) -> Int { 2 * slot + 1 }

    private static func bucket(_ priority: FetchPriority, _ isPrefetch: Bool) -> Int {
        2 * priority.rawValue + (isPrefetch ? 1 : 0)
    }

    private func row(_ handle: Handle) -> Row? {
        guard rows.indices.contains(handle.slot), let row = rows[handle.slot], row.id == handle.id else { return nil }
        return row
    }

    private func first(in bucket: Int) -> (handle: Handle, place: UInt64)? {
        guard let slot = buckets[bucket].first.map({ $0 / 2 }), let row = rows[slot] else { return nil }
        return (Handle(slot: slot, id: row.id), row.isAway ? row.place : row.id)
    }

    private mutating func append(_ entry: Entry, at now: PaginatorInstant, to bucket: Int) -> Handle {
        lastNumber += 1
        let slot = free.popLast() ?? rows.count
        if slot == rows.count { rows.append(nil) }
        rows[slot] = Row(id: lastNumber, entry: entry, arrival: now, home: bucket, bucket: bucket, place: lastNumber)
        places.append(Self.home(slot), to: &buckets[bucket])
        arrivals.append(slot, to: &ages[bucket & 1])
        return Handle(slot: slot, id: lastNumber)
    }

    private mutating func leave(_ bucket: Int, _ element: Int) {
        // A home that came to the front while its task was away is not there any more.
        if places.contains(element) { places.remove(element, from: &buckets[bucket]) }
        passHomes(in: bucket)
    }

    // Not each time that the first one is looked for: many tasks that are away would be passed over again and again.
    private mutating func passHomes(in bucket: Int) {
        while let first = buckets[bucket].first, first & 1 == 0, rows[first / 2]?.isAway == true {
            places.remove(first, from: &buckets[bucket])
        }
    }

    private func number(of element: Int) -> UInt64 {
        rows[element / 2].map { element & 1 == 0 ? $0.id : $0.place } ?? 0
    }

    func invariantViolations() -> [String] {
        var violations: [String] = []
        for (bucket, list) in buckets.enumerated() {
            let elements = places.elements(of: list)
            if zip(elements, elements.dropFirst()).contains(where: { number(of: $0) >= number(of: $1) }) {
                violations.append("bucket \(bucket) of the ready queue is out of order")
            }
            if elements.first.map({ $0 & 1 == 0 && rows[$0 / 2]?.isAway == true }) ?? false {
                violations.append("bucket \(bucket) of the ready queue begins with a task that is away")
            }
        }
        if rows.count(where: { $0 != nil }) != count { violations.append("the ready queue counts \(count) tasks") }
        return violations
    }
}

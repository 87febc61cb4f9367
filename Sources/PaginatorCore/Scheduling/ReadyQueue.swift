/// Tasks that are ready to start: the most urgent first, within one priority in the order in which they asked for it.
///
/// Doubly linked lists through one slab of nodes: a bucket for each priority, apart for prefetches so that they can be
/// passed over without a search, and two lists in order of arrival, which find the task that has waited longest. Every
/// call costs the same with one task waiting as with a million.
package struct ReadyQueue: Sendable {
    /// A task's place; it goes stale when the task leaves the queue.
    package struct Handle: Hashable, Sendable {
        fileprivate let index: Int32
        fileprivate let serial: UInt32
    }

    /// A waiting task.
    package struct Entry: Hashable, Sendable {
        /// Who waits.
        package let task: SchedulerTask
        /// How urgent it is.
        package let priority: FetchPriority
        /// Whether nobody waits for it yet.
        package let isPrefetch: Bool
        /// Since when it has been ready to start.
        package let readySince: PaginatorInstant
    }

    private struct Node: Sendable {
        var task = SchedulerTask(client: 0, id: 0)
        var readySince = PaginatorInstant.zero
        /// Since when it counts for ageing.
        var arrival = PaginatorInstant.zero
        /// Orders the heads of two buckets of one priority.
        var ticket: UInt64 = 0
        var next: Int32
        var previous: Int32
        var younger: Int32
        var older: Int32
        /// Tells a handle of this node from one of an earlier task in the same place; 0 when free.
        var serial: UInt32 = 0
        var bucket: UInt8 = 0
    }

    private static let buckets = 2 * FetchPriority.allCases.count
    /// From this slab size on, an empty queue gives its memory back.
    private static let smallSlab = 1_024

    /// The first nodes are the ends of the lists: node `b` closes bucket `b`; nodes 0 and 1 also close the lists by
    /// arrival.
    private var nodes: [Node]
    private var free: Int32 = -1
    private var tickets: UInt64 = 0
    private var serials: UInt32 = 0
    private var counts: [Int]

    #if DEBUG
        /// How many nodes were written so far, for the tests of complexity.
        package private(set) var writes = 0
    #endif

    /// Makes an empty queue.
    package init() {
        nodes = Self.ends()
        counts = [Int](repeating: 0, count: Self.buckets)
    }

    /// The number of tasks waiting.
    package private(set) var count = 0

    /// The number of tasks waiting that are prefetches, or that are not. Complexity: O(1).
    package func count(priority: FetchPriority, isPrefetch: Bool) -> Int {
        counts[Self.bucket(priority, isPrefetch)]
    }

    /// Returns the task at `handle`, `nil` when it has left. Complexity: O(1).
    package subscript(handle: Handle) -> Entry? {
        isCurrent(handle) ? entry(handle.index) : nil
    }

    /// The task to start next by priority, prefetches only when `includingPrefetch`. Complexity: O(1).
    package func first(includingPrefetch: Bool) -> Handle? {
        var bucket = Self.buckets - 2
        while bucket >= 0 {
            let demanded = nodes[bucket].next
            let prefetched = includingPrefetch ? nodes[bucket + 1].next : Int32(bucket + 1)
            switch (demanded != Int32(bucket), prefetched != Int32(bucket + 1)) {
            case (true, true):
                return handle(nodes[Int(demanded)].ticket < nodes[Int(prefetched)].ticket ? demanded : prefetched)
            case (true, false): return handle(demanded)
            case (false, true): return handle(prefetched)
            case (false, false): bucket -= 2
            }
        }
        return nil
    }

    /// The task that arrived first, and when, prefetches only when `includingPrefetch`. Complexity: O(1).
    package func oldest(includingPrefetch: Bool) -> (handle: Handle, arrival: PaginatorInstant)? {
        let demanded = nodes[0].younger
        let prefetched = includingPrefetch ? nodes[1].younger : 1
        let index: Int32
        switch (demanded != 0, prefetched != 1) {
        case (true, true):
            let (left, right) = (nodes[Int(demanded)], nodes[Int(prefetched)])
            index = left.arrival <= right.arrival ? demanded : prefetched
        case (true, false): index = demanded
        case (false, true): index = prefetched
        case (false, false): return nil
        }
        return (handle(index), nodes[Int(index)].arrival)
    }

    /// Adds a task at the end of its priority. Complexity: O(1), amortised over the slab's growth.
    package mutating func add(
        _ task: SchedulerTask, priority: FetchPriority, isPrefetch: Bool, at now: PaginatorInstant
    ) -> Handle {
        serials = serials == .max ? 1 : serials + 1
        var index = free
        if index < 0 {
            index = Int32(truncatingIfNeeded: nodes.count)
            nodes.append(Node(next: index, previous: index, younger: index, older: index))
        } else {
            free = nodes[Int(index)].next
        }
        nodes[Int(index)].task = task
        nodes[Int(index)].readySince = now
        nodes[Int(index)].serial = serials
        count += 1
        linkByPriority(index, Self.bucket(priority, isPrefetch))
        linkByArrival(index, now)
        return Handle(index: index, serial: serials)
    }

    /// Takes a task out and returns it; `nil`, and no change, when it has left. Complexity: O(1).
    @discardableResult
    package mutating func remove(_ handle: Handle) -> Entry? {
        guard isCurrent(handle) else { return nil }
        let entry = entry(handle.index)
        unlinkByPriority(handle.index)
        unlinkByArrival(handle.index)
        nodes[Int(handle.index)].serial = 0
        nodes[Int(handle.index)].next = free
        free = handle.index
        count -= 1
        if count == 0, nodes.count > Self.smallSlab {
            nodes = Self.ends()
            free = -1
        }
        return entry
    }

    /// Takes out the task to start next by priority. Complexity: O(1).
    package mutating func take(includingPrefetch: Bool) -> Entry? {
        first(includingPrefetch: includingPrefetch).flatMap { remove($0) }
    }

    /// Moves a task to the end of another priority; one that changes nothing keeps its place.
    ///
    /// Whoever raises a priority asked for it now, so those who asked for it before go first; a place by arrival would
    /// need a search. For ageing the task keeps the time of its arrival, unless it turns from a prefetch into demanded
    /// work or back: as such it arrives now. Complexity: O(1).
    ///
    /// - Returns: whether the task was waiting.
    @discardableResult
    package mutating func reprioritize(
        _ handle: Handle, priority: FetchPriority, isPrefetch: Bool, at now: PaginatorInstant
    ) -> Bool {
        guard isCurrent(handle) else { return false }
        let bucket = Self.bucket(priority, isPrefetch)
        let former = Int(nodes[Int(handle.index)].bucket)
        guard bucket != former else { return true }
        let changesKind = (bucket ^ former) & 1 == 1
        if changesKind { unlinkByArrival(handle.index) }
        unlinkByPriority(handle.index)
        linkByPriority(handle.index, bucket)
        if changesKind { linkByArrival(handle.index, now) }
        return true
    }
}

extension ReadyQueue {
    private static func ends() -> [Node] {
        (0..<Int32(buckets)).map { Node(next: $0, previous: $0, younger: $0, older: $0) }
    }

    @inline(__always)
    private static func bucket(_ priority: FetchPriority, _ isPrefetch: Bool) -> Int {
        2 * priority.rawValue + (isPrefetch ? 1 : 0)
    }

    @inline(__always)
    private func isCurrent(_ handle: Handle) -> Bool {
        Int(handle.index) < nodes.count && nodes[Int(handle.index)].serial == handle.serial
    }

    @inline(__always)
    private func handle(_ index: Int32) -> Handle {
        Handle(index: index, serial: nodes[Int(index)].serial)
    }

    @inline(__always)
    private func entry(_ index: Int32) -> Entry {
        let node = nodes[Int(index)]
        return Entry(
            task: node.task,
            priority: FetchPriority(rawValue: Int(node.bucket) / 2) ?? .low,
            isPrefetch: node.bucket & 1 == 1,
            readySince: node.readySince
        )
    }

    @inline(__always)
    private mutating func write(_ index: Int32, _ change: (inout Node) -> Void) {
        #if DEBUG
            writes += 1
        #endif
        change(&nodes[Int(index)])
    }

    private mutating func linkByPriority(_ index: Int32, _ bucket: Int) {
        tickets &+= 1
        let ticket = tickets
        let last = nodes[bucket].previous
        write(index) {
            $0.bucket = UInt8(bucket)
            $0.ticket = ticket
            $0.next = Int32(bucket)
            $0.previous = last
        }
        write(last) { $0.next = index }
        write(Int32(bucket)) { $0.previous = index }
        counts[bucket] += 1
    }

    private mutating func unlinkByPriority(_ index: Int32) {
        let node = nodes[Int(index)]
        write(node.previous) { $0.next = node.next }
        write(node.next) { $0.previous = node.previous }
        counts[Int(node.bucket)] -= 1
    }

    /// Expects the node to be in its bucket.
    private mutating func linkByArrival(_ index: Int32, _ now: PaginatorInstant) {
        let end = Int32(nodes[Int(index)].bucket & 1)
        let youngest = nodes[Int(end)].older
        write(index) {
            $0.arrival = now
            $0.younger = end
            $0.older = youngest
        }
        write(youngest) { $0.younger = index }
        write(end) { $0.older = index }
    }

    private mutating func unlinkByArrival(_ index: Int32) {
        let node = nodes[Int(index)]
        write(node.older) { $0.younger = node.younger }
        write(node.younger) { $0.older = node.older }
    }
}

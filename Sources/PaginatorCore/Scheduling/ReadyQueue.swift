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

    static let buckets = 2 * FetchPriority.allCases.count
    /// The bits of the buckets without prefetches.
    private static let demandedBuckets: UInt8 = 0b01_01_01
    /// From this slab size on, an empty queue gives its memory back.
    private static let smallSlab = 1_024

    /// The first nodes are the ends of the lists: node `b` closes bucket `b`; nodes 0 and 1 also close the lists by
    /// arrival.
    private var nodes: [Node]
    private var free: Int32 = -1
    private var tickets: UInt64 = 0
    private var serials: UInt32 = 0
    /// One bit for each bucket that has tasks.
    private var occupied: UInt8 = 0

    #if DEBUG
        /// How many nodes were written so far, for the tests of complexity.
        package private(set) var writes = 0
    #endif

    /// Makes an empty queue.
    package init() {
        nodes = Self.ends()
    }

    /// The number of tasks waiting.
    package private(set) var count = 0

    /// The number of tasks waiting that are prefetches, or that are not. Complexity: O(1).
    package func count(priority: FetchPriority, isPrefetch: Bool) -> Int {
        Int(nodes[Self.bucket(priority, isPrefetch)].ticket)
    }

    /// Returns the task at `handle`, `nil` when it has left. Complexity: O(1).
    package subscript(handle: Handle) -> Entry? {
        isCurrent(handle) ? entry(handle.index) : nil
    }

    /// The task to start next by priority, prefetches only when `includingPrefetch`. Complexity: O(1).
    package func first(includingPrefetch: Bool) -> Handle? {
        firstIndex(includingPrefetch).map { handle($0) }
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
        tickets &+= 1
        let (serial, ticket) = (serials, tickets)
        let bucket = Self.bucket(priority, isPrefetch)
        var index = free
        if index < 0 {
            index = Int32(truncatingIfNeeded: nodes.count)
            nodes.append(Node(next: index, previous: index, younger: index, older: index))
        }
        edit { links in
            if index == links.free { links.free = links.nodes[Int(index)].next }
            links.nodes[Int(index)].task = task
            links.nodes[Int(index)].readySince = now
            links.nodes[Int(index)].serial = serial
            links.appendByPriority(index, bucket, ticket)
            links.appendByArrival(index, bucket & 1, now)
        }
        count += 1
        return Handle(index: index, serial: serial)
    }

    /// Takes a task out and returns it; `nil`, and no change, when it has left. Complexity: O(1).
    @discardableResult
    package mutating func remove(_ handle: Handle) -> Entry? {
        isCurrent(handle) ? remove(at: handle.index) : nil
    }

    /// Takes out the task to start next by priority. Complexity: O(1).
    package mutating func take(includingPrefetch: Bool) -> Entry? {
        firstIndex(includingPrefetch).map { remove(at: $0) }
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
        tickets &+= 1
        let ticket = tickets
        edit { links in
            links.unlinkByPriority(handle.index)
            links.appendByPriority(handle.index, bucket, ticket)
            guard (bucket ^ former) & 1 == 1 else { return }
            links.unlinkByArrival(handle.index)
            links.appendByArrival(handle.index, bucket & 1, now)
        }
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

    private func entry(_ index: Int32) -> Entry { Entry(nodes[Int(index)]) }

    @inline(__always)
    private func firstIndex(_ includingPrefetch: Bool) -> Int32? {
        let open = includingPrefetch ? occupied : occupied & Self.demandedBuckets
        guard open != 0 else { return nil }
        // The demanded bucket of the most urgent priority that has tasks; its prefetches are the next one.
        let bucket = (7 - open.leadingZeroBitCount) & ~1
        let (demanded, prefetched) = (nodes[bucket].next, nodes[bucket + 1].next)
        switch open &>> UInt8(truncatingIfNeeded: bucket) {
        case 1: return demanded
        case 2: return prefetched
        default: return nodes[Int(demanded)].ticket < nodes[Int(prefetched)].ticket ? demanded : prefetched
        }
    }

    @inline(__always)
    private mutating func remove(at index: Int32) -> Entry {
        let entry = edit { links in
            let entry = Entry(links.nodes[Int(index)])
            links.unlinkByPriority(index)
            links.unlinkByArrival(index)
            links.nodes[Int(index)].serial = 0
            links.nodes[Int(index)].next = links.free
            links.free = index
            return entry
        }
        count -= 1
        if count == 0, nodes.count > Self.smallSlab {
            nodes = Self.ends()
            free = -1
        }
        return entry
    }

    /// Changes links in place, with one check of the slab's uniqueness and none of its bounds for all of them: every
    /// index that `body` follows is that of a node.
    @inline(__always)
    private mutating func edit<R>(_ body: (inout Links) -> R) -> R {
        nodes.withUnsafeMutableBufferPointer { nodes in
            var links = Links(nodes: nodes, free: free, occupied: occupied)
            defer {
                free = links.free
                occupied = links.occupied
                #if DEBUG
                    writes += links.writes
                #endif
            }
            return body(&links)
        }
    }
}

extension ReadyQueue.Entry {
    @inline(__always)
    fileprivate init(_ node: ReadyQueue.Node) {
        let bucket = Int(node.bucket)
        self.init(
            task: node.task, priority: bucket >= 4 ? .high : bucket >= 2 ? .medium : .low,
            isPrefetch: bucket & 1 == 1, readySince: node.readySince)
    }
}

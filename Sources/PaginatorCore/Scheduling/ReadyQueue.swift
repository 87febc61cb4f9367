/// Tasks that are ready to start: the most urgent first, within one priority in the order in which they asked for it.
///
/// A bucket for each priority, and one beside it for its prefetches so that they can be passed over without a search. It
/// keeps those that arrived there in a doubly linked list, in which they have their turns and age in the same order. Only
/// a task that is moved to another priority needs more: it stays in the list where it arrived, for its age, and has its
/// turn in a second list, of those that were moved to its new bucket.
///
/// So every call writes as many places with one task waiting as with a million. Who finds the next turn in a list of
/// arrivals also passes over those that were moved away, each of them once, which their moves have paid for.
///
/// `@unchecked Sendable`: its pointers lead to memory that it alone owns, since it cannot be copied.
package struct ReadyQueue: ~Copyable, @unchecked Sendable {
    /// A task's place; it goes stale when the task leaves the queue.
    package struct Handle: Hashable, Sendable {
        let index: UInt32
        let serial: UInt32
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

    /// What most calls change. It has a place of its own, since the compiler copies a large value that it lends.
    struct Head: ~Copyable {
        var nodes = Slab<Node>()
        var changes = Slab<Change>()
        /// One bit for each bucket that has tasks that arrived there and have not been moved.
        var staying: UInt8 = 0
        /// One bit for each bucket that has tasks that were moved there.
        var movedIn: UInt8 = 0
        var lastTicket: UInt64 = 0
        #if DEBUG
            var writes = 0
            var passes = 0
        #endif
    }

    static let bucketCount = 2 * FetchPriority.allCases.count

    let head: UnsafeMutablePointer<Head>
    let buckets: UnsafeMutablePointer<Bucket>
    /// For each bucket the end of the list of those that arrived there.
    let arrivals: NodePointer
    /// For each bucket the end of the list of those that were moved there.
    let moved: ChangePointer

    #if DEBUG
        /// How many places were written so far, for the tests of complexity.
        package var writes: Int { head.pointee.writes }
        /// How many tasks that were moved away were passed over so far, for the same.
        package var passes: Int { head.pointee.passes }
        /// How many places are in use or kept for later use, for the tests of memory.
        package var places: Int { head.pointee.nodes.used + head.pointee.changes.used }
    #endif

    /// Makes an empty queue.
    package init() {
        head = .allocate(capacity: 1)
        head.initialize(to: Head())
        buckets = .allocate(capacity: Self.bucketCount)
        arrivals = .allocate(capacity: Self.bucketCount)
        moved = .allocate(capacity: Self.bucketCount)
        for bucket in 0..<Self.bucketCount {
            (buckets + bucket).initialize(to: Bucket(first: arrivals + bucket))
            (arrivals + bucket).initialize(to: Node(end: arrivals + bucket))
            (moved + bucket).initialize(to: Change(end: moved + bucket, node: arrivals + bucket))
        }
    }

    deinit {
        head.deinitialize(count: 1)
        head.deallocate()
        buckets.deallocate()
        arrivals.deallocate()
        moved.deallocate()
    }

    /// The number of tasks waiting. Complexity: O(1).
    package var count: Int { (0..<Self.bucketCount).reduce(0) { $0 + buckets[$1].count } }

    /// The number of tasks waiting that are prefetches, or that are not. Complexity: O(1).
    package func count(priority: FetchPriority, isPrefetch: Bool) -> Int {
        buckets[Self.bucket(priority, isPrefetch)].count
    }

    /// Returns the task at `handle`, `nil` when it has left. Complexity: O(1).
    package subscript(handle: Handle) -> Entry? {
        node(handle).map {
            Entry($0, Self.bucket(of: $0), readySince: $0.pointee.change?.pointee.readySince ?? $0.pointee.arrival)
        }
    }

    /// The task to start next by priority, prefetches only when `includingPrefetch`. Complexity: O(1).
    package func first(includingPrefetch: Bool) -> Handle? {
        firstTurn(includingPrefetch).map { Handle($0.node) }
    }

    /// The task that arrived first, and when, prefetches only when `includingPrefetch`. Complexity: O(1).
    package func oldest(includingPrefetch: Bool) -> (handle: Handle, arrival: PaginatorInstant)? {
        let prefetched = includingPrefetch ? firstArrival(isPrefetch: true) : nil
        guard let demanded = firstArrival(isPrefetch: false) else {
            return prefetched.map { (Handle($0), $0.pointee.arrival) }
        }
        guard let prefetched, prefetched.pointee.arrival < demanded.pointee.arrival else {
            return (Handle(demanded), demanded.pointee.arrival)
        }
        return (Handle(prefetched), prefetched.pointee.arrival)
    }

    /// Adds a task at the end of its priority. Complexity: O(1); once in 128 tasks more memory is allocated.
    package mutating func add(
        _ task: SchedulerTask, priority: FetchPriority, isPrefetch: Bool, at now: PaginatorInstant
    ) -> Handle {
        let bucket = Self.bucket(priority, isPrefetch)
        let ticket = nextTicket(bucket)
        let serial = Self.serial(ticket)
        let node = head.pointee.nodes.take()
        node.pointee.task = task
        node.pointee.change = nil
        node.pointee.serial = serial
        appendArrival(node, bucket, ticket, now)
        return Handle(index: node.pointee.index, serial: serial)
    }

    /// Takes a task out and returns it; `nil`, and no change, when it has left. Complexity: O(1), amortised over moves.
    @discardableResult
    package mutating func remove(_ handle: Handle) -> Entry? {
        guard let node = node(handle) else { return nil }
        if let change = node.pointee.change { return removeChanged(node, change) }
        return removeUnchanged(node, Self.bucket(node.pointee.ticket))
    }

    /// Takes out the task to start next by priority. Complexity: O(1), amortised over moves.
    package mutating func take(includingPrefetch: Bool) -> Entry? {
        guard let (node, bucket) = firstTurn(includingPrefetch) else { return nil }
        if let change = node.pointee.change { return removeChanged(node, change) }
        return removeUnchanged(node, bucket)
    }

    /// Moves a task to the end of another priority; one that changes nothing keeps its place.
    ///
    /// Whoever raises a priority asked for it now, so those who asked for it before go first; a place by arrival would
    /// need a search. For ageing the task keeps the time of its arrival, unless it turns from a prefetch into demanded
    /// work or back: as such it arrives now. Complexity: O(1), amortised over moves.
    ///
    /// - Returns: whether the task was waiting.
    @discardableResult
    package mutating func reprioritize(
        _ handle: Handle, priority: FetchPriority, isPrefetch: Bool, at now: PaginatorInstant
    ) -> Bool {
        guard let node = node(handle) else { return false }
        let bucket = Self.bucket(priority, isPrefetch)
        let former = Self.bucket(of: node)
        guard bucket != former else { return true }
        let ticket = nextTicket(bucket)
        let change = change(of: node)
        if Self.isForPrefetches(bucket) != Self.isForPrefetches(former) {
            unlink(node, change)
            change.pointee.ticket = 0
            appendArrival(node, bucket, ticket, now)
        } else if change.pointee.ticket != 0 {
            unlinkMoved(change)
            appendMoved(change, bucket, ticket)
        } else {
            appendMoved(change, bucket, ticket)
            leaveTurn(node, former)
        }
        return true
    }
}

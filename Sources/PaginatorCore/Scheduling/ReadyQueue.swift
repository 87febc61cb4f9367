/// Tasks that are ready to start: the most urgent first, within one priority in the order in which they asked for it.
///
/// A bucket for each priority, and one beside it for its prefetches so that they can be passed over without a search. It
/// keeps those that arrived there in a row, in which they have their turns and age in the same order; it is cut into chunks
/// that are used again when all their tasks have left. Only a task that is moved to another priority needs more: it stays
/// in the row where it arrived, for its age, and has its turn in a list of those that were moved to its new bucket.
///
/// So every call writes as many places with one task waiting as with a million. Who finds the next turn in a row also passes
/// over chunks in which nobody has one, each of them once, and once more for each task before it that goes back to its
/// place. A chunk is kept while one of its tasks waits: at most 2.2 KB for each that waits, and another 2.2 KB if it turned
/// from a prefetch into demanded work or back.
///
/// `@unchecked Sendable`: its pointers lead to memory that it alone owns, since it cannot be copied.
package struct ReadyQueue: ~Copyable, @unchecked Sendable {
    /// A task's place; it goes stale when the task leaves the queue.
    package struct Handle: Hashable, Sendable {
        let word: UInt64
    }

    /// A waiting task.
    package struct Entry: Hashable, Sendable {
        /// Who waits.
        package let task: SchedulerTask
        /// Since when it has been ready to start.
        package let readySince: PaginatorInstant
        let bucket: UInt8

        /// How urgent it is.
        package var priority: FetchPriority { bucket >= 4 ? .high : bucket >= 2 ? .medium : .low }
        /// Whether nobody waits for it yet.
        package var isPrefetch: Bool { ReadyQueue.isForPrefetches(Int(bucket)) }
    }

    /// What most calls change. It has a place of its own, since the compiler copies a large value that it lends.
    struct Head: ~Copyable {
        /// One bit for each bucket that has tasks that arrived there and have not been moved.
        var staying: UInt = 0
        /// One bit for each bucket that has tasks that were moved there.
        var movedIn: UInt = 0
        var lastTicket: UInt64 = 0
        var lastSerial: UInt64 = 0
        /// All chunks by their numbers.
        var chunks: [ChunkPointer] = []
        /// The chunks that no bucket has, each with the next one.
        var free: ChunkPointer?
        /// What the chunks lie in, and of the last such block what is not used yet.
        var blocks: [UnsafeMutableRawPointer] = []
        var unused: UnsafeMutableRawPointer?
        var unusedChunks = 0
        var changes = Slab<Change>()
        #if DEBUG
            var writes = 0
            var passes = 0
        #endif
    }

    static let bucketCount = 2 * FetchPriority.allCases.count

    let head: UnsafeMutablePointer<Head>
    let buckets: UnsafeMutablePointer<Bucket>
    /// For each bucket the end of the list of those that were moved there.
    let moved: ChangePointer
    /// Stands for the chunk of a bucket that has none: full, with nobody in it. Nothing is ever written there.
    let blank: ChunkPointer

    #if DEBUG
        /// How many places were written so far, for the tests of complexity.
        package var writes: Int { head.pointee.writes }
        /// How many chunks without a turn were passed over so far, for the same.
        package var passes: Int { head.pointee.passes }
        /// How many places are in use or kept for later use, for the tests of memory.
        package var places: Int { head.pointee.chunks.count * Chunk.capacity + head.pointee.changes.used }
    #endif

    /// Makes an empty queue.
    package init() {
        head = .allocate(capacity: 1)
        head.initialize(to: Head())
        buckets = .allocate(capacity: Self.bucketCount)
        moved = .allocate(capacity: Self.bucketCount)
        blank = .allocate(capacity: 1)
        blank.initialize(to: Chunk(number: 0))
        for bucket in 0..<Self.bucketCount {
            (buckets + bucket).initialize(to: Bucket(first: blank, turn: blank, last: blank))
            (moved + bucket).initialize(
                to: Change(of: Place(chunk: blank, slot: 0), in: moved + bucket, since: .zero))
        }
    }

    deinit {
        for block in head.pointee.blocks { block.deallocate() }
        head.deinitialize(count: 1)
        head.deallocate()
        buckets.deallocate()
        moved.deallocate()
        blank.deallocate()
    }

    /// The number of tasks waiting. Complexity: O(1).
    package var count: Int { (0..<Self.bucketCount).reduce(0) { $0 + buckets[$1].count } }

    /// The number of tasks waiting that are prefetches, or that are not. Complexity: O(1).
    package func count(priority: FetchPriority, isPrefetch: Bool) -> Int {
        buckets[Self.bucket(priority, isPrefetch)].count
    }

    /// Returns the task at `handle`, `nil` when it has left. Complexity: O(1).
    package subscript(handle: Handle) -> Entry? {
        place(handle).map { Entry($0, $0.bucket, readySince: $0.change?.pointee.readySince ?? $0.arrival) }
    }

    /// The task to start next by priority, prefetches only when `includingPrefetch`. Complexity: O(1).
    package func first(includingPrefetch: Bool) -> Handle? {
        let open = openBuckets(includingPrefetch)
        return open == 0 ? nil : firstTurn(open).handle
    }

    /// The task that arrived first, and when, prefetches only when `includingPrefetch`. Complexity: O(1).
    package func oldest(includingPrefetch: Bool) -> (handle: Handle, arrival: PaginatorInstant)? {
        let prefetched = includingPrefetch ? firstArrival(isPrefetch: true) : nil
        guard let demanded = firstArrival(isPrefetch: false) else {
            return prefetched.map { ($0.handle, $0.arrival) }
        }
        guard let prefetched, prefetched.arrival < demanded.arrival else {
            return (demanded.handle, demanded.arrival)
        }
        return (prefetched.handle, prefetched.arrival)
    }

    /// Adds a task at the end of its priority. Complexity: O(1); now and then more memory is allocated.
    package mutating func add(
        _ task: SchedulerTask, priority: FetchPriority, isPrefetch: Bool, at now: PaginatorInstant
    ) -> Handle {
        let bucket = Self.bucket(priority, isPrefetch)
        let chunk = buckets[bucket].last
        let slot = Int(chunk.pointee.filled)
        // Apart, so that this need not make room for what that one calls.
        guard slot < Chunk.capacity else {
            return addInNewChunk(task, priority: priority, isPrefetch: isPrefetch, at: now)
        }
        return fill(chunk, slot, bucket, Slot(task: task, ticket: nextTicket(), word: now.nanoseconds))
    }

    /// Takes a task out and returns it; `nil`, and no change, when it has left. Complexity: O(1), amortised over moves.
    @discardableResult
    package mutating func remove(_ handle: Handle) -> Entry? {
        guard let place = place(handle) else { return nil }
        guard place.chunk.pointee.changed & place.bit == 0 else { return removeChanged(place) }
        return removeUnchanged(place, place.chunk.pointee.passed | place.bit)
    }

    /// Takes out the task to start next by priority. Complexity: O(1), amortised over moves.
    package mutating func take(includingPrefetch: Bool) -> Entry? {
        let open = openBuckets(includingPrefetch)
        guard open != 0 else { return nil }
        let bucket = Self.highest(open)
        let chunk = buckets[bucket].turn
        let passed = chunk.pointee.passed
        let next = ~passed & (passed &+ 1)
        guard isOrderedByArrival(bucket, open), chunk.pointee.changed & next == 0 else { return takeFirstTurn(open) }
        return removeUnchanged(Place(chunk: chunk, slot: chunk.pointee.firstTurn), bucket, passed | next)
    }

    /// Moves a task to the end of another priority; one that changes nothing keeps its place, and one that goes back to the
    /// priority with which it arrived has the place again that it had there.
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
        guard let home = place(handle) else { return false }
        let bucket = Self.bucket(priority, isPrefetch)
        let former = home.bucket
        guard bucket != former else { return true }
        let change = change(of: home)
        if Self.isForPrefetches(bucket) != Self.isForPrefetches(former) {
            arriveAnew(change, bucket, now)
        } else if change.pointee.place.isAway {
            unlinkMoved(change)
            if Int(change.pointee.place.chunk.pointee.bucket) == bucket {
                takeTurnBack(change.pointee.place)
            } else {
                appendMoved(change, bucket)
            }
        } else {
            appendMoved(change, bucket)
            leaveTurn(change.pointee.place)
        }
        return true
    }
}

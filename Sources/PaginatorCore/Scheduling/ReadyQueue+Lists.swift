// The queue's rows and lists.
extension ReadyQueue {
    /// The bits of the buckets without prefetches.
    private static let demandedBuckets: UInt = 0b01_01_01

    // MARK: - Numbers

    /// The more urgent, the higher the number; a priority's prefetches come after its other tasks.
    @inline(__always)
    static func bucket(_ priority: FetchPriority, _ isPrefetch: Bool) -> Int {
        2 * priority.rawValue + (isPrefetch ? 1 : 0)
    }

    @inline(__always)
    static func isForPrefetches(_ bucket: Int) -> Bool { bucket & 1 == 1 }

    @inline(__always)
    private static func bit(_ bucket: Int) -> UInt { 1 &<< UInt(truncatingIfNeeded: bucket) }

    /// Returns a ticket, greater than all before.
    @inline(__always)
    mutating func nextTicket() -> UInt64 {
        head.pointee.lastTicket &+= 1
        return head.pointee.lastTicket
    }

    // MARK: - Who is where

    /// Where a task was added that still waits.
    @inline(__always)
    func place(_ handle: Handle) -> Place? {
        let number = Int(truncatingIfNeeded: UInt32(truncatingIfNeeded: handle.word) &>> UInt32(Chunk.slotBits))
        guard number < head.pointee.chunks.count else { return nil }
        let place = Place(
            chunk: head.pointee.chunks[number],
            slot: UInt8(truncatingIfNeeded: handle.word & UInt64(Chunk.capacity - 1)))
        let chunk = place.chunk.pointee
        guard chunk.handle == handle.word & ~UInt64(Chunk.capacity - 1) else { return nil }
        return (~chunk.passed | chunk.away | chunk.forwarded) & place.bit == 0 ? nil : place
    }

    /// The buckets that have tasks, one bit for each, those of prefetches only when `includingPrefetch`.
    @inline(__always)
    func openBuckets(_ includingPrefetch: Bool) -> UInt {
        (head.pointee.staying | head.pointee.movedIn) & (includingPrefetch ? ~0 : Self.demandedBuckets)
    }

    /// The most urgent of some buckets.
    @inline(__always)
    static func highest(_ open: UInt) -> Int { UInt.bitWidth - 1 - open.leadingZeroBitCount }

    /// Whether all tasks of a bucket's priority arrived in that bucket, if it is the highest open one.
    @inline(__always)
    func isOrderedByArrival(_ bucket: Int, _ open: UInt) -> Bool {
        head.pointee.movedIn == 0 && open &>> UInt(truncatingIfNeeded: bucket & ~1) != 0b11
    }

    /// Whose turn it is, of some buckets that have tasks.
    @inline(__always)
    func firstTurn(_ open: UInt) -> Place {
        let bucket = Self.highest(open)
        let first = firstTurn(in: bucket)
        // Only those of the same priority who are no prefetches may have asked for it before.
        guard Self.isForPrefetches(bucket), open & Self.bit(bucket &- 1) != 0 else { return first.place }
        let demanded = firstTurn(in: bucket &- 1)
        return demanded.ticket < first.ticket ? demanded.place : first.place
    }

    /// Whose turn it is in a bucket that has tasks, and the ticket for that.
    @inline(__always)
    private func firstTurn(in bucket: Int) -> (place: Place, ticket: UInt64) {
        let moved = moved[bucket].next
        guard head.pointee.staying & Self.bit(bucket) != 0 else { return (moved.pointee.place, moved.pointee.ticket) }
        let chunk = buckets[bucket].turn
        let staying = Place(chunk: chunk, slot: chunk.pointee.firstTurn)
        guard head.pointee.movedIn & Self.bit(bucket) != 0, moved.pointee.ticket < staying.ticket else {
            return (staying, staying.ticket)
        }
        return (moved.pointee.place, moved.pointee.ticket)
    }

    /// Of the prefetches, or of the other tasks, the one that arrived first.
    @inline(__always)
    func firstArrival(isPrefetch: Bool) -> Place? {
        var first: Place?
        var lowest = UInt64.max
        for bucket in stride(from: isPrefetch ? 1 : 0, to: Self.bucketCount, by: 2) {
            let chunk = buckets[bucket].first
            let ageing = chunk.pointee.ageing
            guard ageing != 0 else { continue }
            let place = Place(chunk: chunk, slot: UInt8(truncatingIfNeeded: ageing.trailingZeroBitCount))
            guard place.ticket < lowest else { continue }
            (first, lowest) = (place, place.ticket)
        }
        return first
    }

    // MARK: - Arrivals

    @inline(never)
    mutating func addInNewChunk(
        _ task: SchedulerTask, priority: FetchPriority, isPrefetch: Bool, at now: PaginatorInstant
    ) -> Handle {
        addChunk(to: Self.bucket(priority, isPrefetch))
        return add(task, priority: priority, isPrefetch: isPrefetch, at: now)
    }

    /// Fills the next slot of a bucket's last chunk.
    @inline(__always)
    mutating func fill(_ chunk: ChunkPointer, _ slot: Int, _ bucket: Int, _ content: Slot) -> Handle {
        noteWrites(3)
        chunk.slots[slot] = content
        chunk.pointee.filled = UInt32(truncatingIfNeeded: slot &+ 1)
        buckets[bucket].staying &+= 1
        head.pointee.staying |= Self.bit(bucket)
        return Handle(word: chunk.pointee.handle | UInt64(truncatingIfNeeded: slot))
    }

    /// Lets a task that has become a prefetch, or is none any more, arrive as such.
    mutating func arriveAnew(_ change: ChangePointer, _ bucket: Int, _ now: PaginatorInstant) {
        let (home, task) = (change.pointee.home, change.pointee.place.pointer.pointee.task)
        home.chunk.pointee.forwarded |= home.bit
        unlink(change)
        if buckets[bucket].last.pointee.filled == Chunk.capacity { addChunk(to: bucket) }
        let chunk = buckets[bucket].last
        let place = Place(chunk: chunk, slot: UInt8(truncatingIfNeeded: chunk.pointee.filled))
        _ = fill(
            chunk, Int(place.slot), bucket, Slot(task: task, ticket: nextTicket(), word: Int64(Int(bitPattern: change)))
        )
        chunk.pointee.changed |= place.bit
        change.pointee.arrival = now
        change.pointee.place = place
    }

    /// Notes that a task does not have its turn where it arrived any more.
    @inline(__always)
    mutating func leaveTurn(_ place: Place) {
        noteWrites(1)
        place.chunk.pointee.away |= place.bit
        pass(place)
    }

    /// Notes that a task has its turn where it arrived again. Its chunk is still listed, for its age.
    mutating func takeTurnBack(_ place: Place) {
        noteWrites(3)
        let (chunk, bucket) = (place.chunk, Int(place.chunk.pointee.bucket))
        chunk.pointee.away &= ~place.bit
        chunk.pointee.passed &= ~place.bit
        buckets[bucket].staying &+= 1
        head.pointee.staying |= Self.bit(bucket)
        // Whoever looked for the next turn may have passed over the chunk.
        let turn = buckets[bucket].turn
        if turn != chunk, chunk.slots[0].ticket < turn.slots[0].ticket { buckets[bucket].turn = chunk }
    }

    @inline(__always)
    private mutating func pass(_ place: Place) {
        noteWrites(1)
        place.chunk.pointee.passed |= place.bit
        noteTurnLeft(Int(place.chunk.pointee.bucket))
        if place.chunk.pointee.isPassed { leave(place.chunk) }
    }

    /// Notes that one less has its turn where it arrived.
    @inline(__always)
    private mutating func noteTurnLeft(_ bucket: Int) {
        let staying = buckets[bucket].staying &- 1
        buckets[bucket].staying = staying
        // Without a branch: whether that was the last one is what a processor guesses wrongly.
        head.pointee.staying ^= staying == 0 ? Self.bit(bucket) : 0
    }

    // MARK: - Moves

    /// What has happened to a task; at first nothing.
    mutating func change(of home: Place) -> ChangePointer {
        if let change = home.change { return change }
        noteWrites(2)
        let change = head.pointee.changes.take()
        change.initialize(to: Change(of: home, in: change, since: home.arrival))
        home.pointer.pointee.word = Int64(Int(bitPattern: change))
        home.chunk.pointee.changed |= home.bit
        return change
    }

    /// Puts a task at the end of those that were moved to a bucket.
    @inline(__always)
    mutating func appendMoved(_ change: ChangePointer, _ bucket: Int) {
        noteWrites(4)
        let end = moved + bucket
        let last = end.pointee.previous
        change.pointee.ticket = nextTicket()
        change.pointee.bucket = UInt8(truncatingIfNeeded: bucket)
        change.pointee.next = end
        change.pointee.previous = last
        last.pointee.next = change
        end.pointee.previous = change
        buckets[bucket].movedIn &+= 1
        head.pointee.movedIn |= Self.bit(bucket)
    }

    /// Takes a task out of those that were moved to its bucket.
    @inline(__always)
    mutating func unlinkMoved(_ change: ChangePointer) {
        noteWrites(3)
        let (next, previous) = (change.pointee.next, change.pointee.previous)
        previous.pointee.next = next
        next.pointee.previous = previous
        let bucket = Int(change.pointee.bucket)
        buckets[bucket].movedIn &-= 1
        if buckets[bucket].movedIn == 0 { head.pointee.movedIn &= ~Self.bit(bucket) }
    }

    // MARK: - Leaving

    /// Takes a task out of the row where it arrived last, and out of those that were moved.
    @inline(__always)
    private mutating func unlink(_ change: ChangePointer) {
        let place = change.pointee.place
        guard place.isAway else { return pass(place) }
        noteWrites(1)
        unlinkMoved(change)
        place.chunk.pointee.away &= ~place.bit
        if place.chunk.pointee.isPassed { leave(place.chunk) }
    }

    /// Takes out whose turn it is, of some buckets that have tasks.
    @inline(never)
    mutating func takeFirstTurn(_ open: UInt) -> Entry? {
        let place = firstTurn(open)
        guard let change = place.change else { return removeUnchanged(place, place.chunk.pointee.passed | place.bit) }
        return removeChanged(change.pointee.home)
    }

    /// Takes a task out that something has happened to.
    @inline(never)
    mutating func removeChanged(_ home: Place) -> Entry? {
        guard let change = home.change else { return nil }
        let entry = Entry(home, home.bucket, readySince: change.pointee.readySince)
        unlink(change)
        if home.chunk.pointee.forwarded & home.bit != 0 {
            noteWrites(1)
            home.chunk.pointee.forwarded &= ~home.bit
            if home.chunk.pointee.isPassed { leave(home.chunk) }
        }
        noteWrites(1)
        head.pointee.changes.giveBack(change)
        if head.pointee.staying | head.pointee.movedIn == 0 { shrink() }
        return entry
    }

    @inline(__always)
    mutating func removeUnchanged(_ place: Place, _ passed: UInt64) -> Entry? {
        removeUnchanged(place, Int(place.chunk.pointee.bucket), passed)
    }

    /// Takes a task out that nothing has happened to, with what its chunk has passed then.
    @inline(__always)
    mutating func removeUnchanged(_ place: Place, _ bucket: Int, _ passed: UInt64) -> Entry? {
        noteWrites(2)
        let since = PaginatorInstant(nanoseconds: place.pointer.pointee.word)
        let entry = Entry(place, bucket, readySince: since)
        place.chunk.pointee.passed = passed
        noteTurnLeft(bucket)
        guard passed != ~0, head.pointee.staying | head.pointee.movedIn != 0 else { return tidy(place.chunk, entry) }
        return entry
    }

    /// Returns the entry, so that who calls this last needs nothing afterwards.
    @inline(never)
    private mutating func tidy(_ chunk: ChunkPointer, _ entry: Entry) -> Entry? {
        if chunk.pointee.isPassed { leave(chunk) }
        if head.pointee.staying | head.pointee.movedIn == 0 { shrink() }
        return entry
    }

    // MARK: - Counting

    @inline(__always)
    mutating func noteWrites(_ count: Int) {
        #if DEBUG
            head.pointee.writes += count
        #endif
    }

    @inline(__always)
    mutating func notePass() {
        #if DEBUG
            head.pointee.passes += 1
        #endif
    }
}

extension ReadyQueue.Entry {
    @inline(__always)
    init(_ place: ReadyQueue.Place, _ bucket: Int, readySince: PaginatorInstant) {
        self.init(
            task: place.pointer.pointee.task, readySince: readySince, bucket: UInt8(truncatingIfNeeded: bucket))
    }
}

// The queue's lists. Every pointer here leads to a place in use or to the end of a list.
extension ReadyQueue {
    /// The bits of the buckets without prefetches.
    private static let demandedBuckets: UInt8 = 0b01_01_01
    /// An empty queue that has used more places than these gives its memory back.
    private static let fewPlaces = 1_024

    // MARK: - Numbers

    /// The more urgent, the higher the number; a priority's prefetches come after its other tasks.
    @inline(__always)
    static func bucket(_ priority: FetchPriority, _ isPrefetch: Bool) -> Int {
        2 * priority.rawValue + (isPrefetch ? 1 : 0)
    }

    @inline(__always)
    static func isForPrefetches(_ bucket: Int) -> Bool { bucket & 1 == 1 }

    @inline(__always)
    private static func bit(_ bucket: Int) -> UInt8 { 1 &<< UInt8(truncatingIfNeeded: bucket) }

    /// Returns a ticket for a bucket, which it has in its lowest bits: greater than all before, with a serial that is not 0.
    @inline(__always)
    mutating func nextTicket(_ bucket: Int) -> UInt64 {
        head.pointee.lastTicket &+= 8
        if Self.serial(head.pointee.lastTicket) == 0 { head.pointee.lastTicket &+= 8 }
        return head.pointee.lastTicket | UInt64(truncatingIfNeeded: bucket)
    }

    /// The bucket of a ticket.
    @inline(__always)
    static func bucket(_ ticket: UInt64) -> Int { Int(truncatingIfNeeded: ticket & 7) }

    @inline(__always)
    static func serial(_ ticket: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: ticket &>> 3) }

    /// The bucket in which a task has its turn.
    @inline(__always)
    static func bucket(of node: NodePointer) -> Int {
        guard let change = node.pointee.change, change.pointee.ticket != 0 else { return bucket(node.pointee.ticket) }
        return bucket(change.pointee.ticket)
    }

    // MARK: - Who is where

    @inline(__always)
    func node(_ handle: Handle) -> NodePointer? {
        guard let node = head.pointee.nodes[handle.index], node.pointee.serial == handle.serial else { return nil }
        return node
    }

    /// Whose turn it is, and the bucket.
    @inline(__always)
    func firstTurn(_ includingPrefetch: Bool) -> (node: NodePointer, bucket: Int)? {
        let filled = head.pointee.staying | head.pointee.movedIn
        let open = Int(includingPrefetch ? filled : filled & Self.demandedBuckets)
        guard open != 0 else { return nil }
        let bucket = Int.bitWidth - 1 - open.leadingZeroBitCount
        let first = firstTurn(in: bucket)
        // Only those of the same priority who are no prefetches may have asked for it before.
        guard Self.isForPrefetches(bucket), open & (1 &<< (bucket &- 1)) != 0 else { return (first.node, bucket) }
        let demanded = firstTurn(in: bucket &- 1)
        return demanded.ticket < first.ticket ? (demanded.node, bucket &- 1) : (first.node, bucket)
    }

    /// Whose turn it is in a bucket that has tasks, and the ticket for that.
    @inline(__always)
    private func firstTurn(in bucket: Int) -> (node: NodePointer, ticket: UInt64) {
        let staying = buckets[bucket].first
        guard head.pointee.movedIn & Self.bit(bucket) != 0 else { return (staying, staying.pointee.ticket) }
        let moved = moved[bucket].next
        guard head.pointee.staying & Self.bit(bucket) != 0, staying.pointee.ticket < moved.pointee.ticket else {
            return (moved.pointee.node, moved.pointee.ticket)
        }
        return (staying, staying.pointee.ticket)
    }

    /// Of the prefetches, or of the other tasks, the one that arrived first.
    @inline(__always)
    func firstArrival(isPrefetch: Bool) -> NodePointer? {
        var first: NodePointer?
        var lowest = UInt64.max
        for bucket in stride(from: isPrefetch ? 1 : 0, to: Self.bucketCount, by: 2) {
            let node = arrivals[bucket].next
            guard node != arrivals + bucket, node.pointee.ticket < lowest else { continue }
            (first, lowest) = (node, node.pointee.ticket)
        }
        return first
    }

    // MARK: - Arrivals

    /// Puts a task at the end of a bucket, where it has its turn by its arrival.
    @inline(__always)
    mutating func appendArrival(_ node: NodePointer, _ bucket: Int, _ ticket: UInt64, _ now: PaginatorInstant) {
        noteWrites(4)
        let end = arrivals + bucket
        let last = end.pointee.previous
        node.pointee.arrival = now
        node.pointee.ticket = ticket
        node.pointee.next = end
        node.pointee.previous = last
        last.pointee.next = node
        end.pointee.previous = node
        let first = buckets[bucket].first
        buckets[bucket].first = first == end ? node : first
        buckets[bucket].staying &+= 1
        head.pointee.staying |= Self.bit(bucket)
    }

    @inline(__always)
    private mutating func unlinkArrival(_ node: NodePointer) {
        noteWrites(2)
        let (next, previous) = (node.pointee.next, node.pointee.previous)
        previous.pointee.next = next
        next.pointee.previous = previous
    }

    /// Notes that a task does not have its turn where it arrived any more.
    @inline(__always)
    mutating func leaveTurn(_ node: NodePointer, _ bucket: Int) {
        noteWrites(1)
        if buckets[bucket].first == node {
            var first = node.pointee.next
            while first.pointee.isMoved {
                first = first.pointee.next
                notePass()
            }
            buckets[bucket].first = first
        }
        let left = buckets[bucket].staying &- 1
        buckets[bucket].staying = left
        // Without a branch: whether that was the last one is what a processor guesses wrongly.
        let isEmpty: UInt8 = left == 0 ? 1 : 0
        head.pointee.staying &= ~(isEmpty &<< UInt8(truncatingIfNeeded: bucket))
    }

    // MARK: - Moves

    /// What has happened to a task; at first nothing.
    mutating func change(of node: NodePointer) -> ChangePointer {
        if let change = node.pointee.change { return change }
        noteWrites(2)
        let change = head.pointee.changes.take()
        change.pointee.readySince = node.pointee.arrival
        change.pointee.ticket = 0
        change.pointee.node = node
        node.pointee.change = change
        return change
    }

    /// Puts a task at the end of those that were moved to a bucket.
    @inline(__always)
    mutating func appendMoved(_ change: ChangePointer, _ bucket: Int, _ ticket: UInt64) {
        noteWrites(4)
        let end = moved + bucket
        let last = end.pointee.previous
        change.pointee.ticket = ticket
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
        let bucket = Self.bucket(change.pointee.ticket)
        buckets[bucket].movedIn &-= 1
        if buckets[bucket].movedIn == 0 { head.pointee.movedIn &= ~Self.bit(bucket) }
    }

    // MARK: - Leaving

    /// Takes a task that something has happened to out of its lists.
    @inline(__always)
    mutating func unlink(_ node: NodePointer, _ change: ChangePointer) {
        if change.pointee.ticket == 0 {
            leaveTurn(node, Self.bucket(node.pointee.ticket))
        } else {
            unlinkMoved(change)
        }
        unlinkArrival(node)
    }

    mutating func removeChanged(_ node: NodePointer, _ change: ChangePointer) -> Entry {
        let entry = Entry(node, Self.bucket(of: node), readySince: change.pointee.readySince)
        unlink(node, change)
        head.pointee.changes.giveBack(change)
        giveBack(node)
        return entry
    }

    @inline(__always)
    mutating func removeUnchanged(_ node: NodePointer, _ bucket: Int) -> Entry {
        let entry = Entry(node, bucket, readySince: node.pointee.arrival)
        leaveTurn(node, bucket)
        unlinkArrival(node)
        giveBack(node)
        return entry
    }

    /// Frees the place of a task that has left the lists, and much memory when that was the last one.
    @inline(__always)
    private mutating func giveBack(_ node: NodePointer) {
        noteWrites(1)
        node.pointee.serial = 0
        head.pointee.nodes.giveBack(node)
        if head.pointee.staying | head.pointee.movedIn == 0 { shrink() }
    }

    private mutating func shrink() {
        if head.pointee.nodes.used > Self.fewPlaces { head.pointee.nodes.removeAll() }
        if head.pointee.changes.used > Self.fewPlaces { head.pointee.changes.removeAll() }
    }

    // MARK: - Counting

    @inline(__always)
    private mutating func noteWrites(_ count: Int) {
        #if DEBUG
            head.pointee.writes += count
        #endif
    }

    @inline(__always)
    private mutating func notePass() {
        #if DEBUG
            head.pointee.passes += 1
        #endif
    }
}

// What the queue's pointers lead to.
extension ReadyQueue {
    typealias ChunkPointer = UnsafeMutablePointer<Chunk>
    typealias ChangePointer = UnsafeMutablePointer<Change>

    /// The tasks of one urgency: a list of chunks.
    struct Bucket {
        /// The chunk with the task that arrived first, if any arrived here.
        var first: ChunkPointer
        /// The chunk with the first task that has its turn here, if any has.
        var turn: ChunkPointer
        /// The chunk that tasks are added to.
        var last: ChunkPointer
        /// How many arrived here and have not been moved.
        var staying = 0
        /// How many were moved here.
        var movedIn = 0

        var count: Int { staying + movedIn }
    }

    /// Tasks that arrived one after the other in the same bucket, in slots that lie behind this value.
    ///
    /// A slot is filled once in a chunk's life, so one serial serves for all handles to it. What has become of the tasks is
    /// told by words of one bit a slot: whoever looks for the next one neither follows links nor tries slot after slot.
    struct Chunk {
        /// Who has no turn here any more; slots that are not filled yet are not among them.
        var passed: UInt64
        /// The handle of the first slot: from the highest bits to the lowest a serial, the chunk's number, and 0.
        var handle: UInt64
        /// Whom something has happened to since they were added.
        var changed: UInt64
        /// Who was moved away: they have passed, but keep their age here.
        ///
        /// It does not lie beside `passed`, or both would be changed in one go, and a processor waits when it reads what it
        /// has just written in two parts.
        var away: UInt64
        var next: ChunkPointer?
        var previous: ChunkPointer?
        /// Who has arrived anew in another chunk; here they have their handle's place only.
        var forwarded: UInt64
        /// How many slots have been filled.
        var filled: UInt32
        var bucket: UInt16
        /// Whether it is in its bucket's list.
        var isListed: Bool

        static let capacity = 64
        /// Where the slots begin: this value has at most 63 bytes, and fills a cache line.
        static let header = 64
        static var size: Int { header + capacity * MemoryLayout<Slot>.stride }
        static var alignment: Int { 64 }
        /// How far a chunk's number lies left of a slot's.
        static let slotBits: UInt64 = 6
    }

    /// A task as it was added. Two of them fill a cache line.
    struct Slot {
        var task: SchedulerTask
        /// Its place in the order of all arrivals and moves.
        var ticket: UInt64
        /// Since when it has been waiting in nanoseconds, or where its change lies, as the chunk knows. With 64
        /// bits also where pointers have 32, as on a watch.
        var word: Int64
    }

    /// The slot of a chunk.
    struct Place: Equatable {
        let chunk: ChunkPointer
        let slot: UInt8
    }

    /// What has happened to a task since it was added, or the end of a list of tasks that were moved.
    struct Change {
        /// Since when it has been ready to start.
        var readySince: PaginatorInstant
        /// Since when it counts for ageing.
        var arrival: PaginatorInstant
        /// The ticket of its last move, if it has its turn elsewhere than where it arrived.
        var ticket: UInt64
        /// If it was moved, who was moved next to the same bucket; before the first and after the last one comes the end.
        var next: ChangePointer
        var previous: ChangePointer
        private var homeChunk: ChunkPointer
        private var placeChunk: ChunkPointer
        private var homeSlot: UInt8
        private var placeSlot: UInt8
        /// Where it was moved to.
        var bucket: UInt8
    }
}

extension UnsafeMutablePointer<ReadyQueue.Chunk> {
    /// The chunk's slots.
    @inline(__always)
    var slots: UnsafeMutablePointer<ReadyQueue.Slot> {
        (UnsafeMutableRawPointer(self) + ReadyQueue.Chunk.header).assumingMemoryBound(to: ReadyQueue.Slot.self)
    }
}

extension ReadyQueue.Chunk {
    /// Whether all its slots are filled, and nobody has a turn there.
    @inline(__always)
    var isPassed: Bool { passed == ~0 }

    /// The first slot that has a turn, if one has.
    @inline(__always)
    var firstTurn: UInt8 { UInt8(truncatingIfNeeded: (~passed).trailingZeroBitCount) }

    /// Those whose arrival here counts for their age.
    @inline(__always)
    var ageing: UInt64 { (filled == Self.capacity ? ~passed : ~passed & (1 &<< UInt64(filled) &- 1)) | away }

    /// Makes a chunk that is full of tasks that have left, and that no list has.
    init(number: Int) {
        self.init(
            passed: ~0, handle: UInt64(number) &<< Self.slotBits, changed: 0, away: 0, next: nil, previous: nil,
            forwarded: 0, filled: UInt32(Self.capacity), bucket: 0, isListed: false)
    }
}

extension ReadyQueue.Place {
    @inline(__always)
    var bit: UInt64 { 1 &<< UInt64(slot) }
    @inline(__always)
    var pointer: UnsafeMutablePointer<ReadyQueue.Slot> { chunk.slots + Int(slot) }
    @inline(__always)
    var ticket: UInt64 { pointer.pointee.ticket }
    @inline(__always)
    var isAway: Bool { chunk.pointee.away & bit != 0 }

    /// What has happened to the task, if anything has.
    @inline(__always)
    var change: ReadyQueue.ChangePointer? {
        guard chunk.pointee.changed & bit != 0 else { return nil }
        return ReadyQueue.ChangePointer(bitPattern: Int(truncatingIfNeeded: pointer.pointee.word))
    }

    /// Since when the task counts for ageing.
    var arrival: PaginatorInstant {
        change?.pointee.arrival ?? PaginatorInstant(nanoseconds: pointer.pointee.word)
    }

    /// The bucket in which the task has its turn.
    @inline(__always)
    var bucket: Int {
        guard let change else { return Int(chunk.pointee.bucket) }
        let place = change.pointee.place
        return place.isAway ? Int(change.pointee.bucket) : Int(place.chunk.pointee.bucket)
    }

    /// The handle that leads to the task.
    @inline(__always)
    var handle: ReadyQueue.Handle { change?.pointee.home.ownHandle ?? ownHandle }

    @inline(__always)
    private var ownHandle: ReadyQueue.Handle { ReadyQueue.Handle(word: chunk.pointee.handle | UInt64(slot)) }
}

// Places in parts, so that a change fills one cache line.
extension ReadyQueue.Change {
    /// Where its handle leads.
    @inline(__always)
    var home: ReadyQueue.Place { ReadyQueue.Place(chunk: homeChunk, slot: homeSlot) }

    /// Where it arrived last.
    @inline(__always)
    var place: ReadyQueue.Place {
        get { ReadyQueue.Place(chunk: placeChunk, slot: placeSlot) }
        set { (placeChunk, placeSlot) = (newValue.chunk, newValue.slot) }
    }

    /// Makes the change of a task to which nothing has happened yet.
    @inline(__always)
    init(of home: ReadyQueue.Place, in list: ReadyQueue.ChangePointer, since arrival: PaginatorInstant) {
        self.init(
            readySince: arrival, arrival: arrival, ticket: 0, next: list, previous: list, homeChunk: home.chunk,
            placeChunk: home.chunk, homeSlot: home.slot, placeSlot: home.slot, bucket: 0)
    }
}

// The queue's chunks: where they come from and go to.
extension ReadyQueue {
    /// An empty queue that has more chunks than these gives its memory back.
    private static let fewChunks = 16
    /// So many chunks are allocated at once at most; 66 KB.
    private static let blockChunks = 32

    /// Gives a bucket, whose last chunk is full, one with free slots. Complexity: O(1), or a chunk is allocated.
    mutating func addChunk(to bucket: Int) {
        noteWrites(3)
        let last = buckets[bucket].last
        if last != blank, last.pointee.isPassed, last.pointee.away | last.pointee.forwarded == 0 {
            restart(last)
            return
        }
        let chunk = freeChunk()
        restart(chunk)
        chunk.pointee.bucket = UInt16(truncatingIfNeeded: bucket)
        chunk.pointee.isListed = true
        chunk.pointee.next = nil
        buckets[bucket].last = chunk
        if buckets[bucket].turn.pointee.isPassed { buckets[bucket].turn = chunk }
        guard last != blank else {
            chunk.pointee.previous = nil
            buckets[bucket].first = chunk
            return
        }
        chunk.pointee.previous = last
        last.pointee.next = chunk
        if last.pointee.isPassed { leave(last) }
    }

    /// Empties a chunk; handles that led there go stale.
    private mutating func restart(_ chunk: ChunkPointer) {
        head.pointee.lastSerial &+= 1
        chunk.pointee.handle =
            UInt64(UInt32(truncatingIfNeeded: chunk.pointee.handle)) | head.pointee.lastSerial &<< 32
        chunk.pointee.passed = 0
        chunk.pointee.changed = 0
        chunk.pointee.filled = 0
    }

    private mutating func freeChunk() -> ChunkPointer {
        if let chunk = head.pointee.free {
            head.pointee.free = chunk.pointee.next
            return chunk
        }
        let unused = head.pointee.unused ?? addBlock()
        let chunk = unused.bindMemory(to: Chunk.self, capacity: 1)
        (unused + Chunk.header).bindMemory(to: Slot.self, capacity: Chunk.capacity)
        chunk.initialize(to: Chunk(number: head.pointee.chunks.count))
        head.pointee.chunks.append(chunk)
        head.pointee.unusedChunks &-= 1
        head.pointee.unused = head.pointee.unusedChunks > 0 ? unused + Chunk.size : nil
        return chunk
    }

    /// Makes room for as many chunks as there are, within limits.
    private mutating func addBlock() -> UnsafeMutableRawPointer {
        let count = min(max(1, head.pointee.chunks.count), Self.blockChunks)
        assert(MemoryLayout<Chunk>.size <= Chunk.header && Chunk.header % MemoryLayout<Slot>.alignment == 0)
        let block = UnsafeMutableRawPointer.allocate(byteCount: count * Chunk.size, alignment: Chunk.alignment)
        head.pointee.blocks.append(block)
        head.pointee.unused = block
        head.pointee.unusedChunks = count
        return block
    }

    /// Goes on from a full chunk in which nobody has a turn; one that nobody needs any more is used again.
    ///
    /// Complexity: O(1), amortised: chunks in which all were moved away are passed over once.
    @inline(never)
    mutating func leave(_ chunk: ChunkPointer) {
        noteWrites(1)
        let bucket = buckets + Int(chunk.pointee.bucket)
        if bucket.pointee.turn == chunk {
            var turn = chunk
            while turn.pointee.isPassed, let next = turn.pointee.next {
                turn = next
                notePass()
            }
            bucket.pointee.turn = turn
        }
        guard chunk.pointee.away == 0, bucket.pointee.last != chunk else { return }
        if chunk.pointee.isListed {
            noteWrites(2)
            chunk.pointee.isListed = false
            let (next, previous) = (chunk.pointee.next, chunk.pointee.previous)
            next?.pointee.previous = previous
            previous?.pointee.next = next
            if let next, bucket.pointee.first == chunk { bucket.pointee.first = next }
        }
        guard chunk.pointee.forwarded == 0 else { return }
        chunk.pointee.next = head.pointee.free
        head.pointee.free = chunk
    }

    /// Gives back the memory of an empty queue, when it is much.
    mutating func shrink() {
        if head.pointee.chunks.count > Self.fewChunks {
            for block in head.pointee.blocks { block.deallocate() }
            (head.pointee.blocks, head.pointee.chunks) = ([], [])
            (head.pointee.unused, head.pointee.unusedChunks) = (nil, 0)
            head.pointee.free = nil
            for bucket in 0..<Self.bucketCount { buckets[bucket] = Bucket(first: blank, turn: blank, last: blank) }
        }
        if head.pointee.changes.used > Self.fewChunks * Chunk.capacity { head.pointee.changes.removeAll() }
    }
}

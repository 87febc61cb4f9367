extension ReadyQueue {
    /// A place of the slab: a waiting task, a free place, or the end of a list.
    struct Node: Sendable {
        var task = SchedulerTask(client: 0, id: 0)
        var readySince = PaginatorInstant.zero
        /// Since when it counts for ageing.
        var arrival = PaginatorInstant.zero
        /// Orders the heads of two buckets of one priority; at the end of a bucket, the number of its tasks.
        var ticket: UInt64 = 0
        var next: Int32
        var previous: Int32
        var younger: Int32
        var older: Int32
        /// Tells a handle of this node from one of an earlier task in the same place; 0 when free.
        var serial: UInt32 = 0
        var bucket: UInt8 = 0
    }

    /// Changes the links of a slab's nodes; every index that it is given or finds is that of a node.
    struct Links {
        let nodes: UnsafeMutableBufferPointer<Node>
        var free: Int32
        /// One bit for each bucket that has tasks.
        var occupied: UInt8
        #if DEBUG
            var writes = 0
        #endif

        @inline(__always)
        mutating func write(_ index: Int32, _ change: (inout Node) -> Void) {
            #if DEBUG
                writes += 1
            #endif
            change(&nodes[Int(index)])
        }

        @inline(__always)
        mutating func appendByPriority(_ index: Int32, _ bucket: Int, _ ticket: UInt64) {
            occupied |= 1 &<< UInt8(truncatingIfNeeded: bucket)
            let last = nodes[bucket].previous
            write(index) {
                $0.bucket = UInt8(bucket)
                $0.ticket = ticket
                $0.next = Int32(bucket)
                $0.previous = last
            }
            write(last) { $0.next = index }
            write(Int32(bucket)) {
                $0.previous = index
                $0.ticket += 1
            }
        }

        @inline(__always)
        mutating func unlinkByPriority(_ index: Int32) {
            let (next, previous) = (nodes[Int(index)].next, nodes[Int(index)].previous)
            let bucket = Int32(nodes[Int(index)].bucket)
            write(previous) { $0.next = next }
            write(next) { $0.previous = previous }
            write(bucket) { $0.ticket -= 1 }
            if nodes[Int(bucket)].ticket == 0 { occupied &= ~(1 &<< UInt8(truncatingIfNeeded: bucket)) }
        }

        @inline(__always)
        mutating func appendByArrival(_ index: Int32, _ list: Int, _ now: PaginatorInstant) {
            let youngest = nodes[list].older
            write(index) {
                $0.arrival = now
                $0.younger = Int32(list)
                $0.older = youngest
            }
            write(youngest) { $0.younger = index }
            write(Int32(list)) { $0.older = index }
        }

        @inline(__always)
        mutating func unlinkByArrival(_ index: Int32) {
            let (younger, older) = (nodes[Int(index)].younger, nodes[Int(index)].older)
            write(older) { $0.younger = younger }
            write(younger) { $0.older = older }
        }
    }
}

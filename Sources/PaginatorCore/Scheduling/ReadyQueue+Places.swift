// What the queue's pointers lead to.
extension ReadyQueue {
    typealias NodePointer = UnsafeMutablePointer<Node>
    typealias ChangePointer = UnsafeMutablePointer<Change>

    /// The tasks of one urgency.
    struct Bucket {
        /// The first of those that arrived here and have not been moved; the end of the list when there is none.
        var first: NodePointer
        /// How many arrived here and have not been moved.
        var staying = 0
        /// How many were moved here.
        var movedIn = 0

        var count: Int { staying + movedIn }
    }

    /// A waiting task, or the end of a list of arrivals. It fills one cache line.
    struct Node: SlabPlace {
        var task: SchedulerTask
        /// Since when it counts for ageing, and since when it has been ready to start unless `change` knows better.
        var arrival: PaginatorInstant
        /// Its ticket of arrival, with the bucket where it arrived.
        var ticket: UInt64
        /// Who arrived next; after the last one comes the end, and after that the first one.
        var next: NodePointer
        var previous: NodePointer
        /// What has happened to the task since it was added, if anything has.
        var change: ChangePointer?
        /// Tells a handle of this task from one of an earlier task in the same place; 0 when free.
        var serial: UInt32
        var index: UInt32
    }

    /// What has happened to a task since it was added, or the end of a list of tasks that were moved.
    struct Change: SlabPlace {
        var readySince: PaginatorInstant
        /// The ticket of its last move, with the bucket that it was moved to; 0 when it has its turn where it arrived.
        var ticket: UInt64
        /// If it was moved, who was moved next to the same bucket, with an end as above.
        var next: ChangePointer
        var previous: ChangePointer
        var node: NodePointer
        var index: UInt32
    }
}

extension ReadyQueue.Node {
    /// Makes the end of an empty list, in the place `end`.
    init(end: ReadyQueue.NodePointer) {
        self.init(
            task: SchedulerTask(client: 0, id: 0), arrival: .zero, ticket: 0, next: end, previous: end, change: nil,
            serial: 0, index: 0)
    }

    /// Whether the task has its turn elsewhere than where it arrived.
    @inline(__always)
    var isMoved: Bool {
        guard let change else { return false }
        return change.pointee.ticket != 0
    }
}

extension ReadyQueue.Change {
    /// Makes the end of an empty list, in the place `end`.
    init(end: ReadyQueue.ChangePointer, node: ReadyQueue.NodePointer) {
        self.init(readySince: .zero, ticket: 0, next: end, previous: end, node: node, index: 0)
    }
}

extension ReadyQueue.Handle {
    @inline(__always)
    init(_ node: ReadyQueue.NodePointer) {
        self.init(index: node.pointee.index, serial: node.pointee.serial)
    }
}

extension ReadyQueue.Entry {
    @inline(__always)
    init(_ node: ReadyQueue.NodePointer, _ bucket: Int, readySince: PaginatorInstant) {
        self.init(
            task: node.pointee.task, priority: bucket >= 4 ? .high : bucket >= 2 ? .medium : .low,
            isPrefetch: ReadyQueue.isForPrefetches(bucket), readySince: readySince)
    }
}

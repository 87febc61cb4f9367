import PaginatorCore

/// A queue of tasks for each priority, as rings in memory of their own: the least that hands tasks out by priority, then
/// in order of arrival. Nothing in it can be cancelled, moved or found by its age.
final class FIFORings {
    struct Task {
        let task: SchedulerTask
        let readySince: PaginatorInstant

        @inline(__always)
        init(_ number: Int) {
            task = SchedulerTask(client: 1, id: UInt64(number))
            readySince = PaginatorInstant(nanoseconds: Int64(number))
        }
    }

    private struct Ring {
        private var tasks = UnsafeMutablePointer<Task>.allocate(capacity: 16)
        private var capacity = 16
        private var first = 0
        private var count = 0

        @inline(__always)
        mutating func append(_ task: Task) {
            if count == capacity { grow() }
            (tasks + ((first &+ count) & (capacity &- 1))).initialize(to: task)
            count &+= 1
        }

        private mutating func grow() {
            let larger = UnsafeMutablePointer<Task>.allocate(capacity: 2 * capacity)
            for place in 0..<count { (larger + place).initialize(to: tasks[(first + place) & (capacity - 1)]) }
            tasks.deallocate()
            tasks = larger
            capacity *= 2
            first = 0
        }

        @inline(__always)
        mutating func popFirst() -> Task? {
            guard count > 0 else { return nil }
            let task = tasks[first]
            first = (first &+ 1) & (capacity &- 1)
            count &-= 1
            return task
        }

        func deallocate() { tasks.deallocate() }
    }

    private var low = Ring()
    private var medium = Ring()
    private var high = Ring()

    deinit {
        for ring in [low, medium, high] { ring.deallocate() }
    }

    @inline(__always)
    func add(_ number: Int, _ priority: FetchPriority) {
        switch priority {
        case .low: low.append(Task(number))
        case .medium: medium.append(Task(number))
        case .high: high.append(Task(number))
        }
    }

    @inline(__always)
    func take() -> Task? { high.popFirst() ?? medium.popFirst() ?? low.popFirst() }
}

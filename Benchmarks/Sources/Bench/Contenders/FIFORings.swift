import PaginatorCore

/// A queue of tasks for each priority, as rings in memory of their own: the least that hands tasks out by priority, then
/// in order of arrival. Nothing in it can be cancelled, moved or found by its age.
struct FIFORings: ~Copyable {
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
        private(set) var tasks = UnsafeMutablePointer<Task>.allocate(capacity: 16)
        private var capacity = 16
        private var first = 0
        private(set) var count = 0

        @inline(__always)
        mutating func append(_ task: Task) {
            if count == capacity { grow() }
            (tasks + ((first &+ count) & (capacity &- 1))).initialize(to: task)
            count &+= 1
        }

        @inline(never)
        private mutating func grow() {
            let larger = UnsafeMutablePointer<Task>.allocate(capacity: 2 * capacity)
            (larger).initialize(from: tasks + first, count: capacity - first)
            (larger + (capacity - first)).initialize(from: tasks, count: first)
            tasks.deallocate()
            tasks = larger
            capacity *= 2
            first = 0
        }

        /// Takes the first task out of a ring that has one.
        @inline(__always)
        mutating func removeFirst() -> Task {
            let task = tasks[first]
            first = (first &+ 1) & (capacity &- 1)
            count &-= 1
            return task
        }
    }

    /// By priority; behind a pointer, so that no access is checked for exclusivity at run time.
    private let rings = UnsafeMutablePointer<Ring>.allocate(capacity: 3)
    /// One bit for each ring that has tasks.
    private let filled = UnsafeMutablePointer<Int>.allocate(capacity: 1)

    init() {
        for priority in 0..<3 { (rings + priority).initialize(to: Ring()) }
        filled.initialize(to: 0)
    }

    deinit {
        for priority in 0..<3 { rings[priority].tasks.deallocate() }
        rings.deallocate()
        filled.deallocate()
    }

    @inline(__always)
    func add(_ number: Int, _ priority: FetchPriority) {
        rings[priority.rawValue].append(Task(number))
        filled.pointee |= 1 &<< priority.rawValue
    }

    @inline(__always)
    func take() -> Task? {
        guard filled.pointee != 0 else { return nil }
        let priority = Int.bitWidth - 1 - filled.pointee.leadingZeroBitCount
        let task = rings[priority].removeFirst()
        // Without a branch, which a processor would often guess wrongly.
        filled.pointee &= ~((rings[priority].count == 0 ? 1 : 0) &<< priority)
        return task
    }
}

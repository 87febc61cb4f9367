import PaginatorCore

/// A queue of tasks for each priority, as rings in arrays: the least that hands tasks out by priority. Nothing in it can
/// be cancelled or moved.
struct FIFORings {
    private struct Ring {
        var tasks: [HeapTask]
        var first = 0
        var count = 0

        mutating func append(_ task: HeapTask) {
            if count == tasks.count { grow(task) }
            tasks[(first &+ count) & (tasks.count &- 1)] = task
            count += 1
        }

        private mutating func grow(_ filler: HeapTask) {
            var larger = [HeapTask](repeating: filler, count: 2 * tasks.count)
            for place in 0..<count { larger[place] = tasks[(first + place) & (tasks.count - 1)] }
            tasks = larger
            first = 0
        }

        mutating func popFirst() -> HeapTask? {
            guard count > 0 else { return nil }
            let task = tasks[first]
            first = (first &+ 1) & (tasks.count &- 1)
            count -= 1
            return task
        }
    }

    private var low = Ring(tasks: [HeapTask](repeating: HeapTask(0, .low), count: 16))
    private var medium = Ring(tasks: [HeapTask](repeating: HeapTask(0, .low), count: 16))
    private var high = Ring(tasks: [HeapTask](repeating: HeapTask(0, .low), count: 16))

    mutating func add(_ task: HeapTask) {
        switch task.priority {
        case 0: low.append(task)
        case 1: medium.append(task)
        default: high.append(task)
        }
    }

    mutating func take() -> HeapTask? { high.popFirst() ?? medium.popFirst() ?? low.popFirst() }
}

import PaginatorCore

extension PaginatorScheduler {
    /// How many tasks wait for their turn, or back off, up to a thousand of each.
    var queuedTasks: Int {
        guard case .fields(let fields) = state else { return 0 }
        return fields.reduce(0) { sum, field in
            guard case .list(let tasks) = field.value, field.name == "waiting" || field.name == "backingOff" else {
                return sum
            }
            return sum + tasks.count
        }
    }
}

import PaginatorCore

extension PaginatorInspector {
    /// Records the states of all that is attached, as they are now; one that has not changed is not recorded again.
    ///
    /// It is done by itself for ``recording()``, some times a second while somebody looks, when something is attached or
    /// detached, and else some seconds after something happened; see ``PaginatorInspectorConfig``. Call it where a state is to
    /// be kept that would pass unseen.
    /// Complexity: O(pages in memory and of stores, at most 2,000 each, loads and rows).
    public func recordStates() {
        // First: what happens from here on is news.
        recorder.statesAreTaken()
        recordStates(of: nil)
        // Lists and stores tell of no events.
        if watched.withLock({ $0.values.contains(where: \.isSilent) }) { recorder.expectStates() }
    }

    /// Records the states of some subjects; of all, and what has ended meanwhile, for `nil`.
    func recordStates(of numbers: Set<UInt16>?) {
        let watched = watched.withLock { $0 }.sorted { $0.key < $1.key }
        let time = time
        var states: [(subject: UInt16, scheduler: UInt16, state: JSONValue)] = []
        for (number, subject) in watched where numbers?.contains(number) ?? true {
            switch subject.state() {
            case .state(var state):
                if let users = subject.users {
                    let users = Set(users())
                    let numbers = watched.filter { users.contains($0.value.identity) }.map {
                        JSONValue.count(Int($0.key))
                    }
                    state.add("paginators", .list(numbers))
                }
                states.append((number, subject.scheduler?.subject ?? number, state))
            case .unknown: break
            case .gone: if numbers == nil { end(number, subject.serial) }
            }
        }
        let pages = Self.pagesOfTasks(states.map { ($0.scheduler, $0.state) })
        for (subject, _, state) in states {
            var state = state
            for list in ["waiting", "backingOff"] {
                state.change(list) { task in
                    if let name = TaskName(subject, task), let page = pages[name] { task.add("page", page) }
                }
            }
            recorder.record(state, of: subject, at: time)
        }
    }

    // As a reader of changes asks for them; it may ask at any rate.
    func recordStatesIfDue() {
        // By the device's clock, whatever others say: somebody looks.
        let now = SystemPaginatorClock().now
        let isDue = lastStates.withLock { last in
            guard last.map({ $0.duration(to: now) >= config.stateInterval }) ?? true else { return false }
            last = now
            return true
        }
        if isDue { recordStates() }
    }

    /// A task of a scheduler, which does not know the pages that its clients load.
    private struct TaskName: Hashable {
        let scheduler: UInt16
        let client: Int
        let task: Int

        init?(_ scheduler: UInt16, client: JSONValue?, task: JSONValue?) {
            guard let client = client?.whole, let task = task?.whole else { return nil }
            (self.scheduler, self.client, self.task) = (scheduler, client, task)
        }

        init?(_ scheduler: UInt16, _ entry: JSONValue) {
            self.init(scheduler, client: entry["client"], task: entry["task"])
        }
    }

    // Clients of two schedulers may have the same number, and so may their tasks.
    private static func pagesOfTasks(_ states: [(scheduler: UInt16, state: JSONValue)]) -> [TaskName: JSONValue] {
        var pages: [TaskName: JSONValue] = [:]
        for (scheduler, state) in states {
            for load in state["loads"]?.list ?? [] {
                if let name = TaskName(scheduler, client: state["client"], task: load["task"]) {
                    pages[name] = load["page"]
                }
            }
        }
        return pages
    }
}

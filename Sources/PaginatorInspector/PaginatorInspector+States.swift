import PaginatorCore

extension PaginatorInspector {
    /// Records the current states of all subjects, except unchanged ones.
    ///
    /// This happens automatically for ``recording()``, several times a second while a browser is connected, when a
    /// subject is attached or detached, and otherwise some seconds after an event; see ``PaginatorInspectorConfig``.
    /// Call it to record a state that would be missed. Complexity: O(pages in memory and of stores, at most 2,000 each,
    /// loads and rows).
    public func recordStates() {
        // First, because further events are news.
        recorder.statesAreTaken()
        recordStates(of: nil)
        // Lists and stores have no events.
        if watched.withLock({ $0.values.contains(where: \.isSilent) }) { recorder.expectStates() }
    }

    /// Records the states of some subjects; with `nil` of all, and removes released ones.
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

    // For a reader of changes, which may ask at any rate.
    func recordStatesIfDue() {
        // By the device's clock, whatever the others are, because a browser is connected.
        let now = SystemPaginatorClock().now
        let isDue = lastStates.withLock { last in
            guard last.map({ $0.duration(to: now) >= config.stateInterval }) ?? true else { return false }
            last = now
            return true
        }
        if isDue { recordStates() }
    }

    /// A task of a scheduler, which does not know its page.
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

    // Clients of two schedulers, and their tasks, may have equal numbers.
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

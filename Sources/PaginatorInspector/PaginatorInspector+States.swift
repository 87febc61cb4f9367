import PaginatorCore
import PaginatorTesting

extension PaginatorInspector {
    /// Records the current states of all subjects, except unchanged ones.
    ///
    /// This happens automatically for ``recording()``, several times a second while a browser is connected, when a
    /// subject is attached or detached, and otherwise some seconds after an event; see ``PaginatorInspectorConfig``.
    /// Call it to record a state that would be missed. Complexity: O(pages in memory and of stores, at most 2,000 each,
    /// loads and rows).
    public func recordStates() {
        silentInterval.withLock { $0 = config.unseenStateInterval }
        recordAllStates()
    }

    /// Records the current states when its timer fires, each time later while they stay the same.
    func recordStatesUnseen() {
        silentInterval.withLock { interval in
            // A manual clock may be advanced by weeks.
            let isManual = config.clock is ManualPaginatorClock
            let most: Duration = isManual ? .days(2) : max(.minutes(1), config.unseenStateInterval)
            interval = min(interval * 2, most)
        }
        recordAllStates()
    }

    private func recordAllStates() {
        let hasSilent = watched.withLock { $0.values.contains(where: \.isSilent) }
        let interval = silentInterval.withLock { $0 }
        // Before states are taken, because an event after that arms it anew. At last a manual clock comes to rest.
        if hasSilent, interval <= .days(1) {
            stateTimer.withLock { $0 }?.arm(at: config.clock.now.advanced(by: interval))
        }
        recorder.statesAreTaken()
        if recordStates(of: nil), hasSilent { recorder.expectStates() }
    }

    /// Records the states of some subjects; with `nil` of all, and removes released ones.
    ///
    /// - Returns: whether a state is not the same as before.
    @discardableResult
    func recordStates(of numbers: Set<UInt16>?) -> Bool {
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
        var isNew = false
        for (subject, _, state) in states {
            var state = state
            for list in ["waiting", "backingOff"] {
                state.change(list) { task in
                    if let name = TaskName(subject, task), let page = pages[name] { task.add("page", page) }
                }
            }
            if recorder.record(state, of: subject, at: time) { isNew = true }
        }
        return isNew
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

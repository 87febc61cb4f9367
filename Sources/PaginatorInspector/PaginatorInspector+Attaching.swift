public import PaginatorCore
public import PaginatorStorage

extension PaginatorInspector {
    /// Records the events and states of a paginator until the attachment is released, and the states of its scheduler as long
    /// as that is there.
    ///
    /// - Parameters:
    ///   - paginator: which one; it is not kept alive.
    ///   - name: its name for people. Files contain it, also those without keys.
    ///   - faults: what it was made with, so that the page in the browser can force errors; `nil`, the default, for
    ///     nothing.
    /// - Returns: what ends the recording when it is released.
    public func attach<T>(
        _ paginator: CallbackPaginator<T>, name: String, faults: PaginatorInspectorFaults? = nil
    ) -> PaginatorAttachment {
        guard config.isEnabled else { return .none }
        let engine = paginator.engine
        let times = TimeLine(self, clock: engine.clock)
        let scheduler = number(of: engine.scheduler, name: "Scheduler of \(name)", isNamedByUser: false)
        let subject = Watched(
            object: { [weak engine] in engine },
            state: { [weak engine] in engine.map { JSONValue($0.state, times) } },
            perform: { [weak paginator] command in
                guard let paginator else { throw PaginatorInspectorError(.gone) }
                try command.perform(on: paginator, faults: faults)
            })
        return attach(.paginator, name, subject, relate: { $0.scheduler = scheduler }) { [recorder] number in
            engine.tap { event in recorder.record(event, of: number, at: times.time(of: event.time)) }
        }
    }

    /// Records the states of a scheduler until the attachment is released.
    ///
    /// That of a paginator that is attached is recorded anyway; this gives it a name.
    ///
    /// - Parameters:
    ///   - scheduler: which one; it is not kept alive.
    ///   - name: its name for people. Files contain it, also those without keys.
    /// - Returns: what ends the recording when it is released.
    public func attach(_ scheduler: PaginatorScheduler, name: String) -> PaginatorAttachment {
        guard config.isEnabled, let number = number(of: scheduler, name: name, isNamedByUser: true) else {
            return .none
        }
        return PaginatorAttachment(subject: number) { [weak self] in self?.end(number) }
    }

    /// Records the states of a list until the attachment is released: its pages, gaps and window, and what it loads.
    ///
    /// - Parameters:
    ///   - list: which one; it is not kept alive.
    ///   - name: its name for people. Files contain it, also those without keys.
    /// - Returns: what ends the recording when it is released.
    public func attach<T, ID>(_ list: PaginatorList<T, ID>, name: String) -> PaginatorAttachment {
        let engine = list.paginator.base.engine
        let times = TimeLine(self, clock: engine.clock)
        let paginator = watched.withLock { $0.first { $0.value.object() === engine }?.key }
        let latest = Guarded<JSONValue>(.object([]))
        let subject = Watched(
            object: { [weak list] in list },
            state: { [weak list] in
                guard let list else { return nil }
                // While the list is at work, it is told later: then this is its state of the time before.
                list.readState { state in
                    let json = JSONValue(state, times)
                    latest.withLock { $0 = json }
                }
                return latest.withLock { $0 }
            },
            perform: { [weak list] command in
                guard let list else { throw PaginatorInspectorError(.gone) }
                guard case .refresh = command.action, command.page == nil else {
                    throw PaginatorInspectorError(.impossible)
                }
                list.refresh()
            })
        return attach(.list, name, subject, relate: { $0.paginator = paginator })
    }

    /// Records the states of a store until the attachment is released: what waits to be written, and what it has done.
    ///
    /// - Parameters:
    ///   - store: which one; it is not kept alive.
    ///   - name: its name for people. Files contain it, also those without keys.
    /// - Returns: what ends the recording when it is released.
    public func attach<T>(_ store: PageFileStore<T>, name: String) -> PaginatorAttachment {
        let subject = Watched(
            object: { [weak store] in store },
            state: { [weak store] in store.map { JSONValue($0.statistics, pendingWrites: $0.pendingChanges) } },
            perform: { _ in throw PaginatorInspectorError(.impossible) })
        return attach(.store, name, subject)
    }

    private func number(of scheduler: PaginatorScheduler, name: String, isNamedByUser: Bool) -> UInt16? {
        let known = watched.withLock { $0.first { $0.value.object() === scheduler }?.key }
        if let known {
            if isNamedByUser { recorder.rename(known, name) }
            return known
        }
        let times = TimeLine(self, clock: scheduler.clock)
        let subject = Watched(
            object: { [weak scheduler] in scheduler },
            state: { [weak scheduler] in scheduler.map { JSONValue($0.state, times) } },
            perform: { _ in throw PaginatorInspectorError(.impossible) })
        guard let number = recorder.add(.scheduler, name, { _ in }) else { return nil }
        watched.withLock { $0[number] = subject }
        return number
    }

    func attach(
        _ kind: RecordedSubject.Kind, _ name: String, _ subject: Watched,
        relate: (inout RecordedSubject) -> Void = { _ in },
        _ begin: (_ subject: UInt16) -> @Sendable () -> Void = { _ in {} }
    ) -> PaginatorAttachment {
        guard config.isEnabled, let number = recorder.add(kind, name, relate) else { return .none }
        watched.withLock { $0[number] = subject }
        let stop = begin(number)
        return PaginatorAttachment(subject: number) { [weak self] in
            stop()
            self?.end(number)
        }
    }

    func end(_ subject: UInt16) {
        let gone = watched.withLock { $0.removeValue(forKey: subject) }
        // It may be the last reference to faults, which belong to the user.
        withExtendedLifetime(gone) {}
        recorder.detach(subject)
    }
}

extension PaginatorAttachment {
    static var none: PaginatorAttachment { PaginatorAttachment(subject: nil) {} }
}

extension JSONValue {
    fileprivate init(_ statistics: PageStoreStatistics, pendingWrites: Int) {
        self = .members([
            "pendingWrites": .count(pendingWrites), "hits": .count(statistics.hits),
            "misses": .count(statistics.misses),
            "savedPages": .count(statistics.savedPages), "commits": .count(statistics.commits),
            "failedCommits": .count(statistics.failedCommits), "failedLoads": .count(statistics.failedLoads),
            "damagedPages": .count(statistics.damagedPages), "evictions": .count(statistics.evictions),
            "codecMismatches": .count(statistics.codecMismatches), "replacedFiles": .count(statistics.replacedFiles),
        ])
    }
}

public import PaginatorCore
public import PaginatorLists
public import PaginatorStorage

extension PaginatorInspector {
    /// Records the events and states of a paginator, and the states of its scheduler, until the attachment is released.
    ///
    /// A subject that is attached more than once is recorded once, under the last name, until its last attachment ends.
    ///
    /// - Parameters:
    ///   - paginator: the paginator, which is not retained.
    ///   - name: its name for display. Files contain it, also those without keys.
    ///   - faults: the faults that it was created with, so that the browser's page can force errors; `nil`, the
    ///     default, for none.
    /// - Returns: the attachment; releasing it ends the recording.
    public func attach<T>(
        _ paginator: CallbackPaginator<T>, name: String, faults: PaginatorInspectorFaults? = nil
    ) -> PaginatorAttachment {
        guard config.isEnabled else { return .none }
        let engine = paginator.engine
        let times = TimeLine(self, clock: engine.clock)
        var subject = Watched(engine) { JSONValue($0.state, times) }
        subject.perform = { [weak paginator] command in
            guard let paginator else { throw PaginatorInspectorError(.gone) }
            try command.perform(on: paginator, faults: faults)
        }
        subject.faults = faults
        subject.scheduler = attach(engine.scheduler, name: "Scheduler of \(name)", isNamedByUser: false)
        return attach(.paginator, name, subject) { [recorder] number in
            engine.tap { [weak recorder] event in recorder?.record(event, of: number, at: times.time(of: event.time)) }
        }
    }

    /// Records the states of a scheduler until the attachment is released.
    ///
    /// The scheduler of an attached paginator is recorded anyway; this gives it a name.
    ///
    /// - Parameters:
    ///   - scheduler: the scheduler, which is not retained.
    ///   - name: its name for display. Files contain it, also those without keys.
    /// - Returns: the attachment; releasing it ends the recording.
    public func attach(_ scheduler: PaginatorScheduler, name: String) -> PaginatorAttachment {
        attach(scheduler, name: name, isNamedByUser: true)
    }

    private func attach(
        _ scheduler: PaginatorScheduler, name: String, isNamedByUser: Bool
    ) -> PaginatorAttachment {
        let times = TimeLine(self, clock: scheduler.clock)
        let subject = Watched(scheduler) { JSONValue($0.state, times) }
        return attach(.scheduler, name, subject, isNamedByUser: isNamedByUser)
    }

    /// Records the states of a list until the attachment is released: its pages, gaps, window and loads.
    ///
    /// - Parameters:
    ///   - list: the list, which is not retained.
    ///   - name: its name for display. Files contain it, also those without keys.
    /// - Returns: the attachment; releasing it ends the recording.
    public func attach<T, ID>(_ list: PaginatorList<T, ID>, name: String) -> PaginatorAttachment {
        let engine = list.paginator.base.engine
        let times = TimeLine(self, clock: engine.clock)
        let latest = Guarded<JSONValue?>(nil)
        var subject = Watched(list) { list in
            // A list at work answers later; until then the previous state is used.
            list.readState { state in
                let json = JSONValue(state, times)
                latest.withLock { $0 = json }
            }
            return latest.withLock { $0 }
        } perform: { list, command in
            guard case .refresh = command.action, command.page == nil else {
                throw PaginatorInspectorError(.impossible)
            }
            list.refresh()
        }
        subject.engine = ObjectIdentifier(engine)
        subject.isSilent = true
        return attach(.list, name, subject)
    }

    /// Records the states of a store until the attachment is released: its content, waiting changes, and statistics.
    ///
    /// - Parameters:
    ///   - store: the store, which is not retained.
    ///   - name: its name for display. Files contain it, also those without keys.
    /// - Returns: the attachment; releasing it ends the recording.
    public func attach<T>(_ store: PageFileStore<T>, name: String) -> PaginatorAttachment {
        let (start, clock) = (start, config.clock)
        let known = Guarded<TimeLine?>(nil)
        var subject = Watched(store) { store in
            // Its clock is that of its first paginator, which may be attached later; before that no timer runs.
            let own = store.attachedClock
            let times =
                known.withLock { $0 } ?? TimeLine(elapsed: start.duration(to: clock.now), clock: own ?? clock)
            if own != nil { known.withLock { $0 = times } }
            return JSONValue(store.state, times)
        }
        subject.users = { [weak store] in store?.users ?? [] }
        subject.isSilent = true
        return attach(.store, name, subject)
    }
}

extension PaginatorAttachment {
    static var none: PaginatorAttachment { PaginatorAttachment(subject: nil) {} }
}

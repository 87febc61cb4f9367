public import PaginatorCore

extension PaginatorInspector {
    /// Records the events and states of a paginator, and the states of its scheduler, until the attachment is released.
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
        guard config.isEnabled, let number = number(of: scheduler, name: name, isNamedByUser: true) else { return .none }
        return PaginatorAttachment(subject: number) { [weak self] in self?.end(number) }
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
            perform: { [weak scheduler] command in
                guard let scheduler else { throw PaginatorInspectorError(.gone) }
                try command.perform(on: scheduler)
            })
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

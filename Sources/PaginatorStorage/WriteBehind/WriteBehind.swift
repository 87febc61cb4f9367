import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Runs ``WriteBehindMachine``: reads and writes the file, encodes, decodes and answers, on threads of the executor. It
/// outlives its ``PageFileStore`` until all waiting changes are written.
final class WriteBehind<T: Sendable>: Sendable {
    /// Its waiters are the completions of callers.
    typealias Machine = WriteBehindMachine<
        T, @Sendable (Result<StoredPage<T>?, PaginatorError>) -> Void,
        @Sendable (Result<Void, PaginatorError>) -> Void
    >

    /// `@unchecked Sendable`: `shell` is set once, before the driver is used; a weak reference may be read from any thread.
    /// `kept` is guarded by the driver's lock.
    private final class Owner: @unchecked Sendable {
        weak var shell: WriteBehind?
        /// Keeps a released store, which the timer does not retain, until its busy file has been tried again.
        var kept: WriteBehind?
    }

    private struct State {
        var statistics = PageStoreStatistics()
        /// The content of the file; `nil` while it is unknown.
        var usage: PageUsage?
        /// The limits and pages as last shown.
        var shown: [(name: String, value: StateValue)] = []
        var lifetime: Duration?
        /// The attached paginators.
        var listeners: [(number: Int, environment: StoreEnvironment)] = []
        var lastListener = 0
    }

    private let file: any PageFile
    private let coder: PageRecordCoder<T>
    private let writer: BatchWriter<T>
    private let executor: any WorkExecutor
    private let clock = AttachedClock()
    private let state: Guarded<State>
    private let driver: MachineDriver<Machine>
    private let owner = Owner()

    init(
        file: any PageFile, codec: any PageCodec<T>, strategy: EvictionStrategy, config: WriteBehindConfig
    ) {
        self.file = file
        coder = PageRecordCoder(codec: codec)
        writer = BatchWriter(
            file: file, coder: coder, strategy: strategy, clock: clock,
            maxBatchChanges: config.normalized.maxBatchChanges)
        executor = config.executor
        state = Guarded(State(lifetime: strategy.lifetime))
        driver = MachineDriver(Machine(config: config), clock: clock) { [executor, owner] in
            // Weak: a released store is closed, and needs no timer unless its file is busy.
            executor.run { owner.shell?.feed(.timePassed) }
        }
        owner.shell = self
    }

    var statistics: PageStoreStatistics { state.withLock { $0.statistics } }

    var pendingChanges: Int { driver.withMachine { $0.pendingChanges } }

    var users: [ObjectIdentifier] {
        state.withLock { $0.listeners }.compactMap { $0.environment.user?().map(ObjectIdentifier.init) }
    }

    /// The clock of the first attached paginator.
    var attachedClock: (any PaginatorClock)? { clock.attached }

    /// The state for the inspector.
    var stateValue: StateValue {
        let now = writer.state
        let (statistics, usage, shown) = state.withLock { state in
            if let now { state.shown = now }
            return (state.statistics, state.usage, state.shown)
        }
        let (pending, isFlushing, timers) = driver.withMachine {
            ($0.pendingChanges, !$0.flushWaiters.isEmpty, $0.timers)
        }
        let counts: KeyValuePairs<String, StateValue?> = [
            "pages": usage.map { .count($0.pages) }, "items": usage.map { .count($0.items) },
            "bytes": usage.map { .count($0.bytes) }, "pendingWrites": .count(pending), "flushing": .flag(isFlushing),
            "hits": .count(statistics.hits), "misses": .count(statistics.misses),
            "savedPages": .count(statistics.savedPages), "commits": .count(statistics.commits),
            "failedCommits": .count(statistics.failedCommits), "failedLoads": .count(statistics.failedLoads),
            "damagedPages": .count(statistics.damagedPages), "evictions": .count(statistics.evictions),
            "codecMismatches": .count(statistics.codecMismatches), "replacedFiles": .count(statistics.replacedFiles),
            "timers": timers,
        ]
        guard case .fields(let fields) = StateValue(counts) else { return StateValue(counts) }
        return .fields(fields + shown)
    }

    func invariantViolations() -> [String] { driver.withMachine { $0.invariantViolations() } }

    func attach(to environment: StoreEnvironment) {
        let known = state.withLock { $0.listeners }
        // The first one stays, because its clock is in use. Released paginators are removed when another is attached.
        // They are checked and released without the lock, since this may be the last reference.
        let gone = Set(known.dropFirst().filter { $0.environment.user.map { $0() == nil } ?? false }.map(\.number))
        let isFirst = state.withLock { state in
            state.lastListener += 1
            state.listeners.removeAll { gone.contains($0.number) }
            state.listeners.append((state.lastListener, environment))
            return state.lastListener == 1
        }
        // A second paginator is only a listener, and so is one attached after the first call, because the strategy is
        // in use.
        guard isFirst, driver.withMachine({ $0.isUntouched }) else { return }
        clock.attach(to: environment.clock)
        if let strategy = environment.evictionStrategy {
            // Before the recovery no other code uses the writer.
            writer.attach(strategy: strategy)
            state.withLock { $0.lifetime = strategy.lifetime }
        }
        feed(.start)
    }

    // MARK: - Actions

    /// Handles an event, and runs everything that may block, or is user code, on threads of the executor. Reports come
    /// before the answers of the same event and what it starts: a caller learns that the old file was replaced before
    /// it gets an answer of the new one.
    func feed(_ event: Machine.Event, onOwnThread isOwnThread: Bool = false) {
        var reports: [PaginatorError] = []
        var jobs: [@Sendable () -> Void] = []
        // Collected, because a report may be decided after the answers that it must precede.
        driver.feed(event, ordered: { _, _ in }) { action in
            switch action {
            case .recover: jobs.append { self.recover() }
            case .read(let token, let identity): jobs.append { self.read(token, identity) }
            case .prepare(let batch): jobs.append { self.prepare(batch) }
            case .commit(let batch): jobs.append { self.commit(batch) }
            case .answer(let completion, let answer): jobs.append { completion(self.result(of: answer)) }
            case .accept(let completion, let error), .flushed(let completion, let error):
                jobs.append { completion(error.map(Result.failure) ?? .success(())) }
            case .report(let error): reports.append(error)
            }
        }
        switch event {
        case .close, .recovered, .prepared, .committed:
            driver.withMachine { owner.kept = $0.isWaitingToClose ? self : nil }
        case .start, .load, .apply, .flush, .timePassed, .readFinished, .fileWasReplaced: break
        }
        guard !reports.isEmpty else {
            // A thread that has read continues with the answer, which avoids a switch to another thread.
            let next = isOwnThread && !jobs.isEmpty ? jobs.removeFirst() : nil
            jobs.forEach(executor.run)
            next?()
            return
        }
        executor.run { [reports, jobs] in
            for error in reports {
                if error.storeKind == .replaced { self.state.withLock { $0.statistics.replacedFiles += 1 } }
                self.tell(PaginatorEvent(failureOfStore: error, at: self.clock.now))
            }
            jobs.forEach(self.executor.run)
        }
    }

    private func tell(_ event: PaginatorEvent) {
        for listener in state.withLock({ $0.listeners }) { listener.environment.report(event) }
    }

    private func tell(_ kind: PaginatorEvent.Kind, since start: PaginatorInstant, _ set: (inout PaginatorEvent) -> Void)
    {
        let now = clock.now
        var event = PaginatorEvent(kind, at: now)
        event.origin = .store
        event.duration = start.duration(to: now)
        set(&event)
        tell(event)
    }

    private func recover() {
        do {
            let hasWork = try writer.recover()
            let usage = writer.facts.usage
            state.withLock { $0.usage = usage }
            feed(.recovered(.success(hasWork)))
        } catch {
            feed(.recovered(.failure(error)))
        }
    }

    private func prepare(_ batch: Machine.Batch) {
        do {
            feed(.prepared(.success(try writer.prepare(batch))))
        } catch {
            // Counts as a commit: the statistics show whether changes reach the file.
            state.withLock { $0.statistics.failedCommits += 1 }
            feed(.prepared(.failure(error)))
        }
    }

    private func commit(_ batch: Machine.Batch) {
        do {
            let start = clock.now
            let errors = try writer.write(batch)
            // Read here, where no other batch can run, because the event below starts the next one.
            let (usage, evictions) = writer.facts
            let saved = batch.changes.count { if case .save = $0 { true } else { false } }
            let evicted = state.withLock { state in
                defer { state.statistics.evictions = evictions }
                state.statistics.commits += 1
                state.usage = usage
                state.statistics.savedPages += saved
                return evictions - state.statistics.evictions
            }
            tell(.stored, since: start) { $0.count = saved }
            if evicted > 0 {
                var event = PaginatorEvent(.storeEvicted, at: clock.now)
                event.count = evicted
                tell(event)
            }
            feed(.committed(.success(errors)))
        } catch {
            state.withLock { $0.statistics.failedCommits += 1 }
            feed(.committed(.failure(error)))
        }
    }

    private func read(_ token: Int, _ identity: PageIdentity) {
        let result: Machine.ReadResult
        do {
            result = found(try readOnceMore(identity), of: identity)
        } catch {
            result = error.storeKind == .damagedPage ? .damaged(error) : .failed(error)
        }
        state.withLock { state in
            switch result {
            case .absent: state.statistics.misses += 1
            case .page: state.statistics.hits += 1
            case .damaged: state.statistics.damagedPages += 1
            case .failed: state.statistics.failedLoads += 1
            }
        }
        feed(.readFinished(token, result), onOwnThread: true)
    }

    /// Reads from the file, or from its replacement if it is damaged.
    private func readOnceMore(_ identity: PageIdentity) throws(PaginatorError) -> PageRecord? {
        do {
            return try file.read(identity)
        } catch {
            guard error.storeKind == .replaced else { throw error }
            // Before the second read, whose result belongs to the new file.
            feed(.fileWasReplaced(error))
            return try file.read(identity)
        }
    }

    private func found(_ record: PageRecord?, of identity: PageIdentity) -> Machine.ReadResult {
        guard let record else { return .absent }
        let start = clock.now
        let decoded = coder.decode(record, of: identity)
        tell(.decoded, since: start) { $0.identity = identity }
        switch decoded {
        case .page(let page): return .page(page)
        // A miss, but not removed, because an older version of the app may read it.
        case .otherCodec:
            state.withLock { $0.statistics.codecMismatches += 1 }
            return .absent
        case .damaged(let error): return .damaged(error)
        }
    }

    private func result(of answer: Machine.Answer) -> Result<StoredPage<T>?, PaginatorError> {
        switch answer {
        case .absent: return .success(nil)
        case .failed(let error): return .failure(error)
        case .page(let page, let edits, let isInvalidated):
            // Applied here and not in the machine, because edits are user code.
            let edited = page.edited(by: edits) ?? page
            let isStale = edited.isInvalidated || isInvalidated || isOlderThanAllowed(edited)
            return .success(StoredPage(page: edited.page, fetchedAt: edited.fetchedAt, isInvalidated: isStale))
        }
    }

    private func isOlderThanAllowed(_ page: StoredPage<T>) -> Bool {
        // By the wall clock, which also runs while the process does not. A page that looks too old is stale and not
        // removed, because the clock may have been set.
        guard let lifetime = state.withLock({ $0.lifetime }) else { return false }
        return clock.wallTime.timeIntervalSince(page.fetchedAt) >= lifetime.inSeconds
    }
}

/// The clock of the first attached paginator, otherwise the system's.
private final class AttachedClock: PaginatorClock {
    private let known = Guarded<(any PaginatorClock)?>(nil)

    /// The paginator's clock.
    var attached: (any PaginatorClock)? { known.withLock { $0 } }

    private var clock: any PaginatorClock { attached ?? SystemPaginatorClock() }

    func attach(to clock: any PaginatorClock) {
        known.withLock { $0 = clock }
    }

    var now: PaginatorInstant { clock.now }

    var wallTime: Date { clock.wallTime }

    func makeTimer(_ handler: @escaping @Sendable () -> Void) -> any PaginatorTimer {
        clock.makeTimer(handler)
    }
}

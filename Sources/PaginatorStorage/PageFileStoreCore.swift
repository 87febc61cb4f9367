import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The shell around the write-behind machine: feeds it one event at a time and performs what it decided, in that order.
///
/// No lock is held meanwhile, because items that go with an event may do anything in their `deinit`, such as ask this store.
///
/// `@unchecked Sendable`: `machine`, `environments` and `timer` are used only while an event of `events` is worked on, which
/// one thread does at a time.
final class PageFileStoreCore<T: Sendable>: @unchecked Sendable {
    typealias Machine = WriteBehindMachine<StoredPage<T>, PageEdit<T>, StoreWaiter<T>>

    /// What any thread may look at.
    private struct State {
        var statistics = PageStoreStatistics()
        var pendingChanges = 0
        var clock: any PaginatorClock = SystemPaginatorClock()
        var lifetime: Duration?
    }

    private let file: any PageFile
    private let coder: PageRecordCoder<T>
    private let writer: BatchWriter<T>
    private let executor: any WorkExecutor
    private let events = SerialMailbox<@Sendable () -> [Machine.Action]>()
    private let state: Guarded<State>
    private var machine: Machine
    private var environments: [StoreEnvironment] = []
    private var timer: (any PaginatorTimer)?

    init(
        file: any PageFile,
        coder: PageRecordCoder<T>,
        strategy: any PaginatorEvictionStrategy,
        config: WriteBehindConfig
    ) {
        self.file = file
        self.coder = coder
        writer = BatchWriter(file: file, coder: coder, strategy: strategy, clock: SystemPaginatorClock())
        executor = config.executor
        machine = Machine(config: config)
        state = Guarded(State(lifetime: EvictionStrategy(strategy).lifetime))
    }

    var statistics: PageStoreStatistics { state.withLock { $0.statistics } }

    var pendingChanges: Int { state.withLock { $0.pendingChanges } }

    // MARK: - Calls

    func attach(to environment: StoreEnvironment) {
        feed { [self] in
            let isFirst = environments.isEmpty
            // The first one stays: its clock is in use. Of the others those that are gone go when another one comes.
            environments = environments.prefix(1) + environments.dropFirst().filter { $0.isInUse() } + [environment]
            // A second paginator only listens: the first one's strategy and clock are in use.
            guard isFirst else { return [] }
            let start = machine.start()
            // Used before it was attached: its own strategy is in use.
            if !start.isEmpty { writer.attach(strategy: environment.evictionStrategy, clock: environment.clock) }
            let strategy = start.isEmpty ? nil : environment.evictionStrategy.map { EvictionStrategy($0) }
            state.withLock { state in
                state.clock = environment.clock
                if let strategy { state.lifetime = strategy.lifetime }
            }
            return start
        }
    }

    func load(
        _ identity: PageIdentity, completion: @escaping @Sendable (Result<StoredPage<T>?, PaginatorError>) -> Void
    ) {
        feed { [self] in machine.load(identity, for: .load(completion)) }
    }

    func apply(_ changes: [StoreChange<T>], accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        let changes = changes.map { change -> Machine.Change in
            switch change {
            case .save(let identity, let page): .save(identity, page, cost: max(512, page.page.byteCount))
            case .remove(let selection): .remove(selection)
            case .invalidate(let selection): .invalidate(selection)
            case .edit(let selection, let edit): .edit(selection, edit)
            }
        }
        feed { [self] in machine.apply(changes, for: .done(accepted)) }
    }

    func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        feed { [self] in machine.flush(for: .done(completion)) }
    }

    func close() {
        feed { [self] in machine.close() }
    }

    // MARK: - Actions

    /// Works on an event, or leaves it to the thread that works on another one.
    private func feed(_ event: @escaping @Sendable () -> [Machine.Action]) {
        events.post(event) { event in
            let actions = event()
            let pending = machine.pendingChanges
            state.withLock { $0.pendingChanges = pending }
            perform(actions)
        }
    }

    /// Performs the actions of one event. Everything that may block, or is a user's, has a thread of the executor; reports
    /// are told before the answers of the same event.
    private func perform(_ actions: [Machine.Action]) {
        var reports: [PaginatorError] = []
        var answers: [@Sendable () -> Void] = []
        for action in actions {
            switch action {
            case .recover: executor.run { self.recover() }
            case .read(let token, let identity): executor.run { self.read(token, identity) }
            case .prepare(let batch): executor.run { self.prepare(batch) }
            case .commit(let batch): executor.run { self.commit(batch) }
            case .answer(let waiter, let answer): answers.append { self.answer(waiter, answer) }
            case .accept(let waiter, let error), .flushed(let waiter, let error):
                guard case .done(let completion) = waiter else { continue }
                answers.append { completion(error.map(Result.failure) ?? .success(())) }
            case .arm(let pause): arm(pause)
            case .report(let error): reports.append(error)
            }
        }
        guard !reports.isEmpty else { return answers.forEach(executor.run) }
        executor.run { [reports, answers, executor, listeners = environments.map(\.report)] in
            for error in reports { self.tell(error, listeners) }
            answers.forEach(executor.run)
        }
    }

    private func arm(_ pause: Duration) {
        let clock = clock
        // Weakly: a store that nobody holds any more is closed, and needs no timer. The timers' thread only passes it on.
        let timer =
            timer
            ?? clock.makeTimer { [weak self, executor] in
                executor.run { [weak self] in
                    guard let self else { return }
                    feed { self.machine.timerFired() }
                }
            }
        self.timer = timer
        timer.arm(at: clock.now.advanced(by: pause))
    }

    private func tell(_ error: PaginatorError, _ listeners: [@Sendable (PaginatorError) -> Void]) {
        if error.storeKind == .replaced { state.withLock { $0.statistics.replacedFiles += 1 } }
        for listener in listeners { listener(error) }
    }

    private func recover() {
        do {
            let hasWork = try writer.recover()
            feed { [self] in machine.recovered(nil, hasWork: hasWork) }
        } catch {
            feed { [self] in machine.recovered(error, hasWork: false) }
        }
    }

    private func prepare(_ batch: Machine.Batch) {
        do {
            try writer.prepare(batch)
            feed { [self] in machine.prepared(nil) }
        } catch {
            failed(error) { [self] in machine.prepared(error) }
        }
    }

    private func commit(_ batch: Machine.Batch) {
        do {
            let errors = try writer.write(batch)
            let evictions = writer.evictions
            state.withLock { state in
                state.statistics.commits += 1
                state.statistics.evictions = evictions
                state.statistics.savedPages += batch.changes.count { if case .save = $0 { true } else { false } }
            }
            feed { [self] in machine.commitFinished(nil) + errors.map { .report($0) } }
        } catch {
            failed(error) { [self] in machine.commitFinished(error) }
        }
    }

    private func failed(_ error: PaginatorError, _ event: @escaping @Sendable () -> [Machine.Action]) {
        state.withLock { $0.statistics.failedCommits += 1 }
        feed(event)
    }

    private func read(_ token: Int, _ identity: PageIdentity) {
        let result: Machine.ReadResult
        do {
            result = found(try readOnceMore(identity))
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
        feed { [self] in machine.readFinished(token, result) }
    }

    /// Reads from the file, and from the one that takes its place when it is damaged.
    private func readOnceMore(_ identity: PageIdentity) throws(PaginatorError) -> PageRecord? {
        do {
            return try file.read(identity)
        } catch {
            guard error.storeKind == .replaced else { throw error }
            feed { [self] in machine.fileWasReplaced(error) }
            return try file.read(identity)
        }
    }

    private func found(_ record: PageRecord?) -> Machine.ReadResult {
        guard let record else { return .absent }
        switch coder.decode(record) {
        case .page(let page): return .page(page)
        case .otherCodec:
            state.withLock { $0.statistics.codecMismatches += 1 }
            return .absent
        case .damaged(let error): return .damaged(error)
        }
    }

    private func answer(_ waiter: StoreWaiter<T>, _ answer: Machine.Answer) {
        guard case .load(let completion) = waiter else { return }
        switch answer {
        case .absent: completion(.success(nil))
        case .failed(let error): completion(.failure(error))
        case .page(let page, let edits, let isInvalidated):
            let edited = page.edited(by: edits) ?? page
            let isStale = edited.isInvalidated || isInvalidated || isOlderThanAllowed(edited)
            completion(
                .success(StoredPage(page: edited.page, fetchedAt: edited.fetchedAt, isInvalidated: isStale)))
        }
    }

    private func isOlderThanAllowed(_ page: StoredPage<T>) -> Bool {
        guard let lifetime = state.withLock({ $0.lifetime }) else { return false }
        return clock.wallTime.timeIntervalSince(page.fetchedAt) >= lifetime.inSeconds
    }

    private var clock: any PaginatorClock {
        state.withLock { $0.clock }
    }
}

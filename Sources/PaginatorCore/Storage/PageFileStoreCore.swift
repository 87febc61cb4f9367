#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Somebody who waits for an answer of a store.
enum StoreWaiter<T: Sendable>: Sendable {
    case load(@Sendable (Result<StoredPage<T>?, PaginatorError>) -> Void)
    case done(@Sendable (Result<Void, PaginatorError>) -> Void)
}

/// The shell around the write-behind machine: feeds it under a lock and performs its actions outside.
final class PageFileStoreCore<T: Sendable>: Sendable {
    typealias Machine = WriteBehindMachine<StoredPage<T>, PageEdit<T>, StoreWaiter<T>>

    private struct State {
        var machine: Machine
        var statistics = PageStoreStatistics()
        var environments: [StoreEnvironment] = []
        var timer: (any PaginatorTimer)?
        var lifetime: Duration?
    }

    private let file: any PageFile
    private let coder: PageRecordCoder<T>
    private let writer: BatchWriter<T>
    private let executor: any WorkExecutor
    private let state: Guarded<State>

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
        state = Guarded(
            State(machine: Machine(config: config), lifetime: EvictionStrategy(strategy).lifetime))
    }

    var statistics: PageStoreStatistics { state.withLock { $0.statistics } }

    var pendingChanges: Int { state.withLock { $0.machine.pendingChanges } }

    // MARK: - Calls

    func attach(to environment: StoreEnvironment) {
        feed { state in
            state.environments.append(environment)
            // A second paginator only listens: the first one's strategy and clock are in use.
            guard state.environments.count == 1 else { return [] }
            let start = state.machine.start()
            // Used before it was attached: its own strategy is in use.
            guard !start.isEmpty else { return [] }
            if let strategy = environment.evictionStrategy { state.lifetime = EvictionStrategy(strategy).lifetime }
            writer.attach(strategy: environment.evictionStrategy, clock: environment.clock)
            return start
        }
    }

    func load(
        _ identity: PageIdentity, completion: @escaping @Sendable (Result<StoredPage<T>?, PaginatorError>) -> Void
    ) {
        feed { $0.machine.load(identity, for: .load(completion)) }
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
        feed { $0.machine.apply(changes, for: .done(accepted)) }
    }

    func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        feed { $0.machine.flush(for: .done(completion)) }
    }

    func close() {
        feed { $0.machine.close() }
    }

    // MARK: - Actions

    private func feed(_ event: (inout State) -> [Machine.Action]) {
        for action in state.withLock({ event(&$0) }) { perform(action) }
    }

    private func perform(_ action: Machine.Action) {
        switch action {
        case .recover: executor.run { self.recover() }
        case .read(let token, let identity): executor.run { self.read(token, identity) }
        case .commit(let batch): executor.run { self.commit(batch) }
        case .answer(let waiter, let answer): executor.run { self.answer(waiter, answer) }
        case .accept(let waiter, let error), .flushed(let waiter, let error):
            guard case .done(let completion) = waiter else { return }
            executor.run { completion(error.map(Result.failure) ?? .success(())) }
        case .arm(let pause): arm(pause)
        case .report(let error): report(error)
        }
    }

    private func arm(_ pause: Duration) {
        let clock = clock
        let known = state.withLock { $0.timer }
        // Weakly: a store that nobody holds any more is closed, and needs no timer.
        let timer = known ?? clock.makeTimer { [weak self] in self?.feed { $0.machine.timerFired() } }
        if known == nil { state.withLock { $0.timer = timer } }
        timer.arm(at: clock.now.advanced(by: pause))
    }

    private func report(_ error: PaginatorError) {
        let listeners = state.withLock { state in
            if error.storeKind == .replaced { state.statistics.replacedFiles += 1 }
            return state.environments.map(\.report)
        }
        for listener in listeners { listener(error) }
    }

    private func recover() {
        do {
            let hasWork = try writer.recover()
            feed { $0.machine.recovered(nil, hasWork: hasWork) }
        } catch {
            feed { $0.machine.recovered(error, hasWork: false) }
        }
    }

    private func commit(_ batch: Machine.Batch) {
        do {
            let errors = try writer.write(batch)
            let evictions = writer.evictions
            feed { state in
                state.statistics.commits += 1
                state.statistics.evictions = evictions
                state.statistics.savedPages += batch.changes.count { if case .save = $0 { true } else { false } }
                return state.machine.commitFinished(nil)
            }
            for error in errors { report(error) }
        } catch {
            feed { state in
                state.statistics.failedCommits += 1
                return state.machine.commitFinished(error)
            }
        }
    }

    private func read(_ token: Int, _ identity: PageIdentity) {
        let result: Machine.ReadResult
        do {
            result = found(try readOnceMore(identity))
        } catch {
            result = error.storeKind == .damagedPage ? .damaged(error) : .failed(error)
        }
        feed { state in
            switch result {
            case .absent: state.statistics.misses += 1
            case .page: state.statistics.hits += 1
            case .damaged: state.statistics.damagedPages += 1
            case .failed: state.statistics.failedLoads += 1
            }
            return state.machine.readFinished(token, result)
        }
    }

    /// Reads from the file, and from the one that takes its place when it is damaged.
    private func readOnceMore(_ identity: PageIdentity) throws(PaginatorError) -> PageRecord? {
        do {
            return try file.read(identity)
        } catch {
            guard error.storeKind == .replaced else { throw error }
            feed { $0.machine.fileWasReplaced(error) }
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
        state.withLock { $0.environments.first?.clock } ?? SystemPaginatorClock()
    }
}

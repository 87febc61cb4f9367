/// Calls the store of a paginator in the order of the decisions, off the caller's thread, each with a timeout.
///
/// A store never blocks, so calls only pass through the mailbox, and waiting happens in the store. Its `accepted` is
/// the back-pressure. With 256 saves unaccepted, a page is removed instead of saved, so that no read returns an older
/// page than memory did. For the same reason a change that the store reports as lost has a successor: the removal of a
/// page that was not saved, for instance. With 16,384 changes unaccepted, further changes are dropped and reads are
/// misses; when all are accepted, everything is removed, because the dropped changes are unknown.
///
/// `@unchecked Sendable`: `saves`, `lastSaves`, `lastChange`, `changes`, `isSilent` and `flushes` are guarded by
/// `lock`.
final class StoreCalls: @unchecked Sendable {
    private struct Flush {
        let timer: any PaginatorTimer
        let due: PaginatorInstant
        let completion: @Sendable (Result<Void, PaginatorError>) -> Void
        /// Whether the result is that of its own change, such as a clear, and not of the flush.
        let isForChange: Bool
        /// The number of the last change before it; `.max` until its own change has been sent.
        var lastChange = UInt64.max
        var failure: PaginatorError?
    }

    static let saveLimit = 256
    // The maximum number of changes, saves included, that are not accepted yet; equal to the limit of a write-behind.
    static let changeLimit = 16_384
    private static let silence = PaginatorError(
        .storeFailed, "The store accepts no changes; when it does again, everything is removed from it.")

    private let store: StoreOperations
    private let clock: any PaginatorClock
    private let timeout: Duration
    private let executor: any WorkExecutor
    private let report: @Sendable (PaginatorError) -> Void
    private let mailbox: SerialMailbox<@Sendable () -> Void>
    private let lock = Lock()
    private var saves = 0
    // The number of the last save of each page, until it is accepted.
    private var lastSaves: [PageIdentity: UInt64] = [:]
    /// The number of the last change that was sent.
    private var lastChange: UInt64 = 0
    private var changes = 0
    private var isSilent = false
    private let lastFlush = AtomicWord()
    private var flushes: [UInt64: Flush] = [:]

    init(
        store: StoreOperations, clock: any PaginatorClock, timeout: Duration, executor: any WorkExecutor,
        report: @escaping @Sendable (PaginatorError) -> Void
    ) {
        self.store = store
        self.clock = clock
        self.timeout = max(.zero, timeout)
        self.executor = executor
        self.report = report
        mailbox = SerialMailbox(on: executor) { call in call() }
    }

    // Posts a change. The store is never called before this, or a read, returns.
    func change(_ change: StoreOperation) {
        if let failure = lock.withLock({ take(change) }) { report(failure) }
    }

    func read(_ identity: PageIdentity, completion: @escaping @Sendable (Result<LoadedPage?, PaginatorError>) -> Void) {
        let isAsked = lock.withLock {
            if !isSilent { mailbox.post { [store] in store.read(identity, completion) } }
            return !isSilent
        }
        // The store may still have pages that it was to remove.
        if !isAsked { executor.run { completion(.success(nil)) } }
    }

    /// Sends a change, or drops it and returns the error to report, if it is new. The lock is held.
    private func take(_ change: StoreOperation) -> PaginatorError? {
        guard !isSilent, changes < Self.changeLimit else {
            defer { isSilent = true }
            // The store may still answer these flushes with success, although it never got this change.
            failFlushes(after: lastChange + 1, because: Self.silence)
            return isSilent ? nil : Self.silence
        }
        if case .save(let identity, _) = change, saves >= Self.saveLimit {
            send(.remove(.identity(identity)))
            return PaginatorError(.storeFailed, "The store is slower than the source; a page was not stored.")
        }
        send(change)
        return nil
    }

    private func failFlushes(after change: UInt64, because error: PaginatorError) {
        for (number, flush) in flushes where flush.lastChange >= change && flush.failure == nil {
            flushes[number]?.failure = error
        }
    }

    private func send(_ change: StoreOperation, isSuccessor: Bool = false) {
        lastChange += 1
        let number = lastChange
        var saved: PageIdentity?
        if case .save(let identity, _) = change {
            saved = identity
            lastSaves[identity] = number
            saves += 1
        }
        // One at most: a store that fails may go on failing.
        let successor = isSuccessor ? nil : change.successorIfLost
        changes += 1
        mailbox.post { [self, saved] in
            // A store that answers twice must not be counted twice.
            let isFirst = OnceFlag()
            store.change(change) { [self] result in
                if isFirst.take() { accepted(number, saved, successor, result) }
            }
        }
    }

    private func accepted(
        _ number: UInt64, _ saved: PageIdentity?, _ successor: StoreOperation?, _ result: Result<Void, PaginatorError>
    ) {
        // If the successor is lost, too, nothing more is reported.
        let error: PaginatorError? = if successor != nil, case .failure(let error) = result { error } else { nil }
        lock.withLock {
            changes -= 1
            var isLast = true
            if let saved {
                saves -= 1
                isLast = lastSaves[saved] == number
                if isLast { lastSaves[saved] = nil }
            }
            if let error { failFlushes(after: number, because: error) }
            // A page that was saved again since is newer than the lost one, and stays.
            if error != nil, isLast, !isSilent, let successor { send(successor, isSuccessor: true) }
            guard isSilent, changes == 0 else { return }
            // The dropped changes are unknown, so everything is removed.
            isSilent = false
            send(.remove(.all))
        }
        if let error { report(error) }
    }

    /// Makes all changes before it durable, including those of `change`, and those that come before `afterEdits` runs
    /// its argument. Completes once, on any thread, with the first error of the flush, of a change before it, or of the
    /// timeout.
    func flush(
        after change: (() -> Void)? = nil, afterEdits: (@escaping @Sendable () -> Void) -> Void = { $0() },
        completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) {
        let number = lastFlush.add(1)
        // The timer retains this object, because the paginator may be released before the store answers.
        let timer = clock.makeTimer { [self] in
            executor.run { [self] in
                end(number, .failure(PaginatorError(.storeFailed, "The store did not answer a flush in time.")))
            }
        }
        let due = clock.now.advanced(by: timeout)
        lock.withLock {
            flushes[number] = Flush(
                timer: timer, due: due, completion: completion, isForChange: change != nil,
                failure: isSilent ? Self.silence : nil)
        }
        timer.arm(at: due)
        // After the flush is registered, because the change may fail at once.
        change?()
        afterEdits { [self] in
            lock.withLock {
                flushes[number]?.lastChange = lastChange
                mailbox.post { [self] in store.flush { [self] result in end(number, result) } }
            }
        }
    }

    var flushDeadlines: [PaginatorInstant] { lock.withLock { flushes.values.map(\.due) } }

    private func end(_ number: UInt64, _ result: Result<Void, PaginatorError>) {
        let flush = lock.withLock {
            defer { flushes.shrinkIfEmpty() }
            return flushes.removeValue(forKey: number)
        }
        guard let flush else { return }
        flush.timer.disarm()
        // Which error comes first depends on threads; this makes the result deterministic.
        if case .failure = result, !flush.isForChange { return flush.completion(result) }
        flush.completion(flush.failure.map { .failure($0) } ?? result)
    }
}

extension StoreOperation {
    /// What to send if the store has lost this change, so that its older pages do not come back as fresh. It may concern
    /// pages that were saved since, which are loaded again.
    fileprivate var successorIfLost: StoreOperation {
        switch self {
        case .save(let identity, _): .remove(.identity(identity))
        case .edit(let selection, _, _): .invalidate(selection)
        case .remove, .invalidate, .invalidateTags: self
        }
    }
}

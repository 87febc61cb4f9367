/// Carries changes and reads to the store in the order decided, off every caller's thread.
///
/// The store's `accepted` is the back-pressure: while too many saves are unaccepted, further pages are not stored, and
/// what the store had for them is removed, so that it never serves an older page than memory did.
///
/// `@unchecked Sendable`: `pending`, `unaccepted`, `isScheduled`, `lastNumber`, `sent` and `settlements` are guarded by
/// `lock`.
package final class StorePump: @unchecked Sendable {
    /// One thing to ask of the store.
    package enum Letter: Sendable {
        case change(StoreOperation)
        case read(PageIdentity, completion: @Sendable (Result<LoadedPage?, PaginatorError>) -> Void)
        case flush(completion: @Sendable (Result<Void, PaginatorError>) -> Void)
        /// Closes a settlement: flushes when all that was handed over before is accepted.
        case settle(UInt64)
    }

    /// What became of the changes of a span of time: opened before the first of them, closed by ``Letter/settle(_:)``.
    private struct Settlement {
        /// The changes that are sent and not accepted; `nil` while the settlement is open.
        var unanswered: Set<UInt64>?
        var failure: PaginatorError?
        let completion: @Sendable (Result<Void, PaginatorError>) -> Void
    }

    /// How many saves may be unaccepted.
    package static let saveLimit = 256

    private let operations: any PageOperations
    private let executor: any WorkExecutor
    private let report: @Sendable (PaginatorError) -> Void
    private let lock = Lock()
    private var pending: [Letter] = []
    private var unaccepted = 0
    private var isScheduled = false
    private var lastNumber: UInt64 = 0
    /// The batches of changes that the store has not accepted yet.
    private var sent: Set<UInt64> = []
    private var settlements: [UInt64: Settlement] = [:]

    /// Makes an idle pump.
    ///
    /// - Parameters:
    ///   - operations: speak to the store.
    ///   - executor: where the store is called.
    ///   - report: takes failures of changes, on any thread.
    package init(
        operations: any PageOperations, executor: any WorkExecutor,
        report: @escaping @Sendable (PaginatorError) -> Void
    ) {
        self.operations = operations
        self.executor = executor
        self.report = report
    }

    /// Adds a letter behind all others; the store is never called before this call returns.
    package func post(_ letter: Letter) {
        var isSaturated = false
        let starts: Bool = lock.withLock {
            if case .change(.save(let identity, _)) = letter {
                isSaturated = unaccepted >= Self.saveLimit
                unaccepted += isSaturated ? 0 : 1
                pending.append(isSaturated ? .change(.remove(.identity(identity))) : letter)
            } else {
                pending.append(letter)
            }
            defer { isScheduled = true }
            return !isScheduled
        }
        if isSaturated {
            report(PaginatorError(.storeFailed, "The store is slower than the source; a page was not stored."))
        }
        if starts { executor.run { self.runTurn() } }
    }

    private func runTurn() {
        let letters = lock.withLock {
            defer { pending = [] }
            return pending
        }
        var changes: [StoreOperation] = []
        for letter in letters {
            switch letter {
            case .change(let operation):
                changes.append(operation)
            case .read(let identity, let completion):
                send(&changes)
                operations.readStore(identity, completion: completion)
            case .flush(let completion):
                send(&changes)
                operations.flushStore(completion: completion)
            case .settle(let number):
                send(&changes)
                close(number)
            }
        }
        send(&changes)
        let goesOn: Bool = lock.withLock {
            isScheduled = !pending.isEmpty
            return isScheduled
        }
        if goesOn { executor.run { self.runTurn() } }
    }

    private func send(_ changes: inout [StoreOperation]) {
        guard !changes.isEmpty else { return }
        let saves = changes.count { if case .save = $0 { true } else { false } }
        let batch: UInt64 = lock.withLock {
            lastNumber += 1
            sent.insert(lastNumber)
            return lastNumber
        }
        operations.changeStore(changes) { [self] result in
            accepted(batch, saves: saves, result)
        }
        changes = []
    }

    private func accepted(_ batch: UInt64, saves: Int, _ result: Result<Void, PaginatorError>) {
        let settled: [Settlement] = lock.withLock {
            guard sent.remove(batch) != nil else { return [] }
            unaccepted -= saves
            guard !settlements.isEmpty else { return [] }
            for number in settlements.keys.sorted() {
                if case .failure(let error) = result, settlements[number]?.failure == nil,
                    settlements[number]?.unanswered?.contains(batch) ?? true
                {
                    settlements[number]?.failure = error
                }
                settlements[number]?.unanswered?.remove(batch)
            }
            return takeSettled()
        }
        if case .failure(let error) = result { report(error) }
        for settlement in settled { finish(settlement) }
    }

    /// Opens a settlement. Changes that fail from now on, until it is closed, fail it.
    ///
    /// - Parameter completion: called once, on any thread, when all changes are accepted and flushed after
    ///   ``Letter/settle(_:)`` came, or with what went wrong.
    /// - Returns: its number.
    package func openSettlement(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) -> UInt64 {
        lock.withLock {
            lastNumber += 1
            settlements[lastNumber] = Settlement(completion: completion)
            return lastNumber
        }
    }

    private func close(_ number: UInt64) {
        let settled: [Settlement] = lock.withLock {
            settlements[number]?.unanswered = sent
            return takeSettled()
        }
        for settlement in settled { finish(settlement) }
    }

    /// Takes out the settlements that wait for nothing any more. The lock is held.
    private func takeSettled() -> [Settlement] {
        let numbers = settlements.filter { $0.value.unanswered?.isEmpty ?? false }.keys.sorted()
        return numbers.compactMap { settlements.removeValue(forKey: $0) }
    }

    private func finish(_ settlement: Settlement) {
        if let failure = settlement.failure { return settlement.completion(.failure(failure)) }
        operations.flushStore(completion: settlement.completion)
    }
}

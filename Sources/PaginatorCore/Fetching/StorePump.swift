/// Carries changes and reads to the store in the order decided, off every caller's thread.
///
/// The store's `accepted` is the back-pressure: while too many saves are unaccepted, further pages are not stored, and
/// what the store had for them is removed, so that it never serves an older page than memory did.
///
/// `@unchecked Sendable`: `pending`, `unaccepted` and `isScheduled` are guarded by `lock`.
package final class StorePump: @unchecked Sendable {
    /// One thing to ask of the store.
    package enum Letter: Sendable {
        case change(StoreOperation)
        case read(PageIdentity, completion: @Sendable (Result<LoadedPage?, PaginatorError>) -> Void)
        case flush(completion: @Sendable (Result<Void, PaginatorError>) -> Void)
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
        operations.changeStore(changes) { [self] result in
            lock.withLock { unaccepted -= saves }
            if case .failure(let error) = result { report(error) }
        }
        changes = []
    }
}

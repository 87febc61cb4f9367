public import PaginatorCore

/// A page store with `async` methods, such as an actor around a database; see ``AsyncStore``.
///
/// The store limits itself: ``attach(to:)`` gives it the eviction strategy of the paginator's configuration, which a
/// `StoreEvictor` of `PaginatorStorage` runs. `Contract.store` of `PaginatorTesting` tests an ``AsyncStore`` over it.
public protocol AsyncPageStore<T>: Sendable {
    /// The item type.
    associatedtype T: Sendable

    /// Called for each paginator that uses the store, before its other calls. The default does nothing.
    ///
    /// - Parameter environment: which pages the store keeps, the source of time, and where the store reports events.
    func attach(to environment: StoreEnvironment) async

    /// Reads one page; returns `nil` if it is not stored.
    ///
    /// A read may run concurrently with other reads, and with changes that the paginator made after it, except edits:
    /// they wait until it returns, or until 5 seconds after its beginning.
    ///
    /// - Parameter identity: the requested page.
    /// - Throws: any error. The fetch then continues with the source, and the observer gets the error.
    func load(_ identity: PageIdentity) async throws -> StoredPage<T>?

    /// Applies changes in order. The next call comes after this one has returned.
    ///
    /// - Parameter changes: the changes.
    /// - Throws: any error; the observer gets it.
    func apply(_ changes: [StoreChange<T>]) async throws

    /// Writes all changes applied before durably.
    ///
    /// - Throws: any error; the paginator's `flush` throws it.
    func flush() async throws
}

extension AsyncPageStore {
    /// Does nothing.
    public func attach(to environment: StoreEnvironment) async {}
}

/// Makes an ``AsyncPageStore`` usable by a paginator.
///
/// Changes are applied one call at a time, in order, and a read starts after the changes before it. An edit, and what
/// comes after it, waits for the reads before it; those that have taken 5 seconds by then fail. A `PaginatorError` that
/// the store throws is passed on; any other error becomes the `underlying` error of one with the code `storeFailed`.
public final class AsyncStore<T: Sendable>: PaginatorStore {
    private typealias Call = @Sendable () async -> Void

    private let store: any AsyncPageStore<T>
    private let calls: AsyncStream<Call>.Continuation
    private let reads = RunningReads<T>()
    private let clock = Guarded<any PaginatorClock>(SystemPaginatorClock())

    /// Wraps a store.
    ///
    /// - Parameter store: the store. It is called from tasks outside any actor.
    public init(_ store: some AsyncPageStore<T>) {
        self.store = store
        let (waiting, calls) = AsyncStream<Call>.makeStream()
        self.calls = calls
        Task.detached { for await call in waiting { await call() } }
    }

    deinit {
        // Waiting calls are made before the task ends.
        calls.finish()
    }

    /// Creates a store from closures for the methods of ``AsyncPageStore``. It gets no eviction strategy.
    ///
    /// - Parameters:
    ///   - load: reads one page.
    ///   - apply: applies changes.
    ///   - flush: writes changes durably; does nothing by default.
    public convenience init(
        load: nonisolated(nonsending) @escaping @Sendable (_ identity: PageIdentity) async throws -> StoredPage<T>?,
        apply: nonisolated(nonsending) @escaping @Sendable (_ changes: [StoreChange<T>]) async throws -> Void,
        flush: nonisolated(nonsending) @escaping @Sendable () async throws -> Void = {}
    ) {
        self.init(ClosureStore(loadPage: load, applyChanges: apply, flushChanges: flush))
    }

    /// Takes the paginator's clock, and attaches the wrapped store, after the calls made before.
    public func attach(to environment: StoreEnvironment) {
        clock.replace(with: environment.clock)
        calls.yield { [store] in await store.attach(to: environment) }
    }

    /// Reads one page, after the changes made before.
    public func load(
        _ identity: PageIdentity,
        completion: @escaping @Sendable (Result<StoredPage<T>?, PaginatorError>) -> Void
    ) {
        calls.yield { [store, reads, clock] in
            let read = reads.begin(completion, at: clock.withLock { $0.now })
            // In its own task, so that only edits wait for it.
            Task.detached { reads.end(read, await Self.result { try await store.load(identity) }) }
        }
    }

    /// Applies changes, after those made before.
    public func apply(
        _ changes: [StoreChange<T>],
        accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) {
        calls.yield { [store, reads, clock] in
            // A paginator applies an edit itself to the page of an earlier read, which must not contain it already.
            if changes.contains(where: { if case .edit = $0 { true } else { false } }) {
                await reads.allEnded(clock.withLock { $0 })
            }
            accepted(await Self.result { try await store.apply(changes) })
        }
    }

    /// Flushes the store, after the changes made before.
    public func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        calls.yield { [store] in completion(await Self.result { try await store.flush() }) }
    }

    private static func result<R: Sendable>(
        _ body: nonisolated(nonsending) @Sendable () async throws -> R
    ) async -> Result<R, PaginatorError> {
        do {
            return .success(try await body())
        } catch let error as PaginatorError {
            return .failure(error)
        } catch {
            return .failure(PaginatorError(.storeFailed, "The store failed: \(error)", underlying: error))
        }
    }
}

/// The reads that have begun and are not answered, for the edits that wait for them.
private final class RunningReads<T: Sendable>: Sendable {
    typealias Completion = @Sendable (Result<StoredPage<T>?, PaginatorError>) -> Void

    private struct State: Sendable {
        var lastRead: UInt64 = 0
        var running: [UInt64: (completion: Completion, began: PaginatorInstant)] = [:]
        /// One at most, because calls are made one at a time.
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Guarded(State())

    func begin(_ completion: @escaping Completion, at now: PaginatorInstant) -> UInt64 {
        state.withLock { state in
            state.lastRead += 1
            state.running[state.lastRead] = (completion, now)
            return state.lastRead
        }
    }

    /// Answers a read, unless it was given up.
    func end(_ read: UInt64, _ result: Result<StoredPage<T>?, PaginatorError>) {
        let (completion, waiter) = state.withLock { state -> (Completion?, CheckedContinuation<Void, Never>?) in
            let completion = state.running.removeValue(forKey: read)?.completion
            guard state.running.isEmpty else { return (completion, nil) }
            defer { state.waiter = nil }
            return (completion, state.waiter)
        }
        completion?(result)
        waiter?.resume()
    }

    /// Waits until all reads are answered, and gives up those that hang, so that changes do not wait forever.
    func allEnded(_ clock: any PaginatorClock) async {
        let (reads, last) = state.withLock { (Array($0.running.keys), $0.running.values.map(\.began).max()) }
        guard let last else { return }
        let timer = clock.makeTimer { [self] in
            let error = PaginatorError(.storeFailed, "The store did not answer a read in time.")
            for read in reads { end(read, .failure(error)) }
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isOver = state.withLock { state in
                if !state.running.isEmpty { state.waiter = continuation }
                return state.running.isEmpty
            }
            // By then, a paginator waits for none of them any more, by default.
            if isOver { continuation.resume() } else { timer.arm(at: last.advanced(by: .seconds(5))) }
        }
        timer.disarm()
    }
}

private struct ClosureStore<T: Sendable>: AsyncPageStore {
    let loadPage: nonisolated(nonsending) @Sendable (PageIdentity) async throws -> StoredPage<T>?
    let applyChanges: nonisolated(nonsending) @Sendable ([StoreChange<T>]) async throws -> Void
    let flushChanges: nonisolated(nonsending) @Sendable () async throws -> Void

    func load(_ identity: PageIdentity) async throws -> StoredPage<T>? { try await loadPage(identity) }

    func apply(_ changes: [StoreChange<T>]) async throws { try await applyChanges(changes) }

    func flush() async throws { try await flushChanges() }
}

public import PaginatorCore

/// A store of pages with `async` calls, such as an actor around a database; see ``AsyncStore``.
public protocol AsyncPageStore<T>: Sendable {
    /// The item type.
    associatedtype T: Sendable

    /// Reads one page; `nil` when it is not stored.
    ///
    /// A read may run at the same time as other reads, and as changes that the paginator made after it.
    ///
    /// - Parameter identity: the page to read.
    /// - Throws: what went wrong. The fetch then goes on to the source, and the failure is reported to the observer.
    func load(_ identity: PageIdentity) async throws -> StoredPage<T>?

    /// Applies changes, in order; the next call comes when this one has returned.
    ///
    /// - Parameter changes: what to change.
    /// - Throws: what went wrong; it is reported to the observer.
    func apply(_ changes: [StoreChange<T>]) async throws

    /// Makes every change that was applied before durable.
    ///
    /// - Throws: what went wrong; the paginator's `flush` ends with it.
    func flush() async throws
}

/// Lets a paginator use an ``AsyncPageStore``.
///
/// Changes are applied one call at a time, in the order in which the paginator made them, and a read starts after the
/// changes before it. A `PaginatorError` that the store throws is passed on; any other error becomes the `underlying`
/// error of one with the code `storeFailed`.
public final class AsyncStore<T: Sendable>: PaginatorStore {
    private typealias Call = @Sendable () async -> Void

    private let store: any AsyncPageStore<T>
    private let calls: AsyncStream<Call>.Continuation

    /// Wraps a store.
    ///
    /// - Parameter store: the store; it is called from tasks outside any actor.
    public init(_ store: some AsyncPageStore<T>) {
        self.store = store
        let (waiting, calls) = AsyncStream<Call>.makeStream()
        self.calls = calls
        Task.detached { for await call in waiting { await call() } }
    }

    deinit {
        // What waits is done before the task ends.
        calls.finish()
    }

    /// Makes a store of closures, which do what the methods of ``AsyncPageStore`` do.
    ///
    /// - Parameters:
    ///   - load: reads one page.
    ///   - apply: applies changes.
    ///   - flush: makes changes durable; does nothing by default.
    public convenience init(
        load: nonisolated(nonsending) @escaping @Sendable (_ identity: PageIdentity) async throws -> StoredPage<T>?,
        apply: nonisolated(nonsending) @escaping @Sendable (_ changes: [StoreChange<T>]) async throws -> Void,
        flush: nonisolated(nonsending) @escaping @Sendable () async throws -> Void = {}
    ) {
        self.init(ClosureStore(loadPage: load, applyChanges: apply, flushChanges: flush))
    }

    /// Reads one page, after the changes that were made before.
    public func load(
        _ identity: PageIdentity,
        completion: @escaping @Sendable (Result<StoredPage<T>?, PaginatorError>) -> Void
    ) {
        calls.yield { [store] in
            // In a task of its own, so that it holds up nobody.
            Task.detached { completion(await Self.result { try await store.load(identity) }) }
        }
    }

    /// Applies changes, after those that were made before.
    public func apply(
        _ changes: [StoreChange<T>],
        accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) {
        calls.yield { [store] in accepted(await Self.result { try await store.apply(changes) }) }
    }

    /// Flushes the store, after the changes that were made before.
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

private struct ClosureStore<T: Sendable>: AsyncPageStore {
    let loadPage: nonisolated(nonsending) @Sendable (PageIdentity) async throws -> StoredPage<T>?
    let applyChanges: nonisolated(nonsending) @Sendable ([StoreChange<T>]) async throws -> Void
    let flushChanges: nonisolated(nonsending) @Sendable () async throws -> Void

    func load(_ identity: PageIdentity) async throws -> StoredPage<T>? { try await loadPage(identity) }

    func apply(_ changes: [StoreChange<T>]) async throws { try await applyChanges(changes) }

    func flush() async throws { try await flushChanges() }
}

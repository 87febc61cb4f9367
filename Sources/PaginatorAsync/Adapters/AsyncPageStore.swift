public import PaginatorCore

/// A store of pages with `async` calls, such as an actor around a database; see ``AsyncStore``.
public protocol AsyncPageStore<T>: Sendable {
    /// The item type.
    associatedtype T: Sendable

    /// Reads one page; `nil` when it is not stored.
    ///
    /// Reads run at the same time as other reads and as changes that were handed over later.
    ///
    /// - Parameter identity: the page asked for.
    func load(_ identity: PageIdentity) async throws -> StoredPage<T>?

    /// Applies changes, in order. The next call comes when this one has returned: the back-pressure.
    ///
    /// - Parameter changes: what to change.
    func apply(_ changes: [StoreChange<T>]) async throws

    /// Makes everything durable that was applied before.
    func flush() async throws
}

/// Lets a paginator use an ``AsyncPageStore``.
///
/// Changes are applied one call at a time, in the order of the paginator's; a read sees every change before it. The
/// task that does this ends with the store. A `PaginatorError` that the store throws is taken as it is;
/// any other error becomes one with the code `PaginatorError/Code/storeFailed`.
public final class AsyncStore<T: Sendable>: PaginatorStore {
    private typealias Call = @Sendable () async -> Void

    private let store: any AsyncPageStore<T>
    private let calls: AsyncStream<Call>.Continuation

    /// Wraps a store.
    ///
    /// - Parameter store: the store; it is called in tasks without an actor.
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

    /// Makes a store of closures; see ``AsyncPageStore`` for what each is to do.
    ///
    /// - Parameters:
    ///   - load: reads one page.
    ///   - apply: applies changes.
    ///   - flush: makes changes durable; nothing by default.
    public convenience init(
        load: nonisolated(nonsending) @escaping @Sendable (_ identity: PageIdentity) async throws -> StoredPage<T>?,
        apply: nonisolated(nonsending) @escaping @Sendable (_ changes: [StoreChange<T>]) async throws -> Void,
        flush: nonisolated(nonsending) @escaping @Sendable () async throws -> Void = {}
    ) {
        self.init(ClosureStore(loadPage: load, applyChanges: apply, flushChanges: flush))
    }

    /// Reads one page, behind the changes handed over before.
    public func load(
        _ identity: PageIdentity,
        completion: @escaping @Sendable (Result<StoredPage<T>?, PaginatorError>) -> Void
    ) {
        calls.yield { [store] in
            // In a task of its own, so that it holds up nobody.
            Task.detached { completion(await Self.result { try await store.load(identity) }) }
        }
    }

    /// Applies changes, behind those handed over before.
    public func apply(
        _ changes: [StoreChange<T>],
        accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) {
        calls.yield { [store] in accepted(await Self.result { try await store.apply(changes) }) }
    }

    /// Flushes the store, behind the changes handed over before.
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

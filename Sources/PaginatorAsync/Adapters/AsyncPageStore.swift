public import PaginatorCore

/// A page store with `async` methods, such as an actor around a database; see ``AsyncStore``.
public protocol AsyncPageStore<T>: Sendable {
    /// The item type.
    associatedtype T: Sendable

    /// Reads one page; returns `nil` if it is not stored.
    ///
    /// A read may run concurrently with other reads, and with changes that the paginator made after it.
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

/// Makes an ``AsyncPageStore`` usable by a paginator.
///
/// Changes are applied one call at a time, in order, and a read starts after the changes before it. A `PaginatorError`
/// that the store throws is passed on; any other error becomes the `underlying` error of one with the code
/// `storeFailed`.
public final class AsyncStore<T: Sendable>: PaginatorStore {
    private typealias Call = @Sendable () async -> Void

    private let store: any AsyncPageStore<T>
    private let calls: AsyncStream<Call>.Continuation

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

    /// Creates a store from closures for the methods of ``AsyncPageStore``.
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

    /// Reads one page, after the changes made before.
    public func load(
        _ identity: PageIdentity,
        completion: @escaping @Sendable (Result<StoredPage<T>?, PaginatorError>) -> Void
    ) {
        calls.yield { [store] in
            // In its own task, so that it delays no other call.
            Task.detached { completion(await Self.result { try await store.load(identity) }) }
        }
    }

    /// Applies changes, after those made before.
    public func apply(
        _ changes: [StoreChange<T>],
        accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) {
        calls.yield { [store] in accepted(await Self.result { try await store.apply(changes) }) }
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

private struct ClosureStore<T: Sendable>: AsyncPageStore {
    let loadPage: nonisolated(nonsending) @Sendable (PageIdentity) async throws -> StoredPage<T>?
    let applyChanges: nonisolated(nonsending) @Sendable ([StoreChange<T>]) async throws -> Void
    let flushChanges: nonisolated(nonsending) @Sendable () async throws -> Void

    func load(_ identity: PageIdentity) async throws -> StoredPage<T>? { try await loadPage(identity) }

    func apply(_ changes: [StoreChange<T>]) async throws { try await applyChanges(changes) }

    func flush() async throws { try await flushChanges() }
}

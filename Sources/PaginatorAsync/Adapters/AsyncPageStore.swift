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
/// tasks that this takes end when there is nothing to do. A `PaginatorError` that the store throws is taken as it is;
/// any other error becomes one with the code `PaginatorError/Code/storeFailed`.
public final class AsyncStore<T: Sendable>: PaginatorStore {
    private enum Call: Sendable {
        case load(PageIdentity, @Sendable (Result<StoredPage<T>?, PaginatorError>) -> Void)
        case apply([StoreChange<T>], @Sendable (Result<Void, PaginatorError>) -> Void)
        case flush(@Sendable (Result<Void, PaginatorError>) -> Void)
    }

    private struct State: Sendable {
        var calls: [Call] = []
        var isWorking = false
    }

    private let store: any AsyncPageStore<T>
    private let state = Guarded(State())

    /// Wraps a store.
    ///
    /// - Parameter store: the store; it is called in tasks without an actor.
    public init(_ store: some AsyncPageStore<T>) {
        self.store = store
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
        post(.load(identity, completion))
    }

    /// Applies changes, behind those handed over before.
    public func apply(
        _ changes: [StoreChange<T>],
        accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) {
        post(.apply(changes, accepted))
    }

    /// Flushes the store, behind the changes handed over before.
    public func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        post(.flush(completion))
    }

    private func post(_ call: Call) {
        let starts = state.withLock { state in
            state.calls.append(call)
            defer { state.isWorking = true }
            return !state.isWorking
        }
        if starts { Task.detached { await self.work() } }
    }

    private func work() async {
        while let calls = takeCalls() {
            for call in calls { await run(call) }
        }
    }

    private func takeCalls() -> [Call]? {
        state.withLock { state in
            state.isWorking = !state.calls.isEmpty
            defer { state.calls = [] }
            return state.isWorking ? state.calls : nil
        }
    }

    private func run(_ call: Call) async {
        switch call {
        case .load(let identity, let completion):
            // In a task of its own, so that it holds up nobody.
            Task.detached { [store] in
                completion(await Self.result { try await store.load(identity) })
            }
        case .apply(let changes, let accepted):
            accepted(await Self.result { [store] in try await store.apply(changes) })
        case .flush(let completion):
            completion(await Self.result { [store] in try await store.flush() })
        }
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

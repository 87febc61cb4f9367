import Dispatch
public import PaginatorCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A store in memory that records every call, and fails or waits when the test says so.
///
/// It keeps the contract of stores, and its items need not be `Codable`.
///
/// ```swift
/// let store = ScriptedStore<Post>()
/// store.seed(page, for: PageIdentity(key: "0", pageSize: 30), fetchedAt: clock.wallTime)
/// let paginator = CallbackPaginator(dataSource: source, store: store, config: config)
/// ```
///
/// It answers on a serial queue of its own, on an executor of the test, or inside its calls. A load that is held is
/// answered with what the store had when the load came, as by a slow disk. All calls may come from any thread.
public final class ScriptedStore<T: Sendable>: PaginatorStore {
    private typealias Loaded = Result<StoredPage<T>?, PaginatorError>
    private typealias Done = Result<Void, PaginatorError>

    private struct State: Sendable {
        var table: StoredPageTable<T>
        var calls: [StoreCall] = []
        var loadFailure: PaginatorError?
        var changeFailure: PaginatorError?
        var holdsLoads = false
        var holdsChanges = false
        var heldLoads: [@Sendable () -> Void] = []
        var heldChanges: [@Sendable () -> Void] = []
        var environment: StoreEnvironment?
    }

    private let handshake: Handshake<State>
    private let answers: AnswerQueue

    /// Makes an empty store.
    ///
    /// - Parameters:
    ///   - evictionStrategy: which pages stay, unless the paginator's config says otherwise; 100 MB by the adaptive
    ///     policy by default.
    ///   - executor: runs reads, changes and answers; `nil`, the default, takes a serial queue of the store's own.
    ///   - answersInside: whether it answers inside its calls, on the calling thread; false by default. Use such a
    ///     store on one thread only, because edits of two threads could overwrite each other.
    public init(
        evictionStrategy: EvictionStrategy = .adaptive(maxBytes: 100_000_000),
        executor: SimulatedExecutor? = nil,
        answersInside: Bool = false
    ) {
        handshake = Handshake(State(table: StoredPageTable(strategy: evictionStrategy)))
        answers = answersInside ? .inside : AnswerQueue(executor, label: "paginator.testing.store")
    }

    /// Takes the paginator's clock and, while nothing is stored, its eviction strategy.
    public func attach(to environment: StoreEnvironment) {
        handshake.update { state in
            state.environment = environment
            state.table.attach(to: environment)
        }
    }

    /// Answers with the page, with `nil`, or with the error that ``failLoads(with:)`` has set.
    public func load(
        _ identity: PageIdentity, completion: @escaping @Sendable (Result<StoredPage<T>?, PaginatorError>) -> Void
    ) {
        handshake.update { $0.calls.append(.load(identity)) }
        answers.run { [self] in
            let answer = handshake.update { state -> Loaded? in
                let answer: Loaded = state.loadFailure.map { .failure($0) } ?? .success(state.table.use(identity))
                guard state.holdsLoads else { return answer }
                state.heldLoads.append { completion(answer) }
                return nil
            }
            if let answer { completion(answer) }
        }
    }

    /// Applies the changes; or changes nothing, and answers with the error that ``failChanges(with:)`` has set.
    public func apply(
        _ changes: [StoreChange<T>], accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) {
        handshake.update { state in
            for change in changes { state.calls.append(StoreCall(change)) }
        }
        answers.run { [self] in
            let failure = handshake.read(\.changeFailure)
            if failure == nil {
                for change in changes { make(change) }
            }
            let answer: Done = failure.map { .failure($0) } ?? .success(())
            let isHeld = handshake.update { state in
                if state.holdsChanges { state.heldChanges.append { accepted(answer) } }
                return state.holdsChanges
            }
            if !isHeld { accepted(answer) }
        }
    }

    /// Answers with success, or with the error that ``failChanges(with:)`` has set.
    public func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        handshake.update { $0.calls.append(.flush) }
        answers.run { [self] in
            let failure = handshake.read(\.changeFailure)
            completion(failure.map { .failure($0) } ?? .success(()))
        }
    }

    /// An edit is the user's code, so it runs outside the lock.
    private func make(_ change: StoreChange<T>) {
        // Kept until no lock is held: items that go may do anything in their `deinit`.
        let pages = handshake.read(\.table.pages)
        defer { withExtendedLifetime(pages) {} }
        guard case .edit(let selection, let edit) = change else {
            return handshake.update { $0.table.apply(change) }
        }
        for (identity, stored) in pages where selection.contains(identity) {
            guard let page = edit(stored.page) else { continue }
            let edited = StoredPage(page: page, fetchedAt: stored.fetchedAt, isInvalidated: stored.isInvalidated)
            handshake.update { $0.table.replace(identity, with: edited) }
        }
    }

    /// Every call so far, in order; each change of an `apply` counts as one.
    public var calls: [StoreCall] { handshake.read(\.calls) }

    /// The pages that the store has.
    public var pages: [PageIdentity: StoredPage<T>] { handshake.read(\.table.pages) }

    /// What the paginator has attached the store to; `nil` while none has.
    package var environment: StoreEnvironment? { handshake.read(\.environment) }

    /// Stores a page without recording a call.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - identity: the identity that it is stored under.
    ///   - fetchedAt: the wall time at which the source gave it.
    ///   - isInvalidated: whether it was made stale; false by default.
    public func seed(
        _ page: PaginatorPage<T>, for identity: PageIdentity, fetchedAt: Date, isInvalidated: Bool = false
    ) {
        let stored = StoredPage(page: page, fetchedAt: fetchedAt, isInvalidated: isInvalidated)
        handshake.update { $0.table.apply(.save(identity, stored)) }
    }

    /// Makes every load from now on fail with an error; `nil` ends that.
    public func failLoads(with error: PaginatorError?) {
        handshake.update { $0.loadFailure = error }
    }

    /// Makes every change and flush from now on fail with an error; `nil` ends that.
    public func failChanges(with error: PaginatorError?) {
        handshake.update { $0.changeFailure = error }
    }

    /// Holds the answers of loads back until ``answerLoads()``.
    public func holdLoads() {
        handshake.update { $0.holdsLoads = true }
    }

    /// Gives the held answers of loads, in order, on the calling thread, and stops holding them.
    public func answerLoads() {
        let held = handshake.update { state in
            state.holdsLoads = false
            defer { state.heldLoads = [] }
            return state.heldLoads
        }
        for answer in held { answer() }
    }

    /// Holds the answers of changes back until ``acceptChanges()``, as a slow disk does; the changes are applied.
    package func holdChanges() {
        handshake.update { $0.holdsChanges = true }
    }

    /// Gives the held answers of changes, in order, on the calling thread, and stops holding them.
    package func acceptChanges() {
        let held = handshake.update { state in
            state.holdsChanges = false
            defer { state.heldChanges = [] }
            return state.heldChanges
        }
        for answer in held { answer() }
    }

    /// Waits until a number of calls have come.
    ///
    /// - Parameter count: how many, since the store was made.
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForCalls(_ count: Int) async throws(CancellationError) {
        try await handshake.wait { $0.calls.count >= count }
    }
}

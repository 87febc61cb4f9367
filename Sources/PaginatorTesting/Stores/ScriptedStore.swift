import Dispatch
public import PaginatorCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An in-memory store that records every call, and fails or waits when the test says so.
///
/// It keeps the contract of stores. Its items need not be `Codable`.
///
/// ```swift
/// let store = ScriptedStore<Post>()
/// store.seed(page, for: PageIdentity(key: "0", pageSize: 30), fetchedAt: clock.wallTime)
/// let paginator = CallbackPaginator(dataSource: source, store: store, config: config)
/// ```
///
/// It answers on its own serial queue, on an executor of the test, or inside its calls. A held load is answered with
/// what the store had when the load was carried out, as by a slow disk. It reports no events of its own to the
/// observer. The paginator reports the loads and changes that fail. Every method may be called from any thread.
public final class ScriptedStore<T: Sendable>: PaginatorStore {
    private typealias Loaded = Result<StoredPage<T>?, PaginatorError>
    private typealias Done = Result<Void, PaginatorError>

    private struct State: Sendable {
        var table: StoredPageTable<T>
        var calls: [StoreCall] = []
        /// The number of calls that have been carried out, which are the first ones.
        var carriedOut = 0
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

    /// Creates an empty store.
    ///
    /// - Parameters:
    ///   - evictionStrategy: decides which pages stay, unless the paginator's config has a strategy; the adaptive
    ///     policy with 100 MB by default.
    ///   - executor: runs reads, changes and answers; `nil`, the default, uses a serial queue of the store.
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

    /// Takes the paginator's clock and, of the first paginator, its eviction strategy.
    public func attach(to environment: StoreEnvironment) {
        // Retained until the lock is released, because an evicted item's `deinit` is the user's.
        let pages = handshake.read(\.table.pages)
        handshake.update { state in
            state.table.attach(to: environment, isFirst: state.environment == nil)
            state.environment = environment
        }
        withExtendedLifetime(pages) {}
    }

    /// Answers with the page, with `nil`, or with the error set by ``failLoads(with:)``.
    public func load(
        _ identity: PageIdentity, completion: @escaping @Sendable (Result<StoredPage<T>?, PaginatorError>) -> Void
    ) {
        handshake.update { $0.calls.append(.load(identity)) }
        answers.run { [self] in
            let answer = handshake.update { state -> Loaded? in
                state.carriedOut += 1
                let answer: Loaded = state.loadFailure.map { .failure($0) } ?? .success(state.table.use(identity))
                guard state.holdsLoads else { return answer }
                state.heldLoads.append { completion(answer) }
                return nil
            }
            if let answer { completion(answer) }
        }
    }

    /// Applies the changes; or changes nothing, and answers with the error set by ``failChanges(with:)``.
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
                state.carriedOut += changes.count
                if state.holdsChanges { state.heldChanges.append { accepted(answer) } }
                return state.holdsChanges
            }
            if !isHeld { accepted(answer) }
        }
    }

    /// Answers with success, or with the error set by ``failChanges(with:)``.
    public func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        handshake.update { $0.calls.append(.flush) }
        answers.run { [self] in
            let failure = handshake.update { state in
                state.carriedOut += 1
                return state.changeFailure
            }
            completion(failure.map { .failure($0) } ?? .success(()))
        }
    }

    /// An edit is the user's code, and runs outside the lock.
    private func make(_ change: StoreChange<T>) {
        // Retained until the lock is released, because a removed item's `deinit` is the user's.
        let pages = handshake.read(\.table.pages)
        defer { withExtendedLifetime(pages) {} }
        guard case .edit(let selection, let edit) = change else {
            return handshake.update { $0.table.apply(change) }
        }
        for (identity, stored) in pages where selection.contains(identity) {
            guard let edited = stored.edited(by: edit) else { continue }
            handshake.update { $0.table.replace(identity, with: edited) }
        }
    }

    /// Every call so far, in order. Each change of an `apply` counts as one.
    public var calls: [StoreCall] { handshake.read(\.calls) }

    /// The pages that the store has.
    public var pages: [PageIdentity: StoredPage<T>] { handshake.read(\.table.pages) }

    /// The environment of the attached paginator; `nil` if there is none.
    package var environment: StoreEnvironment? { handshake.read(\.environment) }

    /// Stores a page without recording a call.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - identity: the identity that it is stored under.
    ///   - fetchedAt: the wall-clock time at which the source was asked for it.
    ///   - isInvalidated: whether it was invalidated; false by default.
    public func seed(
        _ page: PaginatorPage<T>, for identity: PageIdentity, fetchedAt: Date, isInvalidated: Bool = false
    ) {
        let stored = StoredPage(page: page, fetchedAt: fetchedAt, isInvalidated: isInvalidated)
        handshake.update { $0.table.apply(.save(identity, stored)) }
    }

    /// Makes every further load fail with an error; `nil` ends that.
    public func failLoads(with error: PaginatorError?) {
        handshake.update { $0.loadFailure = error }
    }

    /// Makes every further change and flush fail with an error; `nil` ends that.
    public func failChanges(with error: PaginatorError?) {
        handshake.update { $0.changeFailure = error }
    }

    /// Holds the answers of loads until ``answerLoads()``.
    public func holdLoads() {
        handshake.update { $0.holdsLoads = true }
    }

    /// Delivers the held answers of loads, in order, on the calling thread, and stops holding them.
    public func answerLoads() {
        let held = handshake.update { state in
            state.holdsLoads = false
            defer { state.heldLoads = [] }
            return state.heldLoads
        }
        for answer in held { answer() }
    }

    /// Holds the answers of changes until ``acceptChanges()``, as a slow disk does. The changes are applied.
    package func holdChanges() {
        handshake.update { $0.holdsChanges = true }
    }

    /// Delivers the held answers of changes, in order, on the calling thread, and stops holding them.
    package func acceptChanges() {
        let held = handshake.update { state in
            state.holdsChanges = false
            defer { state.heldChanges = [] }
            return state.heldChanges
        }
        for answer in held { answer() }
    }

    /// Waits until a number of calls have been carried out: pages were read, changes made. Answers may follow later.
    ///
    /// - Parameter count: the number of calls since the store was created. Each change of an `apply` counts as one.
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func waitForCalls(_ count: Int) async throws(CancellationError) {
        try await handshake.wait { $0.carriedOut >= count }
    }
}

public import PaginatorCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A store in memory that records what it is asked, and that fails or waits when the test tells it to.
///
/// ```swift
/// let store = ScriptedStore<Post>()
/// store.seed(page, for: PageIdentity(key: "0", pageSize: 30), fetchedAt: clock.wallTime)
/// let paginator = CallbackPaginator(dataSource: source, store: store, config: config)
/// ```
///
/// It answers inside its calls, on the calling thread, unless it is told to hold. A load that is held answers with what
/// the store had when it was asked, as a slow disk does. All calls may come from any thread.
public final class ScriptedStore<T: Sendable>: PaginatorStore {
    private typealias Loaded = Result<StoredPage<T>?, PaginatorError>
    private typealias Done = Result<Void, PaginatorError>

    private struct State: Sendable {
        var pages: [PageIdentity: StoredPage<T>] = [:]
        var calls: [StoreCall] = []
        var loadFailure: PaginatorError?
        var changeFailure: PaginatorError?
        var holdsLoads = false
        var holdsChanges = false
        var heldLoads: [@Sendable () -> Void] = []
        var heldChanges: [@Sendable () -> Void] = []
        var environment: StoreEnvironment?
    }

    private let handshake = Handshake(State())

    /// Makes an empty store.
    public init() {}

    /// Takes note of what the paginator offers.
    public func attach(to environment: StoreEnvironment) {
        handshake.update { $0.environment = environment }
    }

    /// Answers with the page, the failure that is set, or nothing.
    public func load(
        _ identity: PageIdentity, completion: @escaping @Sendable (Result<StoredPage<T>?, PaginatorError>) -> Void
    ) {
        let answer = handshake.update { state -> Loaded? in
            state.calls.append(.load(identity))
            let answer: Loaded = state.loadFailure.map { .failure($0) } ?? .success(state.pages[identity])
            guard state.holdsLoads else { return answer }
            state.heldLoads.append { completion(answer) }
            return nil
        }
        if let answer { completion(answer) }
    }

    /// Applies the changes, or answers with the failure that is set and leaves everything as it is.
    public func apply(
        _ changes: [StoreChange<T>], accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) {
        let answer = handshake.update { state -> Done? in
            for change in changes { state.calls.append(StoreCall(change)) }
            let answer: Done = state.changeFailure.map { .failure($0) } ?? .success(())
            if state.changeFailure == nil {
                for change in changes { state.pages.apply(change) }
            }
            guard state.holdsChanges else { return answer }
            state.heldChanges.append { accepted(answer) }
            return nil
        }
        if let answer { accepted(answer) }
    }

    /// Records the call and answers with success, or the failure of changes that is set.
    public func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        let failure = handshake.update { state -> PaginatorError? in
            state.calls.append(.flush)
            return state.changeFailure
        }
        completion(failure.map { .failure($0) } ?? .success(()))
    }

    /// Every call so far, in order; each change of an `apply` counts as one.
    public var calls: [StoreCall] { handshake.read(\.calls) }

    /// The pages that the store has.
    public var pages: [PageIdentity: StoredPage<T>] { handshake.read(\.pages) }

    /// What the paginator offers the store; `nil` while none has attached it.
    public var environment: StoreEnvironment? { handshake.read(\.environment) }

    /// Puts a page in without recording a call.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - identity: what it is stored under.
    ///   - fetchedAt: when the source is said to have given it.
    ///   - isInvalidated: whether it was marked stale.
    public func seed(
        _ page: PaginatorPage<T>, for identity: PageIdentity, fetchedAt: Date, isInvalidated: Bool = false
    ) {
        let stored = StoredPage(page: page, fetchedAt: fetchedAt, isInvalidated: isInvalidated)
        handshake.update { $0.pages[identity] = stored }
    }

    /// Makes every load from now on fail; `nil` ends that.
    public func failLoads(with error: PaginatorError?) {
        handshake.update { $0.loadFailure = error }
    }

    /// Makes every change and flush from now on fail; `nil` ends that.
    public func failChanges(with error: PaginatorError?) {
        handshake.update { $0.changeFailure = error }
    }

    /// Keeps the answers of loads until ``answerLoads()``.
    public func holdLoads() {
        handshake.update { $0.holdsLoads = true }
    }

    /// Gives the answers that were held, in order, on the calling thread, and holds no more.
    public func answerLoads() {
        let held = handshake.update { state in
            state.holdsLoads = false
            defer { state.heldLoads = [] }
            return state.heldLoads
        }
        for answer in held { answer() }
    }

    /// Keeps changes, though they are applied, unaccepted until ``acceptChanges()``: the back-pressure of a slow disk.
    public func holdChanges() {
        handshake.update { $0.holdsChanges = true }
    }

    /// Accepts the changes that were held, in order, on the calling thread, and holds no more.
    public func acceptChanges() {
        let held = handshake.update { state in
            state.holdsChanges = false
            defer { state.heldChanges = [] }
            return state.heldChanges
        }
        for answer in held { answer() }
    }

    /// Waits until calls have come.
    ///
    /// - Parameter count: how many, since the store was made.
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForCalls(_ count: Int) async throws(CancellationError) {
        try await handshake.wait { $0.calls.count >= count }
    }
}

/// One call of a ``ScriptedStore``.
public enum StoreCall: Sendable, Hashable {
    /// A page was asked for.
    case load(PageIdentity)
    /// A page was stored.
    case save(PageIdentity)
    /// Pages were removed.
    case remove(PageSelection)
    /// Pages were marked stale.
    case invalidate(PageSelection)
    /// Pages were edited.
    case edit(PageSelection)
    /// Everything was to be made durable.
    case flush

    init<T>(_ change: StoreChange<T>) {
        switch change {
        case .save(let identity, _): self = .save(identity)
        case .remove(let selection): self = .remove(selection)
        case .invalidate(let selection): self = .invalidate(selection)
        case .edit(let selection, _): self = .edit(selection)
        }
    }
}

extension Dictionary where Key == PageIdentity {
    fileprivate mutating func apply<T>(_ change: StoreChange<T>) where Value == StoredPage<T> {
        switch change {
        case .save(let identity, let page):
            self[identity] = page
        case .remove(let selection):
            for identity in keys.filter(selection.contains) { self[identity] = nil }
        case .invalidate(let selection):
            for (identity, stored) in self where selection.contains(identity) {
                self[identity] = StoredPage(page: stored.page, fetchedAt: stored.fetchedAt, isInvalidated: true)
            }
        case .edit(let selection, let edit):
            for (identity, stored) in self where selection.contains(identity) {
                guard let page = edit(stored.page) else { continue }
                self[identity] = StoredPage(
                    page: page, fetchedAt: stored.fetchedAt, isInvalidated: stored.isInvalidated)
            }
        }
    }
}

import Dispatch
public import PaginatorCore

/// A store in memory, with the contract of the stores on disk: it keeps the pages as they are, answers late, evicts by
/// the paginator's strategy and can be told to fail. Items need not be `Codable`.
public final class InMemoryPageStore<T: Sendable>: PaginatorStore {
    private struct State {
        var pages: [PageIdentity: (page: StoredPage<T>, handle: PageHandle)] = [:]
        var identities: [PageHandle: PageIdentity] = [:]
        var evictor: PaginatorEvictor
        var clock: any PaginatorClock = SystemPaginatorClock()
        var failure: PaginatorError?
        var loads = 0
        var flushes = 0

        mutating func save(_ identity: PageIdentity, _ page: StoredPage<T>) {
            remove(.identity(identity))
            let facts = PageFacts(
                bytes: page.page.byteCount, items: page.page.content.count, keyHash: identity.stableHash)
            guard let handle = evictor.insert(facts, at: clock.now) else { return }
            pages[identity] = (page, handle)
            identities[handle] = identity
            while let victim = evictor.nextVictim() {
                if let identity = identities.removeValue(forKey: victim) { pages[identity] = nil }
            }
        }

        mutating func remove(_ selection: PageSelection) {
            for (identity, known) in pages where selection.contains(identity) {
                evictor.remove(known.handle)
                identities[known.handle] = nil
                pages[identity] = nil
            }
        }
    }

    private let state: Guarded<State>
    private let queue = DispatchQueue(label: "paginator.testing.store")

    /// Makes an empty store.
    ///
    /// - Parameter evictionStrategy: which pages stay, unless the paginator's config says otherwise.
    public init(evictionStrategy: any PaginatorEvictionStrategy = .adaptive(maxBytes: 100_000_000)) {
        state = Guarded(State(evictor: PaginatorEvictor(strategy: evictionStrategy)))
    }

    /// Lets every call fail, until this is called with `nil`.
    public func fail(with error: PaginatorError?) {
        state.withLock { $0.failure = error }
    }

    /// The identities of the stored pages, in no order.
    public var identities: [PageIdentity] { state.withLock { Array($0.pages.keys) } }

    /// How often pages were loaded, found or not.
    public var loads: Int { state.withLock { $0.loads } }

    /// How often the store was flushed.
    public var flushes: Int { state.withLock { $0.flushes } }

    /// Takes the paginator's strategy and clock, as long as nothing is stored.
    public func attach(to environment: StoreEnvironment) {
        state.withLock { state in
            state.clock = environment.clock
            guard let strategy = environment.evictionStrategy, state.pages.isEmpty else { return }
            state.evictor = PaginatorEvictor(strategy: strategy)
        }
    }

    /// Reads one page.
    public func load(
        _ identity: PageIdentity,
        completion: @escaping @Sendable (Result<StoredPage<T>?, PaginatorError>) -> Void
    ) {
        queue.async { completion(self.find(identity)) }
    }

    /// Makes the changes.
    public func apply(
        _ changes: [StoreChange<T>],
        accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) {
        queue.async { accepted(self.make(changes)) }
    }

    /// Answers; there is nothing to write.
    public func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        queue.async {
            completion(
                self.state.withLock { state in
                    state.flushes += 1
                    return state.failure.map(Result.failure) ?? .success(())
                })
        }
    }

    private func find(_ identity: PageIdentity) -> Result<StoredPage<T>?, PaginatorError> {
        state.withLock { state in
            state.loads += 1
            if let failure = state.failure { return .failure(failure) }
            guard let found = state.pages[identity] else { return .success(nil) }
            state.evictor.use(found.handle)
            return .success(found.page)
        }
    }

    private func make(_ changes: [StoreChange<T>]) -> Result<Void, PaginatorError> {
        if let failure = state.withLock({ $0.failure }) { return .failure(failure) }
        for change in changes {
            switch change {
            case .save(let identity, let page): state.withLock { $0.save(identity, page) }
            case .remove(let selection): state.withLock { $0.remove(selection) }
            case .invalidate(let selection):
                state.withLock { state in
                    for (identity, known) in state.pages where selection.contains(identity) {
                        state.pages[identity]?.page = StoredPage(
                            page: known.page.page, fetchedAt: known.page.fetchedAt, isInvalidated: true)
                    }
                }
            case .edit(let selection, let edit): self.edit(selection, edit)
            }
        }
        return .success(())
    }

    /// Only this queue changes pages, so the edit, which is the user's code, runs outside the lock.
    private func edit(_ selection: PageSelection, _ edit: PageEdit<T>) {
        let concerned = state.withLock { state in state.pages.filter { selection.contains($0.key) } }
        for (identity, known) in concerned {
            guard let edited = edit(known.page.page) else { continue }
            let page = StoredPage(
                page: edited, fetchedAt: known.page.fetchedAt, isInvalidated: known.page.isInvalidated)
            state.withLock { $0.pages[identity]?.page = page }
        }
    }
}

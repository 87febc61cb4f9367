#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the engine needs done with pages whose item type it does not know.
///
/// Every call runs code of the library's user, so none is made with a lock held.
protocol PageOperations: AnyObject, Sendable {
    var firstKey: String { get }
    var hasStore: Bool { get }
    /// Whether pages are to be judged: fetched ones before they are cached, cached ones before they are used.
    var judgesPages: Bool { get }

    func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys?
    func callSource(
        _ request: SourceRequest, completion: @escaping @Sendable (Result<LoadedPage, SourceError>) -> Void
    ) -> SourceCancellation
    func judge(_ object: any AnyObject & Sendable, in context: ValidationContext) -> PageVerdict
    func judgeFetched(
        _ object: any AnyObject & Sendable, in context: ValidationContext,
        completion: @escaping @Sendable (PageVerdict) -> Void)
    func attachStore(to environment: StoreEnvironment)
    func readStore(
        _ identity: PageIdentity, completion: @escaping @Sendable (Result<LoadedPage?, PaginatorError>) -> Void)
    func changeStore(
        _ change: StoreOperation, accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void)
    func flushStore(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void)
}

enum StoreOperation: Sendable {
    case save(PageIdentity, LoadedPage)
    case remove(PageSelection)
    case invalidate(PageSelection)
    case edit(PageSelection, EditLog.Change)
}

final class TypedPageOperations<T: Sendable>: PageOperations {
    private let source: any PaginatorDataSource<T>
    private let validator: AnyPageValidator<T>
    private let store: (any PaginatorStore<T>)?
    private let clock: any PaginatorClock
    let judgesPages: Bool

    init(
        source: any PaginatorDataSource<T>,
        validator: AnyPageValidator<T>,
        store: (any PaginatorStore<T>)?,
        clock: any PaginatorClock
    ) {
        self.source = source
        self.validator = validator
        self.store = store
        self.clock = clock
        judgesPages = !validator.acceptsAll
    }

    var firstKey: String { source.firstKey }

    var hasStore: Bool { store != nil }

    func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        source.neighborKeys(of: key, pageSize: pageSize)
    }

    func callSource(
        _ request: SourceRequest, completion: @escaping @Sendable (Result<LoadedPage, SourceError>) -> Void
    ) -> SourceCancellation {
        source.fetch(request) { [clock, identity = request.identity] result in
            completion(result.map { Self.loaded($0, as: identity, from: .source, clock: clock) })
        }
    }

    func judge(_ object: any AnyObject & Sendable, in context: ValidationContext) -> PageVerdict {
        validator.judge(PaginatorPage<T>.from(object), in: context)
    }

    func judgeFetched(
        _ object: any AnyObject & Sendable, in context: ValidationContext,
        completion: @escaping @Sendable (PageVerdict) -> Void
    ) {
        validator.judgeFetched(PaginatorPage<T>.from(object), in: context, completion: completion)
    }

    func attachStore(to environment: StoreEnvironment) {
        store?.attach(to: environment)
    }

    func readStore(
        _ identity: PageIdentity, completion: @escaping @Sendable (Result<LoadedPage?, PaginatorError>) -> Void
    ) {
        guard let store else { return completion(.success(nil)) }
        store.load(identity) { [clock] result in
            completion(
                result.map { stored in
                    stored.map { stored in
                        var page = Self.loaded(stored.page, as: identity, from: .store, clock: clock)
                        // The age on disk is counted by the wall clock, which may have been set back.
                        let age = max(0, clock.wallTime.timeIntervalSince(stored.fetchedAt))
                        // Rounded up, because a date does not tell nanoseconds: rather too old than too new.
                        page.fetchedAt = page.fetchedAt.advanced(
                            by: .zero - .clamped(seconds: (age * 1e6).rounded(.up) / 1e6))
                        page.isInvalidated = stored.isInvalidated
                        return page
                    }
                })
        }
    }

    func changeStore(
        _ change: StoreOperation, accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) {
        guard let store else { return accepted(.success(())) }
        store.apply([typed(change)], accepted: accepted)
    }

    func flushStore(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        guard let store else { return completion(.success(())) }
        store.flush(completion: completion)
    }

    private func typed(_ operation: StoreOperation) -> StoreChange<T> {
        switch operation {
        case .save(let identity, let loaded):
            let page = PaginatorPage<T>.from(loaded.object)
            let age = loaded.age(at: clock.now)
            // By the wall clock, since the monotonic one begins anew with the device.
            let fetchedAt = clock.wallTime.addingTimeInterval(-age.inSeconds)
            return .save(
                identity, StoredPage(page: page, fetchedAt: fetchedAt, isInvalidated: loaded.isInvalidated))
        case .remove(let selection):
            return .remove(selection)
        case .invalidate(let selection):
            return .invalidate(selection)
        case .edit(let selection, let change):
            return .edit(selection, PageEdit { page in change(page).map { .from($0) } })
        }
    }

    // Takes the item type off a page. Its expiration time moves to the monotonic clock, which nobody can set.
    static func loaded(
        _ page: PaginatorPage<T>, as identity: PageIdentity, from origin: PageOrigin, clock: any PaginatorClock
    ) -> LoadedPage {
        let now = clock.now
        let expiresAt = page.expirationTime.map {
            now.advanced(by: .clamped(seconds: $0.timeIntervalSince(clock.wallTime)))
        }
        return LoadedPage(
            object: page,
            facts: PageFacts(bytes: page.byteCount, items: page.content.count, keyHash: identity.stableHash),
            neighbors: NeighborKeys(previous: page.prevKey, next: page.nextKey),
            origin: origin,
            fetchedAt: now,
            expiresAt: expiresAt,
            isStorable: page.isStorable)
    }
}

extension PaginatorPage {
    /// Gives a page its item type back.
    ///
    /// An engine's pages are made by the operations of one item type alone, and never leave the engine but as pages of
    /// that type. Inlinable, because to call it from another module the type of the page has to be looked up.
    @inlinable @inline(__always)
    static func from(_ object: any AnyObject & Sendable) -> PaginatorPage {
        KnownType.cast(object)
    }
}

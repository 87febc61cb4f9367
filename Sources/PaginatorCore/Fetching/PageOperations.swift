#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The operations on pages that the engine needs without knowing the item type.
///
/// Every operation runs user code, so none is called with a lock held.
struct PageOperations: Sendable {
    let firstKey: String
    let keyRule: KeyRule?
    let needsConnection: Bool
    let judgesPages: Bool
    /// Whether a call of the source returns before any user code runs.
    let startsTasks: Bool
    let neighborKeys: @Sendable (_ key: String, _ pageSize: Int) -> NeighborKeys?
    let callSource:
        @Sendable (SourceRequest, _ completion: @escaping @Sendable (Result<LoadedPage, SourceError>) -> Void) ->
            SourceCancellation
    let judge: @Sendable (any AnyObject & Sendable, ValidationContext) -> PageVerdict
    let judgeFetched:
        @Sendable (any AnyObject & Sendable, ValidationContext, @escaping @Sendable (PageVerdict) -> Void) -> Void
    /// Whether the object is a page of the item type: a source may pass on the page of another source.
    let isPage: @Sendable (any AnyObject & Sendable) -> Bool
    /// Joins the beginning of a page with what follows it; `nil` if they do not fit together.
    let join: @Sendable (LoadedPage, LoadedPage, PageIdentity) -> LoadedPage?
    let store: StoreOperations?

    init<T: Sendable>(
        source: any PaginatorDataSource<T>, validator: AnyPageValidator<T>, store: (any PaginatorStore<T>)?,
        clock: any PaginatorClock
    ) {
        firstKey = source.firstKey
        keyRule = source.keyRule
        needsConnection = source.needsConnection
        judgesPages = !validator.acceptsAll
        startsTasks = source is any TaskStartingSource
        neighborKeys = { source.neighborKeys(of: $0, pageSize: $1) }
        callSource = { request, completion in
            source.fetch(request) { [identity = request.identity] result in
                // Without closures, which would need type metadata lookups in code that does not know `T`.
                switch result {
                case .success(let page):
                    completion(.success(LoadedPage(page, as: identity, from: .source, clock: clock)))
                case .failure(let error): completion(.failure(error))
                }
            }
        }
        judge = { validator.judge(PaginatorPage<T>.from($0), in: $1) }
        judgeFetched = { validator.judgeFetched(PaginatorPage<T>.from($0), in: $1, completion: $2) }
        isPage = { $0 is PaginatorPage<T> }
        join = { head, rest, identity in
            let (part, next) = (PaginatorPage<T>.from(head.object), PaginatorPage<T>.from(rest.object))
            // If an edit has removed or added rows, the source may continue at another row.
            guard part.content.count == head.details.facts.items,
                !rest.isPartial || next.content.count == rest.details.facts.items
            else { return nil }
            return part.followed(by: next, revision: head.details.revision).map {
                // An edit may have removed items of the rest.
                LoadedPage(
                    $0, as: identity, from: .source, clock: clock,
                    items: part.content.count + rest.details.facts.items, revision: head.details.revision)
            }
        }
        self.store = store.map { StoreOperations($0, clock: clock) }
    }
}

/// The operations of a store.
struct StoreOperations: Sendable {
    let attach: @Sendable (StoreEnvironment) -> Void
    let read:
        @Sendable (PageIdentity, _ completion: @escaping @Sendable (Result<LoadedPage?, PaginatorError>) -> Void) ->
            Void
    let change:
        @Sendable (StoreOperation, _ accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) -> Void
    let flush: @Sendable (_ completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) -> Void
}

enum StoreOperation: Sendable {
    case save(PageIdentity, LoadedPage)
    case remove(PageSelection)
    case invalidate(PageSelection)
    case invalidateTags(Set<ExactText>)
    case edit(PageSelection, EditLog.Change, of: ItemTarget? = nil)
}

extension StoreOperations {
    init<T: Sendable>(_ store: any PaginatorStore<T>, clock: any PaginatorClock) {
        attach = { store.attach(to: $0) }
        let start = clock.now
        read = { identity, completion in
            store.load(identity) { result in
                completion(result.map { $0.map { LoadedPage($0, as: identity, clock: clock, since: start) } })
            }
        }
        change = { operation, accepted in store.apply([StoreChange(operation, clock: clock)], accepted: accepted) }
        flush = { store.flush(completion: $0) }
    }
}

extension Duration {
    /// The stored times of the pages of one call differ by at most this.
    fileprivate static let sameCall = Duration.milliseconds(10)
}

extension StoreChange {
    fileprivate init(_ operation: StoreOperation, clock: any PaginatorClock) {
        switch operation {
        case .save(let identity, let loaded):
            // By the wall clock, because the monotonic clock restarts with the device.
            // A page of a call has a time at which the call had begun, also after reading, but nearly that of the others.
            let time = loaded.calledAt.map { min(loaded.fetchedAt, $0.advanced(by: .sameCall)) } ?? loaded.fetchedAt
            let age = max(.zero, time.duration(to: clock.now))
            let fetchedAt = clock.wallTime.addingTimeInterval(-age.inSeconds)
            let page = PaginatorPage<T>.from(loaded.object)
            let isStale = loaded.isInvalidated || page.hasLostItems(of: loaded.details.facts.items)
            self = .save(identity, StoredPage(page: page, fetchedAt: fetchedAt, isInvalidated: isStale))
        case .remove(let selection):
            self = .remove(selection)
        case .invalidate(let selection):
            self = .invalidate(selection)
        case .invalidateTags(let tags):
            self = .invalidateTags(tags.map(\.text).sorted())
        case .edit(let selection, let change, let target):
            self = .edit(selection, PageEdit(of: target) { page in change(page).map { .from($0) } })
        }
    }
}

extension LoadedPage {
    // Erases the item type of a page. Its expiration moves to the monotonic clock, which cannot be set back.
    init<T: Sendable>(
        _ page: PaginatorPage<T>, as identity: PageIdentity, from origin: PageOrigin, clock: any PaginatorClock,
        items: Int? = nil, revision: String? = nil
    ) {
        let now = clock.now
        self.init(
            object: page,
            details: Details(
                facts: PageFacts(
                    bytes: page.byteCount, items: items ?? page.content.count, keyHash: identity.stableHash),
                next: page.nextKey.map(Result.success), previous: page.prevKey.map(Result.success),
                expiresAt: page.expirationTime.map {
                    now.advanced(by: .clamped(seconds: $0.timeIntervalSince(clock.wallTime)))
                },
                isStorable: page.isStorable, tags: page.tags, revision: revision ?? page.revision,
                continuation: page.continuation),
            origin: origin, fetchedAt: now)
    }

    // `start`: when the paginator was created.
    fileprivate init<T: Sendable>(
        _ stored: StoredPage<T>, as identity: PageIdentity, clock: any PaginatorClock, since start: PaginatorInstant
    ) {
        self.init(stored.page, as: identity, from: .store, clock: clock)
        // The age on disk is measured by the wall clock. If that was set back, by more than its usual corrections, the
        // age is unknown: the page is stale, and counts as older than what this paginator has requested.
        let age = clock.wallTime.timeIntervalSince(stored.fetchedAt)
        let isAgeKnown = age >= -5
        // Rounded up to a microsecond, because a date has no nanoseconds and a page must not seem newer than it is.
        let offset = Duration.zero - .clamped(seconds: (max(0, age) * 1e6).rounded(.up) / 1e6)
        fetchedAt = isAgeKnown ? fetchedAt.advanced(by: offset) : start
        // Earlier than the call began, with the time between reading the two clocks.
        calledAt = fetchedAt.advanced(by: .sameCall * -2)
        isInvalidated = stored.isInvalidated || !isAgeKnown
    }
}

extension PaginatorPage {
    /// Restores the item type of a page.
    ///
    /// The pages of an engine are made by operations of one item type, and leave the engine only as pages of that type.
    /// Inlinable, because a call from another module would have to look up the type of the page.
    @inlinable @inline(__always)
    static func from(_ object: any AnyObject & Sendable) -> PaginatorPage {
        KnownType.cast(object)
    }
}

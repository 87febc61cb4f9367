import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Pages by identity, evicted by a strategy.
struct StoredPageTable<T: Sendable>: Sendable {
    private(set) var pages: [PageIdentity: StoredPage<T>] = [:]
    private var handles: [PageIdentity: PageHandle] = [:]
    private var identities: [PageHandle: PageIdentity] = [:]
    private var evictor: PaginatorEvictor
    private var lifetime: Duration?
    private var clock: any PaginatorClock = SystemPaginatorClock()

    init(strategy: EvictionStrategy) {
        evictor = PaginatorEvictor(strategy: strategy)
        lifetime = strategy.lifetime
    }

    mutating func attach(to environment: StoreEnvironment, isFirst: Bool) {
        clock = environment.clock
        guard isFirst, let strategy = environment.evictionStrategy else { return }
        // The oldest first, and of equally old ones the first that was stored.
        let known = pages.map { identity, page in (identity, page, handles[identity]?.index ?? 0) }
            .sorted { ($0.1.fetchedAt, $0.2) < ($1.1.fetchedAt, $1.2) }
        (pages, handles, identities) = ([:], [:], [:])
        (evictor, lifetime) = (PaginatorEvictor(strategy: strategy), strategy.lifetime)
        for (identity, page, _) in known { save(identity, page) }
    }

    mutating func use(_ identity: PageIdentity) -> StoredPage<T>? {
        guard let handle = handles[identity], let stored = pages[identity] else { return nil }
        evictor.use(handle)
        // Stale until the next save removes it, as in a store with a file.
        guard let lifetime, clock.wallTime.timeIntervalSince(stored.fetchedAt) >= lifetime.inSeconds else {
            return stored
        }
        return StoredPage(page: stored.page, fetchedAt: stored.fetchedAt, isInvalidated: true)
    }

    mutating func replace(_ identity: PageIdentity, with page: StoredPage<T>) {
        if pages[identity] != nil { pages[identity] = page }
    }

    mutating func apply(_ change: StoreChange<T>) {
        switch change {
        case .save(let identity, let page):
            save(identity, page)
        case .remove(let selection):
            for identity in pages.keys where selection.contains(identity) { remove(identity) }
        case .invalidate(let selection):
            invalidate { identity, _ in selection.contains(identity) }
        case .invalidateTags(let tags):
            invalidate { _, page in page.tags.hasTag(in: tags) }
        case .edit:
            break
        }
    }

    private mutating func invalidate(where isConcerned: (PageIdentity, PaginatorPage<T>) -> Bool) {
        for (identity, stored) in pages where isConcerned(identity, stored.page) {
            pages[identity] = StoredPage(page: stored.page, fetchedAt: stored.fetchedAt, isInvalidated: true)
        }
    }

    private mutating func save(_ identity: PageIdentity, _ page: StoredPage<T>) {
        let earlier = handles.removeValue(forKey: identity)
        if let earlier { identities[earlier] = nil }
        pages[identity] = nil
        let facts = PageFacts(
            bytes: page.page.byteCount, items: page.page.content.count, keyHash: identity.stableHash)
        guard let handle = evictor.insert(facts, at: clock.now, replacing: earlier) else { return }
        pages[identity] = page
        handles[identity] = handle
        identities[handle] = identity
        while let victim = evictor.nextExpired(at: clock.now) ?? evictor.nextVictim()?.page {
            guard let identity = identities.removeValue(forKey: victim) else { continue }
            pages[identity] = nil
            handles[identity] = nil
        }
    }

    private mutating func remove(_ identity: PageIdentity) {
        guard let handle = handles.removeValue(forKey: identity) else { return }
        evictor.remove(handle)
        identities[handle] = nil
        pages[identity] = nil
    }
}

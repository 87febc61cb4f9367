public import PaginatorCore

/// Runs an eviction strategy over a store's pages, for stores that are written without ``PageFile``.
///
/// ```swift
/// var evictor = StoreEvictor(strategy: .adaptive(maxBytes: 100_000_000))
/// if evictor.save(identity, bytes: data.count, items: page.content.count, at: clock.now) { files[identity] = data }
/// while let victim = evictor.nextVictim(at: clock.now) { files[victim] = nil }
/// ```
///
/// It is a value. Every call is O(1); with a lifetime, saves and removals are O(log pages).
public struct StoreEvictor: Sendable {
    private var evictor: PaginatorEvictor
    private var handles: [PageIdentity: PageHandle] = [:]
    private var identities: [PageHandle: PageIdentity] = [:]

    /// Creates an evictor of an empty store.
    ///
    /// - Parameter strategy: decides which pages to evict.
    public init(strategy: EvictionStrategy) {
        evictor = PaginatorEvictor(strategy: strategy)
    }

    /// Records a page that is being saved, in place of an earlier one with the same identity.
    ///
    /// - Parameters:
    ///   - identity: the page's identity.
    ///   - bytes: its weight in bytes.
    ///   - items: its number of items.
    ///   - now: the current time.
    /// - Returns: whether the strategy admits it; if not, the store must remove an earlier page with this identity.
    public mutating func save(_ identity: PageIdentity, bytes: Int, items: Int, at now: PaginatorInstant) -> Bool {
        let earlier = handles.removeValue(forKey: identity)
        if let earlier { identities[earlier] = nil }
        let facts = PageFacts(bytes: bytes, items: items, keyHash: identity.stableHash)
        guard let handle = evictor.insert(facts, at: now, replacing: earlier) else { return false }
        handles[identity] = handle
        identities[handle] = identity
        return true
    }

    /// Records a read.
    public mutating func use(_ identity: PageIdentity) {
        if let handle = handles[identity] { evictor.use(handle) }
    }

    /// Records the removal of a page.
    public mutating func remove(_ identity: PageIdentity) {
        guard let handle = handles.removeValue(forKey: identity) else { return }
        identities[handle] = nil
        evictor.remove(handle)
    }

    /// Returns a page that the store must remove, because of a limit or its age; `nil` if there is none.
    public mutating func nextVictim(at now: PaginatorInstant) -> PageIdentity? {
        // Expired pages first, which make room without the strategy.
        guard let handle = evictor.nextExpired(at: now) ?? evictor.nextVictim()?.page,
            let identity = identities.removeValue(forKey: handle)
        else { return nil }
        handles[identity] = nil
        return identity
    }
}

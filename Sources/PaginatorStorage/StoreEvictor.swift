public import PaginatorCore

/// Runs an eviction strategy over the pages of a store, for those who write a store without ``PageFile``.
///
/// ```swift
/// var evictor = StoreEvictor(strategy: .adaptive(maxBytes: 100_000_000))
/// if evictor.save(identity, bytes: data.count, items: page.content.count, at: clock.now) { files[identity] = data }
/// while let victim = evictor.nextVictim(at: clock.now) { files[victim] = nil }
/// ```
///
/// A value, and every call is O(1); with a lifetime, those that save or remove are O(log pages).
public struct StoreEvictor: Sendable {
    private var evictor: PaginatorEvictor
    private var handles: [PageIdentity: PageHandle] = [:]
    private var identities: [PageHandle: PageIdentity] = [:]

    /// Makes an evictor of an empty store.
    ///
    /// - Parameter strategy: decides which pages go.
    public init(strategy: EvictionStrategy) {
        evictor = PaginatorEvictor(strategy: strategy)
    }

    /// Takes note of a page that is to be saved, in place of an earlier one of its identity.
    ///
    /// - Parameters:
    ///   - identity: the page's identity.
    ///   - bytes: its weight in bytes.
    ///   - items: how many items it has.
    ///   - now: the time.
    /// - Returns: whether the strategy admits it; if not, the store removes an earlier one of its identity.
    public mutating func save(_ identity: PageIdentity, bytes: Int, items: Int, at now: PaginatorInstant) -> Bool {
        // A page that is saved again goes on with the uses of the one that it replaces.
        let uses = handles[identity].map { evictor.uses(of: $0) } ?? 0
        remove(identity)
        let facts = PageFacts(bytes: bytes, items: items, keyHash: identity.stableHash, restoredUses: uses)
        guard let handle = evictor.insert(facts, at: now) else { return false }
        handles[identity] = handle
        identities[handle] = identity
        return true
    }

    /// Takes note of a read.
    public mutating func use(_ identity: PageIdentity) {
        if let handle = handles[identity] { evictor.use(handle) }
    }

    /// Takes note of a page that was removed.
    public mutating func remove(_ identity: PageIdentity) {
        guard let handle = handles.removeValue(forKey: identity) else { return }
        identities[handle] = nil
        evictor.remove(handle)
    }

    /// Returns a page that the store must remove, for a limit or for its age; `nil` when there is none.
    public mutating func nextVictim(at now: PaginatorInstant) -> PageIdentity? {
        // Age first: what has expired makes room without the strategy.
        guard let handle = evictor.nextExpired(at: now) ?? evictor.nextVictim(),
            let identity = identities.removeValue(forKey: handle)
        else { return nil }
        handles[identity] = nil
        return identity
    }
}

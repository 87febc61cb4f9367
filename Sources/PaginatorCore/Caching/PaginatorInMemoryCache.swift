/// A cache of objects in memory for many threads, with the eviction strategies of the paginator: useful on its own, for
/// images that belong to pages, say.
///
/// ```swift
/// let thumbnails = PaginatorInMemoryCache<Thumbnail>(strategy: .adaptive(maxBytes: 50_000_000)) { thumbnail in
///     thumbnail.byteCount
/// }
/// thumbnails.set(thumbnail, for: PageIdentity(key: "post-7", pageSize: 0))
/// let cached = thumbnails.get(PageIdentity(key: "post-7", pageSize: 0))
/// ```
///
/// Reads on several threads do not wait for each other. No object is released, and no closure called, with a lock held.
/// Every call is O(1) where nothing else is said.
public final class PaginatorInMemoryCache<Value: AnyObject & Sendable>: Sendable {
    private let cache: PageCache
    private let clock: any PaginatorClock
    private let byteCount: @Sendable (Value) -> Int
    private let onRemoval: (@Sendable (PageIdentity, Value, EvictionCause) -> Void)?

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - strategy: decides which objects stay, at most 200 by the adaptive policy by default; the cache works on its
    ///     own copy.
    ///   - clock: where the time comes from, for strategies with a lifetime.
    ///   - byteCount: an object's weight in bytes, asked once when it comes; none by default, and negative ones count as
    ///     zero. As an item it counts for one.
    ///   - onRemoval: called for each object that leaves, with the cause, on the thread whose call made it leave, after
    ///     that call's change; it may call the cache.
    public init(
        strategy: EvictionStrategy = .adaptive(maxPages: 200),
        clock: any PaginatorClock = SystemPaginatorClock(),
        byteCount: @escaping @Sendable (Value) -> Int = { _ in 0 },
        onRemoval: (@Sendable (PageIdentity, Value, EvictionCause) -> Void)? = nil
    ) {
        cache = PageCache(strategy: strategy)
        self.clock = clock
        self.onRemoval = onRemoval
        self.byteCount = byteCount
    }

    /// Returns the object and notes the use; `nil` when it is not here or past its lifetime.
    public func get(_ identity: PageIdentity) -> Value? { value(identity, touching: true) }

    /// Returns the object without noting a use; `nil` when it is not here or past its lifetime.
    public func peek(_ identity: PageIdentity) -> Value? { value(identity, touching: false) }

    /// Puts an object in, in place of an earlier one of the same identity.
    ///
    /// - Parameters:
    ///   - value: the object.
    ///   - identity: its identity.
    /// - Returns: whether the strategy admitted it; if not, an earlier one is gone all the same.
    @discardableResult
    public func set(_ value: Value, for identity: PageIdentity) -> Bool {
        let facts = PageFacts(bytes: byteCount(value), items: 1, keyHash: identity.stableHash)
        let now = now
        let (isAdmitted, removed) = cache.admit(
            identity, LoadedPage(object: value, details: .none, origin: .memory, fetchedAt: now), facts: facts, at: now)
        report(removed)
        return isAdmitted
    }

    /// Removes the object.
    public func remove(_ identity: PageIdentity) {
        report(cache.remove(.identity(identity), because: .cleared))
    }

    /// Removes the objects named. Complexity: O(1) for one identity, else O(objects here).
    ///
    /// - Parameter selection: which ones; all by default.
    public func removeAll(_ selection: PageSelection = .all) {
        report(cache.remove(selection, because: .cleared))
    }

    /// Removes the objects whose lifetime has passed.
    ///
    /// They are not returned any more in any case; this, and the next ``set(_:for:)``, frees their memory.
    public func removeExpired() {
        report(cache.expire(at: clock.now))
    }

    /// Removes objects, in the strategy's order, until at most a fraction of their number, items and bytes is left.
    ///
    /// Pinned objects stay, and so does what a minimum holds.
    ///
    /// - Parameter fraction: how much of the present usage may stay, from 0 to 1.
    public func trim(toFraction fraction: Double) {
        report(cache.trim(toFraction: fraction))
    }

    /// Keeps an object that is here until it is unpinned as often as it was pinned; neither a limit nor its lifetime removes
    /// it. An object that is set in its place is pinned too.
    ///
    /// - Returns: whether the object is here.
    @discardableResult
    public func pin(_ identity: PageIdentity) -> Bool {
        cache.pin(identity)
    }

    /// Takes one pin away; does nothing when the object is not pinned.
    public func unpin(_ identity: PageIdentity) {
        report(cache.unpin(identity))
    }

    /// What is held, pinned objects included.
    public var usage: PageUsage { cache.usage }

    /// What is pinned.
    public var pinnedUsage: PageUsage { cache.pinnedUsage }

    private func value(_ identity: PageIdentity, touching: Bool) -> Value? {
        cache.read(identity, at: now, touching: touching).map { KnownType.cast($0.object) }
    }

    // The time matters only where the strategy limits the age of objects.
    private var now: PaginatorInstant { cache.limitsAge ? clock.now : .zero }

    private func report(_ removed: RemovedPages) {
        guard let onRemoval else { return }
        for page in removed { onRemoval(page.identity, KnownType.cast(page.page.object), page.cause) }
    }
}

/// A thread-safe in-memory cache of objects with the paginator's eviction strategies, for instance for images that
/// belong to pages.
///
/// ```swift
/// let thumbnails = PaginatorInMemoryCache<Thumbnail>(strategy: .adaptive(maxBytes: 50_000_000)) { thumbnail in
///     thumbnail.byteCount
/// }
/// thumbnails.set(thumbnail, for: PageIdentity(key: "post-7", pageSize: 0))
/// let cached = thumbnails.get(PageIdentity(key: "post-7", pageSize: 0))
/// ```
///
/// Concurrent reads do not block each other. No object is released and no closure called with a lock held. Every call
/// is O(1) unless stated otherwise.
public final class PaginatorInMemoryCache<Value: AnyObject & Sendable>: Sendable {
    private let cache: PageCache
    private let clock: any PaginatorClock
    private let byteCount: @Sendable (Value) -> Int
    private let onRemoval: (@Sendable (PageIdentity, Value, EvictionCause) -> Void)?

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - strategy: decides which objects stay; the adaptive policy with at most 200 by default. The cache uses its
    ///     own copy.
    ///   - clock: the clock for strategies with a lifetime.
    ///   - byteCount: returns an object's weight in bytes; called once when it is set. Zero by default; negative values
    ///     count as zero. Each object counts as one item.
    ///   - onRemoval: called for each removed object with the cause, on the thread of the call that removed it, after
    ///     its change. It may call the cache.
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

    /// Returns the object and counts a use; `nil` if it is not cached, or its lifetime has ended and neither a pin nor
    /// a minimum keeps it.
    public func get(_ identity: PageIdentity) -> Value? { value(identity, touching: true) }

    /// Returns the object as ``get(_:)`` does, without counting a use.
    public func peek(_ identity: PageIdentity) -> Value? { value(identity, touching: false) }

    /// Caches an object, in place of an earlier one with the same identity.
    ///
    /// - Parameters:
    ///   - value: the object.
    ///   - identity: its identity.
    /// - Returns: whether the strategy admitted it. If not, an earlier object is removed all the same.
    @discardableResult
    public func set(_ value: Value, for identity: PageIdentity) -> Bool {
        let facts = PageFacts(bytes: byteCount(value), items: 1, keyHash: identity.stableHash)
        let now = now
        let page = LoadedPage(object: value, details: .init(facts: facts), origin: .memory, fetchedAt: now)
        let (isAdmitted, removed) = cache.admit(identity, page, at: now)
        report(removed)
        return isAdmitted
    }

    /// Removes the object.
    public func remove(_ identity: PageIdentity) {
        report(cache.remove(.identity(identity), because: .cleared))
    }

    /// Removes the selected objects. Complexity: O(1) for one identity, else O(cached objects).
    ///
    /// - Parameter selection: the objects to remove; all by default.
    public func removeAll(_ selection: PageSelection = .all) {
        report(cache.remove(selection, because: .cleared))
    }

    /// Removes the objects whose lifetime has ended, except those that a pin or a minimum keeps.
    ///
    /// The removed ones were no longer returned. This call, and the next ``set(_:for:)``, frees their memory.
    public func removeExpired() {
        report(cache.expire(at: clock.now))
    }

    /// Evicts objects in the strategy's order until at most a fraction of their number, items and bytes remains.
    ///
    /// Pinned objects, and those that a minimum holds, stay.
    ///
    /// - Parameter fraction: the fraction of the current usage that may remain, from 0 to 1.
    public func trim(toFraction fraction: Double) {
        report(cache.trim(toFraction: fraction))
    }

    /// Pins a cached object: neither a limit nor its lifetime removes it until it is unpinned as often as it was
    /// pinned. An object that replaces it is pinned, too.
    ///
    /// - Returns: whether the object is cached.
    @discardableResult
    public func pin(_ identity: PageIdentity) -> Bool { cache.pin(identity) }

    /// Removes one pin; does nothing if the object is not pinned.
    public func unpin(_ identity: PageIdentity) {
        report(cache.unpin(identity))
    }

    /// The usage, pinned objects included.
    public var usage: PageUsage { cache.usage }

    /// The usage of pinned objects.
    public var pinnedUsage: PageUsage { cache.pinnedUsage }

    private func value(_ identity: PageIdentity, touching: Bool) -> Value? {
        // Without a closure, which unspecialized code would have to make.
        guard let page = cache.read(identity, at: now, touching: touching) else { return nil }
        return KnownType.cast(page.object)
    }

    // The time is only needed if the strategy limits the age of objects.
    private var now: PaginatorInstant { cache.limitsAge ? clock.now : .zero }

    private func report(_ removed: RemovedPages) {
        guard let onRemoval else { return }
        for page in removed { onRemoval(page.identity, KnownType.cast(page.page.object), page.cause) }
    }
}

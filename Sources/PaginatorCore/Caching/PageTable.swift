/// The pages of a memory cache by identity, and chains through those of one key and those of one scope.
///
/// Entries lie in one block and their details in another, at the place that their handle names. Memory is freed by
/// ``deallocate()``; the owner's locks guard every call.
struct PageTable {
    /// What every look-up reads: 64 bytes where pointers have eight, which is one line of most processors' caches.
    struct Entry {
        let identity: PageIdentity
        /// When a read must ask whether it still may be returned.
        var deadline: PaginatorInstant
        var value: any AnyObject & Sendable
    }

    private var entries: UnsafeMutablePointer<Entry>
    private var allDetails: UnsafeMutablePointer<CachedEntry.Details>
    private var capacity = 16
    /// Each page lies beside its entry, so that a hit waits for the entry and the page at once; the entry owns it.
    private var pages = HandleTable<Unmanaged<any AnyObject & Sendable>?>()
    private var keys = PageChains()
    private var scopes = PageChains()

    init() {
        entries = LargeMemory.allocate(Entry.self, count: capacity)
        allDetails = LargeMemory.allocate(CachedEntry.Details.self, count: capacity)
    }

    /// Releases every page and the memory.
    mutating func deallocate() {
        for index in indices(in: .all) { _ = remove(at: index) }
        entries.deallocate()
        allDetails.deallocate()
        pages.deallocate()
        keys.deallocate()
        scopes.deallocate()
    }

    /// Returns where the page's entry lies; `nil` when it is not here.
    @inline(__always)
    func index(of identity: PageIdentity) -> Int? {
        slot(of: identity).map { pages.index(at: $0) }
    }

    /// Returns where the page's entry lies, and the page; `nil` when it is not here.
    @inline(__always)
    func find(_ identity: PageIdentity) -> (index: Int, value: Unmanaged<any AnyObject & Sendable>)? {
        guard let slot = slot(of: identity), let page = pages.payload(at: slot) else { return nil }
        return (pages.index(at: slot), page)
    }

    @inline(__always)
    private func slot(of identity: PageIdentity) -> Int? {
        pages.slot(of: StableHash.shortened(identity.stableHash), where: { entries[$0].identity == identity })
    }

    /// The entry at a place that is in use.
    @inline(__always)
    func entry(at index: Int) -> UnsafeMutablePointer<Entry> { entries + index }

    /// What is known of the page at a place that is in use.
    @inline(__always)
    func details(at index: Int) -> UnsafeMutablePointer<CachedEntry.Details> { allDetails + index }

    /// The page at a place that is in use, with what is known of it.
    @inline(__always)
    func cached(at index: Int) -> CachedEntry {
        CachedEntry(value: entries[index].value, details: allDetails[index])
    }

    /// Puts a page in the place of another of the same identity, and returns the other.
    func replace(at index: Int, with cached: CachedEntry) -> any AnyObject & Sendable {
        let old = entries[index].value
        if let slot = slot(of: entries[index].identity) { pages.replace(at: slot, with: .passUnretained(cached.value)) }
        entries[index].value = cached.value
        allDetails[index] = cached.details
        return old
    }

    /// Puts a page, which is not here, at a place that is not in use.
    mutating func insert(_ identity: PageIdentity, _ cached: CachedEntry, at index: Int, deadline: PaginatorInstant) {
        if index >= capacity { grow(toHold: index) }
        (entries + index).initialize(to: Entry(identity: identity, deadline: deadline, value: cached.value))
        (allDetails + index).initialize(to: cached.details)
        let entries = entries
        pages.insert(index, hash: StableHash.shortened(identity.stableHash), .passUnretained(cached.value))
        keys.insert(index, hash: StableHash.value(of: identity.key)) {
            entries[$0].identity.key.hasSameBytes(as: identity.key)
        }
        scopes.insert(index, hash: StableHash.value(of: identity.scope)) {
            entries[$0].identity.scope.hasSameBytes(as: identity.scope)
        }
    }

    /// Takes the page out that is at a place in use.
    mutating func remove(at index: Int) -> Entry {
        let hash = StableHash.shortened(entries[index].identity.stableHash)
        if let slot = pages.slot(of: hash, where: { $0 == index }) { pages.remove(at: slot) }
        keys.remove(index)
        scopes.remove(index)
        return (entries + index).move()
    }

    /// Returns the places of the pages named. Complexity: O(pages named); for all of them, O(capacity).
    func indices(in selection: PageSelection) -> [Int] {
        switch selection {
        case .identity(let identity):
            index(of: identity).map { [$0] } ?? []
        case .key(let key):
            keys.pages(of: StableHash.value(of: key)) { entries[$0].identity.key.hasSameBytes(as: key) }
        case .scope(let scope):
            scopes.pages(of: StableHash.value(of: scope)) { entries[$0].identity.scope.hasSameBytes(as: scope) }
        case .all:
            pages.indices
        }
    }

    private mutating func grow(toHold index: Int) {
        let larger = max(index + 1, capacity * 2)
        let moved = LargeMemory.allocate(Entry.self, count: larger)
        let movedDetails = LargeMemory.allocate(CachedEntry.Details.self, count: larger)
        for place in pages.indices {
            (moved + place).moveInitialize(from: entries + place, count: 1)
            (movedDetails + place).moveInitialize(from: allDetails + place, count: 1)
        }
        entries.deallocate()
        allDetails.deallocate()
        entries = moved
        allDetails = movedDetails
        capacity = larger
    }
}

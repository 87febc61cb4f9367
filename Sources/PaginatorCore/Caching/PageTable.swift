/// The pages of a memory cache by identity, and chains through those of one key and those of one scope.
///
/// Entries lie in one block, at the place that their handle names. Memory is freed by ``deallocate()``; the owner's
/// locks guard every call.
struct PageTable {
    struct Entry {
        let identity: PageIdentity
        /// When a read must ask whether it still may be returned.
        var deadline: PaginatorInstant
        /// Begins with the page, so that what a hit reads lies together.
        var cached: CachedEntry
    }

    private var entries: UnsafeMutablePointer<Entry>
    private var capacity = 16
    private var pages = HandleTable()
    private var keys = PageChains()
    private var scopes = PageChains()

    init() {
        entries = .allocate(capacity: capacity)
    }

    /// Releases every page and the memory.
    mutating func deallocate() {
        for index in indices(in: .all) { _ = remove(at: index) }
        entries.deallocate()
        pages.deallocate()
        keys.deallocate()
        scopes.deallocate()
    }

    /// Returns where the page's entry lies; `nil` when it is not here.
    @inline(__always)
    func index(of identity: PageIdentity) -> Int? {
        let hash = HandleTable.shortened(identity.stableHash)
        guard let slot = pages.slot(of: hash, where: { entries[$0].identity == identity }) else { return nil }
        return pages.index(at: slot)
    }

    /// The entry at a place that is in use.
    @inline(__always)
    func entry(at index: Int) -> UnsafeMutablePointer<Entry> { entries + index }

    /// Puts a page, which is not here, at a place that is not in use.
    mutating func insert(_ identity: PageIdentity, _ cached: CachedEntry, at index: Int, deadline: PaginatorInstant) {
        if index >= capacity { grow(toHold: index) }
        (entries + index).initialize(to: Entry(identity: identity, deadline: deadline, cached: cached))
        let entries = entries
        pages.insert(index, hash: HandleTable.shortened(identity.stableHash))
        keys.insert(index, hash: StableHash.value(of: identity.key)) {
            entries[$0].identity.key.hasSameBytes(as: identity.key)
        }
        scopes.insert(index, hash: StableHash.value(of: identity.scope)) {
            entries[$0].identity.scope.hasSameBytes(as: identity.scope)
        }
    }

    /// Takes the page out that is at a place in use.
    mutating func remove(at index: Int) -> Entry {
        let hash = HandleTable.shortened(entries[index].identity.stableHash)
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
        let moved = UnsafeMutablePointer<Entry>.allocate(capacity: larger)
        for place in pages.indices { (moved + place).moveInitialize(from: entries + place, count: 1) }
        entries.deallocate()
        entries = moved
        capacity = larger
    }
}

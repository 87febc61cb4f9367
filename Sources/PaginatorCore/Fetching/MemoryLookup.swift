package struct MemoryLookup: Sendable {
    let answer: CacheAnswer
    /// The number of changes of memory before the lookup; see ``MemoryChanges``.
    let changes: UInt64
    var time = PaginatorInstant.zero
}

enum MemoryMeaning: Sendable {
    /// The page is the answer. If it is to be renewed, it is loaded again in the background.
    case page(LoadedPage, isRenewed: Bool)
    case refusal(reason: String)
    /// The page has to be loaded; the page in memory may be a preview or a fallback.
    case load
}

/// The latest changes of memory that a machine has decided. A caller reads memory before its fetch is decided; if its
/// page changed in between, the lookup is discarded.
struct MemoryChanges: Sendable {
    // The number of changes that are remembered; an older lookup is discarded.
    static let remembered = 16

    private(set) var count: UInt64 = 0
    private var latest: [PageSelection] = []

    mutating func note(_ selection: PageSelection) {
        count += 1
        latest.append(selection)
        if latest.count > Self.remembered { latest.removeFirst() }
    }

    func mayConcern(_ identity: PageIdentity, since earlier: UInt64) -> Bool {
        guard earlier < count else { return false }
        let missed = count - earlier
        return missed > latest.count || latest.suffix(Int(missed)).contains { $0.contains(identity) }
    }
}

package struct MemoryLook: Sendable {
    let answer: CacheAnswer
    /// How many changes of memory had been made before; see ``MemoryChanges``.
    let changes: UInt64
    var time = PaginatorInstant.zero
}

enum MemoryMeaning: Sendable {
    /// The page is the answer. One that is to be renewed is reloaded, for nobody in particular.
    case page(isRenewed: Bool)
    case refusal(reason: String)
    /// The page has to be loaded; what memory has may serve as a preview or a fallback.
    case load
}

extension CacheAnswer {
    /// The one place that knows when a cached page is the answer.
    func meaning(
        under policy: FetchPolicy, notBefore: PaginatorInstant?, part: PagePart? = nil
    ) -> MemoryMeaning {
        guard policy.isContentWithFreshCache else { return .load }
        switch self {
        case .fresh(let page) where policy == .cacheOnly || page.isAsNew(as: notBefore):
            return .page(isRenewed: false)
        case .freshButRefresh(let page) where policy == .cacheOnly || page.isAsNew(as: notBefore):
            return .page(isRenewed: true)
        case .part(let page) where page.isEnough(for: part) && (policy == .cacheOnly || page.isAsNew(as: notBefore)):
            return .page(isRenewed: false)
        case .stale where policy == .cacheOnly:
            return .page(isRenewed: false)
        case .stale(let page)
        where policy == .cacheThenRenew && !page.isInvalidated && page.isEnough(for: part)
            && page.isAsNew(as: notBefore):
            return .page(isRenewed: true)
        case .rejected(let reason):
            return .refusal(reason: reason)
        case .fresh, .freshButRefresh, .part, .stale, .miss, .dropped, .failed:
            return .load
        }
    }

    /// Also a part of the page.
    var found: LoadedPage? {
        if case .part(let page) = self { page } else { page }
    }

    var page: LoadedPage? {
        switch self {
        case .fresh(let page), .freshButRefresh(let page), .stale(let page): page
        case .part, .miss, .dropped, .rejected, .failed: nil
        }
    }
}

/// The latest changes of memory that a machine has decided. A caller looks into memory before its fetch is decided; what
/// changed its page between the two makes the look worthless.
struct MemoryChanges: Sendable {
    // So many are told apart; a look that is older than these counts as worthless.
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

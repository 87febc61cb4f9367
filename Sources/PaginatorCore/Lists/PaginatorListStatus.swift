/// What a list is doing, beside what it shows.
public struct PaginatorListStatus: Sendable, Hashable {
    /// The load of further items at the end.
    public internal(set) var next: PaginatorLoadState = .idle
    /// The load of further items at the start.
    public internal(set) var previous: PaginatorLoadState = .idle
    /// The first load, and every refresh: of all, of pages, and a jump.
    public internal(set) var refresh: PaginatorLoadState = .idle
    /// The gaps that are being filled, and those whose filling failed; in order. Other gaps are idle.
    public internal(set) var gaps: [PaginatorListGap] = []
    /// Why a page that is shown could not be renewed, where an older one from a cache stands in for it: it goes by a
    /// retry, by a refresh, and where the connection was missing, when that is back. `nil` when no page stands in for
    /// another; the first such page's error otherwise.
    public internal(set) var staleError: PaginatorError?
    /// Whether a first page has come since the list was made or reset.
    public internal(set) var hasLoaded = false
    /// How many live and local rows wait above, because the start of the list is not loaded or the window has no room for
    /// them.
    public internal(set) var newAbove = 0
    /// How many live and local rows wait below, because the end of the list is not loaded.
    public internal(set) var newBelow = 0

    init() {}
}

/// A gap that is being filled, or whose filling failed.
public struct PaginatorListGap: Sendable, Hashable {
    /// Where it lies: one of ``PaginatorListSnapshot/gaps`` of the snapshot of the same time.
    public let position: Int
    /// Whether it is being filled, or why that failed; ``PaginatorList/retry()`` tries again.
    public let phase: PaginatorLoadState
}

/// Something that happened to a list and that its items alone do not tell; later versions may add kinds.
public struct PaginatorListNotice: Sendable, Hashable, CustomStringConvertible {
    enum Kind: Sendable, Hashable {
        case shifted(items: Int)
        case repeatedKey(ExactText)
        case restarted
        case gapOpened
    }

    let kind: Kind

    /// A page and the next share so many items: others were inserted before them meanwhile, or removed.
    public static func shifted(items: Int) -> PaginatorListNotice { PaginatorListNotice(kind: .shifted(items: items)) }
    /// A page named a neighbor that the list has already; that direction ends there.
    public static func repeatedKey(_ key: String) -> PaginatorListNotice {
        PaginatorListNotice(kind: .repeatedKey(ExactText(key)))
    }
    /// A key had expired, and the list began again from the source's first key.
    public static let restarted = PaginatorListNotice(kind: .restarted)
    /// A page that came anew no longer joins its neighbor; something may be missing between them.
    public static let gapOpened = PaginatorListNotice(kind: .gapOpened)

    /// One line for logs.
    public var description: String { "\(kind)" }
}

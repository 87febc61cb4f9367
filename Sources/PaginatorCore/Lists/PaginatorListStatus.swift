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
    /// How current the rows are that somebody looks at; `nil` before there are any.
    public internal(set) var freshness: PaginatorListFreshness?
    /// Whether rows may be missing among those that somebody looks at, or right behind them: at a gap, of which
    /// ``PaginatorListSnapshot/gaps`` has the positions.
    public internal(set) var isPartial = false
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

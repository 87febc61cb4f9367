public import PaginatorCore

/// What a list is doing, beside what it shows.
public struct PaginatorListStatus: Sendable, Hashable {
    /// The scope of the rows that are shown: while a switch keeps the old ones, theirs.
    public var scope: String { exactScope.text }

    private let exactScope: ExactText
    /// The load of further items at the end.
    public var next: PaginatorLoadState = .idle
    /// The load of further items at the start.
    public var previous: PaginatorLoadState = .idle
    /// The first load, that of another scope too, and every refresh: of all, of pages, and a jump.
    public var refresh: PaginatorLoadState = .idle
    /// The gaps that are being filled, and those whose filling failed, which ``PaginatorList/retry()`` tries again: by their
    /// positions in ``PaginatorListSnapshot/gaps`` of the snapshot of the same time. Other gaps are idle.
    public var gaps: [Int: PaginatorLoadState] = [:]
    /// Why a page could not be renewed, so that an older one from a cache stands in for it; of several such pages the first
    /// one's error, `nil` where there is none. A retry or a refresh loads it anew, and so does the connection that was missing
    /// when it is back.
    public var staleError: PaginatorError?
    /// How current the rows are that somebody looks at; `nil` before there are any.
    public var freshness: PaginatorListFreshness?
    /// Whether rows may be missing among those that somebody looks at, or right behind them: at a gap, of which
    /// ``PaginatorListSnapshot/gaps`` has the positions, or behind the last row of a page of which only the beginning has
    /// come. The rest of that page is on its way, or its load has failed, and a retry loads it.
    public var isPartial = false
    /// Whether a first page has come since the list was made or reset.
    public var hasLoaded = false
    /// How many items the source has in all, as the newest page told that says so; `nil` where none does. Inserts
    /// and removals that were committed since are counted, where the list knows their place. See ``/PaginatorCore/PaginatorPage/total``.
    public var total: Int?
    /// How many items are known to be missing before the first one shown, and 0 where that is not known: a list whose keys are
    /// offsets or page numbers knows it, of a source that tells the total. Rows for them make a scroll bar honest, and
    /// ``PaginatorList/jump(to:placement:)`` fills them in.
    public var placeholdersBefore = 0
    /// How many items are known to be missing behind the last one shown, and 0 where that is not known. Where keys are
    /// cursors that takes a total and the list's start, and items that gaps lack count here.
    public var placeholdersAfter = 0
    /// How many rows wait above: live and local ones, because the start of the list is not loaded or the window has no room
    /// for them, and those that a source which is followed has counted only, until the first page has come anew.
    public var newAbove = 0
    /// How many live and local rows wait below, because the end of the list is not loaded or the window has no room for them.
    public var newBelow = 0

    /// Makes the status of a list that has loaded nothing and does nothing: for tests and previews, which set what they show.
    ///
    /// - Parameter scope: the scope of the rows; empty by default.
    public init(scope: String = "") {
        exactScope = ExactText(scope)
    }

    /// Whether the list has loaded, and there may be more behind it.
    public var hasNext: Bool { hasLoaded && next != .endReached }

    /// Whether the list has loaded, and there may be more before it.
    public var hasPrevious: Bool { hasLoaded && previous != .endReached }
}

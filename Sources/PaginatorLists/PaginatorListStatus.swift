public import PaginatorCore

/// The state of a list's loads, and what the list knows in addition to its rows.
public struct PaginatorListStatus: Sendable, Hashable {
    /// The scope of the rows that are shown. While a switch keeps the old rows, it is the old scope.
    public var scope: String { exactScope.text }

    private let exactScope: ExactText
    /// The load of the next page at the end.
    public var next: PaginatorLoadState = .idle
    /// The load of the page before the start.
    public var previous: PaginatorLoadState = .idle
    /// The first load, also of another scope; every refresh; and every jump.
    public var refresh: PaginatorLoadState = .idle
    /// The states of gaps that are being filled or whose load failed, by position in ``PaginatorListSnapshot/gaps`` of
    /// the snapshot of the same update. Other gaps are idle. ``PaginatorList/retry()`` repeats failed loads.
    public var gaps: [Int: PaginatorLoadState] = [:]
    /// The error of the first page that failed to load and of which an older cached version is shown; `nil` if there is
    /// none. A retry or a refresh loads the page again. After an offline error, the list does so when the connection
    /// returns.
    public var staleError: PaginatorError?
    /// The age of the visible rows; `nil` before there are any.
    public var freshness: PaginatorListFreshness?
    /// Whether rows may be missing among or right after the visible ones: at a gap, see ``PaginatorListSnapshot/gaps``,
    /// or after the last row of a part of a page. The rest of that page is being loaded, or its load failed and a retry
    /// repeats it.
    public var isPartial = false
    /// Whether the last row is the end of the list, perhaps as told by an older version of the last page.
    package var isEndShown = false
    /// How often a page has replaced all, the first load and a refresh that brings the same page included, or the only
    /// page has got other rows. A view that has none of its visible rows left then shows the first row.
    package var replacements = 0
    /// Whether a first page has arrived since the list was created or reset.
    public var hasLoaded = false
    /// The number of the jump or restored bookmark that has set the update's anchor; `nil` once there is a hint. A view
    /// that sees another number than before scrolls to the item at the anchor, once, and then hints, as those of
    /// `PaginatorUI` do.
    public var jump: Int?
    /// The number of items that the source has, as stated by the newest page; `nil` if none states it. Later committed
    /// inserts and removals are counted if the list knows their place; a removal that a page on its way counts already
    /// is counted twice until the next load. See ``/PaginatorCore/PaginatorPage/total``.
    public var total: Int?
    /// The number of items known to be missing before the first row; 0 if unknown. It is known if keys are offsets or
    /// page numbers and the source states the total. Placeholder rows for them keep a scroll bar accurate;
    /// ``PaginatorList/jump(to:placement:)`` loads them.
    public var placeholdersBefore = 0
    /// The number of items known to be missing after the last row; 0 if unknown. With cursors as keys, it needs a total
    /// and the loaded start of the list, and includes the items missing in gaps.
    public var placeholdersAfter = 0
    /// The number of rows waiting above: live and local rows while the start is not loaded or the window has no room,
    /// and rows of which a followed source has reported only the number, until the first page is loaded again.
    public var newAbove = 0
    /// The number of live and local rows waiting below, because the end is not loaded or the window has no room.
    public var newBelow = 0

    /// Creates the status of a list that has loaded nothing, for tests and previews to change.
    ///
    /// - Parameter scope: the scope of the rows; empty by default.
    public init(scope: String = "") {
        exactScope = ExactText(scope)
    }

    /// Whether the list has loaded and there may be more at the end.
    public var hasNext: Bool { hasLoaded && next != .endReached }

    /// Whether the list has loaded and there may be more before the start.
    public var hasPrevious: Bool { hasLoaded && previous != .endReached }
}

public import PaginatorCore

/// The configuration of a list. Each variable documents its default.
public struct PaginatorListConfig: Sendable {
    /// How the source addresses its pages.
    public enum Addressing: Sendable, Hashable {
        /// Keys have no meaning to the list, such as cursors.
        case opaque
        /// Keys are page numbers in decimal digits, of pages of ``PaginatorListConfig/pageSize`` items; the first is
        /// usually 1. After ``PaginatorList/jump(to:placement:)`` the list then knows how many items precede a page,
        /// and that the item at a position is on page `first + position / pageSize`. A number cannot be shifted: after
        /// a removal the next page begins an item later, and a refresh shows the item in between; after
        /// an insert above the loaded pages, a gap follows the next page that is loaded above them.
        case pageNumber(first: Int = 1)
        /// Keys are the offset of a page's first item, in decimal digits. Live rows, and committed inserts and deletes,
        /// shift the keys of the following pages. A page need not state the key before it.
        case offset
    }

    /// The number of items to request per page; 30 by default.
    public var pageSize = 30

    /// Distinguishes equal keys of different filters, sort orders, searches or users; empty by default.
    public var scope = ""

    /// Merges quick calls of ``PaginatorList/show(scope:initialKey:keepsItems:)``, for example while the user types:
    /// within the key's delay only the last one calls the source. With `nil`, the default, each does at once.
    ///
    /// A page in memory that is the answer by itself is shown at once: a fresh one, and with
    /// ``/PaginatorCore/FetchPolicy/cacheThenRenew`` also an expired one. A stale page that is only a preview is shown
    /// after the delay. Only the first page of a switch is debounced, and only calls of the same list are merged, also
    /// if other lists or fetches of its paginator have the same key.
    public var debounce: DebounceKey?

    /// The key of the first page to load; `nil`, the default, is the source's first key. If that page is empty, the
    /// list continues after it, and if there are no items either, before it.
    public var initialKey: String?

    /// How the source addresses its pages; ``Addressing/opaque`` by default.
    public var addressing: Addressing = .opaque

    /// The number of items that stay loaded, at least two pages; `nil`, the default, keeps all.
    ///
    /// Pages inside the window are pinned in memory. Pages beyond it are dropped, and loaded from the caches when they
    /// are needed again. Live and local rows count, too: those far from the visible rows are hidden until the user
    /// scrolls there. Rows within the ``prefetchDistance`` of the visible ones stay. If the first rows are visible,
    /// pages from ``PaginatorList/loadAll(limit:completion:)`` also stay until the next hint, so a list can exceed its
    /// window for a while. A list with a window serves one view: two at different places would drop each other's pages
    /// and load them again without end.
    public var windowItems: Int?

    /// The prefetch distance: a page is loaded when fewer items than this remain between the visible range and an end.
    /// Zero turns prefetching off.
    ///
    /// With `nil`, the default, it adapts to the scrolling speed and the source's load times: the number of items
    /// scrolled past during one load, within ``prefetchBounds``. It is 15 until both are known, and the lower bound at
    /// the end that the user scrolls away from.
    ///
    /// ```swift
    /// var config = PaginatorListConfig()
    /// config.prefetchBounds = 8...100
    /// let adapting = PaginatorList<Post, Post.ID>(paginator, config: config)
    /// config.prefetchDistance = 15
    /// let fixed = PaginatorList<Post, Post.ID>(paginator, config: config)
    /// ```
    public var prefetchDistance: Int?

    /// The bounds of an adapting ``prefetchDistance``; 4 to 200 items by default.
    public var prefetchBounds = 4...200

    /// The policy of the list's fetches; `nil`, the default, is the paginator's. A refresh calls the source under any
    /// policy. Otherwise a list under ``/PaginatorCore/FetchPolicy/cacheOnly`` never does, and its gaps may stay.
    public var policy: FetchPolicy?

    /// The number of items to load when the list begins, is refreshed as a whole or switches its scope. It loads as
    /// many pages of ``pageSize`` as necessary, one after the other. `nil`, the default, and numbers below one load one
    /// page.
    public var initialLoadSize: Int?

    /// The priority of requested loads; ``/PaginatorCore/FetchPriority/medium`` by default. Prefetches have low
    /// priority.
    public var priority: FetchPriority = .medium

    /// The maximum number of consecutive pages without a new item that one hint follows, and of empty pages that follow
    /// an empty first page or one call of ``PaginatorList/loadNext()`` or ``PaginatorList/loadPrevious()``; 16 by
    /// default.
    public var maxEmptyPages = 16

    /// Creates a configuration with the default values.
    public init() {}
}

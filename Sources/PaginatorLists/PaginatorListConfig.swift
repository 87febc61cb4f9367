public import PaginatorCore

/// How a list works. Every variable has a default, stated with it.
public struct PaginatorListConfig: Sendable {
    /// How the source addresses its pages.
    public enum Addressing: Sendable, Hashable {
        /// Keys mean something to the source alone, such as cursors.
        case opaque
        /// Keys are page numbers in decimal digits, of pages of ``PaginatorListConfig/pageSize`` items; the first one mostly
        /// is 1. So the list knows how many items lie before a page that it ``PaginatorList/jump(to:placement:)``s to, and
        /// the item at a position is on the page `first + position / pageSize`.
        case pageNumber(first: Int = 1)
        /// Keys are the offset of a page's first item, in decimal digits. Committed local inserts and deletes then
        /// shift the keys of what comes after them.
        case offset
    }

    /// How many items to ask for per page, 30 by default.
    public var pageSize = 30

    /// Separates the same keys under another filter, sort order, search or user; empty by default.
    public var scope = ""

    /// Merges switches that follow each other quickly, as somebody types: of ``PaginatorList/show(scope:initialKey:keepsItems:)`` within
    /// its delay only the last one asks the source; `nil`, the default, lets each ask at once. A page in memory comes at
    /// once in any case.
    public var debounce: DebounceKey?

    /// The key that the list begins at; `nil`, the default, is the source's first key.
    public var initialKey: String?

    /// How the source addresses its pages: ``Addressing/opaque`` by default.
    public var addressing: Addressing = .opaque

    /// How many items stay loaded, at least two pages; `nil`, the default, is all. Far pages beyond it are dropped, and
    /// come back from the caches when they are wanted again. Pages inside it are pinned in memory.
    /// Live and local rows count too: those far from what is visible are hidden, and come back when somebody scrolls there.
    /// What is near what is visible stays, and what ``PaginatorList/loadAll(limit:completion:)`` brings stays until the next
    /// hint where the first rows are visible, so that a list can have more items than this for a while.
    public var windowItems: Int?

    /// How many items before either end of the visible range are loaded ahead of a hint; zero for none.
    ///
    /// `nil`, the default, adapts: as many as are scrolled past in the time that a load of the source takes, by the hints
    /// and the loads so far, within ``prefetchBounds``. It is 15 until both are known, and the least at the end that
    /// somebody scrolls away from.
    ///
    /// ```swift
    /// var config = PaginatorListConfig()
    /// config.prefetchBounds = 8...100
    /// let adapting = PaginatorList<Post, Post.ID>(paginator, config: config)
    /// config.prefetchDistance = 15
    /// let fixed = PaginatorList<Post, Post.ID>(paginator, config: config)
    /// ```
    public var prefetchDistance: Int?

    /// The least and the greatest ``prefetchDistance`` where it adapts: 4 to 200 items by default.
    public var prefetchBounds = 4...200

    /// Where pages are taken from; `nil`, the default, follows the paginator's configuration.
    public var policy: FetchPolicy?

    /// How many items a list begins with, where it is begun, refreshed as a whole or told to show something else: as many pages of
    /// ``pageSize`` as that takes, one after the other, so that pages are the same whoever loads them. `nil`, the
    /// default, is one page, and so is zero or less.
    public var initialLoadSize: Int?

    /// How urgent loads are that somebody asked for, ``/PaginatorCore/FetchPriority/medium`` by default. Hints load at low priority.
    public var priority: FetchPriority = .medium

    /// How many pages without a new item one hint follows in a row, 16 by default.
    public var maxEmptyPages = 16

    /// Makes a configuration with every default.
    public init() {}
}

extension EvictionStrategy {
    /// Least recently used: evicts the page that has not been read for the longest time.
    ///
    /// In every built-in strategy, `nil` is no limit, a negative limit counts as zero, and a page larger than a limit
    /// is not admitted; so a limit of zero pages admits none.
    ///
    /// - Parameters:
    ///   - maxPages: the greatest number of pages.
    ///   - maxItems: the greatest number of items on them.
    ///   - maxBytes: their greatest weight in bytes.
    public static func lru(maxPages: Int? = nil, maxItems: Int? = nil, maxBytes: Int? = nil) -> EvictionStrategy {
        EvictionStrategy(QueueOrder(.lru, EvictionLimits(pages: maxPages, items: maxItems, bytes: maxBytes)))
    }

    /// First in, first out: evicts the page that was inserted first, however often it was read.
    ///
    /// - Parameters:
    ///   - maxPages: the greatest number of pages; see ``lru(maxPages:maxItems:maxBytes:)``.
    ///   - maxItems: the greatest number of items on them.
    ///   - maxBytes: their greatest weight in bytes.
    public static func fifo(maxPages: Int? = nil, maxItems: Int? = nil, maxBytes: Int? = nil) -> EvictionStrategy {
        EvictionStrategy(QueueOrder(.fifo, EvictionLimits(pages: maxPages, items: maxItems, bytes: maxBytes)))
    }

    /// Last in, first out: a new page replaces the one inserted before it, so the first pages stay.
    ///
    /// A page that is loaded again keeps its place, in a file of `SQLitePageStore` also after a launch; in a page file
    /// of your own, its place after a launch is that of its last save. A page that a list's window has let go of counts
    /// as new.
    ///
    /// - Parameters:
    ///   - maxPages: the greatest number of pages; see ``lru(maxPages:maxItems:maxBytes:)``.
    ///   - maxItems: the greatest number of items on them.
    ///   - maxBytes: their greatest weight in bytes.
    public static func lifo(maxPages: Int? = nil, maxItems: Int? = nil, maxBytes: Int? = nil) -> EvictionStrategy {
        EvictionStrategy(QueueOrder(.lifo, EvictionLimits(pages: maxPages, items: maxItems, bytes: maxBytes)))
    }

    /// Least frequently used: evicts the page with the fewest reads; with equal reads, the least recently read one.
    ///
    /// Reads that a store recorded count, too. Reads beyond 4,095 do not.
    ///
    /// - Parameters:
    ///   - maxPages: the greatest number of pages; see ``lru(maxPages:maxItems:maxBytes:)``.
    ///   - maxItems: the greatest number of items on them.
    ///   - maxBytes: their greatest weight in bytes.
    public static func lfu(maxPages: Int? = nil, maxItems: Int? = nil, maxBytes: Int? = nil) -> EvictionStrategy {
        EvictionStrategy(LFUOrder(EvictionLimits(pages: maxPages, items: maxItems, bytes: maxBytes)))
    }

    /// The default: chooses the order that suits the reads, and changes it when they change.
    ///
    /// - Parameters:
    ///   - maxPages: the greatest number of pages; see ``lru(maxPages:maxItems:maxBytes:)``.
    ///   - maxItems: the greatest number of items on them.
    ///   - maxBytes: their greatest weight in bytes.
    public static func adaptive(maxPages: Int? = nil, maxItems: Int? = nil, maxBytes: Int? = nil) -> EvictionStrategy {
        EvictionStrategy(AdaptiveOrder(EvictionLimits(pages: maxPages, items: maxItems, bytes: maxBytes)))
    }

    /// Time to live: removes a page after a duration in the cache, however often it is read.
    ///
    /// A page from disk keeps its age. Alone, this strategy has no other limit.
    ///
    /// - Parameter lifetime: the duration; with zero or less, pages are removed at once.
    public static func timeToLive(_ lifetime: Duration) -> EvictionStrategy {
        EvictionStrategy(lifetime: lifetime)
    }

    /// A limit on pages for the strategy that it is combined with; alone, with LRU order.
    ///
    /// - Parameter count: the greatest number of pages. Negative values count as zero, which admits no page.
    public static func maxPages(_ count: Int) -> EvictionStrategy {
        EvictionStrategy(limits: EvictionLimits(pages: count))
    }

    /// A limit on items for the strategy that it is combined with; alone, with LRU order.
    ///
    /// - Parameter count: the greatest number of items on all pages. Negative values count as zero.
    public static func maxItems(_ count: Int) -> EvictionStrategy {
        EvictionStrategy(limits: EvictionLimits(items: count))
    }

    /// A limit on bytes for the strategy that it is combined with; alone, with LRU order.
    ///
    /// - Parameter count: the greatest weight of all pages in bytes. Negative values count as zero.
    public static func maxBytes(_ count: Int) -> EvictionStrategy {
        EvictionStrategy(limits: EvictionLimits(bytes: count))
    }
}

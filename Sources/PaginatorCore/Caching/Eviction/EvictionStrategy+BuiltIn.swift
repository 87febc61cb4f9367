extension EvictionStrategy {
    /// Least recently used: the page that was not read for the longest time goes first.
    ///
    /// As for every strategy here, a limit that is `nil` does not exist, a negative one counts as zero, and a page that
    /// alone is larger than a limit is not admitted; so nothing is with a limit of zero pages.
    ///
    /// - Parameters:
    ///   - maxPages: the most pages.
    ///   - maxItems: the most items on them.
    ///   - maxBytes: their greatest weight in bytes.
    public static func lru(maxPages: Int? = nil, maxItems: Int? = nil, maxBytes: Int? = nil) -> EvictionStrategy {
        EvictionStrategy(QueueOrder(.lru, EvictionLimits(pages: maxPages, items: maxItems, bytes: maxBytes)))
    }

    /// First in, first out: the page that came first goes first, however often it was read.
    ///
    /// - Parameters:
    ///   - maxPages: the most pages; see ``lru(maxPages:maxItems:maxBytes:)``.
    ///   - maxItems: the most items on them.
    ///   - maxBytes: their greatest weight in bytes.
    public static func fifo(maxPages: Int? = nil, maxItems: Int? = nil, maxBytes: Int? = nil) -> EvictionStrategy {
        EvictionStrategy(QueueOrder(.fifo, EvictionLimits(pages: maxPages, items: maxItems, bytes: maxBytes)))
    }

    /// Last in, first out: a new page takes the place of the one that came before it, so the first ones stay.
    ///
    /// - Parameters:
    ///   - maxPages: the most pages; see ``lru(maxPages:maxItems:maxBytes:)``.
    ///   - maxItems: the most items on them.
    ///   - maxBytes: their greatest weight in bytes.
    public static func lifo(maxPages: Int? = nil, maxItems: Int? = nil, maxBytes: Int? = nil) -> EvictionStrategy {
        EvictionStrategy(QueueOrder(.lifo, EvictionLimits(pages: maxPages, items: maxItems, bytes: maxBytes)))
    }

    /// Least frequently used: the page with the fewest reads goes first, of several the one not read for the longest.
    ///
    /// Uses that a store remembers count; uses beyond 4,095 do not.
    ///
    /// - Parameters:
    ///   - maxPages: the most pages; see ``lru(maxPages:maxItems:maxBytes:)``.
    ///   - maxItems: the most items on them.
    ///   - maxBytes: their greatest weight in bytes.
    public static func lfu(maxPages: Int? = nil, maxItems: Int? = nil, maxBytes: Int? = nil) -> EvictionStrategy {
        EvictionStrategy(LFUOrder(EvictionLimits(pages: maxPages, items: maxItems, bytes: maxBytes)))
    }

    /// The default: finds out by itself which order suits the reads, and follows when they change.
    ///
    /// - Parameters:
    ///   - maxPages: the most pages; see ``lru(maxPages:maxItems:maxBytes:)``.
    ///   - maxItems: the most items on them.
    ///   - maxBytes: their greatest weight in bytes.
    public static func adaptive(
        maxPages: Int? = nil, maxItems: Int? = nil, maxBytes: Int? = nil
    ) -> EvictionStrategy {
        EvictionStrategy(AdaptiveOrder(EvictionLimits(pages: maxPages, items: maxItems, bytes: maxBytes)))
    }

    /// Time to live: a page goes when it has been in the cache for so long, however often it was read.
    ///
    /// A page that comes from disk brings its age with it. Alone, this is a cache without any other limit.
    ///
    /// - Parameter lifetime: how long; zero or less means that pages go at once.
    public static func timeToLive(_ lifetime: Duration) -> EvictionStrategy {
        EvictionStrategy(lifetime: lifetime)
    }

    /// A limit on pages, for the strategy that it is combined with; alone, with LRU order.
    ///
    /// - Parameter count: the most pages; negative values count as zero, with which no page is admitted.
    public static func maxPages(_ count: Int) -> EvictionStrategy {
        EvictionStrategy(limits: EvictionLimits(pages: count))
    }

    /// A limit on items, for the strategy that it is combined with; alone, with LRU order.
    ///
    /// - Parameter count: the most items on all pages; negative values count as zero.
    public static func maxItems(_ count: Int) -> EvictionStrategy {
        EvictionStrategy(limits: EvictionLimits(items: count))
    }

    /// A limit on bytes, for the strategy that it is combined with; alone, with LRU order.
    ///
    /// - Parameter count: the greatest weight of all pages in bytes; negative values count as zero.
    public static func maxBytes(_ count: Int) -> EvictionStrategy {
        EvictionStrategy(limits: EvictionLimits(bytes: count))
    }
}

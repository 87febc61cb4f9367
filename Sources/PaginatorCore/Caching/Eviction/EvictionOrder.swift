/// The order in which pages go, apart from when they must: what LRU, FIFO, LIFO, LFU and the adaptive policy are.
///
/// Every call is O(1) and allocates only to grow. A handle that is not in the order is ignored.
package protocol EvictionOrder: Sendable {
    /// A page has come.
    mutating func inserted(_ page: PageHandle, _ facts: PageFacts)
    /// A page was read.
    mutating func used(_ page: PageHandle)
    /// Pages were read, in this order.
    mutating func used(_ pages: [PageHandle])
    /// A page has gone.
    mutating func removed(_ page: PageHandle)
    /// Returns the page to give up first. The newest page is the last choice.
    mutating func first() -> PageHandle?
    /// Returns the page to give up first among those that may go. Complexity: O(pages that may not).
    mutating func first(where mayGo: (PageHandle) -> Bool) -> PageHandle?
    /// Learns the limits of the cache, before the first page comes.
    mutating func adapt(to limits: EvictionLimits)
}

extension EvictionOrder {
    package mutating func used(_ pages: [PageHandle]) {
        for page in pages { used(page) }
    }

    package mutating func adapt(to limits: EvictionLimits) {}
}

/// A strategy that is an order with limits, so that further limits can be folded into it.
package protocol LimitedEvictionStrategy: PaginatorEvictionStrategy {
    /// Adds limits; the stricter ones count. Called before the first page comes.
    mutating func limit(to limits: EvictionLimits)
}

/// An order with limits: pages go in that order as long as a limit is passed.
package struct OrderedEvictionStrategy<Order: EvictionOrder>: LimitedEvictionStrategy {
    package private(set) var order: Order
    package private(set) var limits: EvictionLimits

    /// Makes a strategy that holds nothing yet.
    package init(_ order: Order, limits: EvictionLimits) {
        self.order = order
        self.limits = limits
        self.order.adapt(to: limits)
    }

    package mutating func limit(to further: EvictionLimits) {
        limits = limits.intersection(further)
        order.adapt(to: limits)
    }

    package mutating func inserted(_ page: PageHandle, _ facts: PageFacts) { order.inserted(page, facts) }
    package mutating func used(_ page: PageHandle) { order.used(page) }
    package mutating func used(_ pages: [PageHandle]) { order.used(pages) }
    package mutating func removed(_ page: PageHandle) { order.removed(page) }

    package mutating func victim(in usage: PageUsage) -> PageHandle? {
        limits.areExceeded(by: usage) ? order.first() : nil
    }

    package mutating func victim(in usage: PageUsage, where mayGo: (PageHandle) -> Bool) -> PageHandle? {
        limits.areExceeded(by: usage) ? order.first(where: mayGo) : nil
    }

    package func admits(_ facts: PageFacts) -> Bool { limits.admit(facts) }
}

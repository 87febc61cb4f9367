public import PaginatorCore

/// An eviction strategy that lets go the pages that the test names, by the order in which they came.
///
/// Complexity: O(pages) a call, unlike a real strategy.
public struct ScriptedEvictionStrategy: PaginatorEvictionStrategy {
    /// The most pages.
    public let maxPages: Int
    /// How long after its insertion a page is removed; `nil` for no limit.
    public let lifetime: Duration?
    private var victims: [Int]
    private let admission: @Sendable (PageFacts) -> Bool
    private var pages: [PageHandle] = []

    /// Makes a strategy.
    ///
    /// - Parameters:
    ///   - maxPages: the most pages; one more, and a victim is named.
    ///   - victims: which page goes each time, as its place among those present by the order in which they came, from 0.
    ///     After the last one, and where there is no such place, it is the first.
    ///   - lifetime: how long after its insertion a page is removed; `nil`, the default, for no limit.
    ///   - admits: whether a page may come in; every page, by default. It is called under the cache's lock.
    public init(
        maxPages: Int, victims: [Int] = [], lifetime: Duration? = nil,
        admits: @escaping @Sendable (PageFacts) -> Bool = { _ in true }
    ) {
        self.maxPages = max(0, maxPages)
        self.victims = victims
        self.lifetime = lifetime
        admission = admits
    }

    /// Notes the page as the last that came.
    public mutating func inserted(_ page: PageHandle, _ facts: PageFacts) {
        pages.append(page)
    }

    /// Does nothing.
    public mutating func used(_ page: PageHandle) {}

    /// Forgets the page.
    public mutating func removed(_ page: PageHandle) {
        pages.removeAll { $0 == page }
    }

    /// Names the page that the script says, when there are too many.
    public mutating func victim(in usage: PageUsage) -> PageHandle? {
        guard usage.pages > maxPages, let first = pages.first else { return nil }
        let place = victims.isEmpty ? 0 : victims.removeFirst()
        return pages.indices.contains(place) ? pages[place] : first
    }

    /// Answers what the closure given to the initializer says.
    public func admits(_ facts: PageFacts) -> Bool { admission(facts) }
}

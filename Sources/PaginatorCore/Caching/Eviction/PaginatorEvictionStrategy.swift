/// Decides which pages a cache keeps.
///
/// A strategy is a value without references; each cache has its own copy. The cache reports every page inserted, used
/// and removed to it, and asks it for the next victim. Every call should be O(1). Calls are made with the cache's lock
/// held, so a strategy must not call the library.
///
/// Handles are small integers that are reused after ``removed(_:)``, so arrays indexed by ``PageHandle/index`` are good
/// side tables. A page is reported as `removed` when it is pinned, and as `inserted` when it is unpinned. The same
/// applies to a page that a minimum keeps.
public protocol PaginatorEvictionStrategy: Sendable {
    /// Called when a page is inserted, or unpinned.
    ///
    /// - Parameters:
    ///   - page: the page's handle, not in use before.
    ///   - facts: the page's costs. In a store an edit may change them later; ``victim(in:)`` gets the new totals.
    mutating func inserted(_ page: PageHandle, _ facts: PageFacts)

    /// Called when a page is read.
    mutating func used(_ page: PageHandle)

    /// Called when a page is removed for any reason, or pinned. Its handle may be reused for another page.
    mutating func removed(_ page: PageHandle)

    /// Returns the page to evict, or `nil` if none must go. The owner removes the page and asks again. A page that is
    /// not there counts as `nil`, and the cache grows; `Contract.eviction` of `PaginatorTesting` finds that.
    ///
    /// - Parameter usage: what the cache holds, including pinned pages and the page just admitted. To trim memory, the
    ///   owner passes the greatest possible numbers, which exceed every limit.
    mutating func victim(in usage: PageUsage) -> PageHandle?

    /// Returns whether a page may be cached. A page that is not cached is still delivered. The default is true.
    func admits(_ facts: PageFacts) -> Bool

    /// The duration after which a page is removed; `nil`, the default, is no limit. Read once, at the start; the owner
    /// keeps the deadlines.
    var lifetime: Duration? { get }
}

extension PaginatorEvictionStrategy {
    /// Returns true.
    public func admits(_ facts: PageFacts) -> Bool { true }

    /// `nil`: no limit on age.
    public var lifetime: Duration? { nil }
}

/// A page in a cache, as a strategy knows it: a small integer.
public struct PageHandle: Hashable, Sendable {
    /// The page's index, from 0. A cache keeps indices dense and reuses them.
    public let index: Int

    /// Creates a handle, for caches and tests of strategies.
    ///
    /// - Parameter index: the page's index, from 0.
    @inlinable
    public init(index: Int) {
        self.index = index
    }
}

/// What a cache holds. Sums that overflow are `Int.max`.
public struct PageUsage: Hashable, Sendable {
    /// The number of pages.
    public var pages: Int
    /// The number of items on them.
    public var items: Int
    /// Their weight in bytes.
    public var bytes: Int

    /// A usage beyond every limit, to get a victim from a strategy whose limits are not exceeded.
    package static let beyondLimits = PageUsage(pages: .max, items: .max, bytes: .max)

    /// Creates a usage, zero by default.
    public init(pages: Int = 0, items: Int = 0, bytes: Int = 0) {
        self.pages = pages
        self.items = items
        self.bytes = bytes
    }
}

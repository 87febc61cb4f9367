/// Decides which pages a cache keeps.
///
/// A strategy is a value without references, and each cache keeps its own copy. It is told of every page that comes,
/// is used and goes, and names the page that must go next. Every call should be O(1); all are made with the cache's
/// lock held, so a strategy must not call the library.
///
/// Handles are small integers that a cache uses again after ``removed(_:)``, so arrays indexed by
/// ``PageHandle/index`` make good side tables. Pinned pages are taken out while they are pinned: a pin is a
/// `removed`, its end an `inserted`. A minimum passes over a page that it holds in the same way.
public protocol PaginatorEvictionStrategy: Sendable {
    /// A page has come, or came back from a pin.
    ///
    /// - Parameters:
    ///   - page: the page's handle, not in use before this call.
    ///   - facts: the page's costs.
    mutating func inserted(_ page: PageHandle, _ facts: PageFacts)

    /// A page was read.
    mutating func used(_ page: PageHandle)

    /// A page has gone, whoever removed it, or was pinned; its handle may come back for another page.
    mutating func removed(_ page: PageHandle)

    /// Returns the page that must go, or `nil` when the strategy is content. The owner removes it and asks again.
    ///
    /// - Parameter usage: what the cache holds, pinned pages and the page just admitted included. When memory is
    ///   trimmed, the owner asks with the greatest numbers there are, which pass every limit, to learn who would go first.
    mutating func victim(in usage: PageUsage) -> PageHandle?

    /// Returns whether a page may come in at all; when it may not, it is delivered but not cached. The default is true.
    func admits(_ facts: PageFacts) -> Bool

    /// How long after its insertion a page is removed; `nil`, the default, for no limit. The owner asks once, at the
    /// start, and keeps the deadlines.
    var lifetime: Duration? { get }
}

extension PaginatorEvictionStrategy {
    /// Returns true: every page may come in.
    public func admits(_ facts: PageFacts) -> Bool { true }

    /// `nil`: no limit on age.
    public var lifetime: Duration? { nil }
}

/// A page in one cache, as a strategy knows it: a small integer.
public struct PageHandle: Hashable, Sendable {
    /// The page's place, from 0; a cache keeps these dense and uses them again.
    public let index: Int

    /// Makes a handle, for caches and for tests of strategies.
    ///
    /// - Parameter index: the page's place, from 0.
    @inlinable
    public init(index: Int) {
        self.index = index
    }
}

/// What a cache holds. Sums that do not fit stand at the greatest number.
public struct PageUsage: Hashable, Sendable {
    /// The number of pages.
    public var pages: Int
    /// The number of items on them.
    public var items: Int
    /// Their weight in bytes.
    public var bytes: Int

    /// A usage beyond every limit, by which an owner demands a victim of a strategy that may be content.
    package static let demanding = PageUsage(pages: .max, items: .max, bytes: .max)

    /// Makes a usage, zero by default.
    public init(pages: Int = 0, items: Int = 0, bytes: Int = 0) {
        self.pages = pages
        self.items = items
        self.bytes = bytes
    }
}

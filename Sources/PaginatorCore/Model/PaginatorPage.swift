#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One page of items, as a data source made it: immutable and shared by reference.
///
/// ```swift
/// let page = PaginatorPage(content: answer.posts, key: "cursor-2", nextKey: "cursor-3")
/// ```
public final class PaginatorPage<T: Sendable>: Sendable {
    /// The items, in the source's order; a page may be empty and still have a next page.
    public let content: [T]

    /// The key that this page was fetched by.
    public let key: String

    /// The wall-clock time from which the page is stale; `nil` when it never is.
    ///
    /// A stale page is still there: policies say when it is shown and when it is renewed. It is the one time of a page; what
    /// other libraries call a stale time is the source's to add to the present, and what they call a cache time is
    /// ``EvictionStrategy/timeToLive(_:)``.
    public let expirationTime: Date?

    /// The key of the page before this one; `nil` at the start.
    public let prevKey: String?

    /// The key of the page after this one; `nil` at the end.
    public let nextKey: String?

    /// The memory that the page is taken to occupy, in bytes; never negative.
    public let byteCount: Int

    /// What the source calls this state of the page, such as its entity tag; `nil` when it calls it nothing.
    ///
    /// It stays with the page in memory and in stores, and only the source reads it: the next call for the page offers
    /// it again, by ``SourceRequest/cachedPage(of:)``. A page that an edit changed has none.
    public let revision: String?

    /// Whether memory and stores may keep the page, as they may by default.
    ///
    /// One that they may not keep is delivered, and shown by lists, as any other. Memory has it only while somebody
    /// observes its key, no store ever has it, and what both had under its identity before goes when it comes.
    public let isStorable: Bool

    /// How many items the source has in all, in the page's scope, as it said with this page; `nil` where it does not say.
    public let total: Int?

    /// What the page is about, such as `posts` and `post-7`, for ``Paginator/invalidate(tags:)``; each once.
    ///
    /// They stay with the page in memory and in stores, also when an edit changes it.
    public let tags: [String]

    /// Where the page goes on, if it is only the beginning of one; `nil` for a whole page.
    ///
    /// Only the source reads it: the call for the rest has it as ``SourceRequest/continuation``. An empty text says that the
    /// source cannot go on from here, so that the page is loaded from its start again. Memory keeps such a page as the part
    /// that it is, and stores do not keep it.
    public let continuation: String?

    /// Makes a page.
    ///
    /// - Parameters:
    ///   - content: the items, in order.
    ///   - key: the key that the page was fetched by.
    ///   - expirationTime: when the page becomes stale; `nil`, the default, means never.
    ///   - prevKey: the key of the page before; `nil`, the default, at the start.
    ///   - nextKey: the key of the page after; `nil`, the default, at the end.
    ///   - byteCount: the page's weight in bytes for limits on bytes. The default counts the items' own stride, which
    ///     leaves out what they refer to; a source that knows better, such as the length of a response, should say so.
    ///     Negative values count as zero.
    ///   - revision: what the source calls this state of the page; `nil`, the default, for nothing.
    ///   - isStorable: whether memory and stores may keep the page; `true` by default.
    ///   - total: how many items the source has in all, in the page's scope; `nil`, the default, where it does not say.
    ///   - tags: what the page is about; none by default. Empty and repeated ones are left out. A page with more than
    ///     1,000, with a NUL character in one, or with one of more bytes than a key may have is a failure of its source.
    ///   - continuation: where the page goes on, if it is only the beginning of one; `nil`, the default, for a whole page.
    public init(
        content: [T],
        key: String,
        expirationTime: Date? = nil,
        prevKey: String? = nil,
        nextKey: String? = nil,
        byteCount: Int? = nil,
        revision: String? = nil,
        isStorable: Bool = true,
        total: Int? = nil,
        tags: [String] = [],
        continuation: String? = nil
    ) {
        self.content = content
        self.key = key
        self.expirationTime = expirationTime
        self.prevKey = prevKey
        self.nextKey = nextKey
        self.revision = revision
        self.continuation = continuation
        self.isStorable = isStorable
        self.total = total.map { max(0, $0) }
        self.tags = tags.isEmpty ? [] : tags.distinctTags
        self.byteCount = max(0, byteCount ?? Self.estimatedByteCount(of: content.count))
    }

    // The items are the user's, and the page may end while a lock is held.
    deinit {
        DeferredRelease.keep(content)
    }

    private static func estimatedByteCount(of items: Int) -> Int {
        let (bytes, overflow) = items.multipliedReportingOverflow(by: MemoryLayout<T>.stride)
        return overflow ? .max : bytes
    }
}

extension PaginatorPage: Equatable where T: Equatable {
    /// Whether both have equal items and say the same of themselves; texts are compared by their bytes. Complexity: O(1) for
    /// the same object, else O(items).
    public static func == (left: PaginatorPage, right: PaginatorPage) -> Bool {
        func texts(_ page: PaginatorPage) -> [ExactText?] {
            ([page.key, page.prevKey, page.nextKey, page.revision, page.continuation] + page.tags).map {
                $0.map(ExactText.init)
            }
        }
        if left === right { return true }
        return left.expirationTime == right.expirationTime && left.byteCount == right.byteCount
            && left.isStorable == right.isStorable && left.total == right.total && texts(left) == texts(right)
            && left.content == right.content
    }
}

extension [String] {
    fileprivate var distinctTags: [String] {
        var seen: Set<ExactText> = []
        return filter { !$0.isEmpty && seen.insert(ExactText($0)).inserted }
    }

    /// Whether a page with these tags has one of those.
    package func hasTag(in tags: [String]) -> Bool {
        contains { own in tags.contains { own.hasSameBytes(as: $0) } }
    }

    func hasTag(in tags: Set<ExactText>) -> Bool {
        !tags.isEmpty && contains { tags.contains(ExactText($0)) }
    }
}

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A page of items from a data source: immutable, and shared by reference.
///
/// ```swift
/// let page = PaginatorPage(content: answer.posts, key: "cursor-2", nextKey: "cursor-3")
/// ```
public final class PaginatorPage<T: Sendable>: Sendable {
    /// The items in the source's order. A page may be empty and still have a next page.
    public let content: [T]

    /// The key that this page was fetched by.
    public let key: String

    /// The wall-clock time from which the page is stale; `nil` if it never is.
    ///
    /// A stale page stays cached; policies decide when it is shown and renewed. In memory the time that is left is
    /// counted on the monotonic clock, so setting the device's clock changes it at the next launch only. For the *stale
    /// time* of other libraries, set it to now plus that time; for a *cache time*, use
    /// ``EvictionStrategy/timeToLive(_:)``.
    public let expirationTime: Date?

    /// The key of the page before this one; `nil` at the start.
    public let prevKey: String?

    /// The key of the page after this one; `nil` at the end.
    public let nextKey: String?

    /// The memory that the page is assumed to occupy, in bytes; never negative.
    public let byteCount: Int

    /// The source's name for this version of the page, such as an entity tag; `nil` if there is none.
    ///
    /// Memory and stores keep it. Only the source uses it, from ``SourceRequest/cachedPage(of:)`` of the next call. A
    /// page changed by an edit has none.
    public let revision: String?

    /// Whether memory and stores may keep the page; true by default.
    ///
    /// A page that they may not keep is delivered, and shown by lists, like any other. It is in memory only while its
    /// key is observed, never in a store, and it removes the earlier page of its identity from both.
    public let isStorable: Bool

    /// The number of items that the source has in the page's scope, as stated with this page; `nil` if it is unknown.
    public let total: Int?

    /// The topics of the page, such as `posts` and `post-7`, for ``Paginator/invalidate(tags:)``, without repetitions.
    ///
    /// Memory and stores keep them, also after an edit of the page.
    public let tags: [String]

    /// The point from which the source continues, if this is only a part; `nil` for a whole page.
    ///
    /// Only the source uses it: the call for the rest has it as ``SourceRequest/continuation``. With an empty text the
    /// source cannot continue, and the page is loaded again from its start. Memory keeps a part unless it has the whole
    /// page; stores do not keep parts. A part with as many items as its page size is an error of the source.
    public let continuation: String?

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - content: the items, in order.
    ///   - key: the key that the page was fetched by.
    ///   - expirationTime: when the page becomes stale; `nil`, the default, is never.
    ///   - prevKey: the key of the page before; `nil`, the default, at the start.
    ///   - nextKey: the key of the page after; `nil`, the default, at the end.
    ///   - byteCount: the page's weight for limits on bytes. The default is the items' own stride, without what they
    ///     refer to; pass a better value, such as a response's length, if known. Negative values count as zero.
    ///   - revision: the source's name for this version of the page; `nil`, the default, for none.
    ///   - isStorable: whether memory and stores may keep the page; true by default.
    ///   - total: the number of items that the source has in the page's scope; `nil`, the default, if it does not say.
    ///   - tags: what the page is about; none by default. Empty and repeated tags are ignored. More than 1,000 tags, or
    ///     one with a NUL character or longer than a key may be, are a failure of the source.
    ///   - continuation: where the page continues, if it is only a part; `nil`, the default, for a whole page.
    public init(
        content: [T], key: String, expirationTime: Date? = nil, prevKey: String? = nil, nextKey: String? = nil,
        byteCount: Int? = nil, revision: String? = nil, isStorable: Bool = true, total: Int? = nil, tags: [String] = [],
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

    // The items belong to the user, and the page may be released under a lock.
    deinit {
        DeferredRelease.keep(content)
    }

    private static func estimatedByteCount(of items: Int) -> Int {
        let (bytes, overflow) = items.multipliedReportingOverflow(by: MemoryLayout<T>.stride)
        return overflow ? .max : bytes
    }
}

extension PaginatorPage: Equatable where T: Equatable {
    /// Whether both have equal items and properties. Texts are compared by their bytes. Complexity: O(1) for the same
    /// object, else O(items).
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

    /// Whether these tags contain one of the others.
    package func hasTag(in tags: [String]) -> Bool {
        contains { own in tags.contains { own.hasSameBytes(as: $0) } }
    }

    func hasTag(in tags: Set<ExactText>) -> Bool {
        !tags.isEmpty && contains { tags.contains(ExactText($0)) }
    }
}

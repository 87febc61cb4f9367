public import PaginatorCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An encoded page with its properties, as a ``PageFile`` reads and writes it.
///
/// A file must keep every stored property, and return the record unchanged. ``checksum`` covers all of them, so a
/// damaged record is detected when it is read.
public struct PageRecord: Sendable, Hashable {
    /// The page's identity.
    public let identity: PageIdentity
    private let exactPrevKey: ExactText?
    private let exactNextKey: ExactText?
    private let exactRevision: ExactText?
    private let exactTags: [ExactText]
    /// The key of the page before.
    public var prevKey: String? { exactPrevKey?.text }
    /// The key of the page after.
    public var nextKey: String? { exactNextKey?.text }
    /// The time from which the page is stale; `nil` if it never is.
    public let expirationTime: Date?
    /// The time at which the page was requested from the source.
    public let fetchedAt: Date
    /// The number of items.
    public let itemCount: Int
    /// The memory that the page is assumed to occupy, in bytes.
    public let memoryBytes: Int
    /// The format of ``content``.
    public let codec: PageCodecTag
    /// The encoded items.
    public let content: [UInt8]
    /// The source's name for this version of the page; see ``/PaginatorCore/PaginatorPage/revision``.
    public var revision: String? { exactRevision?.text }
    /// The topics of the page; see ``/PaginatorCore/PaginatorPage/tags``. None has a NUL character.
    public var tags: [String] { exactTags.map(\.text) }
    /// The number of items that the source has; see ``/PaginatorCore/PaginatorPage/total``.
    public let total: Int?
    /// Whether the page was invalidated.
    public let isInvalidated: Bool
    /// The checksum of everything else, or its complement if ``isInvalidated``, so that a file can mark a row stale
    /// without reading its content.
    public private(set) var checksum: UInt64

    /// Creates a record: a new one, or one from what a file stored; see ``isIntact``.
    ///
    /// Complexity: O(bytes) without a checksum, otherwise O(1).
    ///
    /// - Parameters:
    ///   - identity: the page's identity.
    ///   - prevKey: the key of the page before.
    ///   - nextKey: the key of the page after.
    ///   - expirationTime: when the page becomes stale.
    ///   - fetchedAt: when the source was asked for the page.
    ///   - itemCount: the number of items.
    ///   - memoryBytes: the memory that the page is assumed to occupy, in bytes.
    ///   - codec: the format of `content`.
    ///   - content: the encoded items.
    ///   - revision: the source's name for this version of the page.
    ///   - tags: what the page is about.
    ///   - total: the number of items that the source has.
    ///   - isInvalidated: whether the page was invalidated.
    ///   - checksum: the stored checksum; `nil` to compute it.
    public init(
        identity: PageIdentity,
        prevKey: String?,
        nextKey: String?,
        expirationTime: Date?,
        fetchedAt: Date,
        itemCount: Int,
        memoryBytes: Int,
        codec: PageCodecTag,
        content: [UInt8],
        revision: String? = nil,
        tags: [String] = [],
        total: Int? = nil,
        isInvalidated: Bool = false,
        checksum: UInt64? = nil
    ) {
        self.identity = identity
        exactPrevKey = prevKey.map(ExactText.init)
        exactNextKey = nextKey.map(ExactText.init)
        self.expirationTime = expirationTime
        self.fetchedAt = fetchedAt
        self.itemCount = itemCount
        self.memoryBytes = memoryBytes
        self.codec = codec
        self.content = content
        exactRevision = revision.map(ExactText.init)
        exactTags = tags.map(ExactText.init)
        self.total = total
        self.isInvalidated = isInvalidated
        self.checksum = checksum ?? 0
        if checksum == nil { self.checksum = isInvalidated ? ~computedSum : computedSum }
    }

    /// Whether the checksum matches everything else. Complexity: O(bytes).
    public var isIntact: Bool {
        checksum == (isInvalidated ? ~computedSum : computedSum)
    }

    /// Returns the invalidated record. Complexity: O(1).
    public func invalidated() -> PageRecord {
        guard !isInvalidated else { return self }
        return PageRecord(
            identity: identity, prevKey: prevKey, nextKey: nextKey, expirationTime: expirationTime,
            fetchedAt: fetchedAt, itemCount: itemCount, memoryBytes: memoryBytes, codec: codec, content: content,
            revision: revision, tags: tags, total: total, isInvalidated: true, checksum: ~checksum)
    }

    /// Whether the record has one of these tags, compared by bytes.
    public func hasTag(in tags: [String]) -> Bool {
        self.tags.hasTag(in: tags)
    }

    /// The record's weight on disk for limits: its content, its texts, and 128 bytes for the row. Complexity: O(1).
    public var diskBytes: Int {
        let texts = exactTags.reduce(identity.key.utf8.count + identity.scope.utf8.count) { $0 + $1.text.utf8.count }
        let optionalTexts = [prevKey, nextKey, revision].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
        return content.count + texts + optionalTexts + 128
    }

    private var computedSum: UInt64 {
        var sum = PageChecksum()
        sum.combine(identity.stableHash)
        sum.combine(identity.scope)
        sum.combine(identity.key)
        sum.combine(identity.pageSize)
        sum.combine(prevKey)
        sum.combine(nextKey)
        sum.combine(expirationTime == nil ? 0 : 1)
        sum.combine((expirationTime?.timeIntervalSinceReferenceDate ?? 0).bitPattern)
        sum.combine(fetchedAt.timeIntervalSinceReferenceDate.bitPattern)
        sum.combine(itemCount)
        sum.combine(memoryBytes)
        sum.combine(codec.name)
        sum.combine(codec.version)
        sum.combine(content)
        // Records from before revisions existed have none, and the checksum of that version.
        if let revision { sum.combine(revision) }
        // The same applies to tags.
        if !exactTags.isEmpty {
            sum.combine(exactTags.count)
            for tag in exactTags { sum.combine(tag.text) }
        }
        if let total {
            sum.combine("total")
            sum.combine(total)
        }
        return sum.value
    }
}

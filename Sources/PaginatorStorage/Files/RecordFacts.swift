public import PaginatorCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a store must know of every page in its file, so that it can decide which pages go.
public struct RecordFacts: Sendable, Hashable {
    /// The page's identity.
    public let identity: PageIdentity
    /// The record's weight on disk, as ``PageRecord/diskBytes`` told it.
    public let bytes: Int
    /// The number of items.
    public let items: Int
    /// How often the page was read.
    public let uses: Int
    /// When the page was saved.
    public let savedAt: Date
    /// When the page was saved, as a number of the file's own: the greater the later.
    public let saveOrder: Int
    /// When the page was used last, as a number that compares with every page's ``saveOrder``; zero when it was not used
    /// since it was saved.
    public let useOrder: Int

    /// Makes facts; negative numbers count as zero.
    ///
    /// - Parameters:
    ///   - identity: the page's identity.
    ///   - bytes: the record's weight on disk.
    ///   - items: the number of items.
    ///   - uses: how often the page was read.
    ///   - savedAt: when the page was saved.
    ///   - saveOrder: the greater the later the page was saved.
    ///   - useOrder: the greater the later the page was used; zero when it was not.
    public init(
        identity: PageIdentity,
        bytes: Int,
        items: Int,
        uses: Int,
        savedAt: Date,
        saveOrder: Int,
        useOrder: Int
    ) {
        self.identity = identity
        self.bytes = max(0, bytes)
        self.items = max(0, items)
        self.uses = max(0, uses)
        self.savedAt = savedAt
        self.saveOrder = saveOrder
        self.useOrder = max(0, useOrder)
    }
}

/// One change of a ``PageFile``. A new case is a breaking change on purpose: a file that ignored it would keep wrong data.
public enum RecordChange: Sendable, Hashable {
    /// Writes the record, in place of an earlier one of the same identity. The number of its uses stays.
    ///
    /// - Parameter savedAt: the time to keep as ``RecordFacts/savedAt``.
    case save(PageRecord, savedAt: Date)
    /// Writes the record in place of the one of the same identity, if that has the checksum `replacing` or its
    /// complement. Order of use, number of uses and time of saving stay, and so does a mark: where the one that is replaced
    /// was marked stale, ``PageRecord/invalidated()`` of the record is written. One with another checksum lacks an edit that
    /// this one has: it is replaced by its own ``PageRecord/invalidated()``, so that its page is reloaded.
    case rewrite(PageRecord, replacing: UInt64)
    /// Removes the records that match.
    case remove(PageSelection)
    /// Replaces the records that match by ``PageRecord/invalidated()``.
    case invalidate(PageSelection)
    /// Replaces the records that have one of these tags by ``PageRecord/invalidated()``; see ``PageRecord/hasTag(in:)``.
    case invalidateTags([String])
    /// Adds to a record's number of uses, and makes it the one used last; without effect when there is none.
    case use(PageIdentity, times: Int)
}

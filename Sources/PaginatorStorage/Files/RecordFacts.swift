public import PaginatorCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The properties of a page in a file that a store needs for eviction.
public struct RecordFacts: Sendable, Hashable {
    /// The page's identity.
    public let identity: PageIdentity
    /// The record's weight on disk: its ``PageRecord/diskBytes``.
    public let bytes: Int
    /// The number of items.
    public let items: Int
    /// The number of reads of the page.
    public let uses: Int
    /// The time at which the page was saved.
    public let savedAt: Date
    /// The order of saves, as a number of the file: later saves have greater numbers.
    public let saveOrder: Int
    /// The order of the page's first save, which a strategy goes by that keeps places; `saveOrder` if the file does not
    /// know it.
    package var firstSaveOrder: Int
    /// The order of the last use, as a number comparable with every ``saveOrder``; zero if the page was not used since
    /// it was saved.
    public let useOrder: Int

    /// Creates facts. Negative numbers count as zero.
    ///
    /// - Parameters:
    ///   - identity: the page's identity.
    ///   - bytes: the record's weight on disk.
    ///   - items: the number of items.
    ///   - uses: the number of reads.
    ///   - savedAt: when the page was saved.
    ///   - saveOrder: the order of the save; greater is later.
    ///   - useOrder: the order of the last use; zero for none.
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
        (self.saveOrder, firstSaveOrder) = (saveOrder, saveOrder)
        self.useOrder = max(0, useOrder)
    }
}

/// A change of a ``PageFile``. A new case is a breaking change on purpose: a file that ignored it would keep wrong
/// data.
public enum RecordChange: Sendable, Hashable {
    /// Saves the record, in place of an earlier one with the same identity, whose number of uses stays.
    ///
    /// - Parameter savedAt: the time for ``RecordFacts/savedAt``.
    case save(PageRecord, savedAt: Date)
    /// Replaces the record with the same identity if its checksum is `replacing` or the complement of that. Its order
    /// of saving and of use, its number of uses and its time of saving do not change. An invalidation also stays: then
    /// ``PageRecord/invalidated()`` of the new record is written. A record with another checksum lacks the edit; it is
    /// replaced by its own ``PageRecord/invalidated()``, so that its page is loaded again. Has no effect if there is no
    /// such record.
    case rewrite(PageRecord, replacing: UInt64)
    /// Removes the selected records.
    case remove(PageSelection)
    /// Replaces the selected records by their ``PageRecord/invalidated()``.
    case invalidate(PageSelection)
    /// Replaces the records with one of these tags by their ``PageRecord/invalidated()``; see
    /// ``PageRecord/hasTag(in:)``.
    case invalidateTags([String])
    /// Adds to a record's number of uses, and makes it the last used. Has no effect if there is no such record.
    case use(PageIdentity, times: Int)
}

public import PaginatorCore

/// A file of encoded pages: the part that the author of a store implements, as three blocking methods.
///
/// ``PageFileStore`` turns it into a ``/PaginatorCore/PaginatorStore``: it batches changes, encodes and decodes, and
/// evicts pages. It calls `read` on several threads at once, even before the first `recover` and during a `recover` or
/// a `commit`; those two it calls one at a time. `Contract.store` of `PaginatorTesting`, with its `reopen`, tests a store
/// over your file.
public protocol PageFile: AnyObject, Sendable {
    /// Returns a page's record as of the last commit. A record of another page counts as damaged.
    ///
    /// It must end: edits are committed after the reads that began before them. Limit the time of slow storage, such as
    /// a network volume, and throw.
    ///
    /// - Returns: the record; `nil` if there is none.
    /// - Throws: an error whose ``/PaginatorCore/PaginatorError/underlying`` is a ``StoreFailure``; any other counts as
    ///   ``StoreFailure/Kind/unavailable``.
    func read(_ identity: PageIdentity) throws(PaginatorError) -> PageRecord?

    /// Applies the changes in order: all of them or, if it throws, none.
    ///
    /// - Parameters:
    ///   - changes: the changes; may be empty.
    ///   - durably: whether this commit and earlier ones must survive a power failure before the call returns. Every
    ///     commit survives the death of the process.
    /// - Throws: as ``read(_:)``.
    func commit(_ changes: [RecordChange], durably: Bool) throws(PaginatorError)

    /// Returns the facts of every record in any order. Called before the first commit, again until it succeeds, and
    /// after a commit or a read failed with ``StoreFailure/Kind/replaced``.
    func recover() throws(PaginatorError) -> [RecordFacts]
}

/// A page file that several stores or processes may write concurrently, and that keeps totals.
public protocol SharedPageFile: PageFile {
    /// Applies the changes like ``PageFile/commit(_:durably:)``, and lets the store remove victims in the same
    /// transaction.
    ///
    /// - Parameters:
    ///   - changes: the changes.
    ///   - durably: whether this commit must survive a power failure.
    ///   - victims: called within the transaction, after the changes, with the file's totals and the facts of records
    ///     that others saved since this object's last commit; returns the pages to remove. It is called again after
    ///     their removal, without newcomers, until it returns none.
    /// - Throws: as ``PageFile/read(_:)``; `victims` may have been called before.
    func commit(
        _ changes: [RecordChange],
        durably: Bool,
        victims: (_ usage: PageUsage, _ newcomers: [RecordFacts]) -> [PageIdentity]
    ) throws(PaginatorError)

    /// Returns the facts of records that others may have saved or edited since the last call, or since the recovery.
    ///
    /// Too many are correct, too few are not: a file that does not know returns the facts of every record.
    ///
    /// - Throws: as ``PageFile/read(_:)``.
    func changesOfOthers() throws(PaginatorError) -> [RecordFacts]
}

public import PaginatorCore

/// Where pages are kept as bytes: what the author of a store writes, in three blocking calls.
///
/// ``PageFileStore`` turns a file into a ``/PaginatorCore/PaginatorStore``: it collects changes, encodes and decodes, and decides which
/// pages go. It calls `read` on several threads at once, also during a `commit`, and `commit` and `recover` one at a
/// time. `Contract.store` of `PaginatorTesting` checks a store over a file of your own.
public protocol PageFile: AnyObject, Sendable {
    /// Returns the record of a page, as the last commit left it.
    ///
    /// - Returns: the record; `nil` when there is none.
    /// - Throws: an error whose ``/PaginatorCore/PaginatorError/underlying`` is a ``StoreFailure``, else it counts as
    ///   ``StoreFailure/Kind/unavailable``.
    func read(_ identity: PageIdentity) throws(PaginatorError) -> PageRecord?

    /// Makes the changes, in order: all of them or, when it throws, none.
    ///
    /// - Parameters:
    ///   - changes: what to change; may be empty.
    ///   - durably: whether this commit, and those before it, must outlive a loss of power before the call returns.
    ///     Every commit outlives the death of the process.
    /// - Throws: as ``read(_:)``.
    func commit(_ changes: [RecordChange], durably: Bool) throws(PaginatorError)

    /// Returns the facts of every record, in any order; called once, before the first commit, and again after a commit or
    /// a read failed as ``StoreFailure/Kind/replaced``.
    func recover() throws(PaginatorError) -> [RecordFacts]
}

/// A page file that several stores or processes may write at once, and that counts what it holds.
public protocol SharedPageFile: PageFile {
    /// Makes the changes as ``PageFile/commit(_:durably:)``, and lets the store remove victims in the same transaction.
    ///
    /// - Parameters:
    ///   - changes: what to change.
    ///   - durably: whether this commit must outlive a loss of power.
    ///   - victims: called within the transaction, after the changes, with what the file then holds, and with the facts
    ///     of records that others saved since the last commit of this file object; returns the pages to remove. It is
    ///     called again after their removal, with no newcomers, until it returns none.
    /// - Throws: as ``PageFile/read(_:)``; `victims` may have been called before.
    func commit(
        _ changes: [RecordChange],
        durably: Bool,
        victims: (_ usage: PageUsage, _ newcomers: [RecordFacts]) -> [PageIdentity]
    ) throws(PaginatorError)
}

/// A shared page file that knows what others change, so that the items of pages can be known from one edit to the next.
package protocol WatchedPageFile: SharedPageFile {
    /// Returns the facts of records that others may have written since the last call, or since the recovery.
    func changesOfOthers() throws(PaginatorError) -> [RecordFacts]
}

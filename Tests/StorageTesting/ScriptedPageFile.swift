public import PaginatorCore
public import PaginatorStorage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A page file in memory, for tests of stores and of what is built on them; it can be told to fail.
///
/// ```swift
/// let file = ScriptedPageFile()
/// let store = PageFileStore<Post>(file: file, codec: CompactPageCodec())
/// file.fail(with: StoreFailure(.full, operation: "test", message: "No room."), next: 3)
/// ```
public final class ScriptedPageFile: PageFile {
    /// A record, shared by what the file holds and what a loss of power would leave.
    fileprivate final class Stored: Sendable {
        let record: PageRecord

        init(_ record: PageRecord) { self.record = record }
    }

    fileprivate struct Row {
        var stored: Stored
        var savedAt: Date
        var inserted: Int
        var uses = 0
        var lastUse = 0
    }

    fileprivate struct State {
        var rows: [PageIdentity: Row] = [:]
        var sequence = 0
        var failure: StoreFailure?
        var failures = 0
        var durableRows: [PageIdentity: Row] = [:]
        var durableCommits = 0
        var commits = 0
        var reads = 0
    }

    private let state = Guarded(State())

    /// Makes an empty file.
    public init() {}

    /// Lets the next calls fail.
    ///
    /// - Parameters:
    ///   - failure: what they throw; `nil` ends the failing.
    ///   - count: how many calls fail; by default all, until this is called again.
    public func fail(with failure: StoreFailure?, next count: Int = .max) {
        state.withLock { state in
            state.failure = failure
            state.failures = failure == nil ? 0 : count
        }
    }

    /// Changes a stored record behind the library's back, for tests of damage.
    ///
    /// - Parameters:
    ///   - identity: which record.
    ///   - body: returns what is stored instead.
    public func corrupt(_ identity: PageIdentity, _ body: @Sendable (PageRecord) -> PageRecord) {
        state.withLock { state in
            guard let row = state.rows[identity] else { return }
            state.rows[identity]?.stored = Stored(body(row.stored.record))
        }
    }

    /// Goes back to the last durable commit, as after a loss of power.
    public func losePower() {
        state.withLock { $0.rows = $0.durableRows }
    }

    /// Returns the record of a page that a loss of power would leave.
    package func durableRecord(_ identity: PageIdentity) -> PageRecord? {
        state.withLock { $0.durableRows[identity]?.stored.record }
    }

    /// The number of records.
    public var count: Int { state.withLock { $0.rows.count } }

    /// The number of commits that succeeded, and of those that were durable.
    public var commits: (all: Int, durable: Int) { state.withLock { ($0.commits, $0.durableCommits) } }

    /// The number of reads.
    public var reads: Int { state.withLock { $0.reads } }

    /// Returns the record of a page.
    public func read(_ identity: PageIdentity) throws(PaginatorError) -> PageRecord? {
        try state.withLock { state throws(PaginatorError) in
            state.reads += 1
            try state.failIfTold()
            return state.rows[identity]?.stored.record
        }
    }

    /// Makes the changes.
    public func commit(_ changes: [RecordChange], durably: Bool) throws(PaginatorError) {
        try state.withLock { state throws(PaginatorError) in
            try state.failIfTold()
            for change in changes { state.apply(change) }
            state.commits += 1
            if durably {
                state.durableCommits += 1
                state.durableRows = state.rows
            }
        }
    }

    /// Returns the facts of every record.
    public func recover() throws(PaginatorError) -> [RecordFacts] {
        try state.withLock { state throws(PaginatorError) in
            try state.failIfTold()
            return state.rows.values.map { row in
                let record = row.stored.record
                return RecordFacts(
                    identity: record.identity, bytes: record.diskBytes, items: record.itemCount,
                    uses: row.uses, savedAt: row.savedAt, saveOrder: row.inserted, useOrder: row.lastUse)
            }
        }
    }
}

extension ScriptedPageFile.State {
    fileprivate mutating func failIfTold() throws(PaginatorError) {
        guard let failure, failures > 0 else { return }
        if failures < .max { failures -= 1 }
        throw PaginatorError(store: failure, "The file was told to fail.")
    }

    fileprivate mutating func apply(_ change: RecordChange) {
        sequence += 1
        switch change {
        case .save(let record, let savedAt):
            let uses = rows[record.identity]?.uses ?? 0
            rows[record.identity] = ScriptedPageFile.Row(
                stored: .init(record), savedAt: savedAt, inserted: sequence, uses: uses)
        case .rewrite(let record, let replaced):
            guard let known = rows[record.identity]?.stored.record else { return }
            let isTheOne = known.checksum == replaced || known.checksum == ~replaced
            rows[record.identity]?.stored = .init(
                !isTheOne ? known.invalidated() : known.isInvalidated ? record.invalidated() : record)
        case .remove(let selection):
            for identity in rows.keys where selection.contains(identity) { rows[identity] = nil }
        case .invalidate(let selection):
            for (identity, row) in rows where selection.contains(identity) {
                rows[identity]?.stored = .init(row.stored.record.invalidated())
            }
        case .invalidateTags(let tags):
            for (identity, row) in rows where row.stored.record.hasTag(in: tags) {
                rows[identity]?.stored = .init(row.stored.record.invalidated())
            }
        case .use(let identity, let times):
            rows[identity]?.uses += times
            rows[identity]?.lastUse = sequence
        }
    }
}

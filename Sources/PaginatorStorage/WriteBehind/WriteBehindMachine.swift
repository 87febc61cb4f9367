package import PaginatorCore

/// Decides what a write-behind store does: pending changes over a file, commits in groups, bounds and retries.
///
/// Pure: events in, actions out; no lock, time, randomness or I/O. Pages, edits and callers are values it does not look
/// into. The owner performs the actions in order, and answers each ``Action/read(_:_:)``, ``Action/prepare(_:)``,
/// ``Action/commit(_:)`` and ``Action/recover`` with one event.
///
/// What a load shows: every change handed over before it. A page saved or removed later may show too, but an edit
/// handed over later never does, so that who keeps edits in order can apply it himself. For that, no batch that edits a
/// page is committed while a read of that page runs, and no such read begins while that batch is committed. To go through
/// the pages that an edit may concern takes long; that is done beforehand, while they are read as they are.
///
/// When a commit fails, its changes are kept, still shown by loads, and tried again:
/// - busy: soon, silently, until it lasts (``WriteBehindConfig/maxBusyAttempts``);
/// - the file was replaced: at once;
/// - the file is of a later version or foreign: never; everything is dropped and the store is off;
/// - anything else: reported once per cause, flushes fail, and the next attempt comes after a pause, or with the next
///   flush. Meanwhile, when the bounds are passed, the oldest saves are dropped and become removals, so that an older
///   page does not come back in their place.
package struct WriteBehindMachine<Page: Sendable, Edit: Sendable, Waiter: Sendable>: Sendable {
    /// One change, as handed over.
    package enum Change: Sendable {
        case save(PageIdentity, Page, cost: Int)
        case remove(PageSelection)
        case invalidate(PageSelection)
        case edit(PageSelection, Edit)
    }

    /// What a load finds.
    package enum Answer: Sendable {
        case absent
        /// The page, the edits to apply to it in order, and whether it was marked stale since.
        case page(Page, edits: [Edit], isInvalidated: Bool)
        case failed(PaginatorError)
    }

    /// What a read of the file found.
    package enum ReadResult: Sendable {
        case absent
        case page(Page)
        /// The page's bytes are of no use; it is removed.
        case damaged(PaginatorError)
        case failed(PaginatorError)
    }

    /// Changes to commit together, without those that later ones make void.
    package struct Batch: Sendable {
        package var changes: [Change] = []
        /// Pages read since the last batch, the one read last at the end, and how often each was.
        package var uses: [(identity: PageIdentity, times: Int)] = []
        package var isDurable = false
    }

    /// What the owner has to do.
    package enum Action: Sendable {
        case recover
        case read(Int, PageIdentity)
        /// Read what the batch edits; its ``commit(_:)`` follows.
        case prepare(Batch)
        case commit(Batch)
        case answer(Waiter, Answer)
        case accept(Waiter, PaginatorError?)
        case flushed(Waiter, PaginatorError?)
        /// Call ``timerFired()`` once after this time, in place of an earlier order.
        case arm(Duration)
        case report(PaginatorError)
    }

    struct Entry: Sendable {
        let sequence: UInt64
        var change: Change

        var cost: Int {
            if case .save(_, _, let cost) = change { cost } else { 0 }
        }
    }

    /// The newest pending page, or removal, of one identity, with what came after it.
    struct Overlay: Sendable {
        var sequence: UInt64
        var page: Page?
        var edits: [(sequence: UInt64, edit: Edit)] = []
        var isInvalidated = false
    }

    struct Read: Sendable {
        let identity: PageIdentity
        let waiter: Waiter
        /// The load shows edits up to this change.
        let asOf: UInt64
        var edits: [Edit] = []
        var isInvalidated = false
        var isStarted = false
        /// Whether a commit during the read saves this page, so that what was read may be of the past.
        var isOvertaken = false
    }

    /// How far the changes that are to be written next have come. A batch without edits needs no preparation.
    enum Stage: Sendable { case staged, preparing, prepared, committing }

    struct Flight: Sendable {
        let entries: [Entry]
        let batch: Batch
        let last: UInt64
        var stage: Stage
        let edits: [PageSelection]

        /// Whether the owner works on it.
        var isStarted: Bool { stage == .preparing || stage == .committing }

        func saves(_ identity: PageIdentity) -> Bool {
            batch.changes.contains { change in
                if case .save(identity, _, _) = change { true } else { false }
            }
        }
    }

    enum Phase: Sendable {
        /// The file's facts are not known yet.
        case new
        case recovering
        case ready
        /// The file cannot be used; the error says why.
        case off(PaginatorError)
    }

    let config: WriteBehindConfig
    var phase = Phase.new
    var sequence: UInt64 = 0
    var log: [Entry] = []
    var pendingBytes = 0
    var pendingCount = 0
    var overlays: [PageIdentity: Overlay] = [:]
    /// Pending changes of many pages, and of single pages that have no overlay.
    var selective: [Entry] = []
    var single: [PageIdentity: [Entry]] = [:]
    var uses: [PageIdentity: (times: Int, sequence: UInt64)] = [:]
    var useSequence: UInt64 = 0

    var reads: [Int: Read] = [:]
    var queuedReads: [Int] = []
    var runningReads = 0
    var nextRead = 0
    /// Loads that wait for the end of a batch with edits of their page.
    var parked: [(identity: PageIdentity, waiter: Waiter, asOf: UInt64)] = []

    var flight: Flight?
    /// Whether the file may have changes that a loss of power would take; those of an earlier process may be such.
    var isDirty = true
    var wantsCommit = false
    var isTimerArmed = false
    var isClosing = false
    var acceptWaiters: [(waiter: Waiter, error: PaginatorError?)] = []
    var flushWaiters: [(waiter: Waiter, sequence: UInt64)] = []

    var failures = 0
    var busyAttempts = 0
    var replacements = 0
    var lastCause: StoreFailure.Kind?

    /// Makes a machine with nothing pending.
    package init(config: WriteBehindConfig) {
        self.config = config.normalized
    }

    /// The number of changes that are not in the file yet.
    package var pendingChanges: Int { pendingCount }

    /// Begins to learn what the file holds; loads work before that is known, commits wait.
    package mutating func start() -> [Action] {
        guard case .new = phase, failures == 0 || !isTimerArmed, flight?.isStarted != true else { return [] }
        phase = .recovering
        return [.recover]
    }

    /// Takes the end of ``Action/recover``.
    ///
    /// - Parameter hasWork: whether there are pages to remove that no change names, such as those over a lowered limit.
    package mutating func recovered(_ error: PaginatorError?, hasWork: Bool) -> [Action] {
        guard case .recovering = phase else { return [] }
        var actions: [Action] = []
        if let error {
            phase = .new
            // What was about to be written waits again, and who waits to read it does not.
            if let waiting = flight {
                flight = nil
                restore(waiting)
            }
            failed(error, &actions)
            resumeParked(&actions)
            advance(&actions)
            return actions
        }
        phase = .ready
        // What was read from an earlier file is of no use.
        if let flight, !flight.edits.isEmpty { self.flight?.stage = .staged }
        if hasWork { arm(config.linger, &actions) }
        advance(&actions)
        return actions
    }

    /// Writes what is pending, and gives up after the first failure: the owner goes away.
    package mutating func close() -> [Action] {
        isClosing = true
        guard pendingCount > 0 || !uses.isEmpty else { return [] }
        if case .off = phase { return [] }
        var actions = start()
        wantsCommit = true
        advance(&actions)
        return actions
    }

    mutating func arm(_ pause: Duration, _ actions: inout [Action]) {
        isTimerArmed = true
        actions.append(.arm(pause))
    }
}

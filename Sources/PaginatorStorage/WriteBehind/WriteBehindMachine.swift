import PaginatorCore

/// Decides what a write-behind store does: pending changes over a file, batched commits, bounds and retries.
///
/// The owner performs the actions, and answers each ``Action/read(_:_:)``, ``Action/prepare(_:)``,
/// ``Action/commit(_:)`` and ``Action/recover`` with one event.
///
/// A load shows every change made before it and no edit made after it, which its caller applies itself; it may show a
/// later save or removal. So a page is never read while a batch that edits it is being committed. Finding the pages of
/// a batch may take long; reads continue meanwhile.
///
/// Changes of a failed commit are kept, shown by loads, and retried:
/// - busy: soon, and reported only if it lasts (``WriteBehindConfig/maxBusyAttempts``);
/// - the file was replaced: at once;
/// - the file is of a later version or foreign: never; everything is dropped and the store is off;
/// - any other failure: reported once per cause. Flushes fail, and the next attempt follows after a pause or with the
///   next flush. If the bounds are exceeded meanwhile, the oldest saves become removals, so that no older page is
///   loaded.
struct WriteBehindMachine<T: Sendable, LoadWaiter: Sendable, Waiter: Sendable>: Machine {
    enum Event: Sendable {
        /// Recover before the first call.
        case start
        case load(PageIdentity, LoadWaiter)
        case apply([StoreChange<T>], Waiter)
        case flush(Waiter)
        /// Write what is pending: the owner is being released. A busy file is tried again as usual, and one that was
        /// replaced; any other failure ends it.
        case close
        case timePassed
        /// The end of ``Action/recover``. The value is true if pages must be removed that no change names, for example
        /// because of a lowered limit.
        case recovered(Result<Bool, PaginatorError>)
        case readFinished(Int, ReadResult)
        /// The end of ``Action/prepare(_:)``, with the pages that the batch edits; `nil` if any page may be edited.
        case prepared(Result<Set<PageIdentity>?, PaginatorError>)
        /// The end of ``Action/commit(_:)``, with errors that concern single pages.
        case committed(Result<[PaginatorError], PaginatorError>)
        /// A read found the file damaged and replaced: recover again.
        case fileWasReplaced(PaginatorError)
    }

    /// The answer of a load.
    enum Answer: Sendable {
        case absent
        /// The page, the edits to apply in order, and whether it was invalidated since.
        case page(StoredPage<T>, edits: [PageEdit<T>], isInvalidated: Bool)
        case failed(PaginatorError)
    }

    /// The result of a read of the file.
    enum ReadResult: Sendable {
        case absent
        case page(StoredPage<T>)
        /// The page's bytes are unusable; it is removed.
        case damaged(PaginatorError)
        case failed(PaginatorError)
    }

    /// Changes to commit together, without saves that later changes replace.
    struct Batch: Sendable {
        var changes: [StoreChange<T>] = []
        /// Pages read since the last batch, the last read at the end, with their number of reads and the number of the
        /// last one.
        var uses: [(identity: PageIdentity, times: Int, sequence: UInt64)] = []
        var isDurable = false
    }

    /// An action for the owner. Reports come before the answers of the same event.
    enum Action: Sendable {
        case recover
        case read(Int, PageIdentity)
        /// Read the pages that the batch edits; its ``commit(_:)`` follows.
        case prepare(Batch)
        case commit(Batch)
        case answer(LoadWaiter, Answer)
        case accept(Waiter, PaginatorError?)
        case flushed(Waiter, PaginatorError?)
        case report(PaginatorError)
    }

    /// A change that is not in the file yet.
    struct Entry: Sendable {
        let sequence: UInt64
        var change: StoreChange<T>
    }

    /// The newest pending page or removal of an identity, with later changes.
    struct Overlay: Sendable {
        let sequence: UInt64
        var page: StoredPage<T>?
        var edits: [(sequence: UInt64, edit: PageEdit<T>)] = []
        /// The change that invalidated it.
        var invalidated: UInt64?
    }

    /// A load without an answer yet.
    struct Load: Sendable {
        let identity: PageIdentity
        let waiter: LoadWaiter
        /// The load shows edits up to this change.
        let asOf: UInt64
    }

    /// A running read for a load, with the changes that waited when it began.
    struct Read: Sendable {
        let load: Load
        var edits: [PageEdit<T>] = []
        var isInvalidated = false
        var invalidatedTags: [String] = []
        /// Whether a commit saves this page meanwhile, so that the file may return either version.
        var isOvertaken = false
    }

    /// Changes taken from the log to be committed together.
    struct Commit: Sendable {
        let entries: [Entry]
        let batch: Batch
        let last: UInt64
        /// The pages that the commit may edit.
        let edits: [PageSelection]
        let lastEdit: UInt64
        /// The pages that it edits, once they are known.
        var edited: Set<PageIdentity>?

        func edits(_ identity: PageIdentity) -> Bool { edited.map { $0.contains(identity) } ?? mayEdit(identity) }

        private func mayEdit(_ identity: PageIdentity) -> Bool { edits.contains { $0.contains(identity) } }

        /// Returns whether a load must be answered before this commit, because afterwards it could not tell whether its
        /// page has the edit. For a load older than the last edit, every page that the batch may edit counts: a page
        /// saved later may contain the edit.
        func waits(for load: Load) -> Bool {
            edits(load.identity) || load.asOf < lastEdit && mayEdit(load.identity)
        }

        func saves(_ identity: PageIdentity) -> Bool {
            batch.changes.contains { if case .save(identity, _) = $0 { true } else { false } }
        }
    }

    /// The progress of the next commit. A commit without edits needs no preparation.
    enum Writing: Sendable {
        case idle
        case staged(Commit)
        case preparing(Commit)
        /// Waits for running reads of pages that it edits.
        case prepared(Commit)
        case committing(Commit)

        var commit: Commit? {
            switch self {
            case .idle: nil
            case .staged(let commit), .preparing(let commit), .prepared(let commit), .committing(let commit): commit
            }
        }

        /// Whether the owner is working on it.
        var isRunning: Bool {
            switch self {
            case .preparing, .committing: true
            case .idle, .staged, .prepared: false
            }
        }

        /// Returns whether a page must not be read, because the file has, or may soon have, an edit that loads would
        /// apply again.
        func bars(_ identity: PageIdentity) -> Bool {
            switch self {
            case .prepared(let commit), .committing(let commit): commit.edits(identity)
            case .idle, .staged, .preparing: false
            }
        }
    }

    /// The state of the file.
    enum File: Sendable {
        case unknown
        case recovering
        case known
        /// It cannot be used; the error says why.
        case off(PaginatorError)
    }

    /// Failed commits since the last success.
    struct Trouble: Sendable {
        var failures = 0
        var busyAttempts = 0
        var replacements = 0
        var lastCause: StoreFailure.Kind?

        var isPausing: Bool { failures > 0 || busyAttempts > 0 }
    }

    let config: WriteBehindConfig
    var outbox = MachineOutbox<Never, Action>()
    var now = PaginatorInstant.zero
    var file = File.unknown
    var sequence: UInt64 = 0
    var log: [Entry] = []
    // Counted, because each change checks it.
    var pendingBytes = 0
    var overlays: [PageIdentity: Overlay] = [:]
    /// Pending changes of several pages, and of single pages without an overlay.
    var selective: [Entry] = []
    var single: [PageIdentity: [Entry]] = [:]
    // Written with the next batch, because a read must not cause a write.
    var uses: [PageIdentity: (times: Int, sequence: UInt64)] = [:]
    var useSequence: UInt64 = 0

    var reads: [Int: Read] = [:]
    var nextRead = 0
    /// Loads that wait until fewer reads run.
    var queuedLoads = Queue<Load>()
    /// Loads that wait for a batch that edits their page.
    var loadsBlockedByEdit: [Load] = []

    var writing = Writing.idle
    /// Whether the file may have changes that are not durable, including those of an earlier process.
    var isDirty = true
    var wantsCommit = false
    /// Whether it was reported that this file, whose facts are unknown, replaced a damaged one.
    var isReplacementReported = false
    var isClosing = false
    /// The time at which waiting changes are written or retried.
    var nextDeadline: PaginatorInstant?
    /// Changes up to this one have waited long enough: they are written, in several batches if necessary.
    var dueSequence: UInt64 = 0
    var trouble = Trouble()
    /// `changes` are the numbers of its own changes.
    var acceptWaiters: [(waiter: Waiter, changes: Range<UInt64>, error: PaginatorError?)] = []
    var flushWaiters: [(waiter: Waiter, sequence: UInt64)] = []

    /// Creates a machine without pending changes.
    init(config: WriteBehindConfig) {
        self.config = config.normalized
    }

    /// The timer's purpose and time.
    var timers: StateValue {
        guard let nextDeadline else { return .list([]) }
        let purpose: String
        if trouble.isPausing {
            purpose = "what failed is tried again"
        } else if case .unknown = file, log.isEmpty {
            purpose = "what the file holds is learned"
        } else {
            purpose = "what waits is written"
        }
        return .list([StateValue(["purpose": .text(purpose), "due": .instant(nextDeadline)])])
    }

    /// Whether it was not used yet.
    var isUntouched: Bool {
        if case .unknown = file { nextRead == 0 && sequence == 0 } else { false }
    }

    /// Whether its owner was released, and must live until the next attempt, because the file is busy.
    var isWaitingToClose: Bool { isClosing && trouble.isPausing && nextDeadline != nil }

    var isOff: Bool { if case .off = file { true } else { false } }

    /// The number of changes that wait or are being committed.
    var pendingChanges: Int { isOff ? 0 : log.count + (writing.commit?.entries.count ?? 0) }

    mutating func handle(_ event: Event, at now: PaginatorInstant) {
        self.now = now
        // Deadlines in the past are handled here, because the driver sets its timer to future ones.
        if let due = nextDeadline, due <= now { timePassed() }
        switch event {
        case .start: start()
        case .load(let identity, let waiter): load(identity, for: waiter)
        case .apply(let changes, let waiter): apply(changes, for: waiter)
        case .flush(let waiter): flush(for: waiter)
        case .close: close()
        case .timePassed: break
        case .recovered(let result): recovered(result)
        case .readFinished(let token, let result): readFinished(token, result)
        case .prepared(let result): prepared(result)
        case .committed(let result): committed(result)
        case .fileWasReplaced(let error): fileWasReplaced(error)
        }
    }

    mutating func act(_ action: Action) {
        outbox.unordered.append(action)
    }

    // Wakes at least a nanosecond later, because the driver sets its timer to future deadlines.
    mutating func wake(after pause: Duration) {
        nextDeadline = now.advanced(by: max(.nanoseconds(1), pause))
    }

    /// Starts the recovery. Loads work before it; commits wait.
    mutating func start() {
        // After a pause, because reading the facts of many pages takes a while and would delay the first load.
        guard case .unknown = file, nextDeadline == nil, !writing.isRunning else { return }
        wake(after: config.linger)
    }

    private mutating func recovered(_ result: Result<Bool, PaginatorError>) {
        guard case .recovering = file else { return }
        switch result {
        case .failure(let error):
            // Retried after a pause or with the next flush, because a full disk or a locked file may recover.
            file = .unknown
            // The changes of a staged batch wait again, and loads of its pages continue.
            if let commit = writing.commit {
                writing = .idle
                restore(commit)
            }
            failed(error)
            admitBarredLoads()
        case .success(let hasWork):
            file = .known
            isReplacementReported = false
            // Data read from an earlier file is useless.
            if let commit = writing.commit, !commit.edits.isEmpty { writing = .staged(commit) }
            admitBarredLoads()
            if hasWork { wake(after: config.linger) }
        }
        advance()
    }

    private mutating func fileWasReplaced(_ error: PaginatorError) {
        switch file {
        case .off: return
        // The recovery may already have read the new file, and then reports no failure.
        case .recovering: return reportReplacement(error)
        case .unknown where writing.isRunning: return
        case .unknown, .known: break
        }
        // A running commit finds the new file, too, or fails and is repeated. The evictor knows the old file, so
        // nothing is committed before the recovery of the new one.
        isReplacementReported = true
        file = .unknown
        wantsCommit = true
        act(.report(error))
        advance()
    }

    /// Several reads and a commit may find the same replacement; it is reported once, until the new file is known.
    mutating func reportReplacement(_ error: PaginatorError) {
        if isReplacementReported { return }
        isReplacementReported = true
        act(.report(error))
    }

    private mutating func close() {
        isClosing = true
        // Uses alone cause a commit, because a short session would otherwise lose the order of use.
        guard pendingChanges > 0 || !uses.isEmpty || !flushWaiters.isEmpty, !isOff else {
            nextDeadline = nil
            return
        }
        wantsCommit = true
        advance()
    }

    private mutating func timePassed() {
        nextDeadline = nil
        if isOff { return }
        if case .unknown = file, log.isEmpty, !trouble.isPausing, !writing.isRunning {
            // There are no changes yet.
            file = .recovering
            return act(.recover)
        }
        // Later changes wait their own time. Otherwise a busy store would write continuously.
        dueSequence = sequence
        wantsCommit = true
        advance()
    }
}

import PaginatorCore

/// Decides what a write-behind store does: pending changes over a file, commits in groups, bounds and retries.
///
/// The owner does the actions, and answers each ``Action/read(_:_:)``, ``Action/prepare(_:)``, ``Action/commit(_:)`` and
/// ``Action/recover`` with one event.
///
/// What a load shows: every change handed over before it. A page saved or removed later may show too, but an edit
/// handed over later never does, so that who keeps edits in order can apply it himself. For that, no batch that edits a
/// page is committed while a read of that page runs, and no such read begins while that batch is committed. Which pages it
/// edits is found out beforehand, while they are read as they are: that may take long, and holds up no read of other pages.
///
/// When a commit fails, its changes are kept, still shown by loads, and tried again:
/// - busy: soon, silently, until it lasts (``WriteBehindConfig/maxBusyAttempts``);
/// - the file was replaced: at once;
/// - the file is of a later version or foreign: never; everything is dropped and the store is off;
/// - anything else: reported once per cause, flushes fail, and the next attempt comes after a pause, or with the next
///   flush. Meanwhile, when the bounds are passed, the oldest saves are dropped and become removals, so that an older
///   page does not come back in their place.
struct WriteBehindMachine<T: Sendable, Waiter: Sendable>: Machine {
    enum Event: Sendable {
        /// Learn what the file holds, before the first call.
        case start
        case load(PageIdentity, Waiter)
        case apply([StoreChange<T>], Waiter)
        case flush(Waiter)
        /// Write what is pending, and give up after the first failure: the owner goes away.
        case close
        case timePassed
        /// The end of ``Action/recover``. It has work when there are pages to remove that no change names, such as those
        /// over a lowered limit.
        case recovered(PaginatorError?, hasWork: Bool)
        case readFinished(Int, ReadResult)
        /// The end of ``Action/prepare(_:)``, with the pages that the batch edits; `nil` where any may be edited.
        case prepared(PaginatorError?, edited: Set<PageIdentity>?)
        /// The end of ``Action/commit(_:)``, with errors that concern single pages.
        case committed(PaginatorError?, reports: [PaginatorError])
        /// A read found the file damaged, and a new one in its place: its facts are to be learned anew.
        case fileWasReplaced(PaginatorError)
    }

    /// What a load finds.
    enum Answer: Sendable {
        case absent
        /// The page, the edits to apply to it in order, and whether it was marked stale since.
        case page(StoredPage<T>, edits: [PageEdit<T>], isInvalidated: Bool)
        case failed(PaginatorError)
    }

    /// What a read of the file found.
    enum ReadResult: Sendable {
        case absent
        case page(StoredPage<T>)
        /// The page's bytes are of no use; it is removed.
        case damaged(PaginatorError)
        case failed(PaginatorError)
    }

    /// Changes to commit together, without those that later ones make void.
    struct Batch: Sendable {
        var changes: [StoreChange<T>] = []
        /// Pages read since the last batch, the one read last at the end, and how often each was.
        var uses: [(identity: PageIdentity, times: Int)] = []
        var isDurable = false
    }

    /// What the owner has to do. Reports are told before the answers of the same event.
    enum Action: Sendable {
        case recover
        case read(Int, PageIdentity)
        /// Read what the batch edits; its ``commit(_:)`` follows.
        case prepare(Batch)
        case commit(Batch)
        case answer(Waiter, Answer)
        case accept(Waiter, PaginatorError?)
        case flushed(Waiter, PaginatorError?)
        case report(PaginatorError)
    }

    /// A change that is not in the file yet.
    struct Entry: Sendable {
        let sequence: UInt64
        var change: StoreChange<T>
    }

    /// The newest pending page, or removal, of one identity, with what came after it.
    struct Overlay: Sendable {
        let sequence: UInt64
        var page: StoredPage<T>?
        var edits: [(sequence: UInt64, edit: PageEdit<T>)] = []
        /// The change that marked it stale.
        var invalidated: UInt64?
    }

    /// A load that has no answer yet.
    struct Load: Sendable {
        let identity: PageIdentity
        let waiter: Waiter
        /// It shows edits up to this change.
        let asOf: UInt64
    }

    /// A running read of the file for a load, with the changes that waited when it began.
    struct Read: Sendable {
        let load: Load
        var edits: [PageEdit<T>] = []
        var isInvalidated = false
        var invalidatedTags: [String] = []
        /// Whether a commit meanwhile saves this page, so that nobody knows which page the file gives.
        var isOvertaken = false
    }

    /// Changes taken from the log to be committed together.
    struct Commit: Sendable {
        let entries: [Entry]
        let batch: Batch
        let last: UInt64
        /// The pages that it may edit, and the last change that does.
        let edits: [PageSelection]
        let lastEdit: UInt64
        /// Those that it edits, when that is known.
        var edited: Set<PageIdentity>?

        func edits(_ identity: PageIdentity) -> Bool { edited.map { $0.contains(identity) } ?? mayEdit(identity) }

        private func mayEdit(_ identity: PageIdentity) -> Bool { edits.contains { $0.contains(identity) } }

        /// Whether a load must have been answered before: it would not know whether what it reads is edited. One that is
        /// older than an edit is waited for whatever page it reads, since a page that is saved later may contain the edit.
        func waits(for load: Load) -> Bool {
            edits(load.identity) || load.asOf < lastEdit && mayEdit(load.identity)
        }

        func saves(_ identity: PageIdentity) -> Bool {
            batch.changes.contains { if case .save(identity, _) = $0 { true } else { false } }
        }
    }

    /// How far the next commit has come. One without edits needs no preparation.
    enum Writing: Sendable {
        case idle
        case staged(Commit)
        case preparing(Commit)
        /// It waits for the end of reads of pages that it edits.
        case prepared(Commit)
        case committing(Commit)

        var commit: Commit? {
            switch self {
            case .idle: nil
            case .staged(let commit), .preparing(let commit), .prepared(let commit), .committing(let commit): commit
            }
        }

        /// Whether the owner works on it.
        var isRunning: Bool {
            switch self {
            case .preparing, .committing: true
            case .idle, .staged, .prepared: false
            }
        }

        /// Whether a page must not be read: the file has, or may soon have, an edit of it that loads would add again.
        func bars(_ identity: PageIdentity) -> Bool {
            switch self {
            case .prepared(let commit), .committing(let commit): commit.edits(identity)
            case .idle, .staged, .preparing: false
            }
        }
    }

    /// What is known of the file.
    enum File: Sendable {
        case unknown
        case recovering
        case known
        /// It cannot be used; the error says why.
        case off(PaginatorError)
    }

    /// Commits that failed since the last success.
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
    // Counted, since both are asked for with each change: what waits and what a running commit has taken out.
    var pendingBytes = 0
    var pendingCount = 0
    var overlays: [PageIdentity: Overlay] = [:]
    /// Pending changes of many pages, and of single pages that have no overlay.
    var selective: [Entry] = []
    var single: [PageIdentity: [Entry]] = [:]
    // Written with the next batch, and worth none of their own: a read must not cost a write.
    var uses: [PageIdentity: (times: Int, sequence: UInt64)] = [:]
    var useSequence: UInt64 = 0

    var reads: [Int: Read] = [:]
    var nextRead = 0
    /// Loads that wait until fewer reads run.
    var queuedLoads = Queue<Load>()
    /// Loads that wait for the end of a batch with edits of their page.
    var barredLoads: [Load] = []

    var writing = Writing.idle
    /// Whether the file may have changes that a loss of power would take; those of an earlier process may be such.
    var isDirty = true
    var wantsCommit = false
    /// Whether somebody was told that the file, which is not known yet, took the place of a damaged one.
    var isReplacementTold = false
    var isClosing = false
    /// When what waits is written, or tried again.
    var nextDeadline: PaginatorInstant?
    /// Changes up to this one have waited as long as a change may: they are written, in several batches if need be.
    var dueSequence: UInt64 = 0
    var trouble = Trouble()
    var acceptWaiters: [(waiter: Waiter, error: PaginatorError?)] = []
    var flushWaiters: [(waiter: Waiter, sequence: UInt64)] = []

    /// Makes a machine with nothing pending.
    init(config: WriteBehindConfig) {
        self.config = config.normalized
    }

    /// The number of changes that are not in the file yet.
    var pendingChanges: Int { pendingCount }

    /// What the timer is for, and when it is due.
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

    /// Whether nothing has been asked of it yet.
    var isUntouched: Bool {
        if case .unknown = file { nextRead == 0 && queuedLoads.isEmpty && sequence == 0 } else { false }
    }

    var isOff: Bool { if case .off = file { true } else { false } }

    mutating func handle(_ event: Event, at now: PaginatorInstant) {
        self.now = now
        // A deadline is never left behind: the driver sets its timer to what lies ahead.
        if let due = nextDeadline, due <= now { timePassed() }
        switch event {
        case .start: start()
        case .load(let identity, let waiter): load(identity, for: waiter)
        case .apply(let changes, let waiter): apply(changes, for: waiter)
        case .flush(let waiter): flush(for: waiter)
        case .close: close()
        case .timePassed: break
        case .recovered(let error, let hasWork): recovered(error, hasWork: hasWork)
        case .readFinished(let token, let result): readFinished(token, result)
        case .prepared(let error, let edited): prepared(error, edited)
        case .committed(let error, let reports):
            committed(error)
            for report in reports { act(.report(report)) }
        case .fileWasReplaced(let error): fileWasReplaced(error)
        }
    }

    mutating func act(_ action: Action) {
        outbox.unordered.append(action)
    }

    // At least a nanosecond later: the driver sets its timer to what lies ahead.
    mutating func wake(after pause: Duration) {
        nextDeadline = now.advanced(by: max(.nanoseconds(1), pause))
    }

    /// Sees to it that what the file holds becomes known; loads work before, commits wait.
    mutating func start() {
        // Not at once: the facts of many pages take a while, and would take it from who waits for the first page.
        guard case .unknown = file, nextDeadline == nil, !writing.isRunning else { return }
        wake(after: config.linger)
    }

    private mutating func recovered(_ error: PaginatorError?, hasWork: Bool) {
        guard case .recovering = file else { return }
        if let error {
            // Asked again, after a pause or with the next flush: a full disk or a locked file may be well later.
            file = .unknown
            // What was about to be written waits again, and who waits to read it does not.
            if let commit = writing.commit {
                writing = .idle
                restore(commit)
            }
            failed(error)
            admitBarredLoads()
        } else {
            file = .known
            isReplacementTold = false
            // What was read from an earlier file is of no use.
            if let commit = writing.commit, !commit.edits.isEmpty { writing = .staged(commit) }
            admitBarredLoads()
            if hasWork { wake(after: config.linger) }
        }
        advance()
    }

    private mutating func fileWasReplaced(_ error: PaginatorError) {
        switch file {
        case .off: return
        // Who learns what it holds may have met it as the new one already, and then says nothing.
        case .recovering: return tellOfReplacement(error)
        case .unknown where writing.isRunning: return
        case .unknown, .known: break
        }
        // A running commit finds the new file too, or fails and is made again.
        // What the evictor knows is of the old file, so that nothing is committed before the new one is learned.
        isReplacementTold = true
        file = .unknown
        wantsCommit = true
        act(.report(error))
        advance()
    }

    /// Many reads and a commit may find the same replacement; it is told once, until the new file is known.
    mutating func tellOfReplacement(_ error: PaginatorError) {
        if isReplacementTold { return }
        isReplacementTold = true
        act(.report(error))
    }

    private mutating func close() {
        isClosing = true
        // Uses alone are worth a commit: without them the order of use would be lost with a short session.
        guard pendingCount > 0 || !uses.isEmpty, !isOff else { return }
        wantsCommit = true
        advance()
    }

    private mutating func timePassed() {
        nextDeadline = nil
        if isOff { return }
        if case .unknown = file, log.isEmpty, !trouble.isPausing, !writing.isRunning {
            // There is nothing to write yet.
            file = .recovering
            return act(.recover)
        }
        // What comes from here on waits its own time, or a busy store would write all the time.
        dueSequence = sequence
        wantsCommit = true
        advance()
    }
}

import Synchronization

/// The committed edits of one paginator's items, and the pending ones, with the item type off.
///
/// Every page knows how many committed edits it contains, by its mark. Whoever reads a page brings it up to date: it
/// applies the edits that came after the mark. An attempt's page has the mark of the attempt's start, so an older answer
/// of the source never undoes an edit.
///
/// `@unchecked Sendable`: `entries` and `overlay` are guarded by `lock`.
package final class EditLog: @unchecked Sendable {
    /// Changes a page, or returns `nil` when it is not concerned.
    package typealias Change = @Sendable (any AnyObject & Sendable) -> (any AnyObject & Sendable)?

    private struct Entry {
        let number: UInt64
        let time: PaginatorInstant
        let change: Change
    }

    /// How long an edit is kept at least, for pages on their way to who asked for them.
    private let lifetime: Duration
    private let lock = Lock()
    private var entries: [Entry] = []
    private weak var overlay: (any EditOverlay)?
    private let lastNumber = Atomic<UInt64>(0)
    /// Whether the overlay has pending edits.
    private let isOverlaid = Atomic(false)

    init(lifetime: Duration) {
        self.lifetime = lifetime
    }

    /// The number of edits committed so far.
    package var mark: UInt64 { lastNumber.load(ordering: .acquiring) }

    /// Whether a page with a mark is what its reader is to see, without a look at its items.
    ///
    /// Pending edits are looked for first: one that is committed meanwhile is counted before it stops pending, so it is
    /// seen here as the one or the other.
    @inline(__always)
    func isCurrent(_ mark: UInt64) -> Bool {
        !isOverlaid.load(ordering: .acquiring) && self.mark <= mark
    }

    /// Adds a committed edit, and returns its number. No user code runs.
    ///
    /// - Parameters:
    ///   - oldestLoad: when the oldest load began that still runs; `nil` when none does. Whatever a load holds, such as
    ///     the page that it falls back on, has all edits committed before it began. Called with the lock held.
    ///   - settling: takes the pending edit away that is committed, at the same instant for every reader; it runs with
    ///     the lock held.
    package func append(
        _ change: @escaping Change, at now: PaginatorInstant, oldestLoad: () -> PaginatorInstant? = { nil },
        settling: () -> Void = {}
    ) -> UInt64 {
        let (number, old) = lock.withLock { () -> (UInt64, ArraySlice<Entry>) in
            let number = mark + 1
            var old = entries.prefix { $0.time.advanced(by: lifetime) < now }
            if !old.isEmpty, let oldest = oldestLoad() { old = old.prefix { $0.time < oldest } }
            if !old.isEmpty { entries.removeFirst(old.count) }
            entries.append(Entry(number: number, time: now, change: change))
            // In this order, for those who look without the lock.
            lastNumber.store(number, ordering: .releasing)
            settling()
            return (number, old)
        }
        withExtendedLifetime(old) {}
        return number
    }

    /// Takes what lies over every page that is read, and is kept weakly.
    func setOverlay(_ overlay: any EditOverlay) {
        lock.withLock { self.overlay = overlay }
    }

    /// Notes that the overlay has pending edits from now on, or has none any more.
    func overlayChanged(isPending: Bool) {
        _ = isOverlaid.exchange(isPending, ordering: .acquiringAndReleasing)
    }

    /// The changes that a page with a mark lacks, as one.
    package func missing(after mark: UInt64, through end: UInt64 = .max) -> (change: Change, mark: UInt64)? {
        guard self.mark > mark else { return nil }
        var latest: UInt64 = 0
        let missed: ArraySlice<Entry> = lock.withLock {
            latest = self.mark
            return newer(than: mark).prefix { $0.number <= end }
        }
        let changes = missed.map(\.change)
        let change: Change = { Self.apply(changes, to: $0) }
        return (change, latest)
    }

    /// The edits after a mark; their numbers follow each other. `lock` is held.
    private func newer(than mark: UInt64) -> ArraySlice<Entry> {
        guard let first = entries.first, mark >= first.number else { return entries[...] }
        return entries.dropFirst(Int(clamping: mark - first.number + 1))
    }

    private static func apply(_ changes: [Change], to object: any AnyObject & Sendable) -> (any AnyObject & Sendable)? {
        var result: (any AnyObject & Sendable)?
        for change in changes { result = change(result ?? object) ?? result }
        return result
    }

    /// Brings a page up to date with all committed edits.
    func current(_ page: LoadedPage) -> LoadedPage {
        guard let (change, mark) = missing(after: page.editMark) else { return page }
        var page = page
        if let changed = change(page.object) { page.object = changed }
        page.editMark = mark
        return page
    }

    /// The page as its reader sees it: up to date, and with the pending edits over it.
    func shown(_ page: LoadedPage) -> LoadedPage {
        guard !isCurrent(page.editMark) else { return page }
        var page = page
        (page.object, page.editMark) = shown(page.object, mark: page.editMark)
        return page
    }

    private func shown(
        _ object: any AnyObject & Sendable, mark old: UInt64
    ) -> (any AnyObject & Sendable, mark: UInt64) {
        // What is committed and what is pending as of one instant: an edit is among the one or the other. The overlay is
        // released outside the lock.
        var owner: (any EditOverlay)?
        var mark: UInt64 = 0
        let changes: [Change] = lock.withLock {
            mark = self.mark
            owner = overlay
            let missed = newer(than: old).map(\.change)
            guard let pending = owner?.pendingChange() else { return missed }
            return missed + [pending]
        }
        defer { withExtendedLifetime(owner) {} }
        return (Self.apply(changes, to: object) ?? object, mark)
    }

    /// A delivery with its page as its receiver is to see it.
    ///
    /// - Parameter isBare: whether the receiver folds pending edits itself, as lists do.
    func prepare(_ delivery: Delivery, isBare: Bool) -> Delivery {
        guard !isCurrent(0) else { return delivery }
        func prepared(_ page: LoadedPage) -> LoadedPage { isBare ? current(page) : shown(page) }
        switch delivery {
        case .preview(let page): return .preview(prepared(page))
        case .answer(.success(let page)): return .answer(.success(prepared(page)))
        case .neighbor(let page, let distance): return .neighbor(prepared(page), distance: distance)
        case .answer, .neighborFailure, .aroundEnd, .cancelled, .changed, .unobserved: return delivery
        }
    }
}

/// Pending edits that lie over every page when it is read.
protocol EditOverlay: AnyObject, Sendable {
    /// Returns the change that all edits make that are pending now; `nil` when none is. It is called under a lock, so it
    /// runs no user code.
    func pendingChange() -> EditLog.Change?
}

/// A page that came into the caches without edits that were committed while it was on its way.
struct UneditedPage: Sendable {
    let identity: PageIdentity
    let mark: UInt64
    /// The last edit that the store was told of before it got the page.
    let end: UInt64
    let isStored: Bool
}

extension FetchEngine {
    /// Commits an edit: in the store, in memory, and for every page that is on its way. Runs user code.
    ///
    /// - Parameter settling: takes the pending edit away, with a lock held.
    /// - Returns: the edit's number.
    func commit(_ change: @escaping EditLog.Change, settling: () -> Void) -> UInt64 {
        let number = appendEdit(change, settling: settling)
        for identity in memory.identities(in: .all) { catchUp(identity) }
        return number
    }

    /// Brings a page in memory up to date.
    func catchUp(_ identity: PageIdentity) {
        while let page = memory.read(identity, at: clock.now, touching: false) {
            guard let (change, mark) = edits.missing(after: page.editMark) else { return }
            guard let changed = change(page.object) else {
                // Nobody needs to look at it again.
                return memory.noteEdits(identity, ifObject: page.object, upTo: mark)
            }
            if memory.replace(identity, ifObject: page.object, with: changed, editMark: mark) {
                return observePage(identity)
            }
        }
    }

    /// Brings a page up to date that came into the caches while edits were committed.
    func catchUp(_ page: UneditedPage) {
        catchUp(page.identity)
        guard page.isStored, let (change, _) = edits.missing(after: page.mark, through: page.end) else { return }
        storeCalls?.post(.change(.edit(.identity(page.identity), change)))
    }

    /// Tells those who observe a page in memory that is concerned by what has become pending, or is no more.
    ///
    /// - Parameter isConcerned: runs user code; called with no lock held.
    func pendingEditsChanged(_ isConcerned: (any AnyObject & Sendable) -> Bool) {
        for identity in observations.identities {
            let page = memory.read(identity, at: clock.now, touching: false)
            if let page, isConcerned(page.object) { observePage(identity) }
        }
    }

    private func observePage(_ identity: PageIdentity) {
        observations.pageChanged(identity, in: mailbox, at: clock.now)
    }
}

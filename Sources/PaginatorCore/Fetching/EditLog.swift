/// The committed and pending edits of one paginator's items, with the item type erased.
///
/// Each page records how many committed edits it contains. Reading a page applies the edits that were committed later.
/// The page of an attempt gets the count from the attempt's start, so a late answer of the source never undoes an edit.
final class EditLog: Sendable {
    typealias Change = @Sendable (any AnyObject & Sendable) -> (any AnyObject & Sendable)?
    // The edits that a page lacks, as one change; not whole if some of them were dropped.
    typealias Missing = (change: Change, count: UInt64, isWhole: Bool)

    private struct Entry: Sendable {
        let time: PaginatorInstant
        let change: Change
    }

    private struct State: Sendable {
        var entries: [Entry] = []
        var pending: Change?
    }

    // The maximum number of edits kept. A page that waited so long that edits it lacks were dropped counts as stale.
    static let limit = 16_384
    private let state = Guarded(State())
    // Both are written under the lock; most fetches read them without it.
    private let committed = AtomicWord()
    private let hasPending = AtomicWord()
    /// The number of pages that wait for delivery. While it is not 0, no edit is pruned, even if the device sleeps.
    let undeliveredPages = AtomicWord()

    var count: UInt64 { committed.value }

    // `hasPending` is read first. A commit raises the count before it removes the edit from the pending ones, so this
    // sees the edit in at least one of the two.
    @inline(__always)
    func isCurrent(_ count: UInt64) -> Bool {
        hasPending.value == 0 && self.count <= count
    }

    /// Adds a committed edit, and returns its number, from 1. Runs no user code. `pending` replaces the pending edits
    /// in the same step, so no reader sees the edit twice or not at all. `oldestLoad`, called under the lock, returns
    /// the start time of the oldest load: a page that this load holds contains all edits committed before.
    func append(
        _ change: @escaping Change, at now: PaginatorInstant, oldestLoad: () -> PaginatorInstant? = { nil },
        pending: Change? = nil
    ) -> UInt64 {
        let (number, gone) = state.withLock { state -> (UInt64, ([Entry], Change?)) in
            // Prunes when the log grows, which needs no timer. After a minute no thread still uses an old page.
            var old = undeliveredPages.value > 0 ? [] : oldEntries(of: state, at: now, oldestLoad)
            if old.isEmpty, state.entries.count >= Self.limit { old = Array(state.entries.prefix(Self.limit / 2)) }
            state.entries.removeFirst(old.count)
            state.entries.append(Entry(time: now, change: change))
            let gone = (old, state.pending)
            // The count first, then the pending edits: `isCurrent` reads them without the lock in the opposite order.
            let number = committed.add(1)
            setPending(pending, &state)
            return (number, gone)
        }
        // The closures of the user are released after this lock and the driver's lock, which the caller holds.
        DeferredRelease.keep(gone)
        return number
    }

    // Returns nothing until half of the entries are old, because removing the first entries moves the rest.
    private func oldEntries(
        of state: State, at now: PaginatorInstant, _ oldestLoad: () -> PaginatorInstant?
    ) -> [Entry] {
        func isOld(_ entry: Entry) -> Bool { entry.time.advanced(by: .minutes(1)) < now }
        guard !state.entries.isEmpty, isOld(state.entries[state.entries.count / 2]) else { return [] }
        let oldest = oldestLoad() ?? .distantFuture
        return Array(state.entries.prefix { isOld($0) && $0.time < oldest })
    }

    func setPending(_ change: Change?) {
        let former = state.withLock { state in
            defer { setPending(change, &state) }
            return state.pending
        }
        withExtendedLifetime(former) {}
    }

    private func setPending(_ change: Change?, _ state: inout State) {
        state.pending = change
        hasPending.value = change == nil ? 0 : 1
    }

    /// The edits committed after the first `count`, as one change; with `addsPending`, followed by the pending ones.
    /// `nil` if there are none.
    func missing(after count: UInt64, addsPending: Bool = false) -> Missing? {
        guard !(addsPending ? isCurrent(count) : self.count <= count) else { return nil }
        let (changes, latest, isWhole) = state.withLock { state -> ([Change], UInt64, Bool) in
            let latest = self.count
            let lacking = latest > count ? Int(clamping: latest - count) : 0
            let pending = addsPending ? [state.pending].compactMap { $0 } : []
            let changes = state.entries.suffix(lacking).map(\.change) + pending
            return (changes, latest, lacking <= state.entries.count)
        }
        return (
            { object in
                var result: (any AnyObject & Sendable)?
                for change in changes { result = change(result ?? object) ?? result }
                return result
            }, latest, isWhole
        )
    }

    func current(_ page: LoadedPage) -> LoadedPage { applying(missing(after: page.editCount), to: page) }

    func shown(_ page: LoadedPage) -> LoadedPage {
        isCurrent(page.editCount) ? page : applying(missing(after: page.editCount, addsPending: true), to: page)
    }

    private func applying(_ missing: Missing?, to page: LoadedPage) -> LoadedPage {
        guard let missing else { return page }
        var page = page
        if !missing.isWhole { page.isInvalidated = true }
        page.object = missing.change(page.object) ?? page.object
        page.editCount = missing.count
        return page
    }

    func shown(_ delivery: Delivery) -> Delivery {
        guard !isCurrent(0) else { return delivery }
        return switch delivery {
        case .preview(let page): .preview(shown(page))
        case .answer(.success(let page)): .answer(.success(shown(page)))
        case .neighbor(let page, let distance): .neighbor(shown(page), distance: distance)
        case .answer, .neighborFailure, .aroundEnd, .prefetchEnd, .listEnd, .cancelled, .changed, .unobserved:
            delivery
        }
    }
}

extension FetchEngine {
    /// Commits an edit in the store, in memory, and for every page that is on its way. Returns the pages in memory that it
    /// has changed, and those that are being loaded. Runs user code. One edit is committed at a time.
    func commit(
        _ change: @escaping EditLog.Change, of target: ItemTarget, pending: EditLog.Change?
    ) -> (changed: [PageIdentity], loading: [PageIdentity]) {
        let (number, loading) = appendEdit(change, of: target, pending: pending)
        let (pages, isNew) = memory.pages(thatMayHave: target)
        let changed = catchUp(pages)
        // Pages that cannot contain the item lack nothing.
        memory.editCount.value = number
        // Indexes items from the second edit through the same closure on, because the index costs a pass over memory.
        // More than two pages are indexed on another thread, because the caller waits for this commit.
        if !isNew, pages.count <= 2 {
            memory.indexItems(for: target)
        } else if !isNew, isIndexing.exchange(1) == 0 {
            runOnExecutor { engine in
                engine.memory.indexItems(for: target)
                engine.isIndexing.value = 0
            }
        }
        return (changed, loading)
    }

    /// Applies the edits that pages in memory lack, and returns the pages that changed.
    @discardableResult
    func catchUp(_ identities: [PageIdentity]) -> [PageIdentity] {
        var changed: [PageIdentity] = []
        var waiting = identities
        // Most pages lack the same edits, so the last result is reused.
        var lacking: (after: UInt64, edits: EditLog.Missing?)?
        while !waiting.isEmpty {
            // In small batches, because readers wait while memory is changed.
            let few = Array(waiting.suffix(16))
            waiting.removeLast(few.count)
            let pages = few.compactMap { identity -> EditedPage? in
                guard let page = memory.read(identity, at: clock.now, touching: false) else { return nil }
                if lacking?.after != page.editCount {
                    lacking = (page.editCount, edits.missing(after: page.editCount))
                }
                guard let (change, count, _) = lacking?.edits else { return nil }
                return EditedPage(
                    identity: identity, object: page.object, edited: change(page.object), editCount: count)
            }
            // If a page was replaced meanwhile, the new page is processed in a later round.
            let missed = Set(memory.edit(pages))
            waiting += missed
            for page in pages where page.edited != nil && !missed.contains(page.identity) {
                changed.append(page.identity)
                announce(.state(.identity(page.identity)), at: clock.now)
            }
        }
        return changed
    }

    func pendingEditsChanged(_ isConcerned: (any AnyObject & Sendable) -> Bool) {
        for identity in subscriptions.observedPages {
            let page = memory.read(identity, at: clock.now, touching: false)
            if let page, isConcerned(page.object) { announce(.state(.identity(identity)), at: clock.now) }
        }
    }
}

/// The pages in memory, of any item type: an evictor over a table, for many threads.
///
/// A read takes the lock of the calling thread's stripe, finds the page and records the use. A change takes the
/// writer's lock and then those of all stripes, passes the recorded uses to the evictor and changes the table. With one
/// thread the evictor gets every use, in order; with several, a full stripe may lose one, which does not affect the
/// limits. Nothing is released with a lock held: removed pages are returned to the caller. The only user code that runs
/// under the lock is the eviction strategy.
///
/// `@unchecked Sendable`: `table` is written with the writer's lock and all stripes' locks held, and read with any of
/// them; `upkeep` is accessed with the writer's lock held.
final class PageCache: @unchecked Sendable {
    private let writer = Lock()
    private let stripes = ReaderStripes()
    private var table = PageTable()
    private var upkeep: CacheUpkeep
    let limitsAge: Bool
    /// The number of committed edits that all pages have, except for pages that were admitted without them.
    let editCount = AtomicWord()

    init(strategy: EvictionStrategy) {
        upkeep = CacheUpkeep(evictor: PaginatorEvictor(strategy: strategy))
        limitsAge = strategy.lifetime != nil
    }

    /// Returns the page, unless its lifetime has ended; `touching` records the use. Complexity: O(1).
    func read(_ identity: PageIdentity, at now: PaginatorInstant, touching: Bool) -> LoadedPage? {
        let stripe = stripes.current
        // Read before the page, so that the page does not seem to have edits that are committed in between.
        let edits = editCount.value
        stripe.lock()
        switch table.find(identity, at: now, edits: edits) {
        case .page(let page, let index):
            if touching { note(index, in: stripe) }
            stripe.unlock()
            return page
        case .expired:
            stripe.unlock()
            // Without the stripe's lock, because this takes the writer's lock and then all stripes.
            return readExpired(identity, at: now, touching: touching)
        case nil:
            stripe.unlock()
            return nil
        }
    }

    // The stripe's lock is held, so the writer's lock can only be tried: a writer that holds it waits for this stripe.
    private func note(_ index: Int, in stripe: ReaderStripes.Stripe) {
        guard !stripe.note(index), writer.tryLock() else { return }
        stripe.takeNotes { upkeep.use($0) }
        writer.unlock()
        _ = stripe.note(index)
    }

    // Only the evictor knows whether the minimum keeps an expired page.
    func readExpired(_ identity: PageIdentity, at now: PaginatorInstant, touching: Bool) -> LoadedPage? {
        let edits = editCount.value
        return change { table, upkeep in
            upkeep.removeExpired(from: &table, at: now)
            guard let index = table.index(of: identity) else { return nil }
            if touching { upkeep.evictor.use(PageHandle(index: index)) }
            // A pin or the minimum keeps it; until that ends, reads need not ask again. A page that has replaced it
            // meanwhile has its own deadline.
            if upkeep.deadline(of: PageHandle(index: index)) <= now { table.setDeadline(.distantFuture, at: index) }
            return table.page(at: index, edits: edits)
        }
    }

    /// Runs a change with all locks held, after the recorded uses.
    func change<R>(_ body: (inout PageTable, inout CacheUpkeep) -> R) -> R {
        writer.lock()
        stripes.lockAll()
        defer {
            stripes.unlockAll()
            writer.unlock()
        }
        // The recorded uses first, because the change may reuse the indices of pages.
        stripes.takeAllNotes { upkeep.use($0) }
        return body(&table, &upkeep)
    }

    /// Runs a change of the upkeep alone, while readers continue.
    func withWriter<R>(_ body: (borrowing PageTable, inout CacheUpkeep) -> R) -> R {
        writer.withLock { body(table, &upkeep) }
    }

    private func removing(_ body: (inout PageTable, inout CacheUpkeep) -> Void) -> RemovedPages {
        change { table, upkeep in
            body(&table, &upkeep)
            var removed = RemovedPages()
            swap(&removed, &upkeep.removed)
            return removed
        }
    }
}

// MARK: - Coming and going

extension PageCache {
    /// Adds a page, and removes an earlier one of the same identity, whose pins it inherits, even if the new page is
    /// not admitted. The lifetime counts from `fetchedAt`. Complexity: O(1) and the pages removed.
    ///
    /// - Parameter lacksEdits: whether it lacks edits that were committed before.
    func admit(
        _ identity: PageIdentity, _ page: LoadedPage, lacksEdits: Bool = false, at now: PaginatorInstant
    ) -> (isAdmitted: Bool, removed: RemovedPages) {
        var (isAdmitted, page) = (false, page)
        // Whatever its origin was, from here on it is found in memory.
        page.origin = .memory
        page.refreshError = nil
        let removed = removing { table, upkeep in
            let earlier = table.index(of: identity)
            if let earlier { upkeep.take(earlier, from: &table, because: .replaced) }
            let added = upkeep.evictor.insert(
                page.details.facts, at: now, age: page.fetchedAt.duration(to: now),
                isPinned: upkeep.isPinned(identity), replacing: earlier.map(PageHandle.init(index:)))
            guard let handle = added else { return }
            isAdmitted = true
            table.insert(
                identity, page, at: handle.index, deadline: upkeep.deadline(of: handle), lacksEdits: lacksEdits)
            upkeep.items.changed(handle.index, hasPage: true)
            // Expired pages first, which make room without the strategy.
            upkeep.removeExpired(from: &table, at: now)
            upkeep.removeVictims(from: &table)
        }
        return (isAdmitted, removed)
    }

    func remove(_ selection: PageSelection, because cause: EvictionCause) -> RemovedPages {
        removing { table, upkeep in
            for index in table.indices(in: selection) {
                upkeep.remove(index, from: &table, because: cause)
            }
        }
    }

    func remove(_ identity: PageIdentity, ifObject object: AnyObject, because cause: EvictionCause) -> RemovedPages {
        removing { table, upkeep in
            guard let index = table.index(of: identity, ifObject: object) else { return }
            upkeep.remove(index, from: &table, because: cause)
        }
    }

    func expire(at now: PaginatorInstant) -> RemovedPages {
        removing { $1.removeExpired(from: &$0, at: now) }
    }

    func trim(toFraction fraction: Double) -> RemovedPages {
        removing { table, upkeep in
            let target = upkeep.evictor.usage.scaled(by: fraction)
            while let victim = upkeep.evictor.nextVictim(above: target) {
                upkeep.take(victim.index, from: &table, because: .trimmed)
            }
        }
    }
}

// MARK: - Changes of pages that stay

extension PageCache {
    func invalidate(_ selection: PageSelection) {
        change { table, _ in
            for index in table.indices(in: selection) { table[index]?.isInvalidated = true }
        }
    }

    func invalidate(tags: Set<ExactText>) -> [PageIdentity] {
        change { table, _ in
            var changed: [PageIdentity] = []
            for index in table.indices(in: .all) where table[index]?.details.tags.hasTag(in: tags) == true {
                table[index]?.isInvalidated = true
                changed.append(table.identity(at: index))
            }
            return changed
        }
    }
}

// MARK: - Pins

extension PageCache {
    /// Pins a page until it is unpinned as often, even if it is cleared and cached again; returns whether it is cached.
    /// With `isAwaited` a page that is not cached yet is also pinned: a list keeps what it shows.
    @discardableResult
    func pin(_ identity: PageIdentity, isAwaited: Bool = false) -> Bool {
        change { table, upkeep in
            let index = table.index(of: identity)
            if let index { upkeep.evictor.pin(PageHandle(index: index)) }
            if index != nil || isAwaited { upkeep.pins[identity, default: 0] += 1 }
            return index != nil
        }
    }

    func unpin(_ identity: PageIdentity) -> RemovedPages {
        removing { table, upkeep in
            guard let count = upkeep.pins[identity] else { return }
            upkeep.pins[identity] = count > 1 ? count - 1 : nil
            upkeep.pins.shrinkIfEmpty()
            guard count == 1, let index = table.index(of: identity) else { return }
            let handle = PageHandle(index: index)
            upkeep.evictor.unpin(handle)
            // Its lifetime counts again, and may have ended.
            table.setDeadline(upkeep.deadline(of: handle), at: index)
            upkeep.removeVictims(from: &table)
        }
    }
}

// MARK: - What is here

extension PageCache {
    var usage: PageUsage { withWriter { $1.evictor.usage } }

    var pinnedUsage: PageUsage { withWriter { $1.evictor.pinnedUsage } }

    var nextDeadline: PaginatorInstant? {
        !limitsAge ? nil : withWriter { $1.removed.isEmpty ? $1.evictor.nextDeadline : .zero }
    }

    func isPinned(_ identity: PageIdentity) -> Bool { withWriter { $1.isPinned(identity) } }

    func identities(in selection: PageSelection) -> [PageIdentity] {
        change { table, _ in
            var identities: [PageIdentity] = []
            for index in table.indices(in: selection) { identities.append(table.identity(at: index)) }
            return identities
        }
    }
}

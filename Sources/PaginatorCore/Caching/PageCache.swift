/// The pages in memory, of any item type: an evictor over a table, for many threads.
///
/// A read takes the lock of the calling thread's stripe, finds the page and records the use. A change takes the
/// writer's lock and then those of all stripes, passes the recorded uses to the evictor and changes the table. With one
/// thread the evictor gets every use, in order; with several, a full stripe may lose one, which does not affect the
/// limits. Nothing is released with a lock held: removed pages are returned to the caller. The only user code that runs
/// under the lock is the eviction strategy.
///
/// `@unchecked Sendable`: `table` is written with the writer's lock and all stripes' locks held, and read with any of
/// them; `evictor`, `pins`, `expired` and `items` are accessed with the writer's lock held.
package final class PageCache: @unchecked Sendable {
    let writer = Lock()
    private let stripes = ReaderStripes()
    var table = PageTable()
    private(set) var evictor: PaginatorEvictor
    /// The number of pins of a page, cached or not.
    private(set) var pins: [PageIdentity: Int] = [:]
    // Pages that a read found expired; the next call that returns removed pages includes them.
    private var expired = RemovedPages()
    let limitsAge: Bool
    /// The number of committed edits that all pages have, except for pages that were admitted without them.
    let editCount = AtomicWord()
    // Accessed with the writer's lock held.
    var items = ItemIndexes()

    init(strategy: EvictionStrategy) {
        evictor = PaginatorEvictor(strategy: strategy)
        limitsAge = strategy.lifetime != nil
    }

    /// Returns the page, unless its lifetime has ended; `touching` records the use. Complexity: O(1).
    func read(_ identity: PageIdentity, at now: PaginatorInstant, touching: Bool) -> LoadedPage? {
        let stripe = stripes.current
        // Read before the page, so that the page does not seem to have edits that are committed in between.
        let edits = editCount.value
        stripe.lock()
        guard let index = table.index(of: identity) else {
            stripe.unlock()
            return nil
        }
        guard table.deadline(at: index) > now else {
            stripe.unlock()
            // Without the stripe's lock, because this takes the writer's lock and then all stripes.
            return readExpired(identity, at: now, touching: touching)
        }
        let page = table.page(at: index, edits: edits)
        if touching { note(index, in: stripe) }
        stripe.unlock()
        return page
    }

    // The stripe's lock is held, so the writer's lock can only be tried: a writer that holds it waits for this stripe.
    private func note(_ index: Int, in stripe: ReaderStripes.Stripe) {
        guard !stripe.note(index), writer.tryLock() else { return }
        stripe.drain { evictor.use(PageHandle(index: $0)) }
        writer.unlock()
        _ = stripe.note(index)
    }

    // Only the evictor knows whether the minimum keeps an expired page.
    private func readExpired(_ identity: PageIdentity, at now: PaginatorInstant, touching: Bool) -> LoadedPage? {
        let edits = editCount.value
        return change {
            removeExpired(at: now, into: &expired)
            guard let index = table.index(of: identity) else { return nil }
            if touching { evictor.use(PageHandle(index: index)) }
            // A pin or the minimum keeps it; until that ends, reads need not ask again.
            table.setDeadline(.distantFuture, at: index)
            return table.page(at: index, edits: edits)
        }
    }

    // Runs a change with all locks held, after the recorded uses.
    func change<R>(_ body: () -> R) -> R {
        writer.lock()
        stripes.lockAll()
        defer {
            stripes.unlockAll()
            writer.unlock()
        }
        // The recorded uses first, because the change may reuse the indices of pages.
        stripes.drainAll { evictor.use(PageHandle(index: $0)) }
        return body()
    }

    private func removing(_ body: (inout RemovedPages) -> Void) -> RemovedPages {
        change {
            var removed = RemovedPages()
            // Pages that a read found expired could not be released under the stripe's lock.
            swap(&removed, &expired)
            body(&removed)
            return removed
        }
    }
}

// MARK: - Coming and going

extension PageCache {
    /// Adds a page, and removes an earlier one of the same identity, whose pins it inherits, even if the new page is
    /// not admitted. The lifetime counts from `fetchedAt`. Complexity: O(1) and the pages removed.
    ///
    /// - Parameters:
    ///   - facts: for an object that is not a page.
    ///   - lacksEdits: whether it lacks edits that were committed before.
    func admit(
        _ identity: PageIdentity, _ page: LoadedPage, facts: PageFacts? = nil, lacksEdits: Bool = false,
        at now: PaginatorInstant
    ) -> (isAdmitted: Bool, removed: RemovedPages) {
        var isAdmitted = false
        var (page, facts) = (page, facts ?? page.details.facts)
        // Whatever its origin was, from here on it is found in memory.
        page.origin = .memory
        page.refreshError = nil
        let removed = removing { removed in
            if let earlier = table.index(of: identity).map(PageHandle.init(index:)) {
                // The new page of an identity continues with the uses of the old one.
                facts.restoredUses = max(facts.restoredUses, evictor.uses(of: earlier))
                evictor.remove(earlier)
                take(earlier, because: .replaced, into: &removed)
            }
            let age = page.fetchedAt.duration(to: now)
            // Usually nothing is pinned, and a lookup costs a hash.
            let isPinned = !pins.isEmpty && pins[identity] != nil
            guard let handle = evictor.insert(facts, at: now, age: age, isPinned: isPinned) else { return }
            isAdmitted = true
            table.insert(identity, page, at: handle.index, deadline: deadline(of: handle), lacksEdits: lacksEdits)
            items.changed(handle.index, hasPage: true)
            // Expired pages first, which make room without the strategy.
            removeExpired(at: now, into: &removed)
            removeVictims(into: &removed)
        }
        return (isAdmitted, removed)
    }

    func remove(_ selection: PageSelection, because cause: EvictionCause) -> RemovedPages {
        removing { removed in
            for index in table.indices(in: selection) {
                evictor.remove(PageHandle(index: index))
                take(PageHandle(index: index), because: cause, into: &removed)
            }
        }
    }

    func remove(_ identity: PageIdentity, ifObject object: AnyObject, because cause: EvictionCause) -> RemovedPages {
        removing { removed in
            guard let index = index(of: identity, ifObject: object) else { return }
            evictor.remove(PageHandle(index: index))
            take(PageHandle(index: index), because: cause, into: &removed)
        }
    }

    func expire(at now: PaginatorInstant) -> RemovedPages {
        removing { removeExpired(at: now, into: &$0) }
    }

    func trim(toFraction fraction: Double) -> RemovedPages {
        removing { removed in
            let target = evictor.usage.scaled(by: fraction)
            while let victim = evictor.nextVictim(above: target) { take(victim, because: .trimmed, into: &removed) }
        }
    }

    func index(of identity: PageIdentity, ifObject object: AnyObject) -> Int? {
        table.index(of: identity).flatMap { table[$0]?.object === object ? $0 : nil }
    }

    private func deadline(of page: PageHandle) -> PaginatorInstant { evictor.deadline(of: page) ?? .distantFuture }

    private func removeExpired(at now: PaginatorInstant, into removed: inout RemovedPages) {
        while let victim = evictor.nextExpired(at: now) { take(victim, because: .lifetime, into: &removed) }
    }

    private func removeVictims(into removed: inout RemovedPages) {
        while let victim = evictor.nextVictim() { take(victim, because: .strategy, into: &removed) }
    }

    private func take(_ page: PageHandle, because cause: EvictionCause, into removed: inout RemovedPages) {
        items.changed(page.index, hasPage: false)
        guard let (identity, page) = table.remove(at: page.index) else { return }
        removed.append(RemovedPage(identity: identity, page: page, cause: cause))
    }
}

// MARK: - Changes of pages that stay

extension PageCache {
    func invalidate(_ selection: PageSelection) {
        change {
            for index in table.indices(in: selection) { table[index]?.isInvalidated = true }
        }
    }

    func invalidate(tags: Set<ExactText>) -> [PageIdentity] {
        change {
            table.indices(in: .all).compactMap { index in
                guard table[index]?.details.tags.hasTag(in: tags) == true else { return nil }
                table[index]?.isInvalidated = true
                return table.identity(at: index)
            }
        }
    }
}

// MARK: - Pins

extension PageCache {
    /// Pins a page until it is unpinned as often, even if it is cleared and cached again; returns whether it is cached.
    /// With `isAwaited` a page that is not cached yet is also pinned: a list keeps what it shows.
    @discardableResult
    func pin(_ identity: PageIdentity, isAwaited: Bool = false) -> Bool {
        change {
            let index = table.index(of: identity)
            if let index { evictor.pin(PageHandle(index: index)) }
            if index != nil || isAwaited { pins[identity, default: 0] += 1 }
            return index != nil
        }
    }

    func unpin(_ identity: PageIdentity) -> RemovedPages {
        removing { removed in
            guard let count = pins[identity] else { return }
            pins[identity] = count > 1 ? count - 1 : nil
            pins.shrinkIfEmpty()
            guard count == 1, let index = table.index(of: identity) else { return }
            let handle = PageHandle(index: index)
            evictor.unpin(handle)
            // Its lifetime counts again, and may have ended.
            table.setDeadline(deadline(of: handle), at: index)
            removeVictims(into: &removed)
        }
    }
}

// MARK: - What is here

extension PageCache {
    package var usage: PageUsage { writer.withLock { evictor.usage } }

    package var pinnedUsage: PageUsage { writer.withLock { evictor.pinnedUsage } }

    var nextDeadline: PaginatorInstant? {
        !limitsAge ? nil : writer.withLock { expired.isEmpty ? evictor.nextDeadline : .zero }
    }

    package func identities(in selection: PageSelection) -> [PageIdentity] {
        change { table.indices(in: selection).map { table.identity(at: $0) } }
    }
}

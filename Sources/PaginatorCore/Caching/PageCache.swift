/// The pages in memory, whatever their item type: an evictor over a table, for many threads.
///
/// A read takes the lock of the calling thread's stripe, finds the page and notes the use. A change takes the writer's
/// lock and then all stripes, passes the notes on to the evictor and changes the table. With one thread the evictor
/// learns of every use, in order; with several, a stripe full of notes may lose one, and the limits hold all the same.
/// Nothing is released with a lock held: pages that leave are returned to the caller. The only code of a user that runs
/// under the lock is the eviction strategy.
///
/// `@unchecked Sendable`: `table` is written with the writer's lock and all stripes' locks held, and read with any of
/// them; `evictor`, `pins`, `expired` and `items` are reached with the writer's lock held.
package final class PageCache: @unchecked Sendable {
    let writer = Lock()
    private let stripes = ReaderStripes()
    var table = PageTable()
    private(set) var evictor: PaginatorEvictor
    /// How many pins a page has, here or not.
    private(set) var pins: [PageIdentity: Int] = [:]
    // Pages that a read found expired; the next call that returns pages takes them along.
    private var expired = RemovedPages()
    let limitsAge: Bool
    /// So many committed edits all pages have, apart from those that have just come without.
    let editCount = AtomicWord()
    // Reached with the writer's lock held.
    var items = ItemIndexes()

    init(strategy: EvictionStrategy) {
        evictor = PaginatorEvictor(strategy: strategy)
        limitsAge = strategy.lifetime != nil
    }

    /// The page, unless it is past its lifetime; `touching` tells the strategy of the use. Complexity: O(1).
    func read(_ identity: PageIdentity, at now: PaginatorInstant, touching: Bool) -> LoadedPage? {
        let stripe = stripes.current
        // Before the page is: what it lacks of the edits that come meanwhile, it does not seem to have.
        let edits = editCount.value
        stripe.lock()
        guard let index = table.index(of: identity) else {
            stripe.unlock()
            return nil
        }
        guard table.deadline(at: index) > now else {
            stripe.unlock()
            // Not with the stripe's lock, which every change takes.
            return readExpired(identity, at: now, touching: touching)
        }
        let page = table.page(at: index, edits: edits)
        if touching { note(index, in: stripe) }
        stripe.unlock()
        return page
    }

    // The stripe's lock is held. The writer's lock may only be tried: a writer that has it waits for this stripe.
    private func note(_ index: Int, in stripe: ReaderStripes.Stripe) {
        guard !stripe.note(index), writer.tryLock() else { return }
        stripe.drain { evictor.use(PageHandle(index: $0)) }
        writer.unlock()
        _ = stripe.note(index)
    }

    // Only the evictor knows whether the minimum holds a page that is past its lifetime.
    private func readExpired(_ identity: PageIdentity, at now: PaginatorInstant, touching: Bool) -> LoadedPage? {
        let edits = editCount.value
        return change {
            removeExpired(at: now, into: &expired)
            guard let index = table.index(of: identity) else { return nil }
            if touching { evictor.use(PageHandle(index: index)) }
            // A pin or the minimum holds it; until that ends no read has to ask again.
            table.setDeadline(.distantFuture, at: index)
            return table.page(at: index, edits: edits)
        }
    }

    // Runs a change with all locks held, after what the readers noted.
    func change<R>(_ body: () -> R) -> R {
        writer.lock()
        stripes.lockAll()
        defer {
            stripes.unlockAll()
            writer.unlock()
        }
        // First what was noted: the change may give the same places to other pages.
        stripes.drainAll { evictor.use(PageHandle(index: $0)) }
        return body()
    }

    private func removing(_ body: (inout RemovedPages) -> Void) -> RemovedPages {
        change {
            var removed = RemovedPages()
            // What a read found expired could not be released under the lock.
            swap(&removed, &expired)
            body(&removed)
            return removed
        }
    }
}

// MARK: - Coming and going

extension PageCache {
    /// Takes a page in, in place of an earlier one of the same identity, whose pins it inherits, and which leaves even when
    /// the new one is not admitted. Its lifetime counts from `fetchedAt`. Complexity: O(1) and the pages removed.
    ///
    /// - Parameters:
    ///   - facts: for an object that is no page.
    ///   - lacksEdits: whether it lacks edits that were committed before.
    func admit(
        _ identity: PageIdentity, _ page: LoadedPage, facts: PageFacts? = nil, lacksEdits: Bool = false,
        at now: PaginatorInstant
    ) -> (isAdmitted: Bool, removed: RemovedPages) {
        var isAdmitted = false
        var (page, facts) = (page, facts ?? page.details.facts)
        // Wherever it came from, from here on it is found in memory.
        page.origin = .memory
        page.refreshError = nil
        let removed = removing { removed in
            if let earlier = table.index(of: identity).map(PageHandle.init(index:)) {
                // The newer page of an identity goes on with the uses of the older one.
                facts.restoredUses = max(facts.restoredUses, evictor.uses(of: earlier))
                evictor.remove(earlier)
                take(earlier, because: .replaced, into: &removed)
            }
            let age = page.fetchedAt.duration(to: now)
            // Mostly nothing is pinned, and a look-up hashes.
            let isPinned = !pins.isEmpty && pins[identity] != nil
            guard let handle = evictor.insert(facts, at: now, age: age, isPinned: isPinned) else { return }
            isAdmitted = true
            table.insert(identity, page, at: handle.index, deadline: deadline(of: handle), lacksEdits: lacksEdits)
            items.changed(handle.index, hasPage: true)
            // Age first: what has expired makes room without the strategy.
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
    /// Keeps a page until it is unpinned as often, also when somebody clears it and it comes again; says whether it is here.
    /// With `isAwaited` the pin counts also for one that is not here yet: a list keeps what it shows.
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
            // Its lifetime counts again, and may be over.
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

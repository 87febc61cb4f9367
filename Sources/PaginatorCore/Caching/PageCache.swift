/// The pages in memory, whatever their item type: an evictor over a table, for many threads.
///
/// A read takes the lock of the calling thread's stripe, finds the page and notes the use. A change takes the writer's
/// lock and then all stripes, passes the notes on to the evictor and changes the table. With one thread the evictor
/// learns of every use, in order; with several, a stripe full of notes may lose one, and the limits hold all the same.
/// Nothing is released with a lock held: pages that leave are returned to the caller. The only code of a user that runs
/// under the lock is the eviction strategy.
///
/// `@unchecked Sendable`: `table` is written with the writer's lock and all stripes' locks held, and read with any of
/// them; `upkeep` is reached with the writer's lock held.
package final class PageCache: @unchecked Sendable {
    private let writer = Lock()
    private let stripes = ReaderStripes()
    private var table = PageTable()
    private var upkeep: CacheUpkeep
    let limitsAge: Bool
    /// So many committed edits all pages have, apart from those that have just come without.
    let editCount = AtomicWord()

    init(strategy: EvictionStrategy) {
        upkeep = CacheUpkeep(evictor: PaginatorEvictor(strategy: strategy))
        limitsAge = strategy.lifetime != nil
    }

    /// The page, unless it is past its lifetime; `touching` tells the strategy of the use. Complexity: O(1).
    func read(_ identity: PageIdentity, at now: PaginatorInstant, touching: Bool) -> LoadedPage? {
        let stripe = stripes.current
        // Before the page is: what it lacks of the edits that come meanwhile, it does not seem to have.
        let edits = editCount.value
        stripe.lock()
        switch table.find(identity, at: now, edits: edits) {
        case .page(let page, let index):
            if touching { note(index, in: stripe) }
            stripe.unlock()
            return page
        case .expired:
            stripe.unlock()
            // Not with the stripe's lock, which every change takes.
            return readExpired(identity, at: now, touching: touching)
        case nil:
            stripe.unlock()
            return nil
        }
    }

    // The stripe's lock is held. The writer's lock may only be tried: a writer that has it waits for this stripe.
    private func note(_ index: Int, in stripe: ReaderStripes.Stripe) {
        guard !stripe.note(index), writer.tryLock() else { return }
        stripe.takeNotes { upkeep.use($0) }
        writer.unlock()
        _ = stripe.note(index)
    }

    // Only the evictor knows whether the minimum holds a page that is past its lifetime.
    private func readExpired(_ identity: PageIdentity, at now: PaginatorInstant, touching: Bool) -> LoadedPage? {
        let edits = editCount.value
        return change { table, upkeep in
            var expired = RemovedPages()
            swap(&expired, &upkeep.expired)
            upkeep.removeExpired(from: &table, at: now, into: &expired)
            swap(&expired, &upkeep.expired)
            guard let index = table.index(of: identity) else { return nil }
            if touching { upkeep.evictor.use(PageHandle(index: index)) }
            // A pin or the minimum holds it; until that ends no read has to ask again.
            table.setDeadline(.distantFuture, at: index)
            return table.page(at: index, edits: edits)
        }
    }

    /// Runs a change with all locks held, after what the readers noted.
    func change<R>(_ body: (inout PageTable, inout CacheUpkeep) -> R) -> R {
        writer.lock()
        stripes.lockAll()
        defer {
            stripes.unlockAll()
            writer.unlock()
        }
        // First what was noted: the change may give the same places to other pages.
        stripes.takeAllNotes { upkeep.use($0) }
        return body(&table, &upkeep)
    }

    /// Runs what only reads the table, while readers go on.
    func withWriter<R>(_ body: (borrowing PageTable, inout CacheUpkeep) -> R) -> R {
        writer.withLock { body(table, &upkeep) }
    }

    private func removing(_ body: (inout PageTable, inout CacheUpkeep, inout RemovedPages) -> Void) -> RemovedPages {
        change { table, upkeep in
            var removed = RemovedPages()
            // What a read found expired could not be released under the lock.
            swap(&removed, &upkeep.expired)
            body(&table, &upkeep, &removed)
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
        let removed = removing { table, upkeep, removed in
            if let earlier = table.index(of: identity) {
                // The newer page of an identity goes on with the uses of the older one.
                facts.restoredUses = max(facts.restoredUses, upkeep.evictor.uses(of: PageHandle(index: earlier)))
                upkeep.remove(earlier, from: &table, because: .replaced, into: &removed)
            }
            let age = page.fetchedAt.duration(to: now)
            guard let handle = upkeep.evictor.insert(facts, at: now, age: age, isPinned: upkeep.isPinned(identity))
            else { return }
            isAdmitted = true
            table.insert(
                identity, page, at: handle.index, deadline: upkeep.deadline(of: handle), lacksEdits: lacksEdits)
            upkeep.items.changed(handle.index, hasPage: true)
            // Age first: what has expired makes room without the strategy.
            upkeep.removeExpired(from: &table, at: now, into: &removed)
            upkeep.removeVictims(from: &table, into: &removed)
        }
        return (isAdmitted, removed)
    }

    func remove(_ selection: PageSelection, because cause: EvictionCause) -> RemovedPages {
        removing { table, upkeep, removed in
            for index in table.indices(in: selection) {
                upkeep.remove(index, from: &table, because: cause, into: &removed)
            }
        }
    }

    func remove(_ identity: PageIdentity, ifObject object: AnyObject, because cause: EvictionCause) -> RemovedPages {
        removing { table, upkeep, removed in
            guard let index = table.index(of: identity, ifObject: object) else { return }
            upkeep.remove(index, from: &table, because: cause, into: &removed)
        }
    }

    func expire(at now: PaginatorInstant) -> RemovedPages {
        removing { $1.removeExpired(from: &$0, at: now, into: &$2) }
    }

    func trim(toFraction fraction: Double) -> RemovedPages {
        removing { table, upkeep, removed in
            let target = upkeep.evictor.usage.scaled(by: fraction)
            while let victim = upkeep.evictor.nextVictim(above: target) {
                upkeep.take(victim.index, from: &table, because: .trimmed, into: &removed)
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
    /// Keeps a page until it is unpinned as often, also when somebody clears it and it comes again; says whether it is here.
    /// With `isAwaited` the pin counts also for one that is not here yet: a list keeps what it shows.
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
        removing { table, upkeep, removed in
            guard let count = upkeep.pins[identity] else { return }
            upkeep.pins[identity] = count > 1 ? count - 1 : nil
            upkeep.pins.shrinkIfEmpty()
            guard count == 1, let index = table.index(of: identity) else { return }
            let handle = PageHandle(index: index)
            upkeep.evictor.unpin(handle)
            // Its lifetime counts again, and may be over.
            table.setDeadline(upkeep.deadline(of: handle), at: index)
            upkeep.removeVictims(from: &table, into: &removed)
        }
    }
}

// MARK: - What is here

extension PageCache {
    package var usage: PageUsage { withWriter { $1.evictor.usage } }

    package var pinnedUsage: PageUsage { withWriter { $1.evictor.pinnedUsage } }

    var nextDeadline: PaginatorInstant? {
        !limitsAge ? nil : withWriter { $1.expired.isEmpty ? $1.evictor.nextDeadline : .zero }
    }

    func isPinned(_ identity: PageIdentity) -> Bool { withWriter { $1.isPinned(identity) } }

    package func identities(in selection: PageSelection) -> [PageIdentity] {
        change { table, _ in
            var identities: [PageIdentity] = []
            for index in table.indices(in: selection) { identities.append(table.identity(at: index)) }
            return identities
        }
    }
}

import Synchronization

/// The pages in memory, whatever their item type: an evictor over a table, for many threads.
///
/// A read takes the lock of the calling thread's stripe, finds the page and notes the use. A change takes the writer's
/// lock and then all stripes, passes the notes on to the evictor and changes the table. With one thread the evictor
/// learns of every use, in order; with several, a stripe full of notes may lose one, and the limits hold all the same.
/// Nothing is released with a lock held: pages that leave are returned to the caller. The only code of a user that runs
/// under the lock is the eviction strategy.
///
/// `@unchecked Sendable`: `table` is written with the writer's lock and all stripes' locks held, and read with any of
/// them; `evictor`, `keepers` and `expired` are reached with the writer's lock held.
package final class PageCache: @unchecked Sendable {
    private let writer = Lock()
    private let stripes = ReaderStripes()
    private let table = UnsafeMutablePointer<PageTable>.allocate(capacity: 1)
    private let evictor = UnsafeMutablePointer<PaginatorEvictor>.allocate(capacity: 1)
    /// How many keep a page, here or not; see ``keep(_:)``.
    private let keepers = UnsafeMutablePointer<[PageIdentity: Int]>.allocate(capacity: 1)
    /// Pages that a read found expired; the next call that returns pages takes them along.
    private let expired = UnsafeMutablePointer<RemovedPages>.allocate(capacity: 1)
    /// Whether the strategy limits the age of pages.
    package let limitsAge: Bool
    /// Whether a page that expires has ever been here: then reads ask for the time before they look.
    private let hasHadExpiringPages = Atomic(false)

    /// Makes an empty cache.
    ///
    /// - Parameter strategy: decides which pages stay; the cache works on its own copy.
    package init(strategy: any PaginatorEvictionStrategy) {
        table.initialize(to: PageTable())
        evictor.initialize(to: PaginatorEvictor(strategy: strategy))
        limitsAge = EvictionStrategy(strategy).lifetime != nil
        keepers.initialize(to: [:])
        expired.initialize(to: RemovedPages())
    }

    deinit {
        table.pointee.deallocate()
        table.deinitialize(count: 1)
        table.deallocate()
        evictor.deinitialize(count: 1)
        evictor.deallocate()
        keepers.deinitialize(count: 1)
        keepers.deallocate()
        expired.deinitialize(count: 1)
        expired.deallocate()
    }

    /// Returns a page; `nil` when it is not here or past its lifetime. Complexity: O(1).
    ///
    /// - Parameters:
    ///   - identity: the page.
    ///   - now: the time.
    ///   - touching: whether the strategy hears of it.
    package func read(_ identity: PageIdentity, at now: PaginatorInstant, touching: Bool) -> CachedEntry? {
        let stripe = stripes.current
        stripe.lock()
        guard let index = table.pointee.index(of: identity) else {
            stripe.unlock()
            return nil
        }
        let entry = table.pointee.entry(at: index)
        if entry.pointee.deadline <= now {
            stripe.unlock()
            return readExpired(identity, at: now, touching: touching)
        }
        let cached = table.pointee.cached(at: index)
        if touching { note(index, in: stripe) }
        stripe.unlock()
        return cached
    }

    /// Returns a page that is here and as good as new, and notes its use; `nil` for every other, which
    /// ``read(_:at:touching:)`` tells more of. Complexity: O(1).
    ///
    /// - Parameter clock: asked only where a page may have expired, and with no lock held.
    package func readFresh(_ identity: PageIdentity, by clock: any PaginatorClock) -> FreshHit? {
        takeFresh(identity, by: clock) { page, details, _ in FreshHit(page.takeUnretainedValue(), details.pointee) }
    }

    /// Lends a page that ``readFresh(_:by:)`` would return, and notes its use; `nil` also when the calling thread borrows
    /// too many at once. Complexity: O(1).
    package func borrowFresh(_ identity: PageIdentity, by clock: any PaginatorClock) -> PageLoan? {
        takeFresh(identity, by: clock) { page, details, stripe in
            PageLoan(page, editMark: details.pointee.editMark, in: stripe)
        }
    }

    /// - Parameter take: runs with the stripe's lock held; `nil` is no use.
    @inline(__always)
    private func takeFresh<R>(
        _ identity: PageIdentity, by clock: any PaginatorClock,
        _ take: (Unmanaged<any AnyObject & Sendable>, UnsafePointer<CachedEntry.Details>, ReaderStripes.Stripe) -> R?
    ) -> R? {
        let stripe = stripes.current
        var now = limitsAge || hasHadExpiringPages.load(ordering: .relaxed) ? clock.now : nil
        while true {
            stripe.lock()
            guard let (index, page) = table.pointee.find(identity) else { break }
            let details = table.pointee.details(at: index)
            guard !details.pointee.isInvalidated else { break }
            let deadline = table.pointee.entry(at: index).pointee.deadline
            let expiration = details.pointee.expiresAt ?? .distantFuture
            if deadline != .distantFuture || expiration != .distantFuture {
                guard let now else {
                    stripe.unlock()
                    now = clock.now
                    continue
                }
                guard deadline > now, expiration > now else { break }
            }
            guard let taken = take(page, details, stripe) else { break }
            note(index, in: stripe)
            stripe.unlock()
            return taken
        }
        stripe.unlock()
        return nil
    }

    /// Returns a page that is here, fresh or stale, without noting a use; `nil` when it is not. Complexity: O(1).
    package func peek(_ identity: PageIdentity, at now: PaginatorInstant) -> (hit: FreshHit, isStale: Bool)? {
        let stripe = stripes.current
        stripe.lock()
        guard let (index, page) = table.pointee.find(identity) else {
            stripe.unlock()
            return nil
        }
        if table.pointee.entry(at: index).pointee.deadline <= now {
            stripe.unlock()
            return readExpired(identity, at: now, touching: false).map {
                (FreshHit($0.value, $0.details), $0.details.isStale(at: now))
            }
        }
        let details = table.pointee.details(at: index)
        let hit = FreshHit(page.takeUnretainedValue(), details.pointee)
        let isStale = details.pointee.isStale(at: now)
        stripe.unlock()
        return (hit, isStale)
    }

    /// Returns what ``read(_:at:touching:)`` does, without what is known of it, where the strategy does not limit the age of
    /// pages. Complexity: O(1).
    package func readAgeless(_ identity: PageIdentity, touching: Bool) -> (any AnyObject & Sendable)? {
        let stripe = stripes.current
        stripe.lock()
        guard let (index, page) = table.pointee.find(identity) else {
            stripe.unlock()
            return nil
        }
        let object = page.takeUnretainedValue()
        if touching { note(index, in: stripe) }
        stripe.unlock()
        return object
    }

    /// The stripe's lock is held. The writer's lock may only be tried: a writer that has it waits for this stripe.
    @inline(__always)
    private func note(_ index: Int, in stripe: ReaderStripes.Stripe) {
        guard !stripe.note(index), writer.tryLock() else { return }
        stripe.drain { evictor.pointee.use($0) }
        writer.unlock()
        _ = stripe.note(index)
    }

    /// Only the evictor knows whether the minimum holds a page that is past its lifetime.
    private func readExpired(_ identity: PageIdentity, at now: PaginatorInstant, touching: Bool) -> CachedEntry? {
        change {
            removeExpired(at: now, into: &expired.pointee)
            guard let index = table.pointee.index(of: identity) else { return nil }
            if touching { evictor.pointee.use(PageHandle(index: index)) }
            table.pointee.entry(at: index).pointee.deadline = .distantFuture
            return table.pointee.cached(at: index)
        }
    }

    /// Runs a change with all locks held, after what the readers noted.
    @inline(__always)
    private func change<R>(_ body: () -> R) -> R {
        writer.lock()
        stripes.lockAll()
        defer {
            stripes.unlockAll()
            writer.unlock()
        }
        stripes.drainAll { evictor.pointee.use($0) }
        return body()
    }

    /// Runs a change that removes pages, and returns them.
    @inline(__always)
    private func removing(_ body: (inout RemovedPages) -> Void) -> RemovedPages {
        change {
            var removed = RemovedPages()
            if !expired.pointee.isEmpty { swap(&removed, &expired.pointee) }
            body(&removed)
            return removed
        }
    }
}

extension PageCache {
    /// Takes a page in, in place of an earlier one of the same identity, whose pins it inherits.
    ///
    /// The earlier page leaves even when the new one is not admitted. Complexity: O(1) and the pages removed.
    ///
    /// - Parameters:
    ///   - identity: the page.
    ///   - entry: the page and what is known of it; its lifetime counts from `fetchedAt`.
    ///   - now: the time.
    /// - Returns: whether the page was admitted, and what left.
    package func admit(
        _ identity: PageIdentity, _ entry: CachedEntry, at now: PaginatorInstant
    ) -> (isAdmitted: Bool, removed: RemovedPages) {
        var isAdmitted = false
        let removed = removing { removed in
            var pins = keepers.pointee.isEmpty ? 0 : keepers.pointee[identity] ?? 0
            var facts = entry.details.facts
            if let earlier = table.pointee.index(of: identity) {
                let handle = PageHandle(index: earlier)
                pins = evictor.pointee.pins(of: handle)
                facts = PageFacts(
                    bytes: facts.bytes, items: facts.items, keyHash: facts.keyHash,
                    restoredUses: max(facts.restoredUses, evictor.pointee.uses(of: handle)))
                evictor.pointee.remove(handle)
                take(handle, because: .replaced, into: &removed)
            }
            let age = max(.zero, entry.details.fetchedAt.duration(to: now))
            guard let handle = evictor.pointee.insert(facts, at: now, age: age, pins: pins) else { return }
            isAdmitted = true
            if entry.details.expiresAt != nil { hasHadExpiringPages.store(true, ordering: .relaxed) }
            table.pointee.insert(identity, entry, at: handle.index, deadline: deadline(of: handle))
            removeExpired(at: now, into: &removed)
            removeVictims(into: &removed)
        }
        return (isAdmitted, removed)
    }

    /// Removes the pages named. Complexity: O(pages named).
    package func remove(_ selection: PageSelection, because cause: EvictionCause) -> RemovedPages {
        removing { removed in
            for index in table.pointee.indices(in: selection) {
                evictor.pointee.remove(PageHandle(index: index))
                take(PageHandle(index: index), because: cause, into: &removed)
            }
        }
    }

    /// Removes a page if it is still this object. Complexity: O(1).
    package func remove(
        _ identity: PageIdentity, ifObject object: AnyObject, because cause: EvictionCause
    ) -> RemovedPages {
        removing { removed in
            guard let index = table.pointee.index(of: identity),
                table.pointee.entry(at: index).pointee.value === object
            else { return }
            evictor.pointee.remove(PageHandle(index: index))
            take(PageHandle(index: index), because: cause, into: &removed)
        }
    }

    /// Removes the pages whose lifetime has passed.
    package func expire(at now: PaginatorInstant) -> RemovedPages {
        removing { removeExpired(at: now, into: &$0) }
    }

    /// Removes pages in the strategy's order until at most a fraction of pages, items and bytes is left.
    ///
    /// Pinned pages stay, and so does what the minimum holds.
    ///
    /// - Parameter fraction: how much of the present usage may stay, from 0 to 1.
    package func trim(toFraction fraction: Double) -> RemovedPages {
        removing { removed in
            let target = evictor.pointee.usage.scaled(by: fraction)
            while let victim = evictor.pointee.nextVictim(above: target) {
                take(victim, because: .trimmed, into: &removed)
            }
        }
    }

    private func deadline(of page: PageHandle) -> PaginatorInstant {
        limitsAge ? evictor.pointee.deadline(of: page) ?? .distantFuture : .distantFuture
    }

    private func removeExpired(at now: PaginatorInstant, into removed: inout RemovedPages) {
        while let victim = evictor.pointee.nextExpired(at: now) { take(victim, because: .lifetime, into: &removed) }
    }

    private func removeVictims(into removed: inout RemovedPages) {
        while let victim = evictor.pointee.nextVictim() { take(victim, because: .strategy, into: &removed) }
    }

    private func take(_ page: PageHandle, because cause: EvictionCause, into removed: inout RemovedPages) {
        let entry = table.pointee.remove(at: page.index)
        stripes.keep(.passUnretained(entry.value))
        removed.append(RemovedPage(identity: entry.identity, value: entry.value, cause: cause))
    }
}

extension PageCache {
    /// Marks the pages named stale; they stay readable. Complexity: O(pages named).
    package func invalidate(_ selection: PageSelection) {
        change {
            for index in table.pointee.indices(in: selection) {
                table.pointee.details(at: index).pointee.isInvalidated = true
            }
        }
    }

    /// Puts an edited page in the place of the one it was made from; says whether that one was still there.
    package func replace(_ identity: PageIdentity, ifObject object: AnyObject, with entry: CachedEntry) -> Bool {
        let old = change { () -> (any AnyObject & Sendable)? in
            guard let index = table.pointee.index(of: identity),
                table.pointee.entry(at: index).pointee.value === object
            else { return nil }
            let old = table.pointee.replace(at: index, with: entry)
            stripes.keep(.passUnretained(old))
            return old
        }
        return old != nil
    }

    /// Notes that a page, if it is still this object, contains all committed edits up to a mark. Complexity: O(1).
    package func mark(_ identity: PageIdentity, ifObject object: AnyObject, upTo mark: UInt64) {
        change {
            guard let index = table.pointee.index(of: identity),
                table.pointee.entry(at: index).pointee.value === object
            else { return }
            let details = table.pointee.details(at: index)
            details.pointee.editMark = max(details.pointee.editMark, mark)
        }
    }

    /// Keeps a page until it is unpinned as often. Complexity: O(1).
    ///
    /// - Returns: whether the page is here.
    package func pin(_ identity: PageIdentity) -> Bool {
        change {
            guard let index = table.pointee.index(of: identity) else { return false }
            evictor.pointee.pin(PageHandle(index: index))
            return true
        }
    }

    /// Takes one pin away; does nothing when the page is not here or not pinned. Complexity: O(1).
    ///
    /// - Returns: what had to leave because of it.
    package func unpin(_ identity: PageIdentity) -> RemovedPages {
        removing { unpin(identity, into: &$0) }
    }

    private func unpin(_ identity: PageIdentity, into removed: inout RemovedPages) {
        guard let index = table.pointee.index(of: identity) else { return }
        let handle = PageHandle(index: index)
        evictor.pointee.unpin(handle)
        table.pointee.entry(at: index).pointee.deadline = deadline(of: handle)
        removeVictims(into: &removed)
    }

    /// Keeps a page until it is released as often, from now on or from when it comes: a list keeps what it shows, also
    /// when somebody clears it and loads it again. Complexity: O(1).
    package func keep(_ identity: PageIdentity) {
        change {
            keepers.pointee[identity, default: 0] += 1
            if let index = table.pointee.index(of: identity) { evictor.pointee.pin(PageHandle(index: index)) }
        }
    }

    /// Ends what ``keep(_:)`` began, once. Complexity: O(1).
    ///
    /// - Returns: what had to leave because of it.
    package func release(_ identity: PageIdentity) -> RemovedPages {
        // As one change: a page that comes in between would have the pins of the others alone, and lose one of them.
        removing { removed in
            guard let count = keepers.pointee[identity] else { return }
            keepers.pointee[identity] = count > 1 ? count - 1 : nil
            unpin(identity, into: &removed)
        }
    }

    /// What is held, pinned pages included.
    package var usage: PageUsage { writer.withLock { evictor.pointee.usage } }

    /// What is pinned.
    package var pinnedUsage: PageUsage { writer.withLock { evictor.pointee.pinnedUsage } }

    /// When ``expire(at:)`` has something to do next; `nil` for never.
    package var nextDeadline: PaginatorInstant? {
        !limitsAge ? nil : writer.withLock { expired.pointee.isEmpty ? evictor.pointee.nextDeadline : .zero }
    }

    /// Returns the identities of the pages named, in no particular order. Complexity: O(pages named).
    package func identities(in selection: PageSelection) -> [PageIdentity] {
        change {
            table.pointee.indices(in: selection).map { table.pointee.entry(at: $0).pointee.identity }
        }
    }
}

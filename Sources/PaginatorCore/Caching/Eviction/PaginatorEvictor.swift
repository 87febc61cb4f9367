/// Runs one eviction strategy over pages of which it knows only the facts: the deciding half of every cache here.
///
/// A pure value: no lock, no clock, no page. It hands out handles, keeps totals, pins and deadlines, and names the pages
/// that must go; whoever owns it removes them. After each call that adds pages, ask ``nextVictim()`` until it is `nil`;
/// then the usage is at most the limit, or what the minimum and the page just admitted add up to.
///
/// ```swift
/// var evictor = PaginatorEvictor(strategy: .lru(maxBytes: 10_000_000))
/// if let handle = evictor.insert(facts, at: clock.now) { pages[handle] = page }
/// while let victim = evictor.nextVictim() { pages[victim] = nil }
/// ```
///
/// Complexity: every call is O(1) plus that of the strategy; with a lifetime, those that insert or remove are
/// O(log pages).
package struct PaginatorEvictor: Sendable {
    struct Slot {
        var facts: PageFacts
        /// How often it was used since it came; stands at the greatest number when there were more.
        var uses: UInt32 = 0
        var pins: Int
        /// When its lifetime ends, or ended; `nil` when it has none.
        var deadline: PaginatorInstant?
        /// Past its lifetime, and kept by a pin or the minimum.
        var isOverdue = false
    }

    private var strategy: EvictionStrategy
    private let lifetime: Duration?
    /// By handle; `nil` where the handle is not in use.
    private(set) var slots: ContiguousArray<Slot?> = []
    private var free: ContiguousArray<PageHandle> = []
    private var total = UsageTotal()
    private var pinnedTotal = UsageTotal()
    private var newest: PageHandle?
    private var deadlines = DeadlineQueue<PageHandle>()
    /// Pages past their deadline that the minimum holds, so there are no more than it has items.
    private var overdue = HandleList()

    /// Makes an evictor that holds nothing.
    ///
    /// - Parameter strategy: decides which pages go; the evictor works on its own copy.
    package init(strategy: any PaginatorEvictionStrategy) {
        self.strategy = EvictionStrategy(strategy)
        lifetime = self.strategy.lifetime
    }

    /// What is held.
    package var usage: PageUsage { total.usage }

    /// Takes a page in, unless the strategy does not admit it.
    ///
    /// - Parameters:
    ///   - facts: the page's costs.
    ///   - now: the time.
    ///   - age: how old the page is already, for its lifetime; negative values count as zero.
    /// - Returns: the page's handle, the lowest one that is free or nearly so; `nil` when it was not admitted.
    package mutating func insert(
        _ facts: PageFacts, at now: PaginatorInstant, age: Duration = .zero
    ) -> PageHandle? {
        insert(facts, at: now, age: age, pins: 0)
    }

    /// Takes a page in that comes with pins, as the successor of a pinned one; then it is always admitted.
    mutating func insert(_ facts: PageFacts, at now: PaginatorInstant, age: Duration, pins: Int) -> PageHandle? {
        guard pins > 0 || strategy.admits(facts) else { return nil }
        // Lists of handles have links of 32 bits.
        guard let handle = free.popLast() ?? (slots.count < Int32.max ? PageHandle(index: slots.count) : nil) else {
            return nil
        }
        if handle.index == slots.count { slots.append(nil) }
        let deadline = lifetime.map { now.advanced(by: .zero - max(.zero, age)).advanced(by: $0) }
        slots[handle.index] = Slot(facts: facts, pins: max(0, pins), deadline: deadline)
        total.add(facts)
        if let deadline { deadlines.set(handle, at: deadline) }
        if pins > 0 {
            pinnedTotal.add(facts)
            newest = nil
        } else {
            strategy.inserted(handle, facts)
            newest = handle
        }
        return handle
    }

    /// Notes a read of a page; does nothing when the handle is not in use.
    package mutating func use(_ page: PageHandle) {
        guard slots.indices.contains(page.index), let pins = slots[page.index]?.pins else { return }
        if let uses = slots[page.index]?.uses, uses < .max { slots[page.index]?.uses = uses + 1 }
        if pins == 0 { strategy.used(page) }
    }

    /// Gives a page up; does nothing when the handle is not in use.
    ///
    /// - Parameter page: the page; its handle may come back for another page.
    package mutating func remove(_ page: PageHandle) {
        guard let slot = slot(of: page) else { return }
        total.subtract(slot.facts)
        if slot.pins > 0 { pinnedTotal.subtract(slot.facts) } else { strategy.removed(page) }
        if slot.deadline != nil {
            deadlines.remove(page)
            overdue.remove(page)
        }
        if newest == page { newest = nil }
        slots[page.index] = nil
        free.append(page)
    }

    /// Removes the page that must go and returns it; `nil` when there is none.
    ///
    /// The page just admitted is spared when it is the only one that could go.
    package mutating func nextVictim() -> PageHandle? { nextVictim(in: total.usage)?.page }

    /// Removes the page that must go and returns it with its costs; `nil` when there is none.
    ///
    /// - Parameter usage: what is held in truth, by an owner that shares its place with others whose pages are not here.
    package mutating func nextVictim(in usage: PageUsage) -> (page: PageHandle, facts: PageFacts)? {
        // A strategy of a user may name anything.
        guard let page = strategy.victim(in: usage), let slot = slot(of: page), slot.pins == 0 else { return nil }
        if page == newest, total.count - pinnedTotal.count == 1 { return nil }
        remove(page)
        return (page, slot.facts)
    }

    /// Removes the page that would go first and returns it, as long as more is held than a target.
    ///
    /// Pinned pages stay, and so does what the minimum holds.
    ///
    /// - Parameter target: how much may stay.
    /// - Returns: the page; `nil` when the target is reached or nothing more can go.
    mutating func nextVictim(above target: PageUsage) -> PageHandle? {
        let usage = total.usage
        guard usage.pages > target.pages || usage.items > target.items || usage.bytes > target.bytes,
            let page = strategy.firstToGo(in: usage), pins(of: page) == 0, slot(of: page) != nil
        else { return nil }
        remove(page)
        return page
    }

    private func slot(of page: PageHandle) -> Slot? {
        slots.indices.contains(page.index) ? slots[page.index] : nil
    }
}

// MARK: - Facts and pins

extension PaginatorEvictor {
    /// The handles in use, in ascending order. Complexity: O(pages).
    var handles: [PageHandle] { slots.indices.filter { slots[$0] != nil }.map(PageHandle.init(index:)) }

    /// What is pinned.
    var pinnedUsage: PageUsage { pinnedTotal.usage }

    /// Returns a page's costs; `nil` when the handle is not in use.
    func facts(of page: PageHandle) -> PageFacts? { slot(of: page)?.facts }

    /// Returns how often a page was used, uses before its insertion included; zero when the handle is not in use.
    package func uses(of page: PageHandle) -> Int {
        guard let slot = slot(of: page) else { return 0 }
        let (sum, overflow) = slot.facts.restoredUses.addingReportingOverflow(Int(clamping: slot.uses))
        return overflow ? .max : sum
    }

    /// Returns how many pins a page has.
    func pins(of page: PageHandle) -> Int { slot(of: page)?.pins ?? 0 }

    /// Keeps a page until it is unpinned as often as it was pinned; neither a limit nor age removes it.
    mutating func pin(_ page: PageHandle) {
        guard let slot = slot(of: page) else { return }
        slots[page.index]?.pins = slot.pins + 1
        guard slot.pins == 0 else { return }
        strategy.removed(page)
        pinnedTotal.add(slot.facts)
        overdue.remove(page)
        if newest == page { newest = nil }
    }

    /// Takes one pin away; with the last one the page returns to the strategy, as one that just came.
    mutating func unpin(_ page: PageHandle) {
        guard let slot = slot(of: page), slot.pins > 0 else { return }
        slots[page.index]?.pins = slot.pins - 1
        guard slot.pins == 1 else { return }
        let facts = slot.facts
        pinnedTotal.subtract(facts)
        strategy.inserted(
            page,
            PageFacts(bytes: facts.bytes, items: facts.items, keyHash: facts.keyHash, restoredUses: uses(of: page)))
        if slot.isOverdue, let deadline = slot.deadline {
            slots[page.index]?.isOverdue = false
            deadlines.set(page, at: deadline)
        }
    }
}

// MARK: - Lifetime

extension PaginatorEvictor {
    /// The earliest deadline that has not been looked at by ``nextExpired(at:)``; `nil` when there is none.
    ///
    /// A page past its lifetime that a pin or the minimum holds has no deadline any more; it goes in the first
    /// ``nextExpired(at:)`` after it is free.
    var nextDeadline: PaginatorInstant? { deadlines.next }

    /// Returns when the page's lifetime ends, or ended; `nil` when it has none.
    func deadline(of page: PageHandle) -> PaginatorInstant? { slot(of: page)?.deadline }

    /// Removes a page whose lifetime has passed and returns it; `nil` when there is none that may go.
    ///
    /// - Parameter now: the time; a page goes at its deadline, not only after it.
    package mutating func nextExpired(at now: PaginatorInstant) -> PageHandle? {
        guard lifetime != nil else { return nil }
        let usage = total.usage
        if let page = overdue.first(where: { strategy.mayExpire($0, in: usage) }) {
            remove(page)
            return page
        }
        while let page = deadlines.popDue(at: now) {
            let isPinned = pins(of: page) > 0
            if !isPinned, strategy.mayExpire(page, in: usage) {
                remove(page)
                return page
            }
            slots[page.index]?.isOverdue = true
            if !isPinned { overdue.append(page) }
        }
        return nil
    }
}

// MARK: - Invariants

extension PaginatorEvictor {
    /// What is wrong, in words; empty as it should be. Complexity: O(pages).
    func invariantViolations() -> [String] {
        var violations: [String] = []
        func check(_ holds: Bool, _ text: @autoclosure () -> String) {
            if !holds { violations.append(text()) }
        }
        var (sum, pinned) = (UsageTotal(), UsageTotal())
        for (index, slot) in slots.enumerated() {
            guard let slot else { continue }
            sum.add(slot.facts)
            if slot.pins > 0 { pinned.add(slot.facts) }
            let page = PageHandle(index: index)
            let isAwaited = deadlines.deadline(of: page) != nil
            check(
                (lifetime != nil) == (slot.deadline != nil),
                "page \(index) has the deadline \(String(describing: slot.deadline))")
            check(
                isAwaited == (slot.deadline != nil && !slot.isOverdue), "page \(index) is not awaited as it should be")
        }
        check(sum.usage == total.usage, "\(total.usage) are counted, \(sum.usage) are held")
        check(pinned.usage == pinnedTotal.usage, "\(pinnedTotal.usage) are counted as pinned, \(pinned.usage) are")
        check(Set(free).count == free.count, "a handle is free twice")
        check(free.allSatisfy { slots[$0.index] == nil }, "a handle in use is free")
        check(free.count + handles.count == slots.count, "a handle is neither free nor in use")
        if let newest { check(pins(of: newest) == 0 && slot(of: newest) != nil, "the newest page is pinned or gone") }
        return violations
    }
}

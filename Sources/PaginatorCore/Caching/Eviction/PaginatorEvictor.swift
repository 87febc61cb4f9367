/// Runs one eviction strategy over pages of which it knows only the facts: the deciding half of every cache here.
///
/// A pure value: no lock, no clock, no page. It hands out handles, keeps totals, pins and deadlines, and names the pages
/// that must go; whoever owns it removes them. After each call that adds pages or ends a pin, ask ``nextVictim()`` until
/// it is `nil`; then the usage is at most the limit, or what pins, the minimum and the page just admitted add up to.
///
/// ```swift
/// var evictor = PaginatorEvictor(strategy: .lru(maxBytes: 10_000_000))
/// if let handle = evictor.insert(facts, at: clock.now) { pages[handle] = page }
/// while let victim = evictor.nextVictim() { pages[victim] = nil }
/// ```
///
/// Complexity: every call is O(1) plus that of the strategy, except where it says otherwise.
public struct PaginatorEvictor: Sendable {
    private struct Slot {
        var facts: PageFacts
        /// Past its lifetime, and kept by a pin or the minimum.
        var isOverdue = false
    }

    /// What a use changes: apart from the rest, so that the uses of many pages lie together.
    private struct Standing {
        static let gone = Standing(uses: 0, pins: -1)

        /// Stands at the greatest number when there were more.
        var uses: UInt32
        /// Negative when the handle is not in use.
        var pins: Int32

        var isLive: Bool { pins >= 0 }
    }

    private var strategy: EvictionStrategy
    private let lifetime: Duration?
    private var slots: ContiguousArray<Slot> = []
    private var standings: ContiguousArray<Standing> = []
    private var free: ContiguousArray<PageHandle> = []
    private var total = UsageTotal()
    private var pinnedTotal = UsageTotal()
    private var newest: PageHandle?
    private var deadlines = LifetimeQueue()
    /// Pages past their deadline that the minimum holds, so there are no more than it has items.
    private var overdue = HandleList()
    /// The pages of which ``use(_:)`` tells the strategy; kept for its memory.
    private var used: [PageHandle] = []

    /// Makes an evictor that holds nothing.
    ///
    /// - Parameter strategy: decides which pages go; the evictor works on its own copy.
    public init(strategy: any PaginatorEvictionStrategy) {
        self.strategy = EvictionStrategy(strategy)
        lifetime = self.strategy.lifetime
    }

    /// What is held, pinned pages included.
    @inline(__always)
    public var usage: PageUsage { total.usage }

    /// What is pinned.
    @inline(__always)
    public var pinnedUsage: PageUsage { pinnedTotal.usage }

    /// Takes a page in, unless the strategy does not admit it.
    ///
    /// - Parameters:
    ///   - facts: the page's costs.
    ///   - now: the time.
    ///   - age: how old the page is already, for its lifetime; negative values count as zero.
    ///   - pins: how many pins the page comes with, as the successor of a pinned one; a pinned page is always admitted.
    /// - Returns: the page's handle, the lowest one that is free or nearly so; `nil` when it was not admitted.
    public mutating func insert(
        _ facts: PageFacts, at now: PaginatorInstant, age: Duration = .zero, pins: Int = 0
    ) -> PageHandle? {
        guard pins > 0 || strategy.admits(facts) else { return nil }
        let handle: PageHandle
        let standing = Standing(uses: 0, pins: Int32(clamping: max(0, pins)))
        if let reused = free.popLast() {
            handle = reused
            slots[handle.index] = Slot(facts: facts)
            standings[handle.index] = standing
        } else {
            guard slots.count < Int32.max - 1 else { return nil }
            handle = PageHandle(index: slots.count)
            slots.append(Slot(facts: facts))
            standings.append(standing)
        }
        total.add(facts)
        if pins > 0 {
            pinnedTotal.add(facts)
        } else {
            strategy.inserted(handle, facts)
        }
        if let lifetime {
            let insertion = age > .zero ? now.advanced(by: .zero - age) : now
            deadlines.insert(handle, at: insertion.advanced(by: lifetime))
        }
        newest = pins == 0 ? handle : nil
        return handle
    }

    /// Notes a read of a page; does nothing when the handle is not in use.
    public mutating func use(_ page: PageHandle) {
        guard isLive(page) else { return }
        if standings[page.index].uses < .max { standings[page.index].uses += 1 }
        if standings[page.index].pins == 0 { strategy.used(page) }
    }

    /// Notes reads of pages, in this order; one whose handle is not in use is passed over.
    ///
    /// All standings are looked at before the strategy hears of anything: their places in memory do not depend on each
    /// other, so the processor waits for many of them at once.
    ///
    /// - Parameter indices: the handles' indices.
    package mutating func use(_ indices: UnsafeBufferPointer<Int32>) {
        for index in indices {
            let page = PageHandle(index: Int(index))
            guard isLive(page) else { continue }
            if standings[page.index].uses < .max { standings[page.index].uses += 1 }
            if standings[page.index].pins == 0 { used.append(page) }
        }
        guard !used.isEmpty else { return }
        strategy.used(used)
        used.removeAll(keepingCapacity: true)
    }

    /// Gives a page up; does nothing when the handle is not in use.
    ///
    /// - Parameter page: the page, pinned or not; its handle may come back for another page.
    public mutating func remove(_ page: PageHandle) {
        guard isLive(page) else { return }
        let facts = slots[page.index].facts
        total.subtract(facts)
        if standings[page.index].pins > 0 { pinnedTotal.subtract(facts) } else { strategy.removed(page) }
        if lifetime != nil {
            deadlines.remove(page)
            overdue.remove(page)
        }
        if newest == page { newest = nil }
        standings[page.index] = .gone
        free.append(page)
    }

    /// Removes the page that must go and returns it; `nil` when there is none.
    ///
    /// The page just admitted is spared when it is the only one that could go.
    public mutating func nextVictim() -> PageHandle? {
        guard let page = strategy.victim(in: total.usage), isEvictable(page) else { return nil }
        if page == newest, total.count - pinnedTotal.count == 1 { return nil }
        remove(page)
        return page
    }

    /// Removes the page that must go and returns it with its costs; `nil` when there is none.
    ///
    /// - Parameter usage: what is held in truth, by an owner that shares its place with others whose pages are not here.
    package mutating func nextVictim(in usage: PageUsage) -> (page: PageHandle, facts: PageFacts)? {
        guard let page = strategy.victim(in: usage), isEvictable(page) else { return nil }
        if page == newest, total.count - pinnedTotal.count == 1 { return nil }
        let facts = slots[page.index].facts
        remove(page)
        return (page, facts)
    }

    /// Removes the page that would go first and returns it, as long as more is held than a target.
    ///
    /// Pinned pages stay, and so does what the minimum holds.
    ///
    /// - Parameter target: how much may stay.
    /// - Returns: the page; `nil` when the target is reached or nothing more can go.
    public mutating func nextVictim(above target: PageUsage) -> PageHandle? {
        let usage = total.usage
        guard usage.pages > target.pages || usage.items > target.items || usage.bytes > target.bytes else {
            return nil
        }
        guard let page = strategy.firstToGo(in: usage), isEvictable(page) else { return nil }
        remove(page)
        return page
    }

    @inline(__always)
    private func isLive(_ page: PageHandle) -> Bool {
        page.index >= 0 && page.index < standings.count && standings[page.index].isLive
    }

    /// A strategy of a user may name anything.
    private func isEvictable(_ page: PageHandle) -> Bool {
        isLive(page) && standings[page.index].pins == 0
    }
}

// MARK: - Facts and pins

extension PaginatorEvictor {
    /// The handles in use, in ascending order. Complexity: O(pages).
    public var handles: [PageHandle] {
        slots.indices.lazy.map(PageHandle.init(index:)).filter(isLive)
    }

    /// Returns a page's costs; `nil` when the handle is not in use.
    public func facts(of page: PageHandle) -> PageFacts? {
        isLive(page) ? slots[page.index].facts : nil
    }

    /// Returns how often a page was used, uses before its insertion included; zero when the handle is not in use.
    @inline(__always)
    public func uses(of page: PageHandle) -> Int {
        guard isLive(page) else { return 0 }
        let (sum, overflow) = slots[page.index].facts.restoredUses.addingReportingOverflow(
            Int(clamping: standings[page.index].uses))
        return overflow ? .max : sum
    }

    /// Returns how many pins a page has.
    @inline(__always)
    public func pins(of page: PageHandle) -> Int {
        isLive(page) ? Int(standings[page.index].pins) : 0
    }

    /// Keeps a page until it is unpinned as often as it was pinned; neither a limit nor age removes it.
    public mutating func pin(_ page: PageHandle) {
        guard isLive(page), standings[page.index].pins < .max else { return }
        standings[page.index].pins += 1
        guard standings[page.index].pins == 1 else { return }
        strategy.removed(page)
        pinnedTotal.add(slots[page.index].facts)
        overdue.remove(page)
        if newest == page { newest = nil }
    }

    /// Takes one pin away; with the last one the page returns to the strategy, as one that just came.
    public mutating func unpin(_ page: PageHandle) {
        guard isLive(page), standings[page.index].pins > 0 else { return }
        standings[page.index].pins -= 1
        guard standings[page.index].pins == 0 else { return }
        let facts = slots[page.index].facts
        pinnedTotal.subtract(facts)
        strategy.inserted(
            page,
            PageFacts(bytes: facts.bytes, items: facts.items, keyHash: facts.keyHash, restoredUses: uses(of: page)))
        if slots[page.index].isOverdue {
            slots[page.index].isOverdue = false
            deadlines.insert(page, at: deadlines.deadline(of: page))
        }
    }
}

// MARK: - Lifetime

extension PaginatorEvictor {
    /// The earliest deadline that has not been looked at by ``nextExpired(at:)``; `nil` when there is none.
    ///
    /// A page past its lifetime that a pin or the minimum holds has no deadline any more; it goes in the first
    /// ``nextExpired(at:)`` after it is free.
    @inline(__always)
    public var nextDeadline: PaginatorInstant? {
        deadlines.first?.deadline
    }

    /// Returns when the page's lifetime ends, or ended; `nil` when it has none.
    @inline(__always)
    public func deadline(of page: PageHandle) -> PaginatorInstant? {
        guard lifetime != nil, isLive(page) else { return nil }
        return deadlines.deadline(of: page)
    }

    /// Removes a page whose lifetime has passed and returns it; `nil` when there is none that may go.
    ///
    /// - Parameter now: the time; a page goes at its deadline, not only after it.
    public mutating func nextExpired(at now: PaginatorInstant) -> PageHandle? {
        guard lifetime != nil else { return nil }
        if overdue.count > 0, let page = overdue.first(where: { strategy.mayExpire($0, in: total.usage) }) {
            remove(page)
            return page
        }
        while let (page, deadline) = deadlines.first, deadline <= now {
            let isPinned = standings[page.index].pins > 0
            if !isPinned, strategy.mayExpire(page, in: total.usage) {
                remove(page)
                return page
            }
            deadlines.remove(page)
            slots[page.index].isOverdue = true
            if !isPinned { overdue.append(page) }
        }
        return nil
    }
}

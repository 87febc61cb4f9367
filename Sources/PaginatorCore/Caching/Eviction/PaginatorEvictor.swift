/// Runs the eviction strategy of a cache. A pure value without lock, clock or pages.
///
/// It assigns handles, keeps totals, pins and deadlines, and names the pages to remove; the owner removes them. After
/// each call that adds pages, call ``nextVictim(in:)`` until it is `nil`: then the usage is within the limits, or at
/// what the minimum and the page just admitted require. Every call is O(1) plus that of the strategy; with a lifetime,
/// insertions and removals are O(log pages).
package struct PaginatorEvictor: Sendable {
    struct Cell {
        /// Includes the uses since the page was inserted.
        var facts: PageFacts
        var isPinned: Bool
        let deadline: PaginatorInstant?
    }

    /// The orders contain only pages that are not pinned.
    private(set) var orders: [any EvictionOrder]
    private let minimum: PageUsage
    let lifetime: Duration?
    private(set) var cells: ContiguousArray<Cell?> = []
    private(set) var free: ContiguousArray<PageHandle> = []
    private(set) var total = UsageTotal()
    private(set) var pinnedTotal = UsageTotal()
    private(set) var newest: PageHandle?
    private(set) var deadlines = DeadlineQueue<PageHandle>()
    // Expired pages that the minimum keeps; at most as many as its items.
    private(set) var overdue = IndexList()

    package init(strategy: EvictionStrategy) {
        orders = strategy.orders
        minimum = strategy.minimum
        lifetime = strategy.lifetime
    }

    package var usage: PageUsage { total.usage }

    /// Inserts a page that the strategy admits, or that is pinned. Its lifetime began `age` ago. An earlier version of
    /// the page goes in any case; the new one has its handle and its uses.
    package mutating func insert(
        _ facts: PageFacts, at now: PaginatorInstant, age: Duration = .zero, isPinned: Bool = false,
        replacing earlier: PageHandle? = nil
    ) -> PageHandle? {
        var facts = facts
        if let earlier, let cell = cell(of: earlier) {
            facts.restoredUses = max(facts.restoredUses, cell.facts.restoredUses)
            remove(earlier, keepingPlace: !isPinned)
        }
        guard isPinned || orders.allSatisfy({ $0.admits(facts) }) else {
            guard let earlier else { return nil }
            for index in orders.indices where orders[index].keepsPlaces { orders[index].removed(earlier) }
            return nil
        }
        let handle = free.popLast() ?? PageHandle(index: cells.count)
        if handle.index == cells.count { cells.append(nil) }
        // Subtracted first, then added, because each saturates.
        let deadline = lifetime.map { now.advanced(by: .zero - max(.zero, age)).advanced(by: $0) }
        cells[handle.index] = Cell(facts: facts, isPinned: isPinned, deadline: deadline)
        total.add(facts)
        if let deadline { deadlines.set(handle, at: deadline) }
        if isPinned {
            pinnedTotal.add(facts)
            newest = nil
        } else {
            for index in orders.indices { orders[index].inserted(handle, facts) }
            newest = handle
        }
        return handle
    }

    /// Replaces the costs of a page that is not pinned, if the strategy admits them. Its order and deadline stay.
    package mutating func replace(_ page: PageHandle, _ facts: PageFacts) -> Bool {
        guard let old = cell(of: page)?.facts else { return false }
        var facts = facts
        facts.restoredUses = old.restoredUses
        guard orders.allSatisfy({ $0.admits(facts) }) else { return false }
        total.subtract(old)
        total.add(facts)
        cells[page.index]?.facts = facts
        return true
    }

    package mutating func use(_ page: PageHandle) {
        guard let cell = cell(of: page) else { return }
        cells[page.index]?.facts.restoredUses = min(cell.facts.restoredUses, .max - 1) + 1
        if cell.isPinned { return }
        for index in orders.indices { orders[index].used(page) }
    }

    package mutating func remove(_ page: PageHandle, keepingPlace: Bool = false) {
        guard let cell = cell(of: page) else { return }
        total.subtract(cell.facts)
        if cell.isPinned { pinnedTotal.subtract(cell.facts) } else { takeOut(page, keepingPlace: keepingPlace) }
        if cell.deadline != nil { deadlines.remove(page) }
        cells[page.index] = nil
        free.append(page)
    }

    /// Removes and returns the page to evict. The page just admitted is kept if it is the only candidate.
    ///
    /// - Parameter usage: includes the pages of others with which the owner shares its space; `nil` without others.
    package mutating func nextVictim(in usage: PageUsage? = nil) -> (page: PageHandle, facts: PageFacts)? {
        let usage = usage ?? total.usage
        guard let victim = first(in: usage, asked: usage) else { return nil }
        // Evicting it makes no room for another, and the next page will replace it.
        if victim.page == newest, total.count - pinnedTotal.count == 1 { return nil }
        remove(victim.page)
        return victim
    }

    mutating func nextVictim(above target: PageUsage) -> PageHandle? {
        let usage = total.usage
        guard usage.pages > target.pages || usage.items > target.items || usage.bytes > target.bytes,
            let victim = first(in: usage, asked: .beyondLimits)
        else { return nil }
        remove(victim.page)
        return victim.page
    }

    // A page must stay if it has more items than the surplus over the minimum. At most `minimum.items` pages do, so the
    // search skips at most that many, whatever the cache's size.
    private mutating func first(in usage: PageUsage, asked: PageUsage) -> (page: PageHandle, facts: PageFacts)? {
        guard minimum == PageUsage() || usage.pages > minimum.pages && usage.items >= minimum.items else { return nil }
        // Moved out while they call `isEvictable`, because exclusive access would otherwise be violated.
        var orders: [any EvictionOrder] = []
        swap(&orders, &self.orders)
        defer { self.orders = orders }
        for index in orders.indices {
            guard let page = orders[index].victim(in: asked, where: { isEvictable($0, in: usage) }) else { continue }
            // A user's strategy may return any handle.
            return cell(of: page).flatMap { $0.isPinned ? nil : (page, $0.facts) }
        }
        return nil
    }

    private func isEvictable(_ page: PageHandle, in usage: PageUsage) -> Bool {
        guard minimum != PageUsage(), let cell = cell(of: page) else { return true }
        return usage.pages > minimum.pages && usage.items - cell.facts.items >= minimum.items
    }

    private func cell(of page: PageHandle) -> Cell? {
        cells.indices.contains(page.index) ? cells[page.index] : nil
    }

    private mutating func takeOut(_ page: PageHandle, keepingPlace: Bool = false) {
        for index in orders.indices where !(keepingPlace && orders[index].keepsPlaces) { orders[index].removed(page) }
        overdue.remove(page.index)
        if newest == page { newest = nil }
    }
}

// MARK: - Facts and pins

extension PaginatorEvictor {
    var pinnedUsage: PageUsage { pinnedTotal.usage }

    mutating func pin(_ page: PageHandle) {
        guard let cell = cell(of: page), !cell.isPinned else { return }
        cells[page.index]?.isPinned = true
        // Pinned pages are removed from the orders, so that the orders need not skip them.
        pinnedTotal.add(cell.facts)
        takeOut(page)
    }

    mutating func unpin(_ page: PageHandle) {
        guard let cell = cell(of: page), cell.isPinned else { return }
        cells[page.index]?.isPinned = false
        pinnedTotal.subtract(cell.facts)
        for index in orders.indices { orders[index].inserted(page, cell.facts) }
        // The deadline may have passed meanwhile.
        if let deadline = cell.deadline { deadlines.set(page, at: deadline) }
    }
}

// MARK: - Lifetime

extension PaginatorEvictor {
    /// The next deadline. An expired page that is pinned or kept by the minimum has none; it is removed later.
    var nextDeadline: PaginatorInstant? { deadlines.next }

    func deadline(of page: PageHandle) -> PaginatorInstant? { cell(of: page)?.deadline }

    /// Removes and returns a page whose deadline has passed, if it may be removed.
    package mutating func nextExpired(at now: PaginatorInstant) -> PageHandle? {
        guard lifetime != nil else { return nil }
        let usage = total.usage
        // It was kept at its deadline, and may be removed now.
        if let index = overdue.first(where: { isEvictable(PageHandle(index: $0), in: usage) }) {
            remove(PageHandle(index: index))
            return PageHandle(index: index)
        }
        while let page = deadlines.popDue(at: now) {
            // Unpinning sets the deadline again.
            if cell(of: page)?.isPinned == true { continue }
            if isEvictable(page, in: usage) {
                remove(page)
                return page
            }
            overdue.append(page.index)
        }
        return nil
    }
}

/// Runs an eviction strategy for one cache: every cache here has one. A pure value without lock, clock or pages.
///
/// It hands out handles, keeps totals, pins and deadlines, and names the pages that must go; whoever owns it removes
/// them. After each call that adds pages, ask ``nextVictim()`` until it is `nil`: then the usage is at most the limit, or
/// what the minimum and the page just admitted add up to. Every call is O(1) plus that of the strategy; with a lifetime,
/// those that insert or remove are O(log pages).
package struct PaginatorEvictor: Sendable {
    struct Cell {
        /// With the uses since it came.
        var facts: PageFacts
        var isPinned: Bool
        let deadline: PaginatorInstant?
    }

    /// They know the pages that are not pinned.
    private(set) var orders: [any EvictionOrder]
    private let minimum: PageUsage
    let lifetime: Duration?
    private(set) var cells: ContiguousArray<Cell?> = []
    private(set) var free: ContiguousArray<PageHandle> = []
    private(set) var total = UsageTotal()
    private(set) var pinnedTotal = UsageTotal()
    private(set) var newest: PageHandle?
    private(set) var deadlines = DeadlineQueue<PageHandle>()
    // Pages past their deadline that the minimum holds, so there are no more than it has items.
    private(set) var overdue = IndexList()

    package init(strategy: EvictionStrategy) {
        orders = strategy.orders
        minimum = strategy.minimum
        lifetime = strategy.lifetime
    }

    package var usage: PageUsage { total.usage }

    /// Takes a page in that the strategy admits, or that is pinned. Its lifetime counts from `age` ago.
    package mutating func insert(
        _ facts: PageFacts, at now: PaginatorInstant, age: Duration = .zero, isPinned: Bool = false
    ) -> PageHandle? {
        guard isPinned || orders.allSatisfy({ $0.admits(facts) }) else { return nil }
        let handle = free.popLast() ?? PageHandle(index: cells.count)
        if handle.index == cells.count { cells.append(nil) }
        // Back and then forward, since each of both saturates.
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

    package mutating func use(_ page: PageHandle) {
        guard cells.indices.contains(page.index), let isPinned = cells[page.index]?.isPinned else { return }
        if let uses = cells[page.index]?.facts.restoredUses, uses < .max {
            cells[page.index]?.facts.restoredUses = uses + 1
        }
        if isPinned { return }
        for index in orders.indices { orders[index].used(page) }
    }

    package mutating func remove(_ page: PageHandle) {
        guard let cell = cell(of: page) else { return }
        total.subtract(cell.facts)
        if cell.isPinned { pinnedTotal.subtract(cell.facts) } else { takeOut(page) }
        if cell.deadline != nil { deadlines.remove(page) }
        cells[page.index] = nil
        free.append(page)
    }

    /// Removes the page that must go; the one just admitted is spared when it is the only one that could.
    package mutating func nextVictim() -> PageHandle? { nextVictim(in: total.usage)?.page }

    /// The same where `usage` is held in truth, by an owner that shares its place with others whose pages are not here.
    package mutating func nextVictim(in usage: PageUsage) -> (page: PageHandle, facts: PageFacts)? {
        guard let victim = first(in: usage, asked: usage) else { return nil }
        // It makes room for nobody, and the next page will take its place.
        if victim.page == newest, total.count - pinnedTotal.count == 1 { return nil }
        remove(victim.page)
        return victim
    }

    mutating func nextVictim(above target: PageUsage) -> PageHandle? {
        let usage = total.usage
        guard usage.pages > target.pages || usage.items > target.items || usage.bytes > target.bytes,
            let victim = first(in: usage, asked: .demanding)
        else { return nil }
        remove(victim.page)
        return victim.page
    }

    // Each page that the minimum holds has more items than could be spared, so there are no more of them than the
    // minimum has items, and passing over them does not depend on the size of the cache.
    private mutating func first(in usage: PageUsage, asked: PageUsage) -> (page: PageHandle, facts: PageFacts)? {
        guard minimum == PageUsage() || usage.pages > minimum.pages && usage.items >= minimum.items else { return nil }
        // Taken out while they ask back: the rest must not be changed meanwhile.
        var orders: [any EvictionOrder] = []
        swap(&orders, &self.orders)
        defer { self.orders = orders }
        for index in orders.indices {
            guard let page = orders[index].victim(in: asked, where: { mayGo($0, in: usage) }) else { continue }
            // A strategy of a user may name anything.
            return cell(of: page).flatMap { $0.isPinned ? nil : (page, $0.facts) }
        }
        return nil
    }

    private func mayGo(_ page: PageHandle, in usage: PageUsage) -> Bool {
        guard minimum != PageUsage(), let cell = cell(of: page) else { return true }
        return usage.pages > minimum.pages && usage.items - cell.facts.items >= minimum.items
    }

    private func cell(of page: PageHandle) -> Cell? {
        cells.indices.contains(page.index) ? cells[page.index] : nil
    }

    private mutating func takeOut(_ page: PageHandle) {
        for index in orders.indices { orders[index].removed(page) }
        overdue.remove(page.index)
        if newest == page { newest = nil }
    }
}

// MARK: - Facts and pins

extension PaginatorEvictor {
    var handles: [PageHandle] { cells.indices.filter { cells[$0] != nil }.map(PageHandle.init(index:)) }

    var pinnedUsage: PageUsage { pinnedTotal.usage }

    package func uses(of page: PageHandle) -> Int { cell(of: page)?.facts.restoredUses ?? 0 }

    mutating func pin(_ page: PageHandle) {
        guard let cell = cell(of: page), !cell.isPinned else { return }
        cells[page.index]?.isPinned = true
        // The orders do not know pinned pages: no victim has to be passed over for a pin.
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
    /// The next deadline. A page past it that a pin or the minimum holds has none any more, and goes as soon as it is free.
    var nextDeadline: PaginatorInstant? { deadlines.next }

    func deadline(of page: PageHandle) -> PaginatorInstant? { cell(of: page)?.deadline }

    /// Removes a page that may go and whose lifetime has passed: at its deadline, not only after it.
    package mutating func nextExpired(at now: PaginatorInstant) -> PageHandle? {
        guard lifetime != nil else { return nil }
        let usage = total.usage
        // Held when its time came, and free by now.
        if let index = overdue.first(where: { mayGo(PageHandle(index: $0), in: usage) }) {
            remove(PageHandle(index: index))
            return PageHandle(index: index)
        }
        while let page = deadlines.popDue(at: now) {
            // The end of the pin sets the deadline again.
            if cell(of: page)?.isPinned == true { continue }
            if mayGo(page, in: usage) {
                remove(page)
                return page
            }
            overdue.append(page.index)
        }
        return nil
    }
}

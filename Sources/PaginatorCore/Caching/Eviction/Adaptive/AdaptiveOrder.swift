/// The order of the adaptive default: it follows the one of three policies with the most hits.
///
/// LRU, LIRS and S3-FIFO are simulated over page numbers, each with the capacity of the cache. ``LeaderElection``
/// chooses the leader, and the victim is a page that the leader would not hold. So the cache converges to the leader's
/// pages without a restart when the leader changes. A miss is seen as the insertion of the page.
///
/// Deterministic; amortized O(1) a call. Uses some hundred bytes for each page and about five remembered ones.
struct AdaptiveOrder: EvictionOrder {
    // The largest handle, so that the numbers of all remembered pages fit into 32 bits.
    private static let maxPages = Int(Int32.max) / 64

    var limits: EvictionLimits {
        didSet { self = AdaptiveOrder(limits) }
    }

    private var lru: Contender<LRUShadow>
    private var lirs: Contender<LIRSShadow>
    private var s3fifo: Contender<S3FIFOShadow>
    private(set) var election = LeaderElection()

    var pages = WatchedPages()
    /// The number of each page in the cache, by handle.
    private var numbers: ContiguousArray<Int?> = []
    private var present = IndexList()
    // The last inserted page, until it is read.
    private var newest: Int?
    // The last victim chosen because the leader would not hold it.
    private var victim: Int?
    private var gone: ContiguousArray<Int> = []

    init(_ limits: EvictionLimits) {
        self.limits = limits
        lru = Contender(policy: LRUShadow(capacity: limits.capacity))
        lirs = Contender(policy: LIRSShadow(capacity: limits.capacity))
        s3fifo = Contender(policy: S3FIFOShadow(capacity: limits.capacity))
    }

    var isLosing: Bool { election.isLosing(pages: lru.policy.count) }

    mutating func inserted(_ page: PageHandle, _ facts: PageFacts) {
        guard page.index >= 0, page.index < Self.maxPages else { return }
        removed(page)
        let number = number(for: page, facts)
        // A miss of a page that was removed for another reason does not count against the leader.
        let wasTakenOut = pages[number].presence == .removedOtherwise
        pages[number].presence = .here(page)
        while numbers.count <= page.index { numbers.append(nil) }
        numbers[page.index] = number
        newest = number
        tell(of: number, wasTakenOut ? .cache : [])
    }

    mutating func used(_ page: PageHandle) {
        guard let number = number(of: page) else { return }
        if newest == number { newest = nil }
        tell(of: number, .cache)
    }

    mutating func removed(_ page: PageHandle) {
        guard let number = number(of: page) else { return }
        numbers[page.index] = nil
        // Only the miss of a victim that the leader did not hold counts against the leader later.
        pages[number].presence = number == victim ? .away : .removedOtherwise
        victim = nil
        present.remove(number)
        lru.surplus.remove(number)
        lirs.surplus.remove(number)
        s3fifo.surplus.remove(number)
        if newest == number { newest = nil }
        forgetIfUnknown(number)
    }

    mutating func first(where isEvictable: (PageHandle) -> Bool) -> PageHandle? {
        func isFree(_ number: Int) -> Bool { number != newest && pages.handle(of: number).map(isEvictable) ?? false }
        let surplus = election.choice(of: (lru.surplus, lirs.surplus, s3fifo.surplus))
        victim = surplus.first(where: isFree)
        let next = election.choice(of: (lru.policy.next, lirs.policy.next, s3fifo.policy.next))
        let number = victim ?? next.flatMap { isFree($0) ? $0 : nil } ?? present.first(where: isFree) ?? newest
        return number.flatMap(pages.handle).flatMap { isEvictable($0) ? $0 : nil }
    }

    private func number(of page: PageHandle) -> Int? {
        numbers.indices.contains(page.index) ? numbers[page.index] : nil
    }

    private mutating func number(for page: PageHandle, _ facts: PageFacts) -> Int {
        let weight = limits.weight(of: facts)
        let number = pages.number(for: page, hash: facts.keyHash, weight: weight)
        // Its number of items may have changed.
        let difference = weight - pages[number].weight
        if difference != 0 {
            lru.policy.reweigh(number, by: difference)
            lirs.policy.reweigh(number, by: difference)
            s3fifo.policy.reweigh(number, by: difference)
            pages[number].weight = weight
        }
        return number
    }

    private mutating func tell(of number: Int, _ finds: LeaderElection.Finds) {
        var finds = finds
        // Every policy sees each read, so that they can be compared.
        if s3fifo.read(number, pages, &gone) { finds.formUnion(.s3fifo) }
        if lru.read(number, pages, &gone) { finds.formUnion(.lru) }
        if lirs.read(number, pages, &gone) { finds.formUnion(.lirs) }
        present.append(number)
        election.note(finds, pages: lru.policy.count)
        guard !gone.isEmpty else { return }
        for other in gone { forgetIfUnknown(other) }
        gone.removeAll(keepingCapacity: true)
    }

    private mutating func forgetIfUnknown(_ number: Int) {
        guard pages.isAway(number), !lru.policy.knows(number), !lirs.policy.knows(number),
            !s3fifo.policy.knows(number)
        else { return }
        pages.forget(number)
    }
}

/// A policy that may lead, and the cached pages that it would not hold, in the order in which it evicted them.
private struct Contender<Policy: ShadowPolicy>: Sendable {
    var policy: Policy
    var surplus = IndexList()

    mutating func read(_ number: Int, _ pages: WatchedPages, _ gone: inout ContiguousArray<Int>) -> Bool {
        let start = gone.count
        let isHit = policy.read(number, pages, &gone)
        if !isHit { surplus.remove(number) }
        for other in gone[start...] where pages.handle(of: other) != nil && !policy.contains(other) {
            if !surplus.contains(other) { surplus.append(other) }
        }
        return isHit
    }
}

/// Maps a page's costs to one weight, so that pages that fit by weight fit by every limit, but for rounding.
///
/// With a limit on pages alone, a page weighs one. Otherwise it weighs the largest share that it takes of any limit.
extension EvictionLimits {
    static let whole: Int64 = 1 << 40

    private var countsPagesOnly: Bool { items == .max && bytes == .max }

    fileprivate var capacity: Int64 { countsPagesOnly ? max(1, min(Int64(pages), Self.whole)) : Self.whole }

    fileprivate func weight(of facts: PageFacts) -> Int64 {
        if countsPagesOnly { return 1 }
        return max(1, share(1, of: pages), share(facts.items, of: items), share(facts.bytes, of: bytes))
    }

    private func share(_ cost: Int, of limit: Int) -> Int64 {
        guard limit != .max else { return 0 }
        guard cost < limit else { return Self.whole }
        return Int64(limit).dividingFullWidth(Int64(cost).multipliedFullWidth(by: Self.whole)).quotient
    }
}

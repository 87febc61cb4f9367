/// The order of the adaptive default: it follows whichever of three policies would answer most reads.
///
/// Three policies are watched over the numbers of pages, each as large as the cache: LRU, LIRS and S3-FIFO. One of them
/// leads, as ``LeaderElection`` says. What goes is a page that the leader would not have any more. So the cache becomes
/// what the leader would be, without starting again when the lead changes. A miss is seen as the page's insertion.
///
/// Deterministic, and O(1) a call, amortized. Memory: some hundred bytes for each page, and for about four more that are
/// remembered.
struct AdaptiveOrder: EvictionOrder {
    var limits: EvictionLimits {
        didSet { self = AdaptiveOrder(limits) }
    }

    private let scale: WeightScale
    private var lru: LRUShadow
    private var lirs: LIRSShadow
    private var s3fifo: S3FIFOShadow
    private var election = LeaderElection()

    private var pages = WatchedPages()
    /// The number of each page in the cache, by handle.
    private var numbers: ContiguousArray<Int?> = []

    /// The pages in the cache that each policy would not have, in the order in which they went there. A page is in the list
    /// of LRU or in LRU's surplus, so both share links.
    private var surplus = (WatchedList(place: 0), WatchedList(place: 4), WatchedList(place: 5))
    /// The pages in the cache, by recency.
    private var present = WatchedList(place: 6)
    /// The page that came last, as long as nobody read it.
    private var newest: Int?
    /// The page that was to go last because the leader would not have it.
    private var victim: Int?
    /// What the policies gave up or forgot for the sake of a read.
    private var gone: ContiguousArray<Int> = []

    /// Makes an empty order.
    init(_ limits: EvictionLimits) {
        self.limits = limits
        scale = WeightScale(limits)
        lru = LRUShadow(capacity: scale.capacity)
        lirs = LIRSShadow(capacity: scale.capacity)
        s3fifo = S3FIFOShadow(capacity: scale.capacity)
    }

    /// The number of pages watched, those in the cache included.
    var watchedCount: Int { pages.count }

    mutating func inserted(_ page: PageHandle, _ facts: PageFacts) {
        guard page.index >= 0, page.index < WatchedList.maxPages / 8 else { return }
        removed(page)
        let number = number(for: page, facts)
        // That something else took a page out, or left the cache less room, is no fault of the leader's.
        let wasTakenOut = pages[number].presence == .takenOut
        pages[number].presence = .here(Int32(page.index))
        while numbers.count <= page.index { numbers.append(nil) }
        numbers[page.index] = number
        pages.append(number, to: &present)
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
        pages[number].presence = number == victim ? .away : .takenOut
        victim = nil
        pages.remove(number, from: &present)
        if !lru.contains(number, pages), pages.contains(number, in: surplus.0) {
            pages.remove(number, from: &surplus.0)
        }
        if pages.contains(number, in: surplus.1) { pages.remove(number, from: &surplus.1) }
        if pages.contains(number, in: surplus.2) { pages.remove(number, from: &surplus.2) }
        if newest == number { newest = nil }
        forgetIfUnknown(number)
    }

    mutating func first(where mayGo: (PageHandle) -> Bool) -> PageHandle? {
        func free(_ number: Int) -> PageHandle? {
            guard number != newest, let page = pages.handle(of: number), mayGo(page) else { return nil }
            return page
        }
        func first(of list: WatchedList) -> (number: Int, page: PageHandle)? {
            var candidate = list.first
            while let number = candidate {
                if let page = free(number) { return (number, page) }
                candidate = pages.page(after: number, in: list)
            }
            return nil
        }
        let unwanted = first(of: election.choice(of: surplus))
        victim = unwanted?.number
        if let unwanted { return unwanted.page }
        if let number = election.choice(of: (lru.next, lirs.next, s3fifo.next)), let page = free(number) { return page }
        if let (_, page) = first(of: present) { return page }
        return newest.flatMap { pages.handle(of: $0) }.flatMap { mayGo($0) ? $0 : nil }
    }

    private func number(of page: PageHandle) -> Int? {
        numbers.indices.contains(page.index) ? numbers[page.index] : nil
    }

    /// Finds or makes the number of a page that comes.
    private mutating func number(for page: PageHandle, _ facts: PageFacts) -> Int {
        let weight = scale.weight(of: facts)
        let (number, isKnown) = pages.number(for: page, hash: facts.keyHash, weight: weight)
        let difference = weight - pages[number].weight
        if isKnown, difference != 0 {
            lru.reweigh(number, by: difference, pages)
            lirs.reweigh(number, by: difference, pages)
            s3fifo.reweigh(number, by: difference, pages)
            pages.reweigh(number, weight)
        }
        return number
    }

    /// Tells everybody of a read of a page that is in the cache.
    ///
    /// - Parameter finds: where the read found the page, the policies left out.
    private mutating func tell(of number: Int, _ finds: LeaderElection.Finds) {
        var finds = finds
        if Self.tell(&s3fifo, of: number, &surplus.2, &pages, &gone) { finds.formUnion(.s3fifo) }
        if Self.tell(&lru, of: number, &surplus.0, &pages, &gone) { finds.formUnion(.lru) }
        pages.moveToBack(number, of: &present)
        if Self.tell(&lirs, of: number, &surplus.1, &pages, &gone) { finds.formUnion(.lirs) }
        election.note(finds, pages: lru.count)
        guard !gone.isEmpty else { return }
        for other in gone { forgetIfUnknown(other) }
        gone.removeAll(keepingCapacity: true)
    }

    /// Tells one policy, and brings its surplus up to date; says whether the policy would have had the page.
    private static func tell(
        _ policy: inout some ShadowPolicy, of number: Int, _ surplus: inout WatchedList, _ pages: inout WatchedPages,
        _ gone: inout ContiguousArray<Int>
    ) -> Bool {
        let isHit = policy.contains(number, pages)
        if !isHit, pages.contains(number, in: surplus) { pages.remove(number, from: &surplus) }
        let start = gone.count
        policy.read(number, &pages, &gone)
        for place in start..<gone.count {
            let other = gone[place]
            guard pages.handle(of: other) != nil, !policy.contains(other, pages) else { continue }
            if !pages.contains(other, in: surplus) { pages.append(other, to: &surplus) }
        }
        return isHit
    }

    private mutating func forgetIfUnknown(_ number: Int) {
        guard pages.isAway(number), !lru.knows(number, pages), !lirs.knows(number, pages), !s3fifo.knows(number, pages)
        else { return }
        pages.forget(number)
    }
}

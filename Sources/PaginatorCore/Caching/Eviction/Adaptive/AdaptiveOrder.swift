/// The order of the adaptive default: it follows whichever of three policies would answer most reads.
///
/// Three policies are watched over the numbers of pages, each as large as the cache: LRU, LIRS and S3-FIFO. One of them
/// leads, as ``LeaderElection`` says. What goes is a page that the leader would not have any more. So the cache becomes
/// what the leader would be, without starting again when the lead changes. A miss is seen as the page's insertion.
///
/// Deterministic, and O(1) a call, amortized. Memory: some hundred bytes for each page, and for about four more that are
/// remembered.
package struct AdaptiveOrder: EvictionOrder {
    private static let none = -1

    /// A read, and who had the page.
    private struct Read {
        let number: Int32
        var finds: LeaderElection.Finds
    }

    private var scale = WeightScale(.none)
    private var lru = LRUShadow(capacity: .max)
    private var lirs = LIRSShadow(capacity: .max)
    private var s3fifo = S3FIFOShadow(capacity: .max)

    private var watched = ShadowNodes()
    private var directory = KeyDirectory()
    private var freeNumbers: ContiguousArray<Int32> = []
    /// The number of each page in the cache, by handle.
    private var numbers: ContiguousArray<Int32> = []

    /// The pages in the cache that each policy would not have, in the order in which they went there.
    private var surplus = (ShadowList(place: 0), ShadowList(place: 4), ShadowList(place: 5))
    /// The pages in the cache, by recency.
    private var present = ShadowList(place: 6)
    private var newest = AdaptiveOrder.none

    /// The page that was to go last because the leader would not have it.
    private var victim = AdaptiveOrder.none

    private var election = LeaderElection()

    /// Reads that the policies have yet to hear of.
    private var unheard: ContiguousArray<Read> = []
    /// What the policies gave up or forgot for the sake of these reads.
    private var gone: ContiguousArray<Int> = []

    /// Makes an empty order, which has yet to learn the limits.
    package init() {}

    /// The number of pages watched, those in the cache included.
    package var watchedCount: Int { watched.count - freeNumbers.count }

    package mutating func adapt(to limits: EvictionLimits) {
        scale = WeightScale(limits)
        lru = LRUShadow(capacity: scale.capacity)
        lirs = LIRSShadow(capacity: scale.capacity)
        s3fifo = S3FIFOShadow(capacity: scale.capacity)
    }

    package mutating func inserted(_ page: PageHandle, _ facts: PageFacts) {
        guard page.index >= 0, page.index < Int32.max / 8 else { return }
        removed(page)
        makeUnique()
        let number = number(for: page, facts)
        // That something else took a page out, or left the cache less room, is no fault of the leader's.
        let wasTakenOut = nodes[number].handle == ShadowNodes.takenOut
        nodes[number].handle = Int32(page.index)
        while numbers.count <= page.index { numbers.append(Int32(Self.none)) }
        numbers[page.index] = Int32(number)
        present.append(number, nodes)
        newest = number
        unheard.append(Read(number: Int32(number), finds: wasTakenOut ? .cache : []))
        hear()
    }

    package mutating func used(_ page: PageHandle) {
        note(page)
        hear()
    }

    package mutating func used(_ pages: [PageHandle]) {
        for page in pages { note(page) }
        hear()
    }

    @inline(__always)
    private mutating func note(_ page: PageHandle) {
        guard let number = number(of: page) else { return }
        if newest == number { newest = Self.none }
        unheard.append(Read(number: Int32(number), finds: .cache))
    }

    package mutating func removed(_ page: PageHandle) {
        guard let number = number(of: page) else { return }
        makeUnique()
        numbers[page.index] = Int32(Self.none)
        nodes[number].handle = number == victim ? ShadowNodes.notHere : ShadowNodes.takenOut
        victim = Self.none
        present.remove(number, nodes)
        if !lru.contains(number, nodes), surplus.0.contains(number, nodes) { surplus.0.remove(number, nodes) }
        if surplus.1.contains(number, nodes) { surplus.1.remove(number, nodes) }
        if surplus.2.contains(number, nodes) { surplus.2.remove(number, nodes) }
        if newest == number { newest = Self.none }
        forgetIfUnknown(number, nodes)
    }

    package mutating func first() -> PageHandle? {
        if let number = leaderSurplus.first, number != newest {
            victim = number
            return handle(of: number)
        }
        return first { _ in true }
    }

    package mutating func first(where mayGo: (PageHandle) -> Bool) -> PageHandle? {
        victim = first(of: leaderSurplus, where: mayGo) ?? Self.none
        if victim != Self.none { return handle(of: victim) }
        if let number = leaderNext, isFree(number, mayGo) { return handle(of: number) }
        if let number = first(of: present, where: mayGo) { return handle(of: number) }
        guard newest != Self.none else { return nil }
        let last = handle(of: newest)
        return mayGo(last) ? last : nil
    }

    private func first(of list: ShadowList, where mayGo: (PageHandle) -> Bool) -> Int? {
        var candidate = list.first
        while let number = candidate {
            if isFree(number, mayGo) { return number }
            candidate = list.page(after: number, nodes)
        }
        return nil
    }

    private func isFree(_ number: Int, _ mayGo: (PageHandle) -> Bool) -> Bool {
        nodes[number].handle >= 0 && number != newest && mayGo(handle(of: number))
    }

    /// A copy of the strategy keeps what it knew.
    @inline(__always)
    private mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&watched) { watched = watched.copy() }
    }

    @inline(__always)
    private var nodes: ShadowNodes.Memory { watched.memory }
}

// MARK: - The policies

extension AdaptiveOrder {
    private var leaderSurplus: ShadowList {
        election.leader == 0 ? surplus.0 : election.leader == 1 ? surplus.1 : surplus.2
    }

    private var leaderNext: Int? {
        election.leader == 0 ? lru.next : election.leader == 1 ? lirs.next : s3fifo.next
    }

    /// Tells each policy of all reads before the next one hears of them.
    ///
    /// With many pages, a read's lines of memory are not in the processor's caches. The less is done for a read before the
    /// next one's turn, the more reads' lines are on their way at once; and what one policy has waited for, the others find.
    private mutating func hear() {
        makeUnique()
        let nodes = nodes
        Self.tell(&s3fifo, .s3fifo, of: &unheard, &surplus.2, nodes, &gone)
        Self.tell(&lru, .lru, of: &unheard, &surplus.0, nodes, &gone)
        for read in unheard { present.moveToBack(Int(read.number), nodes) }
        Self.tell(&lirs, .lirs, of: &unheard, &surplus.1, nodes, &gone)
        for read in unheard { election.note(read.finds, pages: lru.count) }
        unheard.removeAll(keepingCapacity: true)
        guard !gone.isEmpty else { return }
        for number in gone { forgetIfUnknown(number, nodes) }
        gone.removeAll(keepingCapacity: true)
    }

    @inline(__always)
    private static func tell(
        _ policy: inout some ShadowPolicy, _ own: LeaderElection.Finds, of reads: inout ContiguousArray<Read>,
        _ surplus: inout ShadowList, _ nodes: ShadowNodes.Memory, _ gone: inout ContiguousArray<Int>
    ) {
        for index in reads.indices {
            let number = Int(reads[index].number)
            let isHit = policy.contains(number, nodes)
            if isHit { reads[index].finds.formUnion(own) }
            if !isHit, surplus.contains(number, nodes) { surplus.remove(number, nodes) }
            let start = gone.count
            policy.read(number, nodes, &gone)
            for place in start..<gone.count {
                let other = gone[place]
                guard nodes[other].handle >= 0, !policy.contains(other, nodes) else { continue }
                if !surplus.contains(other, nodes) { surplus.append(other, nodes) }
            }
        }
    }
}

// MARK: - Numbers

extension AdaptiveOrder {
    @inline(__always)
    private func number(of page: PageHandle) -> Int? {
        guard page.index >= 0, page.index < numbers.count, numbers[page.index] >= 0 else { return nil }
        return Int(numbers[page.index])
    }

    @inline(__always)
    private func handle(of number: Int) -> PageHandle { PageHandle(index: Int(nodes[number].handle)) }

    /// Finds or makes the number of a page that comes.
    private mutating func number(for page: PageHandle, _ facts: PageFacts) -> Int {
        let weight = scale.weight(of: facts)
        var hash = facts.keyHash
        while let number = directory.number(of: hash) {
            if isAway(number, nodes) {
                reweigh(number, weight)
                return number
            }
            // Another page in the cache has this hash: this one is watched under a hash of its own.
            // A factor of one modulo four and an odd summand: no hash comes twice (Hull and Dobell, 1962).
            hash = hash &* 0x9e37_79b9_7f4a_7c15 &+ (UInt64(page.index) << 1 | 1)
        }
        let fresh = ShadowNodes.Page(hash: hash, weight: weight)
        let number: Int
        if let free = freeNumbers.popLast() {
            number = Int(free)
            watched.reuse(number, for: fresh)
        } else {
            number = watched.append(fresh)
        }
        directory.insert(number, hash: hash)
        return number
    }

    /// Whether the number is that of a page that is not in the cache.
    @inline(__always)
    private func isAway(_ number: Int, _ nodes: ShadowNodes.Memory) -> Bool {
        nodes[number].handle == ShadowNodes.notHere || nodes[number].handle == ShadowNodes.takenOut
    }

    private mutating func reweigh(_ number: Int, _ weight: Int) {
        let difference = weight - nodes.pages[number].weight
        guard difference != 0 else { return }
        lru.reweigh(number, by: difference, nodes)
        lirs.reweigh(number, by: difference, nodes)
        s3fifo.reweigh(number, by: difference, nodes)
        nodes.pages[number].weight = weight
    }

    private mutating func forgetIfUnknown(_ number: Int, _ nodes: ShadowNodes.Memory) {
        guard isAway(number, nodes) else { return }
        guard !lru.knows(number, nodes), !lirs.knows(number, nodes), !s3fifo.knows(number, nodes) else { return }
        directory.remove(nodes.pages[number].hash)
        nodes[number].handle = ShadowNodes.unused
        freeNumbers.append(Int32(number))
    }
}

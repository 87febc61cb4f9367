/// The order of the adaptive default: it follows whichever of three policies would answer most reads.
///
/// Three policies are watched over the numbers of pages, each as large as the cache: LRU, LIRS and S3-FIFO. The one with
/// the most hits leads; hits are forgotten by halves, and a new leader must be clearly better, so that leaders change
/// slowly. What goes is a page that the leader would not have any more. So the cache becomes what the leader would be,
/// without starting again when the lead changes. A miss is seen as the page's insertion.
///
/// Deterministic, and O(1) a call, amortized. Memory: some hundred bytes for each page, and for about four more that are
/// remembered.
package struct AdaptiveOrder: EvictionOrder {
    private static let none = -1

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
    private var surplus = (ShadowList(place: 4), ShadowList(place: 5), ShadowList(place: 6))
    /// The pages in the cache, by recency.
    private var present = ShadowList(place: 7)
    private var newest = AdaptiveOrder.none

    private var hits = (0, 0, 0)
    private var leader = 0
    private var reads = 0
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
        nodes.pages[number].handle = Int32(page.index)
        while numbers.count <= page.index { numbers.append(Int32(Self.none)) }
        numbers[page.index] = Int32(number)
        present.append(number, nodes)
        newest = number
        read(number)
    }

    package mutating func used(_ page: PageHandle) {
        guard let number = number(of: page) else { return }
        makeUnique()
        present.moveToBack(number, nodes)
        if newest == number { newest = Self.none }
        read(number)
    }

    package mutating func removed(_ page: PageHandle) {
        guard let number = number(of: page) else { return }
        makeUnique()
        numbers[page.index] = Int32(Self.none)
        nodes.pages[number].handle = ShadowNodes.notHere
        present.remove(number, nodes)
        if surplus.0.contains(number, nodes) { surplus.0.remove(number, nodes) }
        if surplus.1.contains(number, nodes) { surplus.1.remove(number, nodes) }
        if surplus.2.contains(number, nodes) { surplus.2.remove(number, nodes) }
        if newest == number { newest = Self.none }
        forgetIfUnknown(number, nodes)
    }

    package mutating func first() -> PageHandle? {
        if let number = leaderSurplus.first, number != newest { return handle(of: number) }
        return first { _ in true }
    }

    package mutating func first(where mayGo: (PageHandle) -> Bool) -> PageHandle? {
        if let page = first(of: leaderSurplus, where: mayGo) { return page }
        if let number = leaderNext, isFree(number, mayGo) { return handle(of: number) }
        if let page = first(of: present, where: mayGo) { return page }
        guard newest != Self.none else { return nil }
        let last = handle(of: newest)
        return mayGo(last) ? last : nil
    }

    private func first(of list: ShadowList, where mayGo: (PageHandle) -> Bool) -> PageHandle? {
        var candidate = list.first
        while let number = candidate {
            if isFree(number, mayGo) { return handle(of: number) }
            candidate = list.page(after: number, nodes)
        }
        return nil
    }

    private func isFree(_ number: Int, _ mayGo: (PageHandle) -> Bool) -> Bool {
        nodes.pages[number].handle >= 0 && number != newest && mayGo(handle(of: number))
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
    private var leaderSurplus: ShadowList { leader == 0 ? surplus.0 : leader == 1 ? surplus.1 : surplus.2 }

    private var leaderNext: Int? { leader == 0 ? lru.next : leader == 1 ? lirs.next : s3fifo.next }

    private mutating func read(_ number: Int) {
        let nodes = nodes
        if Self.read(number, in: &lru, &surplus.0, nodes, &gone) { hits.0 += 1 }
        if !gone.isEmpty { forgetUnknown(nodes) }
        if Self.read(number, in: &lirs, &surplus.1, nodes, &gone) { hits.1 += 1 }
        if !gone.isEmpty { forgetUnknown(nodes) }
        if Self.read(number, in: &s3fifo, &surplus.2, nodes, &gone) { hits.2 += 1 }
        if !gone.isEmpty { forgetUnknown(nodes) }
        chooseLeader()
    }

    @inline(__always)
    private static func read(
        _ number: Int, in policy: inout some ShadowPolicy, _ surplus: inout ShadowList, _ nodes: ShadowNodes.Memory,
        _ gone: inout ContiguousArray<Int>
    ) -> Bool {
        let isHit = policy.read(number, nodes, &gone)
        if !isHit, surplus.contains(number, nodes) { surplus.remove(number, nodes) }
        for other in gone where nodes.pages[other].handle >= 0 && !policy.contains(other, nodes) {
            if !surplus.contains(other, nodes) { surplus.append(other, nodes) }
        }
        return isHit
    }

    private mutating func chooseLeader() {
        let leading = leader == 0 ? hits.0 : leader == 1 ? hits.1 : hits.2
        let best = max(hits.0, hits.1, hits.2)
        if best > leading + leading / 128 + 4 {
            leader = best == hits.0 ? 0 : best == hits.1 ? 1 : 2
        }
        reads += 1
        guard reads >= max(200, 7 * lru.count) else { return }
        reads = 0
        hits = (hits.0 / 2, hits.1 / 2, hits.2 / 2)
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
    private func handle(of number: Int) -> PageHandle { PageHandle(index: Int(nodes.pages[number].handle)) }

    /// Finds or makes the number of a page that comes.
    private mutating func number(for page: PageHandle, _ facts: PageFacts) -> Int {
        let weight = scale.weight(of: facts)
        var hash = facts.keyHash
        while let number = directory.number(of: hash) {
            if nodes.pages[number].handle == ShadowNodes.notHere {
                reweigh(number, weight)
                return number
            }
            // Another page in the cache has this hash: this one is watched under a hash of its own.
            // A factor of one modulo four and an odd summand: no hash comes twice (Hull and Dobell, 1962).
            hash = hash &* 0x9e37_79b9_7f4a_7c15 &+ (UInt64(page.index) << 1 | 1)
        }
        let fresh = ShadowNodes.Page(hash: hash, weight: weight, handle: ShadowNodes.notHere)
        let number: Int
        if let free = freeNumbers.popLast() {
            number = Int(free)
            nodes.pages[number] = fresh
        } else {
            number = watched.append(fresh)
        }
        directory.insert(number, hash: hash)
        return number
    }

    private mutating func reweigh(_ number: Int, _ weight: Int) {
        let difference = weight - nodes.pages[number].weight
        guard difference != 0 else { return }
        lru.reweigh(number, by: difference, nodes)
        lirs.reweigh(number, by: difference, nodes)
        s3fifo.reweigh(number, by: difference, nodes)
        nodes.pages[number].weight = weight
    }

    private mutating func forgetUnknown(_ nodes: ShadowNodes.Memory) {
        for index in gone.indices { forgetIfUnknown(gone[index], nodes) }
        gone.removeAll(keepingCapacity: true)
    }

    private mutating func forgetIfUnknown(_ number: Int, _ nodes: ShadowNodes.Memory) {
        guard nodes.pages[number].handle == ShadowNodes.notHere else { return }
        guard !lru.knows(number, nodes), !lirs.knows(number, nodes), !s3fifo.knows(number, nodes) else { return }
        directory.remove(nodes.pages[number].hash)
        nodes.pages[number].handle = ShadowNodes.unused
        freeNumbers.append(Int32(number))
    }
}

/// The order of the adaptive default: it follows whichever of three policies would answer most reads.
///
/// Three policies are watched over the numbers of pages, each as large as the cache: LRU, LIRS and S3-FIFO. The one with
/// the most hits leads; hits are forgotten by halves, and a new leader must be clearly better, so that leaders change
/// slowly. What goes is a page that the leader would not have any more. So the cache grows like the leader while it
/// leads, without starting again when the lead changes. A miss is seen as the page's insertion.
///
/// Deterministic, and O(1) a call, amortized. Memory: some hundred bytes for each page, and for about four more that are
/// remembered.
package struct AdaptiveOrder: EvictionOrder {
    private struct Record {
        var hash: UInt64
        /// The page's handle, while it is in the cache.
        var page: Int32
    }

    private static let absent = Int32(-1)
    private static let free = Int32(-2)

    private var scale = WeightScale(.none)
    private var lru = LRUShadow(capacity: .max)
    private var lirs = LIRSShadow(capacity: .max)
    private var s3fifo = S3FIFOShadow(capacity: .max)

    private var directory = KeyDirectory()
    private var records: ContiguousArray<Record> = []
    private var weights: ContiguousArray<Int> = []
    private var freeRecords: ContiguousArray<Int32> = []
    /// The record of each page in the cache, by handle.
    private var recordOfPage: ContiguousArray<Int32> = []

    /// The pages in the cache, by recency.
    private var present = HandleList()
    /// The pages in the cache that each policy would not have, as they went there.
    private var surplus = (HandleList(), HandleList(), HandleList())
    private var newest = AdaptiveOrder.absent

    private var hits = (0, 0, 0)
    private var leader = 0
    private var reads = 0
    private var gone: ContiguousArray<PageHandle> = []

    /// Makes an empty order, which has yet to learn the limits.
    package init() {}

    package mutating func adapt(to limits: EvictionLimits) {
        scale = WeightScale(limits)
        lru = LRUShadow(capacity: scale.capacity)
        lirs = LIRSShadow(capacity: scale.capacity)
        s3fifo = S3FIFOShadow(capacity: scale.capacity)
    }

    package mutating func inserted(_ page: PageHandle, _ facts: PageFacts) {
        guard page.index >= 0, page.index < Int32.max / 8 else { return }
        removed(page)
        let record = record(for: page, facts)
        records[record.index].page = Int32(page.index)
        recordOfPage.set(Int32(record.index), at: page.index, filler: Self.absent)
        present.append(record)
        newest = Int32(record.index)
        read(record)
    }

    package mutating func used(_ page: PageHandle) {
        guard let record = record(of: page) else { return }
        present.moveToBack(record)
        if newest == record.index { newest = Self.absent }
        read(record)
    }

    package mutating func removed(_ page: PageHandle) {
        guard let record = record(of: page) else { return }
        recordOfPage[page.index] = Self.absent
        records[record.index].page = Self.absent
        present.remove(record)
        surplus.0.remove(record)
        surplus.1.remove(record)
        surplus.2.remove(record)
        if newest == record.index { newest = Self.absent }
        forgetIfUnknown(record)
    }

    package mutating func first() -> PageHandle? {
        if let record = leaderSurplus.first, record.index != newest { return page(of: record) }
        return first { _ in true }
    }

    package mutating func first(where mayGo: (PageHandle) -> Bool) -> PageHandle? {
        if let record = leaderSurplus.first(where: { isFree($0, mayGo) }) { return page(of: record) }
        if let record = leaderNext, isFree(record, mayGo) { return page(of: record) }
        if let record = present.first(where: { isFree($0, mayGo) }) { return page(of: record) }
        guard newest != Self.absent else { return nil }
        let last = page(of: PageHandle(index: Int(newest)))
        return mayGo(last) ? last : nil
    }

    private func isFree(_ record: PageHandle, _ mayGo: (PageHandle) -> Bool) -> Bool {
        let page = records[record.index].page
        return page >= 0 && record.index != newest && mayGo(PageHandle(index: Int(page)))
    }
}

// MARK: - The policies

extension AdaptiveOrder {
    private var leaderSurplus: HandleList {
        @inline(__always)
        get { leader == 0 ? surplus.0 : leader == 1 ? surplus.1 : surplus.2 }
    }

    private var leaderNext: PageHandle? { leader == 0 ? lru.next : leader == 1 ? lirs.next : s3fifo.next }

    private mutating func read(_ record: PageHandle) {
        if Self.read(record, in: &lru, &surplus.0, weights, records, &gone) { hits.0 += 1 }
        if !gone.isEmpty { forgetUnknown() }
        if Self.read(record, in: &lirs, &surplus.1, weights, records, &gone) { hits.1 += 1 }
        if !gone.isEmpty { forgetUnknown() }
        if Self.read(record, in: &s3fifo, &surplus.2, weights, records, &gone) { hits.2 += 1 }
        if !gone.isEmpty { forgetUnknown() }
        chooseLeader()
    }

    @inline(__always)
    private static func read(
        _ record: PageHandle, in policy: inout some ShadowPolicy, _ surplus: inout HandleList,
        _ weights: ContiguousArray<Int>, _ records: ContiguousArray<Record>, _ gone: inout ContiguousArray<PageHandle>
    ) -> Bool {
        guard !policy.read(record, weights, &gone) else { return true }
        surplus.remove(record)
        for other in gone where records[other.index].page >= 0 && !policy.contains(other) {
            if !surplus.contains(other) { surplus.append(other) }
        }
        return false
    }

    private mutating func chooseLeader() {
        let leading = leader == 0 ? hits.0 : leader == 1 ? hits.1 : hits.2
        let best = max(hits.0, hits.1, hits.2)
        if best > leading + leading >> 7 + 4 {
            leader = best == hits.0 ? 0 : best == hits.1 ? 1 : 2
        }
        reads += 1
        guard reads >= max(200, 7 * lru.count) else { return }
        reads = 0
        hits = (hits.0 >> 1, hits.1 >> 1, hits.2 >> 1)
    }
}

// MARK: - Records

extension AdaptiveOrder {
    @inline(__always)
    private func record(of page: PageHandle) -> PageHandle? {
        guard page.index >= 0, page.index < recordOfPage.count, recordOfPage[page.index] != Self.absent else {
            return nil
        }
        return PageHandle(index: Int(recordOfPage[page.index]))
    }

    @inline(__always)
    private func page(of record: PageHandle) -> PageHandle {
        PageHandle(index: Int(records[record.index].page))
    }

    /// Finds or makes the record of a page that comes.
    private mutating func record(for page: PageHandle, _ facts: PageFacts) -> PageHandle {
        let weight = scale.weight(of: facts)
        var hash = facts.keyHash
        while let number = directory.number(of: hash) {
            let record = PageHandle(index: number)
            if records[number].page == Self.absent {
                reweigh(record, weight)
                return record
            }
            // Another page in the cache has this hash: this one is watched under a hash of its own.
            hash = (hash ^ UInt64(page.index + 1)) &* 0x9e37_79b9_7f4a_7c15 | 1
        }
        let record: PageHandle
        if let free = freeRecords.popLast() {
            record = PageHandle(index: Int(free))
            records[record.index] = Record(hash: hash, page: Self.absent)
            weights[record.index] = weight
        } else {
            record = PageHandle(index: records.count)
            records.append(Record(hash: hash, page: Self.absent))
            weights.append(weight)
        }
        directory.insert(record.index, hash: hash)
        return record
    }

    private mutating func reweigh(_ record: PageHandle, _ weight: Int) {
        let difference = weight - weights[record.index]
        guard difference != 0 else { return }
        lru.reweigh(record, by: difference)
        lirs.reweigh(record, by: difference)
        s3fifo.reweigh(record, by: difference)
        weights[record.index] = weight
    }

    private mutating func forgetUnknown() {
        for record in gone { forgetIfUnknown(record) }
        gone.removeAll(keepingCapacity: true)
    }

    private mutating func forgetIfUnknown(_ record: PageHandle) {
        guard records[record.index].page == Self.absent else { return }
        guard !lru.knows(record), !lirs.knows(record), !s3fifo.knows(record) else { return }
        directory.remove(records[record.index].hash)
        records[record.index].page = Self.free
        freeRecords.append(Int32(record.index))
    }
}

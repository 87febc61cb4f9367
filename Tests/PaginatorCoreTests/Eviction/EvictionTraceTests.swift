import Testing

@testable import PaginatorCore

@Suite(.serialized) struct EvictionTraceTests {
    @Test(.enabled(if: EvictionTraces.arePresent, "the traces are not here"))
    func `hits of the classic orders are those of the reference`() throws {
        #expect(EvictionTraces.rows.count == 39)
        for trace in Set(EvictionTraces.rowsToRun.map(\.trace)).sorted() {
            let keys = try EvictionTraces.keys(of: trace)
            for row in EvictionTraces.rowsToRun where row.trace == trace {
                #expect(keys.count == row.requests && keys.max() == row.keys - 1, "\(row)")
                #expect(replay(keys, on: .lru(maxPages: row.capacity)) == row.lru, "\(row.testDescription)")
                #expect(replay(keys, on: .fifo(maxPages: row.capacity)) == row.fifo, "\(row.testDescription)")
                #expect(replay(keys, on: .lifo(maxPages: row.capacity)) == row.lifo, "\(row.testDescription)")
            }
        }
    }
}

/// Looks each key up, takes it in on a miss, and returns the number of hits. Keys are small numbers from 0.
func replay(_ keys: [Int], on strategy: EvictionStrategy) -> Int {
    var evictor = PaginatorEvictor(strategy: strategy)
    var handles = [Int32](repeating: -1, count: (keys.max() ?? 0) + 1)
    var owners: [Int] = []
    var hits = 0
    for key in keys {
        if handles[key] >= 0 {
            hits += 1
            evictor.use(PageHandle(index: Int(handles[key])))
            continue
        }
        let facts = PageFacts(bytes: 1, items: 1, keyHash: mixed(UInt64(key)))
        guard let handle = evictor.insert(facts, at: .zero) else { continue }
        if handle.index == owners.count { owners.append(key) } else { owners[handle.index] = key }
        handles[key] = Int32(handle.index)
        while let victim = evictor.nextVictim()?.page { handles[owners[victim.index]] = -1 }
    }
    return hits
}

/// Spreads a small number over 64 bits.
func mixed(_ number: UInt64) -> UInt64 {
    var word = number &+ 0x9e37_79b9_7f4a_7c15
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
}

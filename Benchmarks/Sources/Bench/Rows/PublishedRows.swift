import PaginatorCore

// Hits beside what others have published of the same traces and sizes, and beside policies written from their papers.
extension Group {
    static let published = Group(name: "published") { session in
        guard Traces.arePresent else {
            session.note("published hits: SKIPPED, \(Traces.absence)")
            PublishedTally().count(in: session)
            return
        }
        let policies: [(name: String, hits: ([Int], Int) -> Int)] = [
            ("S3-FIFO", { S3FIFO.hits($0, capacity: $1) }), ("SIEVE", { Sieve.hits($0, capacity: $1) }),
            ("W-TinyLFU", { WindowTinyLFU.hits($0, capacity: $1) }),
            ("Clock2Q+", { Clock2QPlus.hits($0, capacity: $1) }),
            ("ARC", { ARC.hits($0, capacity: $1) }), ("LIRS", { LIRS.hits($0, capacity: $1) }),
        ]
        var tally = PublishedTally()
        for (trace, cells) in PublishedHits.byTrace {
            session.progress("published hits of \(trace)")
            let keys = try Traces.keys(of: trace)
            if session.isQuick, keys.count > 600_000 { continue }
            let identities = Workloads.identities((keys.max() ?? 0) + 1)
            let token = Token(1)
            func hits(_ strategy: EvictionStrategy) -> Int {
                let cache = PaginatorInMemoryCache<Token>(strategy: strategy)
                return keys.reduce(0) { hits, key in
                    if cache.get(identities[key]) != nil { return hits + 1 }
                    cache.set(token, for: identities[key])
                    return hits
                }
            }
            func percent(_ hits: Int) -> Double { 100 * Double(hits) / Double(keys.count) }
            for cell in cells {
                let row = "published, \(trace) at \(cell.capacity)"
                func record(_ name: String, _ value: Double) {
                    session.record(row, name, value, unit: Report.percent)
                }
                let lru = percent(hits(.lru(maxPages: cell.capacity)))
                let adaptive = percent(hits(.adaptive(maxPages: cell.capacity)))
                record("adaptive", adaptive)
                record("best published (\(cell.policy), \(cell.source.rawValue))", cell.best)
                record("LRU", lru)
                if let published = cell.lru { record("LRU as published", published) }
                for policy in policies { record(policy.name, percent(policy.hits(keys, cell.capacity))) }
                tally.add(cell, lru: lru, adaptive: adaptive)
            }
        }
        tally.count(in: session)
    }
}

/// What the goals of the published cells are judged by.
private struct PublishedTally {
    private var cells = 0
    private var better = 0
    private var furthestBehind = Double.infinity
    private var otherLRU = 0.0
    private var closed: [String: [Double]] = [:]

    mutating func add(_ cell: PublishedHits.Cell, lru: Double, adaptive: Double) {
        cells += 1
        if adaptive > cell.best { better += 1 }
        furthestBehind = min(furthestBehind, adaptive - cell.best)
        if let published = cell.lru { otherLRU = max(otherLRU, abs(lru - published)) }
        if let optimum = cell.optimum { closed[cell.trace, default: []].append((adaptive - lru) / (optimum - lru)) }
    }

    func count(in session: Session) {
        func value(_ value: Double) -> Double? { cells == 0 ? nil : value }
        func gap(_ trace: String) -> Double? {
            closed[trace].map { 100 * $0.reduce(0, +) / Double($0.count) }
        }
        session.count(
            "published-cells-better-than-the-best-of-\(PublishedHits.cells.count)", value(Double(better)), .atLeast(30))
        session.count("published-furthest-behind-the-best-in-points", value(furthestBehind), .atLeast(-1))
        session.count("published-lru-differs-by-points", value(otherLRU), .atMost(0.02))
        session.count("published-oltp-percent-of-the-gap-closed", gap("oltp"), .atLeast(35))
        session.count("published-gli-percent-of-the-gap-closed", gap("gli"), .atLeast(90))
    }
}

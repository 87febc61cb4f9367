import PaginatorCore

// Hits on public traces, counted exactly.
extension Group {
    static let traces = Group(name: "traces") { session in
        guard Traces.arePresent else {
            session.note("traces: SKIPPED, \(Traces.absence)")
            session.count("runs-of-lru-fifo-lifo-with-other-hits", nil, .exactly(0))
            session.count("adaptive-percent-of-the-gap-closed", nil, .atLeast(50))
            session.count("adaptive-worst-points-against-lru", nil, .atLeast(-0.5))
            return
        }
        session.progress("traces")
        var wrong = 0
        var runs = 0
        var closed: [Double] = []
        var worst = 0.0
        for (trace, rows) in Dictionary(grouping: try Traces.rows(), by: \.trace).sorted(by: { $0.key < $1.key }) {
            let keys = try Traces.keys(of: trace)
            let identities = Workloads.identities((keys.max() ?? 0) + 1)
            let tokens = identities.indices.map(Token.init)
            func hits(_ strategy: EvictionStrategy) -> Int {
                let cache = PaginatorInMemoryCache<Token>(strategy: strategy)
                var hits = 0
                for key in keys {
                    if cache.get(identities[key]) != nil {
                        hits += 1
                    } else {
                        cache.set(tokens[key], for: identities[key])
                    }
                }
                return hits
            }
            for row in rows {
                if session.isQuick, row.requests > 600_000 { continue }
                let counted = [
                    hits(.lru(maxPages: row.capacity)) - row.lru, hits(.fifo(maxPages: row.capacity)) - row.fifo,
                    hits(.lifo(maxPages: row.capacity)) - row.lifo,
                ]
                wrong += counted.filter { $0 != 0 }.count
                runs += counted.count
                let adaptive = hits(.adaptive(maxPages: row.capacity))
                let requests = Double(row.requests)
                let gap = Double(row.optimum - row.lru)
                let gain = Double(adaptive - row.lru)
                session.record(
                    "\(trace) at \(row.capacity)", "LRU", 100 * Double(row.lru) / requests, unit: Report.percent)
                session.record(
                    "\(trace) at \(row.capacity)", "adaptive", 100 * Double(adaptive) / requests, unit: Report.percent)
                session.record(
                    "\(trace) at \(row.capacity)", "optimum with bypass",
                    100 * Double(row.optimum) / requests,
                    unit: Report.percent)
                worst = min(worst, 100 * gain / requests)
                if 100 * gap / requests >= 1 { closed.append(gain / gap) }
            }
        }
        session.count("runs-of-lru-fifo-lifo-with-other-hits-of-\(runs)", Double(wrong), .exactly(0))
        session.count(
            "adaptive-percent-of-the-gap-closed", 100 * closed.reduce(0, +) / Double(max(1, closed.count)),
            .atLeast(50))
        session.count("adaptive-worst-points-against-lru", worst, .atLeast(-0.5))
    }
}

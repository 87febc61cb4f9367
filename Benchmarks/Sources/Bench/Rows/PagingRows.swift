import Foundation
import PaginatorCore

// Traces of paging, made by habits of readers: hits and time beside LRU and a dictionary.
extension Group {
    static let paging = Group(name: "paging") { session in
        let length = session.scaled(200_000)
        let capacity = PagingTrace.capacity
        for trace in PagingTrace.all(requests: length) {
            let identities = Workloads.identities(trace.keys)
            let tokens = identities.indices.map(Token.init)
            func replay(_ strategy: EvictionStrategy) -> Int {
                let cache = PaginatorInMemoryCache<Token>(strategy: strategy)
                var hits = 0
                for key in trace.requests {
                    if cache.get(identities[key]) != nil {
                        hits += 1
                    } else {
                        cache.set(tokens[key], for: identities[key])
                    }
                }
                return hits
            }
            let row = "\(trace.name), \(trace.keys) pages, \(capacity) held"
            func record(_ name: String, _ hits: Int) {
                session.record(row, name, 100 * Double(hits) / Double(trace.requests.count), unit: Report.percent)
            }
            let lru = replay(.lru(maxPages: capacity))
            let adaptive = replay(.adaptive(maxPages: capacity))
            record("LRU", lru)
            record("FIFO", replay(.fifo(maxPages: capacity)))
            record("LFU", replay(.lfu(maxPages: capacity)))
            record("adaptive", adaptive)
            record("optimum with bypass", trace.optimum)
            session.count(
                "paging-adaptive-points-against-lru-\(trace.name.replacingOccurrences(of: " ", with: "-"))",
                100 * Double(adaptive - lru) / Double(trace.requests.count), .atLeast(-0.5))
            func cache(_ name: String, _ strategy: EvictionStrategy) -> Contender {
                Contender(name) { watch in
                    let cache = PaginatorInMemoryCache<Token>(strategy: strategy)
                    watch.time {
                        for key in trace.requests where cache.get(identities[key]) == nil {
                            cache.set(tokens[key], for: identities[key])
                        }
                    }
                }
            }
            try session.run(
                Contest(
                    row: "replay, \(trace.name)", operations: trace.requests.count, rounds: 3,
                    contenders: [
                        Contender("dictionary behind a lock, no limit") { watch in
                            let cache = LockedDictionary()
                            watch.time {
                                for key in trace.requests where cache.get(identities[key]) == nil {
                                    cache.set(tokens[key], for: identities[key])
                                }
                            }
                        },
                        cache("LRU", .lru(maxPages: capacity)),
                        cache("adaptive", .adaptive(maxPages: capacity)),
                        Contender("LRU on OrderedDictionary") { watch in
                            let cache = OrderedLRU(capacity: capacity)
                            watch.time {
                                for key in trace.requests where cache.get(identities[key]) == nil {
                                    cache.set(tokens[key], for: identities[key])
                                }
                            }
                        },
                    ]))
        }
    }
}

import Foundation
import PaginatorCore

// The oltp trace replayed: look up, put on a miss.
extension Group {
    static let replay = Group(name: "replay") { session in
        guard Traces.arePresent else {
            session.note("replay: SKIPPED, \(Traces.absence)")
            session.ratio("replay-lru", nil, .atMost(2))
            session.ratio("replay-adaptive", nil, .atMost(3))
            session.ratio("nscache-to-lru", nil, .atLeast(20))
            session.ratio("nscache-to-adaptive", nil, .atLeast(20))
            session.ratio("nscache-with-costs-to-adaptive", nil, .atLeast(20))
            return
        }
        let capacity = 15_000
        let keys = try Traces.keys(of: "oltp")
        let identities = Workloads.identities((keys.max() ?? 0) + 1)
        let tokens = identities.indices.map(Token.init)
        let trace = Array(session.isQuick ? keys.prefix(200_000) : keys[...])

        func replay(_ strategy: EvictionStrategy, _ trace: [Int], _ watch: inout Stopwatch) {
            let cache = PaginatorInMemoryCache<Token>(strategy: strategy)
            watch.time {
                for key in trace where cache.get(identities[key]) == nil {
                    cache.set(tokens[key], for: identities[key])
                }
            }
        }
        let replays = try session.run(
            Contest(
                row: "replay of oltp at 15,000", operations: trace.count, rounds: 7,
                contenders: [
                    Contender("dictionary behind a lock, no limit") { watch in
                        let cache = LockedDictionary()
                        watch.time {
                            for key in trace where cache.get(identities[key]) == nil {
                                cache.set(tokens[key], for: identities[key])
                            }
                        }
                    },
                    Contender("LRU") { replay(.lru(maxPages: capacity), trace, &$0) },
                    Contender("adaptive") { replay(.adaptive(maxPages: capacity), trace, &$0) },
                ]))
        session.ratio("replay-lru", of: replays[1], to: replays[0], .atMost(2))
        session.ratio("replay-adaptive", of: replays[2], to: replays[0], .atMost(3))

        let names = identities.map { NSString(string: $0.key) }
        let slow = try session.run(
            Contest(
                row: "replay of oltp at 15,000, NSCache", operations: trace.count, rounds: 3,
                contenders: [
                    Contender("LRU") { replay(.lru(maxPages: capacity), trace, &$0) },
                    Contender("adaptive") { replay(.adaptive(maxPages: capacity), trace, &$0) },
                    Contender("NSCache with a count limit") { watch in
                        let cache = NSCache<NSString, Token>()
                        cache.countLimit = capacity
                        watch.time {
                            for key in trace where cache.object(forKey: names[key]) == nil {
                                cache.setObject(tokens[key], forKey: names[key])
                            }
                        }
                    },
                    Contender("dictionary behind a lock, no limit") { watch in
                        let cache = LockedDictionary()
                        watch.time {
                            for key in trace where cache.get(identities[key]) == nil {
                                cache.set(tokens[key], for: identities[key])
                            }
                        }
                    },
                ]))
        let bare = Floor("dictionary behind a lock, no limit", of: slow[2], to: slow[3])
        session.ratio("nscache-to-lru", of: slow[2], to: slow[0], .atLeast(20), floor: bare)
        session.ratio("nscache-to-adaptive", of: slow[2], to: slow[1], .atLeast(20), floor: bare)

        // With costs, as pages have them, NSCache sorts its entries. The slow ones get the beginning of the trace only.
        let beginning = Array(trace.prefix(session.scaled(20_000)))
        let limit = 2_000
        let costs = Workloads.uniform(identities.count, below: 12_000, seed: 8).map { 4_000 + $0 }
        let weighed = try session.run(
            Contest(
                row: "replay of the beginning of oltp with costs, at 2,000 pages' bytes", operations: beginning.count,
                rounds: 3,
                contenders: [
                    Contender("adaptive") { watch in
                        let cache = PaginatorInMemoryCache<Token>(
                            strategy: .adaptive(maxBytes: limit * 10_000), cost: { PageCost(bytes: costs[$0.number]) })
                        watch.time {
                            for key in beginning where cache.get(identities[key]) == nil {
                                cache.set(tokens[key], for: identities[key])
                            }
                        }
                    },
                    Contender("NSCache with a cost limit") { watch in
                        let cache = NSCache<NSString, Token>()
                        cache.totalCostLimit = limit * 10_000
                        watch.time {
                            for key in beginning where cache.object(forKey: names[key]) == nil {
                                cache.setObject(tokens[key], forKey: names[key], cost: costs[key])
                            }
                        }
                    },
                    Contender("LRU on OrderedDictionary, 2,000 pages") { watch in
                        let cache = OrderedLRU(capacity: limit)
                        watch.time {
                            for key in beginning where cache.get(identities[key]) == nil {
                                cache.set(tokens[key], for: identities[key])
                            }
                        }
                    },
                    Contender("dictionary behind a lock, no limit") { watch in
                        let cache = LockedDictionary()
                        watch.time {
                            for key in beginning where cache.get(identities[key]) == nil {
                                cache.set(tokens[key], for: identities[key])
                            }
                        }
                    },
                ]))
        session.ratio(
            "nscache-with-costs-to-adaptive", of: weighed[1], to: weighed[0], .atLeast(20),
            floor: Floor("dictionary behind a lock, no limit", of: weighed[1], to: weighed[3]))
    }
}

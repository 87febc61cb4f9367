import PaginatorCore

// The oltp trace replayed: look up, put on a miss.
extension Group {
    static let replay = Group(name: "replay") { session in
        guard Traces.arePresent else {
            session.note("replay: SKIPPED, \(Traces.absence)")
            session.ratio("replay-lru", nil, .atMost(2.5))
            session.ratio("replay-adaptive", nil, .atMost(4))
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
        session.ratio("replay-lru", of: replays[1], to: replays[0], .atMost(2.5))
        session.ratio("replay-adaptive", of: replays[2], to: replays[0], .atMost(4))
    }
}

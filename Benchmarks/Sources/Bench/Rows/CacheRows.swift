import CBaseline
import Foundation
import PaginatorCore
import PaginatorTesting

// The cache in memory under mixes of reads and writes, full, with lifetimes, and by its weight.
extension Group {
    static let cache = Group(name: "cache") { session in
        try mixes(session)
        try churn(session)
        try expiry(session)
        weights(session)
    }

    /// Reads and writes of 10,000 keys by Zipf's law, 2,000 held, on one thread and on one for each core.
    private static func mixes(_ session: Session) throws {
        let (keys, held) = (10_000, 2_000)
        let set = TokenSet(keys)
        let cores = max(2, ProcessInfo.processInfo.activeProcessorCount)
        let length = session.scaled(200_000)
        for (name, writes) in [("90 % reads, 10 % writes", 0.1), ("50 % reads, 50 % writes", 0.5)] {
            let scripts = (0..<cores).map { core in
                var random = SeededRandom(seed: UInt64(40 + core))
                // A write is a negative number, so that a script is one array.
                return Workloads.zipf(length, below: keys, seed: UInt64(50 + core)).map {
                    random.chance(writes) ? -$0 - 1 : $0
                }
            }
            func contender(
                _ name: String, _ threads: Int, share: Int = 1, _ make: @escaping () -> any TokenCache
            )
                -> Contender
            {
                Contender(name, operations: threads * length / share) { watch in
                    let cache = make()
                    for number in 0..<held { cache.set(number) }
                    watch.add(
                        Threads.run(
                            (0..<threads).map { thread in
                                let script = scripts[thread].prefix(length / share)
                                return {
                                    for entry in script {
                                        if entry < 0 { cache.set(-entry - 1) } else { blackHole(cache.get(entry)) }
                                    }
                                }
                            }))
                }
            }
            for (threads, label) in [(1, "one thread"), (cores, "\(cores) threads")] {
                try session.run(
                    Contest(
                        row: "\(name), \(label)", clock: .wall, operations: 1, rounds: 5,
                        contenders: [
                            contender("dictionary behind a lock, no limit", threads) { DictionaryTokens(set) },
                            contender("LRU", threads) { LibraryTokens(set, .lru(maxPages: held)) },
                            contender("adaptive", threads) { LibraryTokens(set, .adaptive(maxPages: held)) },
                            contender("NSCache with a count limit", threads, share: 4) {
                                FoundationTokens(set, capacity: held)
                            },
                            contender("LRU on OrderedDictionary", threads, share: 40) {
                                OrderedTokens(set, capacity: held)
                            },
                        ]))
            }
        }
    }

    /// A full cache to which only new pages come.
    private static func churn(_ session: Session) throws {
        let held = 10_000
        let length = session.scaled(100_000)
        let set = TokenSet(held + length)
        func contender(_ name: String, share: Int = 1, _ make: @escaping () -> any TokenCache) -> Contender {
            Contender(name, operations: length / share) { watch in
                let cache = make()
                for number in 0..<held { cache.set(number) }
                watch.time { for number in held..<held + length / share { cache.set(number) } }
            }
        }
        try session.run(
            Contest(
                row: "eviction churn: every page new, 10,000 held", operations: length, rounds: 5,
                contenders: [
                    Contender("dictionary behind a lock, the oldest removed by hand") { watch in
                        let cache = DictionaryTokens(set)
                        for number in 0..<held { cache.set(number) }
                        watch.time {
                            for number in held..<held + length {
                                cache.set(number)
                                cache.remove(number - held)
                            }
                        }
                    },
                    contender("LRU") { LibraryTokens(set, .lru(maxPages: held)) },
                    contender("LFU") { LibraryTokens(set, .lfu(maxPages: held)) },
                    contender("adaptive") { LibraryTokens(set, .adaptive(maxPages: held)) },
                    contender("NSCache with a count limit", share: 4) { FoundationTokens(set, capacity: held) },
                    contender("LRU on OrderedDictionary", share: 100) { OrderedTokens(set, capacity: held) },
                ]))
    }

    /// All pages are past their lifetime at once.
    private static func expiry(_ session: Session) throws {
        let count = session.scaled(1_000_000)
        let set = TokenSet(count)
        try session.run(
            Contest(
                row: "expiry of \(count) pages", operations: count, rounds: 3,
                contenders: [
                    Contender("dictionary behind a lock, emptied one by one") { watch in
                        let cache = DictionaryTokens(set)
                        for number in 0..<count { cache.set(number) }
                        watch.time { for number in 0..<count { cache.remove(number) } }
                    },
                    Contender("LRU with a lifetime") { watch in
                        let clock = SteppedClock()
                        let tokens = LibraryTokens(
                            set, .lru(maxPages: count).and(.timeToLive(.seconds(60))), clock: clock)
                        for number in 0..<count { tokens.set(number) }
                        clock.advance(by: .seconds(61))
                        watch.time { tokens.cache.removeExpired() }
                        guard tokens.cache.usage.pages == 0 else {
                            throw Command.Failure(description: "\(tokens.cache.usage.pages) pages outlived their time")
                        }
                    },
                ]))
    }

    /// What malloc has given for an entry, the object and its identity left out.
    private static func weights(_ session: Session) {
        guard baseline_heap_bytes() > 0 else {
            return session.note("bytes of an entry: SKIPPED, this system's malloc does not tell what it gave")
        }
        session.progress("bytes of an entry")
        let count = session.scaled(200_000)
        let set = TokenSet(count)
        func record(_ name: String, _ make: () -> any TokenCache) {
            let before = baseline_heap_bytes()
            let cache = make()
            for number in 0..<count { cache.set(number) }
            // A strategy learns by reading too.
            for number in 0..<count { blackHole(cache.get(number)) }
            let after = baseline_heap_bytes()
            withExtendedLifetime(cache) {}
            session.record(
                "bytes of an entry, \(count) held, object and key left out", name,
                (Double(after) - Double(before)) / Double(count), unit: "bytes")
        }
        record("dictionary behind a lock, no limit") { DictionaryTokens(set) }
        record("LRU") { LibraryTokens(set, .lru(maxPages: count)) }
        record("LFU") { LibraryTokens(set, .lfu(maxPages: count)) }
        record("adaptive") { LibraryTokens(set, .adaptive(maxPages: count)) }
        record("NSCache, its own keys included") { FoundationTokens(set, capacity: count) }
    }
}

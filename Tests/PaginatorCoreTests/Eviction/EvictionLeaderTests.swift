import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct EvictionLeaderTests {
    private static let pages = 100

    /// Reads in stretches that the first policy answers, and shorter ones that the second answers.
    private func changes(_ election: inout LeaderElection, rounds: Int, cache: LeaderElection.Finds) -> Int {
        var changes = 0
        for place in 0..<rounds * 1_500 {
            let before = election.leader
            let finds: LeaderElection.Finds = place % 1_500 < 900 ? .lru : .lirs
            election.note(finds.union(cache), pages: Self.pages)
            if election.leader != before { changes += 1 }
        }
        return changes
    }

    @Test func `the leader follows what the cache keeps up with`() {
        var election = LeaderElection()
        #expect(changes(&election, rounds: 20, cache: .cache) >= 38)
    }

    @Test func `a cache that loses by following stays with who is best in the long run`() {
        var election = LeaderElection()
        _ = changes(&election, rounds: 1, cache: [])
        #expect(changes(&election, rounds: 20, cache: []) <= 1)
        #expect(election.leader == .lru)
        // What was lost is forgotten by halves.
        _ = changes(&election, rounds: 60, cache: .cache)
        #expect(changes(&election, rounds: 20, cache: .cache) >= 38)
    }

    @Test func `habits that alternate cost little`() {
        // Down and back up, which is for LRU, and a loop, which is not. To change the policy each time costs a third of LRU's hits.
        var keys: [Int] = []
        for round in 0..<60 {
            keys += (0..<400).map { 1_000 + round * 250 + ($0 < 200 ? $0 : 399 - $0) }
            keys += (0..<600).map { $0 % 250 }
        }
        for capacity in [150, 200] {
            let lru = replay(keys, on: .lru(maxPages: capacity))
            #expect(replay(keys, on: .adaptive(maxPages: capacity)) >= lru - keys.count / 100)
        }
    }

    @Test func `pages that are replaced are no misses`() {
        let used = hits { evictor, page in evictor.use(page) }
        let replaced = hits { evictor, page in
            evictor.remove(page)
            evictor.insert(page)
        }
        #expect(replaced >= used - 300, "\(replaced) and \(used)")
    }

    @Test func `a cache that is trimmed follows still`() {
        let trimmed = hits { evictor, page in
            evictor.use(page)
            _ = evictor.trim(to: PageUsage(pages: 120, items: .max, bytes: .max))
        }
        #expect(trimmed > 5_000)
    }

    /// Replays loops, which are for LIRS, and ways up and down, which are for LRU, in turn.
    private func hits(_ use: (inout NamedEvictor, Int) -> Void) -> Int {
        var evictor = NamedEvictor(.adaptive(maxPages: 150) as EvictionStrategy)
        var hits = 0
        for phase in 0..<6 {
            for place in 0..<6_000 {
                let turn = place % 600
                let key = phase.isMultiple(of: 2) ? place % 300 : turn < 300 ? turn : 599 - turn
                let page = phase * 1_000 + key
                if evictor.handle(of: page) == nil {
                    evictor.insert(page)
                } else {
                    hits += 1
                    use(&evictor, page)
                }
            }
        }
        return hits
    }
}

/// Who leads, and that the cache follows, without long replays.
@Suite struct LeaderElectionTests {
    private static let pages = 100

    @Test func `LRU leads until a read is answered, then LIRS`() {
        var election = LeaderElection()
        for _ in 0..<1_000 { election.note([], pages: Self.pages) }
        #expect(election.leader == .lru)
        election.note([.lru, .lirs, .s3fifo, .cache], pages: Self.pages)
        #expect(election.leader == .lirs)
    }

    @Test func `who is clearly better leads`() {
        var election = LeaderElection()
        for _ in 0..<4 { election.note(.s3fifo, pages: Self.pages) }
        #expect(election.leader == .lirs)
        election.note(.s3fifo, pages: Self.pages)
        #expect(election.leader == .s3fifo)
        for _ in 0..<9 { election.note(.lirs, pages: Self.pages) }
        #expect(election.leader == .s3fifo)
        election.note(.lirs, pages: Self.pages)
        #expect(election.leader == .lirs)
    }

    /// With fewer reads, a difference would be chance.
    @Test(arguments: [(pages: 100, reads: 700), (pages: 29, reads: 203), (pages: 1, reads: 200)])
    func `hits count half after seven reads for each page, and never after fewer than 200`(
        _ span: (pages: Int, reads: Int)
    ) {
        var election = LeaderElection()
        var halvings: [Int] = []
        for read in 1...3_000 {
            let before = election.hits(isLosing: false)[1]
            election.note(.lirs, pages: span.pages)
            if election.hits(isLosing: false)[1] < before { halvings.append(read) }
        }
        #expect(halvings == Array(stride(from: span.reads, through: 3_000, by: span.reads)))
    }

    @Test func `the cache holds what the leader would`() {
        // Loops of twice as many pages as there is room for: LRU has each just thrown away.
        let keys = (0..<4_000).map { $0 % 400 }
        #expect(replay(keys, on: .lru(maxPages: 200)) == 0)
        #expect(replay(keys, on: .adaptive(maxPages: 200)) > 800)
    }

    @Test func `pages that no policy remembers are forgotten`() {
        checkWatchedPages(capacity: 20, reads: 3_000, period: 601, limit: 180)
    }
}

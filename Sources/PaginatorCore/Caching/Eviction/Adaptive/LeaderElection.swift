/// Decides which of three policies leads: the one with the most recent hits. LRU leads until the first hit, then LIRS,
/// because a cache converges to LRU's pages quickly, and to LIRS's only in the next pass over all pages.
///
/// Hits are halved over time, and a new leader must be clearly better, so leaders change slowly. A change still costs
/// reads, because the cache lacks pages of the new leader. If access patterns alternate faster than a change pays off,
/// following them loses to any fixed policy. So hits of the policies and of the cache itself are also counted over a
/// long memory. Once the cache has had fewer hits than the best policy by more than its number of pages, the long
/// memory decides until the loss is made up or forgotten.
struct LeaderElection: Sendable {
    /// The policies, in the order of their hits.
    enum Leader: Int, CaseIterable, Sendable {
        case lru, lirs, s3fifo
    }

    /// The places where a read found its page: policies, or the cache.
    struct Finds: OptionSet, Sendable {
        static let lru = Finds(rawValue: 1)
        static let lirs = Finds(rawValue: 2)
        static let s3fifo = Finds(rawValue: 4)
        static let cache = Finds(rawValue: 8)

        let rawValue: UInt8
    }

    /// The hits of each policy and of the cache over a number of reads; older hits count half.
    private struct Memory {
        private(set) var hits = SIMD4<Int>()
        private var reads = 0

        var best: Int { max(hits[0], hits[1], hits[2]) }

        var cache: Int { hits[3] }

        mutating func note(_ finds: Finds, span: Int) {
            // Without branches, because it runs for every read.
            let bits = Int(finds.rawValue)
            hits &+= SIMD4(bits, bits >> 1, bits >> 2, bits >> 3) & 1
            reads += 1
            // With fewer reads, a difference would be chance.
            guard reads >= max(200, span) else { return }
            reads = 0
            hits &>>= 1
        }

        func leader(after leader: Leader) -> Leader {
            let own = hits[leader.rawValue]
            guard best > own + own / 128 + 4 else { return leader }
            return best == hits[0] ? .lru : best == hits[1] ? .lirs : .s3fifo
        }
    }

    private(set) var leader = Leader.lru
    private var wasAnswered = false
    private var short = Memory()
    private var long = Memory()

    func choice<Thing>(of things: (Thing, Thing, Thing)) -> Thing {
        leader == .lru ? things.0 : leader == .lirs ? things.1 : things.2
    }

    /// Whether following other leaders has cost more reads than the cache has pages.
    func isLosing(pages: Int) -> Bool { long.best - long.cache > pages }

    /// Returns the hits of each policy; the last is the cache's own.
    func hits(isLosing: Bool) -> [Int] { (0..<4).map { (isLosing ? long : short).hits[$0] } }

    mutating func note(_ finds: Finds, pages: Int) {
        short.note(finds, span: 7 * pages)
        long.note(finds, span: 512 * pages)
        if !wasAnswered, !finds.isEmpty { (wasAnswered, leader) = (true, .lirs) }
        leader = isLosing(pages: pages) ? long.leader(after: leader) : short.leader(after: leader)
    }
}

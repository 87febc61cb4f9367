/// Decides which of three policies leads: the one that has answered most reads of late. LRU leads until a read was answered,
/// then LIRS: what LRU holds is soon read again once it leads, what LIRS holds only in the next run through everything.
///
/// Hits are forgotten by halves, and a new leader must be clearly better, so that leaders change slowly. Still, a change
/// costs reads, for the cache lacks pages that the new leader would have. Where habits alternate before that is won back,
/// following them loses to any policy that just stays. So hits are counted over a long memory as well, the cache's own
/// among them. Once the cache has answered fewer reads than the best policy by more than the pages it holds, the long
/// memory decides, until the loss is won back or forgotten.
struct LeaderElection: Sendable {
    /// Where a read found its page: with the policies, by their numbers, or in the cache.
    struct Finds: OptionSet, Sendable {
        static let lru = Finds(rawValue: 1)
        static let lirs = Finds(rawValue: 2)
        static let s3fifo = Finds(rawValue: 4)
        static let cache = Finds(rawValue: 8)

        let rawValue: UInt8
    }

    /// The hits of each policy and of the cache over a number of reads, the older half counted as half as many.
    private struct Memory {
        private(set) var hits = SIMD4<Int>()
        private var reads = 0

        var best: Int { max(hits[0], hits[1], hits[2]) }

        var cache: Int { hits[3] }

        mutating func note(_ finds: Finds, span: Int) {
            // Without branches, for this runs with every read.
            let bits = Int(finds.rawValue)
            hits &+= SIMD4(bits, bits >> 1, bits >> 2, bits >> 3) & 1
            reads += 1
            // Less would be chance.
            guard reads >= max(200, span) else { return }
            reads = 0
            hits &>>= 1
        }

        func leader(after leader: Int) -> Int {
            guard best > hits[leader] + hits[leader] / 128 + 4 else { return leader }
            return best == hits[0] ? 0 : best == hits[1] ? 1 : 2
        }
    }

    private(set) var leader = 0
    private var wasAnswered = false
    private var short = Memory()
    private var long = Memory()

    func choice<Thing>(of things: (Thing, Thing, Thing)) -> Thing {
        leader == 0 ? things.0 : leader == 1 ? things.1 : things.2
    }

    /// Whether following others has cost more reads than the cache has pages.
    func isLosing(pages: Int) -> Bool { long.best - long.cache > pages }

    /// By the numbers of the policies, and at last the cache's own.
    func hits(isLosing: Bool) -> [Int] { (0..<4).map { (isLosing ? long : short).hits[$0] } }

    mutating func note(_ finds: Finds, pages: Int) {
        short.note(finds, span: 7 * pages)
        long.note(finds, span: 512 * pages)
        if !wasAnswered, !finds.isEmpty { (wasAnswered, leader) = (true, 1) }
        leader = isLosing(pages: pages) ? long.leader(after: leader) : short.leader(after: leader)
    }
}

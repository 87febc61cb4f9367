/// Decides which of three policies leads: the one that has answered most reads of late.
///
/// Hits are forgotten by halves, and a new leader must be clearly better, so that leaders change slowly. Still, a change
/// costs reads, for the cache lacks pages that the new leader would have. Where habits alternate before that is won back,
/// following them loses to any policy that just stays. So hits are counted over a long memory as well, the cache's own
/// among them. Once the cache has answered fewer reads than the best policy by more than the pages it holds, the long
/// memory decides, until the loss is won back or forgotten.
package struct LeaderElection: Sendable {
    /// Where a read found its page: with the policies, by their numbers, or in the cache.
    package struct Finds: OptionSet, Sendable {
        package static let lru = Finds(rawValue: 1)
        package static let lirs = Finds(rawValue: 2)
        package static let s3fifo = Finds(rawValue: 4)
        package static let cache = Finds(rawValue: 8)

        package let rawValue: UInt8

        /// Makes a set of its bits.
        package init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The hits of each policy and of the cache over a number of reads, the older half counted as half as many.
    private struct Memory {
        private(set) var policies = (0, 0, 0)
        private(set) var cache = 0
        private var reads = 0

        var best: Int { max(policies.0, policies.1, policies.2) }

        @inline(__always)
        mutating func note(_ finds: Finds, span: Int) {
            let bits = Int(finds.rawValue)
            policies.0 += bits & 1
            policies.1 += bits >> 1 & 1
            policies.2 += bits >> 2 & 1
            cache += bits >> 3 & 1
            reads += 1
            guard reads >= max(200, span) else { return }
            reads = 0
            policies = (policies.0 / 2, policies.1 / 2, policies.2 / 2)
            cache /= 2
        }

        /// The best policy if it is clearly better than the leader, which otherwise stays.
        @inline(__always)
        func leader(after leader: Int) -> Int {
            let leading = leader == 0 ? policies.0 : leader == 1 ? policies.1 : policies.2
            guard best > leading + leading / 128 + 4 else { return leader }
            return best == policies.0 ? 0 : best == policies.1 ? 1 : 2
        }
    }

    /// The number of the policy that leads: 0, 1 or 2.
    package private(set) var leader = 0
    private var short = Memory()
    private var long = Memory()

    /// Starts with the first policy, and with nothing counted.
    package init() {}

    /// Counts a read, of which the leader may change.
    ///
    /// - Parameters:
    ///   - finds: where the page was.
    ///   - pages: how many pages the cache has room for.
    @inline(__always)
    package mutating func note(_ finds: Finds, pages: Int) {
        short.note(finds, span: 7 * pages)
        long.note(finds, span: 128 * pages)
        leader = long.best - long.cache > pages ? long.leader(after: leader) : short.leader(after: leader)
    }
}

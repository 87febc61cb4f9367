import PaginatorCore
import PaginatorTesting

/// Numbers and keys that several rows share. All follow from fixed seeds.
enum Workloads {
    /// Identities of pages with keys as cursors of servers are.
    static func identities(_ count: Int) -> [PageIdentity] {
        (0..<count).map { PageIdentity(key: key($0), pageSize: 30) }
    }

    static func key(_ number: Int) -> String { "cursor-\(number)" }

    /// Draws numbers below `count` by Zipf's law with the exponent 1: the first twice as often as the second.
    static func zipf(_ draws: Int, below count: Int, seed: UInt64) -> [Int] {
        var total = 0.0
        let sums = (1...count).map { rank -> Double in
            total += 1 / Double(rank)
            return total
        }
        var random = SeededRandom(seed: seed)
        return (0..<draws).map { _ in
            let place = Double.random(in: 0..<total, using: &random)
            var (low, high) = (0, count - 1)
            while low < high {
                let middle = (low + high) / 2
                if sums[middle] < place { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    /// Draws numbers below `count`, each as likely.
    static func uniform(_ draws: Int, below count: Int, seed: UInt64) -> [Int] {
        var random = SeededRandom(seed: seed)
        return (0..<draws).map { _ in random.number(in: 0..<count) }
    }

    /// A permutation of the numbers below `count`.
    static func shuffled(_ count: Int, seed: UInt64) -> [Int] {
        var random = SeededRandom(seed: seed)
        return (0..<count).shuffled(using: &random)
    }
}

/// Something small to cache.
final class Token: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
}

import PaginatorTesting
import Testing

@testable import PaginatorCore

/// The pages of one item, against a set of them.
@Suite struct ListHoldersTests {
    @Test func `they are a set in ascending order`() {
        for seed in UInt64(0)..<50 {
            var random = SeededRandom(seed: seed)
            var holders = ListHolders()
            var model: Set<Int> = []
            for _ in 0..<60 {
                let rank = random.number(in: -3..<4)
                if random.chance(0.55) {
                    holders.insert(rank)
                    model.insert(rank)
                } else {
                    holders.remove(rank)
                    model.remove(rank)
                }
                #expect(holders.ranks == model.sorted(), "seed \(seed)")
                #expect(holders.first == model.min(), "seed \(seed)")
                #expect(holders.count == model.count && holders.isEmpty == model.isEmpty, "seed \(seed)")
                #expect((-3..<4).allSatisfy { holders.contains($0) == model.contains($0) }, "seed \(seed)")
                #expect(holders.isAscending, "seed \(seed)")
            }
        }
    }

    @Test func `they take new numbers and lose what has none`() {
        var holders = ListHolders()
        for rank in [7, 3, 9] { holders.insert(rank) }
        holders.renumber([7: 1, 9: 2])
        #expect(holders.ranks == [1, 2])
        holders.renumber([:])
        #expect(holders.isEmpty)
    }
}

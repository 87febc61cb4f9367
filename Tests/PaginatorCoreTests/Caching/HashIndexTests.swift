import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct HashIndexTests {
    @Test func `numbers are found however hashes collide and entries come and go`() {
        for seed in 0..<20 {
            var random = SeededRandom(seed: UInt64(seed))
            var index = HashIndex()
            var model: [Int: UInt64] = [:]
            for step in 0..<2_000 {
                let number = random.number(in: 0..<200)
                if let hash = model.removeValue(forKey: number) {
                    index.remove(number, hash: hash)
                    // Once more does no harm.
                    index.remove(number, hash: hash)
                } else {
                    let hash = UInt64(random.number(in: 0..<40)) << UInt64(random.number(in: 0..<40))
                    index.insert(number, hash: hash)
                    model[number] = hash
                }
                let isRight =
                    index.count == model.count
                    && model.allSatisfy { number, hash in index.number(of: hash) { $0 == number } == number }
                guard isRight else {
                    Issue.record("seed \(seed), step \(step)")
                    return
                }
            }
        }
    }
}

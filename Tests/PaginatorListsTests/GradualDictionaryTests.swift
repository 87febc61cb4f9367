import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// The dictionary that grows in small steps, against one that does not.
@Suite struct GradualDictionaryTests {
    /// A key that counts how often it is hashed.
    private struct Key: SpreadKey {
        final class Count {
            var value = 0
        }

        let number: Int
        let count: Count

        var spread: Int { number }

        static func == (left: Key, right: Key) -> Bool { left.number == right.number }

        func hash(into hasher: inout Hasher) {
            count.value += 1
            hasher.combine(number)
        }
    }

    @Test
    func `no insertion among a hundred thousand moves more than a few thousand`() {
        var dictionary = GradualDictionary<Key, Int>()
        let count = Key.Count()
        var most = 0
        for number in 0..<100_000 {
            let before = count.value
            dictionary[Key(number: number, count: count)] = number
            most = max(most, count.value - before)
        }
        #expect(dictionary.count == 100_000)
        #expect(most < 5_000, "one insertion hashed \(most) keys")
        #expect(count.value < 1_500_000, "all insertions hashed \(count.value) keys")
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `agrees with a plain dictionary`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (gradual, plain) = (GradualDictionary<Int, Int>(), [Int: Int]())
        func key() -> Int { Int(random.next() % 12_000) }
        for step in 0..<60_000 {
            let key = key()
            switch random.next() % 8 {
            case 0, 1:
                gradual[key] = nil
                plain[key] = nil
            case 2:
                if let index = gradual.index(forKey: key) { gradual[index] += 1 }
                if let value = plain[key] { plain[key] = value + 1 }
            default:
                gradual[key] = step
                plain[key] = step
            }
            if step % 20_000 == 19_999 {
                gradual.changeValues { $0 *= 2 }
                plain = plain.mapValues { $0 * 2 }
                gradual.removeAll { key, value in (key + value) % 3 == 0 }
                plain = plain.filter { ($0.key + $0.value) % 3 != 0 }
                let part = Int(random.next() % UInt64(gradual.partCount))
                let gone = gradual.changePart(part) { part in
                    defer { part = [:] }
                    return Array(part.keys)
                }
                for key in gone { plain[key] = nil }
            }
            #expect(gradual.count == plain.count)
        }
        #expect(Dictionary(uniqueKeysWithValues: gradual.map { ($0.key, $0.value) }) == plain)
        for key in 0..<12_000 {
            #expect(gradual[key] == plain[key])
            #expect(gradual.index(forKey: key).map { gradual[$0] } == plain[key])
        }
        #expect(gradual.partCount > 4)
    }

    @Test func `there are no more parts than the entries need, however often their values change`() {
        var dictionary = GradualDictionary<Int, Int>()
        for round in 0..<10 {
            for key in 0..<1_000 { dictionary[key] = round }
        }
        #expect(dictionary.count == 1_000 && (2...10).contains(dictionary.partCount))
    }
}

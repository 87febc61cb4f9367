import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct RowTableTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `agrees with a dictionary`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var table = RowTable<[Int]>()
        var model: [UInt64: [Int]] = [:]
        // Counted up, and far apart, as numbers of tickets and of loads are.
        let base: UInt64 = seed % 2 == 0 ? 0 : 1 << 63
        for step in 0..<6_000 {
            // Grows to hundreds of rows, empties, and grows again.
            let isGrowing = step % 2_000 < 1_200
            let number = base + UInt64(random.number(in: 0..<700)) * (seed % 3 == 0 ? 1 << 32 : 1)
            let note: Comment = "seed \(seed), step \(step)"
            switch random.number(in: 0..<4) {
            case 0 where isGrowing:
                table[number] = [step]
                model[number] = [step]
            case 1 where isGrowing:
                let count = table.change(number) { row in
                    row.append(step)
                    return row.count
                }
                model[number]?.append(step)
                try #require(count == model[number]?.count, note)
            case 2:
                table[number] = nil
                model[number] = nil
            default:
                try #require(table.removeValue(forKey: number) == model.removeValue(forKey: number), note)
                let next = base + UInt64(random.number(in: 0..<700))
                if isGrowing {
                    table[next] = [step]
                    model[next] = [step]
                } else if let some = model.keys.min() {
                    try #require(table.removeValue(forKey: some) == model.removeValue(forKey: some), note)
                }
            }
            try #require(table[number] == model[number], note)
            try #require(table.count == model.count && table.isEmpty == model.isEmpty, note)
            guard step % 50 == 0 else { continue }
            try #require(table.keys.sorted() == model.keys.sorted(), note)
            try #require(Dictionary(uniqueKeysWithValues: table.map { ($0.key, $0.value) }) == model, note)
            for (number, row) in model { try #require(table[number] == row, note) }
        }
    }

    @Test(arguments: [1, 1 << 4, 1 << 16, 1 << 32, 1 << 48] as [UInt64])
    func `searches stay short whatever the numbers have in common`(stride: UInt64) throws {
        for count in [10, 500, 2_000] as [UInt64] {
            var table = RowTable<UInt64>()
            for number in 0..<count { table[number &* stride] = number }
            // Half of them leave, and the searches for the others are no longer than before.
            for number in 0..<count where number % 2 == 0 { table[number &* stride] = nil }
            let lengths = try table.keys.map { try #require(table.probeLength(of: $0)) }
            #expect(lengths.count == Int(count / 2))
            #expect(lengths.reduce(0, +) <= 3 * lengths.count, "stride \(stride), \(count) numbers")
            #expect(table.probeLength(of: 0) == nil)
        }
    }

    @Test func `the table is between a quarter and a half full when it has grown`() {
        var table = RowTable<Int>()
        for count in 1...5_000 {
            table[UInt64(count)] = count
            #expect(table.capacity >= 2 * count && table.capacity <= max(16, 4 * count))
        }
    }

    @Test func `a large table gives its memory back with the last row`() {
        var table = RowTable<Int>()
        for number in 0..<2_000 as Range<UInt64> { table[number] = Int(number) }
        let capacity = table.capacity
        for number in 0..<1_999 as Range<UInt64> { table[number] = nil }
        #expect(table[1_999] == 1_999 && table.count == 1 && table.capacity == capacity)
        #expect(table.removeValue(forKey: 1_999) == 1_999)
        #expect(table.isEmpty && table.capacity == RowTable<Int>().capacity)
        table[7] = 7
        #expect(table[7] == 7 && table[1_999] == nil)
    }

    @Test func `a small table keeps its memory`() {
        var table = RowTable<Int>()
        for number in 0..<512 as Range<UInt64> { table[number] = Int(number) }
        for number in 0..<512 as Range<UInt64> { table[number] = nil }
        #expect(table.isEmpty && table.capacity == 1_024)
    }

    @Test func `a copy is a value of its own`() {
        var table = RowTable<Int>()
        for number in 0..<100 as Range<UInt64> { table[number] = Int(number) }
        let copy = table
        table.change(7) { $0 = -7 }
        table[8] = nil
        #expect(copy[7] == 7 && copy[8] == 8 && copy.count == 100)
        #expect(table[7] == -7 && table[8] == nil && table.count == 99)
    }

    @Test func `a row that left is released`() {
        final class Object: Sendable {}
        var table = RowTable<Object>()
        weak var object: Object?
        do {
            let first = Object()
            object = first
            table[1] = first
            table[2] = Object()
        }
        #expect(object != nil)
        table[1] = nil
        #expect(object == nil)
        #expect(table.change(1) { _ in true } == nil)
    }
}

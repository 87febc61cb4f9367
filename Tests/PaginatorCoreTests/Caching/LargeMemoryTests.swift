import Testing

@testable import PaginatorCore

@Suite struct LargeMemoryTests {
    /// Counts of values of 24 bytes, which fill no line and no page evenly, on both sides of the threshold.
    private static let counts = [
        1, 3, 1_000, LargeMemory.threshold / 24, LargeMemory.threshold / 24 + 1,
    ]

    private struct Value: Equatable {
        var first: Int
        var second = -1
        var third = -2
    }

    @Test(arguments: counts)
    func everyValueHasMemoryOfItsOwn(count: Int) {
        let one = LargeMemory.allocate(Value.self, count: count)
        let other = LargeMemory.allocate(Value.self, count: count)
        for index in 0..<count {
            (one + index).initialize(to: Value(first: index))
            (other + index).initialize(to: Value(first: -index))
        }
        #expect((0..<count).allSatisfy { one[$0] == Value(first: $0) && other[$0] == Value(first: -$0) })
        one.deallocate()
        other.deallocate()
    }

    @Test(arguments: counts)
    func memoryBeginsWithALineOfTheCacheAndIfItIsLargeWithALargePage(count: Int) {
        let memory = LargeMemory.allocate(Value.self, count: count)
        let isLarge = count * MemoryLayout<Value>.stride >= LargeMemory.threshold
        #expect(UInt(bitPattern: memory) % UInt(isLarge ? LargeMemory.largePage : 64) == 0)
        memory.deallocate()
    }

    @Test func aTableGrowsIntoLargeMemoryAndLosesNothing() {
        var table = HandleTable<UInt64>()
        // Half a million slots of 16 bytes.
        let count = 140_000
        func hash(_ index: Int) -> UInt32 { UInt32(truncatingIfNeeded: index &* 0x9e37_79b1) }
        for index in 0..<count { table.insert(index, hash: hash(index), UInt64(index)) }
        for index in 0..<count {
            let slot = table.slot(of: hash(index)) { $0 == index }
            guard let slot, table.payload(at: slot) == UInt64(index) else {
                Issue.record("\(index) is lost")
                break
            }
        }
        // What is free was free from the start.
        #expect(table.count == count && table.indices.count == count)
        #expect((count..<2 * count).allSatisfy { index in table.slot(of: hash(index)) { $0 == index } == nil })
        table.deallocate()
    }
}

import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct NumberedTests {
    @Test(arguments: 1...20) func `it has what a dictionary has`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (numbered, model) = (Numbered<Int>(), [UInt64: Int]())
        for step in 0..<2_000 {
            // Two runs of numbers, as those of callers and of the library.
            let number = UInt64.random(in: 0..<200, using: &random) + (Bool.random(using: &random) ? 1 << 63 : 0)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: (numbered[number], model[number]) = (step, step)
            case 1: (numbered[number], model[number]) = (nil, nil)
            case 2: #expect(numbered.removeValue(forKey: number) == model.removeValue(forKey: number))
            case 3:
                #expect(numbered.updateValue(step, forKey: number) == model.updateValue(step, forKey: number))
            case 4:
                #expect(numbered.change(number) { $0 += 1 } != nil == (model[number] != nil))
                model[number]? += 1
            default: #expect(numbered[number] == model[number])
            }
            #expect(numbered.count == model.count && numbered.isEmpty == model.isEmpty)
        }
        #expect(Set(numbered.keys) == Set(model.keys) && numbered.values.sorted() == model.values.sorted())
        #expect(numbered.allSatisfy { model[$0.number] == $0.value })
    }

    @Test(arguments: [1, 2, 3, 8, 64, 1_000, 1 << 20]) func `two runs of numbers are found at once`(step: UInt64) {
        // As the standard library's dictionary, three quarters full: the place that is asked for, or the next free one.
        var isTaken = [Bool](repeating: false, count: 4_096)
        var longest = 0
        for number in (0..<1_536).flatMap({ [$0, 1 << 63 + $0 * step] }) {
            var looks = 0
            while isTaken[(Numbered<Int>.place(of: number) + looks) & 4_095] { looks += 1 }
            isTaken[(Numbered<Int>.place(of: number) + looks) & 4_095] = true
            longest = max(longest, looks)
        }
        // With the numbers themselves as places it is up to 3,000; with random places about 50.
        #expect(longest <= 16)
    }
}

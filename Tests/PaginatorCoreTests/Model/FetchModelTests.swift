import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

/// Random interleavings of everything a user, a source, a store and time can do, against a simple model.
@Suite struct FetchModelTests {
    private static let longRun = ProcessInfo.processInfo.environment["PAGINATOR_LONG_TESTS"] != nil

    @Test(arguments: 0..<20)
    func everyInterleavingKeepsThePromises(_ group: Int) {
        let worlds = Self.longRun ? 200 : 10
        for number in 0..<worlds {
            let seed = UInt64(group * 1_000 + number)
            let world = FetchWorld(seed: seed)
            for _ in 0..<550 {
                world.act()
                world.checkInvariants()
                if !world.failures.isEmpty { break }
            }
            if world.failures.isEmpty { world.finish() }
            #expect(world.failures.isEmpty, "seed \(seed): \(world.failures.joined(separator: "; "))")
            if !world.failures.isEmpty { return }
        }
    }

    @Test func aPaginatorReleasedInTheMiddleAnswersEverybody() {
        for seed in UInt64(50_000)..<50_060 {
            let world = FetchWorld(seed: seed)
            for _ in 0..<120 { world.act() }
            world.paginator = nil
            for _ in 0..<60 { world.act() }
            world.finish()
            #expect(world.failures.isEmpty, "seed \(seed): \(world.failures.joined(separator: "; "))")
            if !world.failures.isEmpty { return }
        }
    }
}

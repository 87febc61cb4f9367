import Foundation
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Random interleavings of everything that can happen to a list, against the fold over a plain model.
@Suite struct ListModelTests {
    private static let longRun = ProcessInfo.processInfo.environment["PAGINATOR_LONG_TESTS"] != nil

    @Test(arguments: 0..<20)
    func `a list shows the fold of what it was told`(_ group: Int) {
        let worlds = Self.longRun ? 200 : 10
        var seen: Set<String> = []
        for number in 0..<worlds {
            let seed = UInt64(group * 1_000 + number)
            var world = ListWorld(seed: seed)
            for _ in 0..<520 where world.failures.isEmpty { world.act() }
            if world.failures.isEmpty { world.comeToRest() }
            seen.formUnion(world.seen)
            #expect(world.failures.isEmpty, "seed \(seed): \(world.failures.joined(separator: "; "))")
            if !world.failures.isEmpty { return }
        }
        #expect(seen.count == 7, "only \(seen) happened")
    }
}

import PaginatorTesting
import Testing

@testable import PaginatorCore

/// Who counts what begins and what ends comes to the same number.
@Suite struct RefusedFetchesTests {
    @Test func `every fetch that ends has begun`() throws {
        let rig = FetchRig()
        rig.fetch("")
        rig.fetchAround("1", depth: 1_000)
        rig.refresh("")
        rig.fetch("1", policy: .cacheOnly)
        rig.fetch("2")
        rig.paginator.shutdown()
        rig.fetch("3")
        rig.fetchAround("3", depth: 1)
        let observer = try #require(rig.observer)
        #expect(observer.count(of: .fetchStarted) == 7)
        #expect(observer.count(of: .fetchEnded) == 7)
    }
}

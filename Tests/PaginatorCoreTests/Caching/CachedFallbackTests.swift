import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct CachedFallbackTests {
    @Test func `a substitute that is found in memory is stale, and its error is that of the answer before`() {
        let local = ArrayDataSource((0..<30).map { SampleItem(id: 900 + $0, text: "local") })
        let rig = FetchRig(over: { $0.fallback(to: local) })
        rig.connectivity.set(.offline)
        let answer = rig.fetch("0")
        #expect(answer.version == 900 && answer.isStale == true && answer.refreshError == .offline)
        // The source is not asked, so it cannot have failed.
        let found = rig.fetch("0", policy: .cacheOnly)
        #expect(found.version == 900 && found.origin == .memory && found.isStale == true)
        #expect(found.endedOnce && found.refreshError == nil)
        let peeked = rig.paginator.peek(key: "0", pageSize: 10)
        #expect(peeked?.isStale == true && peeked?.refreshError == nil)
    }
}

import PaginatorTesting
import Testing

@testable import PaginatorCore

/// What the answer of a fetch tells of its page.
@Suite struct FetchedPageTests {
    @Test func `an answer says what its page says, and from when on it is stale`() throws {
        let rig = FetchRig()
        rig.script.withLock { $0.lifetime = .minutes(5) }
        let fetched = try #require(rig.fetch("3").listener.fetched)
        let staleFrom = rig.wallTime(before: .minutes(-5))
        #expect(fetched.expirationTime == staleFrom)
        #expect(fetched.key == "3" && fetched.prevKey == "2" && fetched.nextKey == "4")
        #expect(fetched.content.map(\.id) == [1] && !fetched.isPartial)
        rig.advance(.seconds(299))
        #expect(rig.paginator.peek(key: "3", pageSize: 10)?.isStale == false)
        rig.advance(.seconds(1))
        let later = try #require(rig.paginator.peek(key: "3", pageSize: 10))
        #expect(later.isStale && later.expirationTime == staleFrom)
    }

    @Test func `a page that is never stale has no such time`() throws {
        let fetched = try #require(FetchRig().fetch("0").listener.fetched)
        #expect(fetched.expirationTime == nil && fetched.prevKey == nil && !fetched.isStale)
    }
}

import PaginatorTesting
import Testing

@testable import PaginatorCore

/// What a fetch found in memory just before something was cleared.
@Suite struct ClearedLookTests {
    /// A fetch that has found page 1 in memory, before the clears.
    private func fetch(policy: FetchPolicy, lane: FetchLane? = nil, before clears: [PageSelection]) -> [String] {
        var script = MachineScript()
        for selection in clears { script.feed(.clear(selection)) }
        let request = PageRequest(key: "1", pageSize: 10, policy: policy, lane: lane)
        let page = script.page(7, origin: .memory)
        return script.feed(
            .fetch(script.ticket(), request, request.identity, memory: .fresh(page), clears: 0)
        ).ordered
    }

    @Test(arguments: [FetchPolicy.cacheFirst, .cacheOnly])
    func `a page that nobody cleared is the answer at once, whatever else was`(policy: FetchPolicy) {
        for lane in [nil, FetchLane("search", debounce: .seconds(1))] {
            #expect(
                fetch(policy: policy, lane: lane, before: [.key("2"), .scope("u")]) == ["post #1 page 7"])
        }
    }

    @Test(arguments: [PageSelection.all, .key("1"), .scope("")])
    func `a page that was cleared is no answer`(selection: PageSelection) {
        #expect(fetch(policy: .cacheFirst, before: [selection, .key("2")]) == [])
    }

    @Test func `after many clears nobody can say whether the page was among them`() {
        #expect(fetch(policy: .cacheFirst, before: [.key("1")] + Array(repeating: .key("2"), count: 100)) == [])
    }
}

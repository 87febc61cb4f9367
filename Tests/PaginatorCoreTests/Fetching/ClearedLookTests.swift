import PaginatorTesting
import Testing

@testable import PaginatorCore

/// What a fetch found in memory just before something was cleared.
@Suite struct ClearedLookTests {
    /// A fetch that has found page 1 in memory, before the clears.
    private func fetch(policy: FetchPolicy, debounce: DebounceKey? = nil, before clears: [PageSelection]) -> [String] {
        let script = MachineScript()
        for selection in clears { script.feed(.clear(selection)) }
        let request = PageRequest(key: "1", pageSize: 10, policy: policy, debounce: debounce)
        let page = script.page(7, origin: .memory)
        return script.feed(
            .fetch(script.ticket(), request, request.identity, memory: MemoryLookup(answer: .fresh(page), changes: 0))
        ).ordered
    }

    @Test(arguments: [FetchPolicy.cacheFirst, .cacheOnly])
    func `a page that nobody cleared is the answer at once, whatever else was`(policy: FetchPolicy) {
        for key in [nil, DebounceKey("search", delay: .seconds(1))] {
            #expect(
                fetch(policy: policy, debounce: key, before: [.key("2"), .scope("u")]) == ["post #1 page 7"])
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

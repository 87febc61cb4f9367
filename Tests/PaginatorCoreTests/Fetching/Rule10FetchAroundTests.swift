import Testing

@testable import PaginatorCore
@testable import PaginatorTesting

@Suite("Rule 10: fetchAround")
struct Rule10FetchAroundTests {
    private func page(
        _ key: String, previous: String? = nil, next: String? = nil, items: Int = 1
    ) -> SourceStep<SampleItem> {
        .page(
            PaginatorPage(
                content: (0..<items).map { SampleItem(id: $0, text: key) }, key: key, prevKey: previous, nextKey: next)
        ).insideFetch
    }

    @Test(arguments: [true, false]) func `the order is the asked page then nearest first`(computesNeighbors: Bool) {
        let rig = FetchRig(computesNeighbors: computesNeighbors)
        let around = rig.fetchAround("50", depth: 3)
        #expect(around.distances == [0, 1, -1, 2, -2, 3, -3])
        #expect(
            around.listener.deliveries.map(\.fetched.page.key) == ["50", "51", "49", "52", "48", "53", "47"])
        #expect(around.summary?.delivered == [0, 1, -1, 2, -2, 3, -3])
        #expect(around.summary?.failures.isEmpty == true)
        #expect(around.endedOnce)
        #expect(rig.journal.texts.last == "end")
    }

    @Test(arguments: [(PageFetchDirection.forward, [0, 1, 2]), (.backward, [0, -1, -2]), (.all, [0, 1, -1, 2, -2])])
    func `a direction limits it`(direction: PageFetchDirection, distances: [Int]) {
        for computesNeighbors in [true, false] {
            let rig = FetchRig(computesNeighbors: computesNeighbors)
            #expect(rig.fetchAround("50", depth: 2, direction: direction).distances == distances)
            #expect(rig.source.calls.count == distances.count)
        }
    }

    @Test func `the ends of the source end their direction`() {
        let rig = FetchRig(computesNeighbors: true)
        #expect(rig.fetchAround("1", depth: 3).distances == [0, 1, -1, 2, 3])
        #expect(rig.fetchAround("98", depth: 3).distances == [0, 1, -1, -2, -3])
    }

    @Test func `depth zero is the asked page alone`() {
        let rig = FetchRig(computesNeighbors: true)
        #expect(rig.fetchAround("50", depth: 0).distances == [0])
        #expect(rig.source.keys == ["50"])
    }

    @Test func `computed neighbors load in parallel and are held until the asked page is out`() {
        let rig = FetchRig(computesNeighbors: true) { $0.maxParallelCalls = 10 }
        rig.hangSource()
        let around = rig.fetchAround("50", depth: 2)
        #expect(Set(rig.source.pendingCalls.map(\.request.key)) == ["48", "49", "50", "51", "52"])
        for key in ["52", "48", "49", "51"] { rig.answer(key) }
        #expect(around.distances == [])
        rig.answer("50")
        #expect(around.distances == [0, 1, -1, 2, -2])
        #expect(around.endedOnce)
    }

    @Test func `a slow neighbor holds what comes after it`() {
        let rig = FetchRig(computesNeighbors: true) { $0.maxParallelCalls = 10 }
        rig.hangSource()
        let around = rig.fetchAround("50", depth: 2)
        for key in ["50", "52", "48", "49"] { rig.answer(key) }
        #expect(around.distances == [0])
        rig.answer("51")
        #expect(around.distances == [0, 1, -1, 2, -2])
    }

    @Test func `neighbors load at the around priority as prefetches`() {
        let rig = FetchRig(computesNeighbors: true) { $0.maxParallelCalls = 10 }
        let listener = RecordingAroundListener<SampleItem>()
        rig.paginator.fetchAround(
            key: "50", pageSize: 10, depthLevel: 1, listener: listener, keyPriority: .high, aroundPriority: .medium)
        rig.run()
        let byKey = Dictionary(grouping: rig.source.calls, by: \.request.key).mapValues { $0[0].request }
        #expect(byKey["50"]?.priority == .high)
        #expect(byKey["50"]?.isPrefetch == false)
        #expect(byKey["51"]?.priority == .medium)
        #expect(byKey["51"]?.isPrefetch == true)
        #expect(AroundRequest(page: PageRequest(key: "1", pageSize: 1), depthLevel: 1).aroundPriority == .low)
    }

    @Test(arguments: [true, false]) func `a failed neighbor ends its own direction only`(computesNeighbors: Bool) {
        let rig = FetchRig(computesNeighbors: computesNeighbors)
        rig.source.script([.fail(.fatal(FetchRig.Outage())).insideFetch], forKey: "52")
        let around = rig.fetchAround("50", depth: 4)
        #expect(around.distances == [0, 1, -1, -2, -3, -4])
        #expect(around.listener.failures.map(\.distance) == [2])
        #expect(around.summary?.failures.keys.sorted() == [2])
        #expect(around.summary?.failures[2]?.code == .sourceFailed)
        #expect(around.endedOnce)
        #expect(
            rig.journal.texts == [
                "deliver 50 at 0", "deliver 51 at 1", "deliver 49 at -1", "fail sourceFailed at 2", "deliver 48 at -2",
                "deliver 47 at -3", "deliver 46 at -4", "end",
            ])
        #expect(rig.state.count == 2, "nothing runs on but the error is remembered")
    }

    @Test func `what lies behind a neighbor that failed is no longer loaded`() {
        let rig = FetchRig(computesNeighbors: true) { $0.maxParallelCalls = 10 }
        rig.hangSource()
        let around = rig.fetchAround("50", depth: 3)
        #expect(rig.source.pendingCalls.count == 7)
        rig.fail("51")
        #expect(Set(rig.source.pendingCalls.map(\.request.key)) == ["47", "48", "49", "50"])
        for key in ["50", "49", "48", "47"] { rig.answer(key) }
        #expect(around.distances == [0, -1, -2, -3])
        #expect(around.summary?.failures.keys.sorted() == [1] && around.endedOnce)
    }

    @Test(arguments: [false, true])
    func `a page that names none after it ends its direction, whatever keys were computed`(comesFirst: Bool) throws {
        let rig = FetchRig(computesNeighbors: true) { $0.maxParallelCalls = 10 }
        rig.hangSource()
        let around = rig.fetchAround("50", depth: 3)
        #expect(rig.source.pendingCalls.count == 7)
        if !comesFirst { rig.answer("50") }
        let call = try #require(rig.source.pendingCalls.first { $0.request.key == "51" })
        let last = PaginatorPage(content: [SampleItem(id: 1, text: "51")], key: "51", prevKey: "50")
        rig.source.answer(call, with: .success(last))
        rig.run()
        if comesFirst { rig.answer("50") }
        #expect(Set(rig.source.pendingCalls.map(\.request.key)) == ["47", "48", "49"])
        for key in ["49", "48", "47"] { rig.answer(key) }
        #expect(around.distances == [0, 1, -1, -2, -3] && around.endedOnce)
    }

    @Test(arguments: [true, false]) func `if the asked page fails the call ends with its error`(computesNeighbors: Bool)
    {
        let rig = FetchRig(computesNeighbors: computesNeighbors) { $0.maxParallelCalls = 10 }
        rig.hangSource()
        let around = rig.fetchAround("50", depth: 2)
        rig.answer("51")
        rig.fail("50")
        #expect(around.code == .sourceFailed)
        #expect(around.distances == [])
        #expect(around.endedOnce)
        #expect(rig.source.pendingCalls.isEmpty, "nothing goes on")
    }

    @Test func `a repeated key ends its direction keeps the page and is reported`() {
        let rig = FetchRig()
        rig.source.script([page("a", next: "b")], forKey: "a")
        rig.source.script([page("b", next: "c")], forKey: "b")
        rig.source.script([page("c", next: "a")], forKey: "c")
        let around = rig.fetchAround("a", depth: 10)
        #expect(around.distances == [0, 1, 2])
        #expect(around.summary?.repeatedKeys == [2: "a"])
        #expect(around.summary?.failures.isEmpty == true)
        #expect(rig.observer?.events(of: .repeatedKey).map(\.detail) == ["a"])
        #expect(rig.cached("c") == 0)
        #expect(rig.source.calls.count == 3)
    }

    @Test func `a page that names itself ends its direction`() {
        let rig = FetchRig()
        rig.source.script([page("a", previous: "z", next: "a")], forKey: "a")
        rig.source.script([page("z")], forKey: "z")
        let around = rig.fetchAround("a", depth: 3)
        #expect(around.distances == [0, -1])
        #expect(around.summary?.repeatedKeys == [0: "a"])
    }

    @Test func `keys that only look alike are no repetition`() {
        let rig = FetchRig()
        rig.source.script([page("\u{e9}", next: "e\u{301}")], forKey: "\u{e9}")
        rig.source.script([page("e\u{301}")], forKey: "e\u{301}")
        #expect(rig.fetchAround("\u{e9}", depth: 3).distances == [0, 1])
    }

    @Test func `an empty page with a next key is not the end`() {
        let rig = FetchRig()
        rig.source.script([page("a", next: "b")], forKey: "a")
        rig.source.script([page("b", next: "c", items: 0)], forKey: "b")
        rig.source.script([page("c")], forKey: "c")
        let around = rig.fetchAround("a", depth: 5)
        #expect(around.listener.deliveries.map(\.fetched.page.key) == ["a", "b", "c"])
        #expect(around.listener.deliveries[1].fetched.page.content.isEmpty)
    }

    @Test func `the pages own link counts more than a computed key`() {
        let rig = FetchRig(computesNeighbors: true)
        rig.source.script([page("50", previous: "49", next: "60")], forKey: "50")
        let around = rig.fetchAround("50", depth: 2)
        #expect(around.listener.deliveries.map(\.fetched.page.key) == ["50", "60", "49", "61", "48"])
        #expect(around.listener.deliveries.map(\.distance) == [0, 1, -1, 2, -2])
    }

    @Test func `cached neighbors come from the cache`() {
        let rig = FetchRig(computesNeighbors: true)
        rig.fetchAround("50", depth: 2)
        let again = rig.fetchAround("51", depth: 1)
        #expect(again.distances == [0, 1, -1])
        #expect(again.listener.deliveries.allSatisfy { $0.fetched.origin == .memory })
        #expect(rig.source.calls.count == 5)
    }

    @Test func `a stale page is a preview of the asked page only`() {
        let rig = FetchRig()
        rig.script.withLock { $0.lifetime = .seconds(1) }
        rig.fetchAround("50", depth: 1)
        rig.advance(.seconds(1))
        let around = rig.fetchAround("50", depth: 1, policy: .staleWhileRevalidate)
        #expect(around.listener.previews.map(\.page.key) == ["50"])
        #expect(around.distances == [0, 1, -1])
        #expect(around.listener.deliveries.allSatisfy { !$0.fetched.isStale })
    }

    @Test func `a cancel stops everything that has not come`() {
        let rig = FetchRig(computesNeighbors: true) { $0.maxParallelCalls = 10 }
        rig.hangSource()
        let around = rig.fetchAround("50", depth: 2)
        rig.answer("50")
        around.execution.cancel()
        rig.run()
        #expect(around.code == .cancelled)
        #expect(around.distances == [0])
        #expect(around.endedOnce)
        #expect(rig.source.pendingCalls.isEmpty)
        #expect(rig.state == FetchRig.quiet)
    }

    @Test(arguments: [false, true])
    func `neighbors that are held back are as stale as the caches say by then`(byTags: Bool) {
        let rig = FetchRig(computesNeighbors: true)
        rig.hangSource()
        let around = rig.fetchAround("50", depth: 1)
        for (key, tags) in [("51", ["posts"]), ("49", [])] {
            guard let call = rig.source.pendingCalls.first(where: { $0.request.key == key }) else { continue }
            let page = PaginatorPage(content: [SampleItem(id: 1, text: key)], key: key, tags: tags)
            rig.source.answer(call, with: .success(page))
            rig.run()
        }
        #expect(around.distances == [], "both are held back")
        if byTags {
            rig.paginator.invalidate(tags: ["posts"])
        } else {
            rig.paginator.invalidate(.identity(rig.identity("51")))
        }
        rig.answer("50")
        #expect(around.distances == [0, 1, -1])
        #expect(around.listener.deliveries.map { $0.fetched.isStale } == [false, true, false])
    }

    @Test func `a debounce key holds the whole fetch back, and of a burst only the last one starts`() {
        let rig = FetchRig(computesNeighbors: true)
        func around(_ key: String) -> AroundCaller {
            let listener = RecordingAroundListener<SampleItem>()
            let page = PageRequest(key: key, pageSize: 10, debounce: DebounceKey("search"))
            let execution = rig.paginator.fetchAround(AroundRequest(page: page, depthLevel: 1), listener: listener)
            rig.run()
            return AroundCaller(listener: listener, execution: execution)
        }
        let first = around("10")
        rig.advance(.milliseconds(200))
        let plain = rig.fetch("15", debounce: DebounceKey("search"))
        #expect(first.code == .superseded && first.endedOnce)
        rig.advance(.milliseconds(200))
        let last = around("20")
        #expect(plain.code == .superseded && rig.source.calls.isEmpty)
        rig.advance(.milliseconds(299))
        #expect(rig.source.calls.isEmpty && last.listener.ends.isEmpty)
        rig.advance(.milliseconds(1))
        #expect(last.distances == [0, 1, -1] && last.endedOnce)
        #expect(Set(rig.source.keys) == ["19", "20", "21"])
        let cancelled = around("30")
        cancelled.execution.cancel()
        rig.advance(.seconds(1))
        #expect(cancelled.endedOnce && rig.source.calls.count == 3 && rig.state == FetchRig.quiet)
    }

    @Test(arguments: [false, true]) func `thousands of cached pages around a page need no deep stack`(
        areBeingRenewed: Bool
    ) throws {
        let rig = FetchRig(isObserved: false) {
            $0.inMemoryEvictionStrategy = .lru(maxPages: 10_000)
            $0.maxDepthLevel = 3_000
        }
        rig.hangSource()
        for number in 0...3_000 {
            try rig.paginator.prime(rig.page("\(number)", version: 1, nextKey: "\(number + 1)"), pageSize: 10)
            if areBeingRenewed { rig.start("\(number)", policy: .networkFirst) }
        }
        rig.run()
        let around = rig.fetchAround("0", depth: 3_000, direction: .forward)
        #expect(around.distances == Array(0...3_000))
        #expect(around.endedOnce)
    }
}

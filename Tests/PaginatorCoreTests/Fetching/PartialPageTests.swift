import PaginatorTesting
import Testing

@testable import PaginatorCore

/// Pages that are asked for in parts, and joined.
@Suite struct PartialPageTests {
    @Test func `a part is enough for who asks for it, and the rest is loaded for who wants all`() {
        let rig = PartRig()
        let first = rig.fetch(.items(10))
        #expect(first.count == 10 && first.isPartial == true && first.endedOnce)
        #expect(rig.cached?.continuation == "10", "memory knows that it is a part")
        #expect(rig.fetch(.items(8)).origin == .memory)
        #expect(rig.calls == [0..<10])
        let all = rig.fetch(nil)
        #expect(rig.calls == [0..<10, 10..<30], "only the rest is loaded")
        #expect(all.listener.page?.content == PartRig.items(0..<30))
        #expect(all.isPartial == false && all.listener.page?.nextKey == "30")
        #expect(all.shown == [10], "what is there is shown at once")
        #expect(rig.fetch(nil).origin == .memory && rig.fetch(.items(20)).count == 30)
        #expect(rig.calls.count == 2)
    }

    @Test func `more of a part loads what is missing`() {
        let rig = PartRig()
        rig.fetch(.items(10))
        #expect(rig.fetch(.items(15)).count == 15)
        #expect(rig.calls == [0..<10, 10..<15])
    }

    @Test func `a budget of bytes is a part as well`() {
        let rig = PartRig()
        #expect(rig.fetch(.bytes(700)).count == 7)
        #expect(rig.fetch(.bytes(600)).origin == .memory)
        #expect(rig.fetch(.bytes(1_500)).count == 15)
        #expect(rig.calls == [0..<7, 7..<15])
    }

    @Test func `one load serves who wants a part and who wants all`() {
        let rig = PartRig()
        rig.script.withLock { $0.hangs = true }
        let part = rig.fetch(.items(5))
        let all = rig.fetch(nil)
        #expect(rig.source.calls.count == 1)
        #expect(rig.source.calls[0].request.part == .items(5))
        rig.answer()
        #expect(part.count == 5 && part.isPartial == true)
        #expect(all.ends == 0 && all.shown == [5])
        #expect(rig.violations.isEmpty)
        rig.answer()
        #expect(all.count == 30 && all.endedOnce)
        #expect(rig.calls == [0..<5, 5..<30])
    }

    @Test func `who comes before the call decides how much it asks for`() {
        let rig = PartRig()
        let callers = [rig.start(.items(5)), rig.start(.items(12))]
        rig.run()
        #expect(rig.calls == [0..<12])
        #expect(callers.map(\.count) == [12, 12])
        #expect(rig.start(.items(5)).execution.cancel())
    }

    @Test func `when one of two leaves, the other has what it asked for`() {
        let rig = PartRig()
        rig.script.withLock { $0.hangs = true }
        let part = rig.fetch(.items(5))
        let all = rig.fetch(nil)
        part.execution.cancel()
        rig.answer()
        rig.answer()
        #expect(all.count == 30 && part.code == .cancelled)
        let other = PartRig()
        other.script.withLock { $0.hangs = true }
        let (few, whole) = (other.fetch(.items(5)), other.fetch(nil))
        whole.execution.cancel()
        other.answer()
        #expect(few.count == 5)
        #expect(other.source.pendingCalls.isEmpty && other.calls == [0..<5], "nobody wants the rest")
        #expect(other.paginator.engine.isIdle)
    }

    @Test func `a source that gives less is asked again, and one that gives more is believed`() {
        let rig = PartRig()
        rig.script.withLock { $0.gives = 4 }
        #expect(rig.fetch(.items(10)).count == 12)
        #expect(rig.calls == [0..<4, 4..<8, 8..<12])
        rig.script.withLock { $0.gives = 100 }
        let more = rig.fetch(.items(13))
        #expect(more.count == 30 && more.isPartial == false)
    }

    @Test func `a source that goes on with nothing has failed`() {
        let rig = PartRig()
        rig.script.withLock { $0.gives = 0 }
        let caller = rig.fetch(nil)
        #expect(caller.code == .sourceFailed && caller.endedOnce)
        rig.script.withLock { $0.gives = 3 }
        rig.fetch(.items(3))
        rig.script.withLock { $0.gives = 0 }
        #expect(rig.fetch(nil).code == .sourceFailed)
        #expect(rig.cached?.content.count == 3)
    }

    @Test func `a page that changes between its parts is loaded anew`() {
        let rig = PartRig()
        rig.fetch(.items(10))
        rig.script.withLock { $0.version = 2 }
        let all = rig.fetch(nil)
        #expect(all.listener.page?.content == PartRig.items(0..<30, version: 2))
        #expect(rig.calls == [0..<10, 10..<30, 0..<30])
        #expect(rig.fetch(nil).origin == .memory)
    }

    @Test func `a page that changes again between its parts is loaded anew again`() {
        let rig = PartRig { $0.maxAttempts = 3 }
        rig.script.withLock { ($0.gives, $0.hangs) = (10, true) }
        let all = rig.fetch(nil)
        for version in [1, 2, 2, 3] {
            rig.script.withLock { $0.version = version }
            rig.answer()
        }
        rig.script.withLock { $0.gives = nil }
        rig.answer()
        #expect(rig.calls == [0..<10, 10..<20, 0..<10, 10..<20, 0..<30])
        #expect(all.listener.page?.content == PartRig.items(0..<30, version: 3))
    }

    @Test func `a page that never stays the same between its parts fails, and its key is still good`() {
        let rig = PartRig { $0.maxAttempts = 3 }
        rig.script.withLock { ($0.gives, $0.hangs) = (10, true) }
        let all = rig.fetch(nil)
        while all.ends == 0, rig.calls.count < 20 {
            rig.script.withLock { $0.version += 1 }
            rig.answer()
        }
        #expect(all.code == .sourceFailed && all.endedOnce)
        let twoParts = [0..<10, 10..<20]
        #expect(rig.calls == twoParts + twoParts + twoParts + twoParts)
    }

    @Test func `who needs a page that is newer than the part gets no rows of the part`() {
        let rig = PartRig()
        rig.script.withLock { $0.saysRevision = false }
        rig.fetch(.items(10))
        let demand = rig.paginator.engine.makeRequestTime()
        rig.script.withLock { ($0.version, $0.hangs) = (2, true) }
        let all = rig.fetch(nil)
        var request = PageRequest(key: "0", pageSize: PartRig.pageSize)
        request.notBefore = demand
        let listener = RecordingListener<SampleItem>()
        rig.paginator.fetch(request, listener: listener)
        rig.answer()
        rig.answer()
        #expect(all.count == 30)
        #expect(listener.page?.content == PartRig.items(0..<30, version: 2))
        #expect(rig.calls == [0..<10, 10..<30, 0..<30])
    }

    @Test func `a checksum is that of a whole page, so a part is accepted without one`() {
        let rig = PartRig(validator: .checksum { $0.count == PartRig.pageSize ? $0[0].text : "of a part" })
        #expect(rig.fetch(.items(10)).count == 10)
        #expect(rig.fetch(nil).count == 30)
        #expect(rig.calls == [0..<10, 10..<30])
    }

    @Test func `a source that cannot go on any more is asked for the page from its start`() {
        let observer = RecordingObserver()
        let rig = PartRig { $0.observer = observer }
        rig.fetch(.items(10))
        rig.script.withLock { $0.forgetsContinuations = true }
        #expect(rig.fetch(nil).count == 30)
        #expect(rig.calls == [0..<10, 0..<30])
        // Each attempt that begins ends, also the one that could not go on.
        #expect(observer.count(of: .attemptStarted) == 3)
        #expect(observer.events(of: .attemptEnded).map { $0.error?.code } == [nil, .expiredKey, nil])
        // Once: it does not go in a circle.
        let stubborn = PartRig()
        stubborn.script.withLock { ($0.gives, $0.forgetsContinuations) = (5, true) }
        #expect(stubborn.fetch(nil).code == .expiredKey)
        #expect(stubborn.calls == [0..<5, 0..<5])
    }

    @Test func `nothing is joined to a part that is stale, invalidated, cleared or refreshed`() {
        for change in 0..<4 {
            let rig = PartRig()
            rig.script.withLock { ($0.lifetime, $0.saysRevision) = (.seconds(10), false) }
            rig.fetch(.items(10))
            switch change {
            case 0: rig.clock.advance(by: .seconds(10))
            case 1: rig.paginator.invalidate(.key("0"))
            case 2: rig.paginator.clear(key: "0")
            default: rig.paginator.invalidate(tags: ["v1"])
            }
            rig.script.withLock { $0.version = 2 }
            let all = rig.fetch(nil)
            #expect(all.listener.page?.content == PartRig.items(0..<30, version: 2), "change \(change)")
            #expect(all.shown == [], "change \(change)")
        }
        let rig = PartRig()
        rig.fetch(.items(10))
        rig.fetch(nil, policy: .networkOnly)
        #expect(rig.calls == [0..<10, 0..<30], "who wants no cached page gets none as its beginning")
    }

    @Test(arguments: [false, true])
    func `an invalidated part is missing for who takes only what is cached, also while its page waits to be loaded`(
        byTags: Bool
    ) {
        let rig = PartRig()
        rig.fetch(.items(10))
        rig.paginator.suspend()
        let waiting = rig.fetch(nil)
        if byTags { rig.paginator.invalidate(tags: ["v1"]) } else { rig.paginator.invalidate(.key("0")) }
        #expect(rig.fetch(.items(5), policy: .cacheOnly).code == .notInCache)
        rig.paginator.resume()
        rig.run()
        #expect(waiting.count == 30 && rig.calls == [0..<10, 0..<30])
    }

    @Test func `an epoch that ends while the rest is loading keeps both apart`() {
        let rig = PartRig()
        rig.fetch(.items(10))
        rig.script.withLock { $0.hangs = true }
        let old = rig.fetch(nil)
        rig.paginator.invalidate(.key("0"))
        let new = rig.fetch(nil)
        rig.answer()
        #expect(old.count == 30)
        #expect(rig.cached?.content.count == 10, "what belongs to an earlier epoch is not cached")
        rig.answer()
        #expect(new.count == 30)
        #expect(rig.calls == [0..<10, 10..<30, 0..<30])
        #expect(rig.cached?.content.count == 30)
    }

    @Test func `edits between the parts are in the whole once`() {
        let rig = PartRig()
        rig.script.withLock { $0.saysRevision = false }
        rig.fetch(.items(10))
        rig.script.withLock { $0.hangs = true }
        let edits = rig.paginator.edits(id: { (item: SampleItem) in item.id })
        edits.update(3) { SampleItem(id: 3, text: $0.text + "+") }
        rig.run()
        let all = rig.fetch(nil)
        edits.update(4) { SampleItem(id: 4, text: $0.text + "+") }
        edits.remove(20)
        edits.update(21) { SampleItem(id: 21, text: $0.text + "+") }
        rig.run()
        rig.answer()
        let texts = Dictionary(uniqueKeysWithValues: (all.listener.page?.content ?? []).map { ($0.id, $0.text) })
        #expect(texts.count == 29)
        #expect([3, 4, 5, 21].map { texts[$0] } == ["v1+", "v1+", "v1", "v1+"])
        #expect(rig.cached?.content == all.listener.page?.content)
    }

    @Test func `the store has whole pages only, and an old one is stale beside a part`() {
        let rig = PartRig(hasStore: true)
        let old = PaginatorPage(content: PartRig.items(0..<30), key: "0", nextKey: "30")
        let identity = PageIdentity(key: "0", pageSize: PartRig.pageSize)
        rig.store?.seed(old, for: identity, fetchedAt: rig.clock.wallTime)
        rig.fetch(.items(10), policy: .networkOnly)
        #expect(rig.store?.pages[identity]?.page === old)
        #expect(rig.store?.pages[identity]?.isInvalidated == true)
        rig.fetch(nil)
        #expect(rig.store?.pages[identity]?.page.content.count == 30)
        #expect(rig.store?.pages[identity]?.page !== old)
        #expect(rig.store?.pages[identity]?.page.continuation == nil)
    }

    @Test func `a part that was evicted is loaded again`() throws {
        let rig = PartRig { $0.inMemoryEvictionStrategy = .lru(maxPages: 1) }
        rig.fetch(.items(10))
        try rig.paginator.prime(PaginatorPage(content: [], key: "other"), pageSize: 30)
        rig.run()
        #expect(rig.fetch(nil).count == 30)
        #expect(rig.calls == [0..<10, 0..<30])
    }

    @Test func `the caches alone have a part for who asks for no more`() {
        let rig = PartRig()
        rig.fetch(.items(10))
        #expect(rig.fetch(.items(10), policy: .cacheOnly).count == 10)
        let all = rig.fetch(nil, policy: .cacheOnly)
        #expect(all.code == .notInCache && all.shown == [10])
    }

    @Test func `a failure loses nothing of what has come`() {
        let rig = PartRig()
        rig.fetch(.items(10))
        rig.script.withLock { $0.hangs = true }
        let all = rig.fetch(nil)
        rig.fail()
        #expect(all.code == .sourceFailed && all.shown == [10])
        let again = rig.fetch(nil)
        rig.answer()
        #expect(again.count == 30)
        #expect(rig.calls == [0..<10, 10..<30])
    }

    @Test func `the attempts for the rest are counted anew`() {
        let rig = PartRig { $0.maxAttempts = 3 }
        rig.script.withLock { ($0.gives, $0.hangs) = (10, true) }
        let all = rig.fetch(nil)
        func failOnce() {
            rig.fail(.retry(FetchRig.Outage()))
            rig.clock.advance(by: .seconds(5))
            rig.run()
        }
        failOnce()
        rig.answer()
        for _ in 0..<3 { failOnce() }
        #expect(rig.source.calls.map(\.request.attempt) == [1, 2, 1, 2, 3])
        #expect(all.code == .sourceFailed && all.endedOnce && all.shown == [10])
        #expect(all.listener.error?.attempts == 3)
    }

    @Test func `a fetch around a page loads whole ones`() {
        let rig = PartRig()
        var page = PageRequest(key: "0", pageSize: PartRig.pageSize)
        page.part = .items(5)
        let listener = RecordingAroundListener<SampleItem>()
        rig.paginator.fetchAround(AroundRequest(page: page, depthLevel: 0), listener: listener)
        rig.run()
        #expect(rig.calls == [0..<30])
    }

    @Test func `a validator sees each part, and a refused one is nobody's`() {
        let validator = AnyPageValidator<SampleItem>.closure { page, _ in
            page.content.count < 6 ? .fail(reason: "too short") : .accept
        }
        let rig = PartRig(validator: validator)
        #expect(rig.fetch(.items(5)).code == .rejectedByValidation)
        #expect(rig.cached == nil)
        #expect(rig.fetch(.items(10)).count == 10)
    }

    @Test func `sources behind others are asked for whole pages`() {
        let rig = PartRig()
        let script = rig.script
        let inner = ClosureDataSource<SampleItem>(firstKey: "0") { request, completion in
            completion(PartRig.answer(request, script, ManualPaginatorClock()))
            return .none
        }
        var config = PaginatorConfig()
        (config.executor, config.callbackExecutor, config.clock) = (rig.executor, rig.executor, rig.clock)
        let paginator = CallbackPaginator(dataSource: inner.fallback(to: inner), config: config)
        var request = PageRequest(key: "0", pageSize: 30)
        request.part = .items(5)
        let listener = RecordingListener<SampleItem>()
        paginator.fetch(request, listener: listener)
        rig.run()
        #expect(listener.page?.content.count == 30)
    }
}

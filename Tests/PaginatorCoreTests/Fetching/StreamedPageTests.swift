import PaginatorTesting
import Testing

@testable import PaginatorCore

/// Pages of which the source shows the first items while the others are coming.
@Suite struct StreamedPageTests {
    private func hangingRig(
        validator: AnyPageValidator<SampleItem> = .acceptAll, _ configure: (inout PaginatorConfig) -> Void = { _ in }
    ) -> PartRig {
        let rig = PartRig(validator: validator, configure)
        rig.script.withLock { $0.hangs = true }
        return rig
    }

    @Test func `the first items are shown before the page is there, and then more of them`() {
        let rig = hangingRig()
        let caller = rig.fetch(nil)
        rig.show(upTo: 2)
        rig.show(upTo: 9)
        rig.show(upTo: 5)
        #expect(caller.shown == [2, 9], "never fewer than before")
        #expect(caller.listener.previews.allSatisfy { $0.isPartial && !$0.isStale && $0.origin == .source })
        #expect(rig.cached == nil, "no cache has the beginning of a page that is coming")
        rig.answer()
        #expect(caller.count == 30 && caller.endedOnce)
        #expect(rig.calls == [0..<30])
        rig.show(upTo: 10)
        #expect(caller.shown.count == 2 && rig.violations.isEmpty)
    }

    @Test func `first items that come after their tag was invalidated are no fresh beginning of the page`() {
        let rig = hangingRig()
        let caller = rig.fetch(nil)
        rig.show(upTo: 5, tags: ["v1"])
        rig.paginator.invalidate(tags: ["v1"])
        rig.show(upTo: 8, tags: ["v1"])
        rig.fail()
        #expect(caller.code == .sourceFailed)
        rig.script.withLock { $0.version = 2 }
        let later = rig.fetch(.items(5))
        #expect(later.ends == 0 && rig.source.pendingCalls.map(\.request.continuation) == [nil])
        rig.answer()
        #expect(later.listener.page?.content.map(\.text) == Array(repeating: "v2", count: 5) && later.isStale == false)
    }

    @Test(arguments: [PagePart.items(10), nil])
    func `a part that was asked for before an invalidation is not the answer for who asks after it`(
        _ wanted: PagePart?
    ) {
        let rig = hangingRig { $0.maxAttempts = 1 }
        let (first, whole) = (rig.start(.items(10)), rig.start(nil))
        rig.run()
        rig.paginator.invalidate(tags: ["v1"])
        let late = rig.fetch(wanted)
        rig.script.withLock { $0.gives = 10 }
        rig.answer()
        #expect(first.count == 10 && first.endedOnce && late.ends == 0 && rig.violations == [])
        rig.script.withLock { ($0.gives, $0.version) = (nil, 2) }
        for _ in 0..<3 where late.ends == 0 { rig.answer() }
        #expect(late.endedOnce && late.isStale == false && rig.violations == [])
        #expect(late.listener.page?.content.allSatisfy { $0.text == "v2" } == true)
        for _ in 0..<3 where whole.ends == 0 { rig.answer() }
        #expect(whole.count == 30 && whole.endedOnce)
    }

    @Test(arguments: [false, true])
    func `a page whose first part goes stale while the next is loading is loaded anew`(expires: Bool) {
        let rig = hangingRig()
        rig.script.withLock { ($0.gives, $0.lifetime) = (10, .seconds(20)) }
        let caller = rig.fetch(nil)
        rig.answer()
        if expires { rig.clock.advance(by: .seconds(20)) } else { rig.paginator.invalidate(tags: ["v1"]) }
        for _ in 0..<5 where caller.ends == 0 { rig.answer() }
        #expect(caller.count == 30 && caller.isStale == false && caller.endedOnce)
        #expect(rig.calls == [0..<10, 10..<20, 0..<10, 10..<20, 20..<30])
        #expect(rig.violations.isEmpty)
    }

    @Test(arguments: [1, 10])
    func `a part that is stale at once is begun anew once, however small it is`(items: Int) {
        let rig = hangingRig()
        rig.script.withLock { ($0.gives, $0.lifetime) = (items, .zero) }
        let caller = rig.fetch(nil)
        for _ in 0..<5 where caller.ends == 0 { rig.answer() }
        #expect(caller.code == .sourceFailed && caller.endedOnce)
        #expect(rig.calls == Array(repeating: 0..<items, count: 3))
    }

    @Test func `a source that shows more and then answers with nothing new has failed`() {
        let rig = hangingRig()
        rig.script.withLock { $0.gives = 10 }
        let caller = rig.fetch(nil)
        rig.answer()
        rig.show(upTo: 11)
        rig.script.withLock { $0.gives = 0 }
        rig.answer()
        #expect(caller.shown == [10, 11] && caller.code == .sourceFailed && caller.endedOnce)
        #expect(rig.source.pendingCalls.isEmpty && rig.violations.isEmpty)
    }

    @Test func `who comes later sees what has come`() {
        let rig = hangingRig()
        rig.fetch(nil)
        rig.show(upTo: 7)
        let late = rig.fetch(nil)
        #expect(late.shown == [7])
        #expect(rig.fetch(nil, policy: .networkOnly).shown == [7])
        #expect(rig.fetch(nil, policy: .cacheOnly).shown == [])
    }

    @Test func `who comes later and sees the beginning of the new page sees no older page after it`() {
        let rig = hangingRig()
        rig.fetch(nil)
        rig.answer()
        rig.paginator.invalidate(.all)
        rig.fetch(nil)
        rig.show(upTo: 7)
        let late = rig.fetch(nil, policy: .staleWhileRevalidate)
        rig.show(upTo: 9)
        #expect(late.shown == [7, 9])
        rig.answer()
        #expect(late.count == 30 && late.isStale == false && late.endedOnce)
    }

    @Test func `who sees the beginning of the new page gets no older page in its place when the time is over`() {
        let rig = hangingRig()
        rig.fetch(nil)
        rig.answer()
        rig.script.withLock { $0.version = 2 }
        let policy = FetchPolicy.networkFirst(fallbackAfter: .seconds(2))
        let answers = Guarded<[Int?]>([])
        rig.paginator.fetch(key: "0", pageSize: PartRig.pageSize, policy: policy) { result in
            answers.withLock { $0.append(try? result.get().page.content.count) }
        }
        let caller = rig.fetch(nil, policy: policy)
        rig.show(upTo: 12)
        rig.clock.advance(by: .seconds(2))
        rig.run()
        #expect(caller.shown == [12] && caller.ends == 0)
        #expect(answers.withLock { $0 } == [30], "a form with one answer has seen nothing")
        rig.answer()
        #expect(caller.listener.page?.content == PartRig.items(0..<30, version: 2) && caller.endedOnce)
        #expect(rig.violations.isEmpty)
    }

    @Test func `who sees the beginning of the new page among its neighbors gets no older page in its place, too`() {
        let rig = hangingRig { $0.defaultPolicy = .networkFirst(fallbackAfter: .seconds(2)) }
        rig.fetch(nil)
        rig.answer()
        rig.script.withLock { $0.version = 2 }
        let (listener, texts) = (RecordingAroundListener<SampleItem>(), Guarded<[String?]>([]))
        let request = AroundRequest(page: PageRequest(key: "0", pageSize: PartRig.pageSize), depthLevel: 0)
        rig.paginator.fetchAround(request, listener: listener)
        rig.paginator.fetchAround(
            key: "0", pageSize: PartRig.pageSize, depthLevel: 0,
            onPage: { page, _ in texts.withLock { $0.append(page.page.content.first?.text) } }, completion: { _ in })
        rig.show(upTo: 12)
        rig.clock.advance(by: .seconds(2))
        rig.run()
        #expect(listener.previews.map(\.page.content.count) == [12] && listener.distances == [])
        #expect(texts.withLock { $0 } == ["v1"], "a form without previews has seen nothing")
        rig.answer()
        #expect(listener.deliveries.map(\.fetched.page.content) == [PartRig.items(0..<30, version: 2)])
        #expect(rig.violations.isEmpty)
    }

    @Test func `a form with one answer gets the older page when the time is over, also through a recording`() {
        let rig = hangingRig { $0.defaultPolicy = .networkFirst(fallbackAfter: .seconds(2)) }
        rig.fetch(nil)
        rig.answer()
        rig.script.withLock { $0.version = 2 }
        let recording = ScriptedPaginator(recording: rig.paginator)
        let (listener, texts) = (RecordingListener<SampleItem>(), Guarded<[String?]>([]))
        recording.fetch(PageRequest(key: "0", pageSize: PartRig.pageSize), listener: listener)
        recording.fetch(key: "0", pageSize: PartRig.pageSize) { result in
            texts.withLock { $0.append(try? result.get().page.content.first?.text) }
        }
        rig.show(upTo: 12)
        rig.clock.advance(by: .seconds(2))
        rig.run()
        #expect(listener.previews.map(\.page.content.count) == [12] && listener.ends.isEmpty)
        #expect(texts.withLock { $0 } == ["v1"])
        rig.answer()
    }

    @Test func `where the new page breaks off after its beginning, the older page comes with the error`() {
        let rig = hangingRig()
        rig.fetch(nil)
        rig.answer()
        rig.script.withLock { $0.version = 2 }
        let caller = rig.fetch(nil, policy: .networkFirst(fallbackAfter: .seconds(2)))
        rig.show(upTo: 12)
        rig.clock.advance(by: .seconds(2))
        rig.fail()
        #expect(caller.shown == [12] && caller.endedOnce && caller.refreshError == .sourceFailed)
        #expect(caller.listener.page?.content == PartRig.items(0..<30))
    }

    @Test func `who sees a stale page keeps that until the new one is whole`() {
        let rig = hangingRig()
        rig.fetch(nil)
        rig.answer()
        rig.paginator.invalidate(.all)
        let caller = rig.fetch(nil, policy: .staleWhileRevalidate)
        rig.show(upTo: 7)
        #expect(caller.shown == [30])
    }

    @Test func `a failure midway says so, and another try loads the rest`() {
        let rig = hangingRig()
        let caller = rig.fetch(nil)
        rig.show(upTo: 12)
        rig.fail()
        #expect(caller.shown == [12] && caller.code == .sourceFailed)
        #expect(rig.cached?.continuation == "12")
        let again = rig.fetch(nil)
        #expect(again.shown == [12])
        rig.answer()
        #expect(again.count == 30 && rig.calls == [12..<30])
    }

    @Test func `what has come of a page stays when the source shows less of it`() {
        let rig = hangingRig()
        rig.fetch(nil)
        rig.show(upTo: 12)
        rig.show(upTo: 5)
        rig.fail()
        #expect(rig.cached?.continuation == "12")
        let again = rig.fetch(nil)
        rig.answer()
        #expect(again.count == 30 && rig.calls == [12..<30])
    }

    @Test func `another attempt of the same load loads the rest as well`() {
        let rig = hangingRig { $0.maxAttempts = 2 }
        let caller = rig.fetch(nil)
        rig.show(upTo: 12)
        rig.fail(.retry(FetchRig.Outage()))
        rig.clock.advance(by: .seconds(20))
        rig.run()
        rig.show(upTo: 15)
        rig.answer()
        #expect(caller.shown == [12, 15] && caller.listener.page?.content == PartRig.items(0..<30))
        #expect(rig.calls == [12..<30])
    }

    @Test func `where the source cannot go on, another try loads all, and shows nothing less meanwhile`() {
        let rig = hangingRig { $0.maxAttempts = 2 }
        let caller = rig.fetch(nil)
        rig.show(upTo: 12, continuation: "")
        rig.fail(.retry(FetchRig.Outage()))
        rig.clock.advance(by: .seconds(20))
        rig.run()
        rig.show(upTo: 4, continuation: "")
        rig.show(upTo: 13, continuation: "")
        rig.fail()
        #expect(caller.shown == [12, 13] && caller.code == .sourceFailed)
        #expect(rig.cached == nil)
    }

    @Test func `a page that broke off while it was shown can still be begun anew when its rest has expired`() {
        let rig = hangingRig { $0.maxAttempts = 2 }
        let caller = rig.fetch(nil)
        rig.show(upTo: 2, continuation: "")
        rig.fail(.retry(FetchRig.Outage()))
        rig.clock.advance(by: .seconds(20))
        // Asked for from its start, it may begin with as few items as were shown.
        rig.script.withLock { $0.gives = 2 }
        rig.answer()
        rig.script.withLock { ($0.gives, $0.forgetsContinuations) = (nil, true) }
        for _ in 0..<2 { rig.answer() }
        #expect(caller.shown == [2] && caller.count == 30 && caller.endedOnce)
        #expect(rig.calls == [0..<2, 0..<30] && rig.violations.isEmpty)
    }

    @Test func `a page that broke off behind a part that was answered can still be begun anew, too`() {
        let rig = hangingRig { $0.maxAttempts = 2 }
        rig.script.withLock { $0.gives = 10 }
        let caller = rig.fetch(nil)
        rig.answer()
        rig.show(upTo: 12, continuation: "")
        rig.fail(.retry(FetchRig.Outage()))
        rig.clock.advance(by: .seconds(20))
        // Asked for from its start, it may begin with as few items as were answered.
        rig.answer()
        rig.script.withLock { ($0.gives, $0.forgetsContinuations) = (nil, true) }
        for _ in 0..<2 { rig.answer() }
        #expect(caller.shown == [10, 12] && caller.count == 30 && caller.endedOnce)
        #expect(rig.calls == [0..<10, 0..<10, 0..<30] && rig.violations.isEmpty)
    }

    @Test func `a validator refuses items that are shown early, too`() {
        let validator = AnyPageValidator<SampleItem>.closure { page, _ in
            page.content.count < 5 ? .fail(reason: "too short") : .accept
        }
        let rig = hangingRig(validator: validator)
        let caller = rig.fetch(nil)
        rig.show(upTo: 3)
        rig.show(upTo: 6)
        #expect(caller.shown == [6])
    }

    @Test func `what is shown has the edits of now`() {
        let rig = hangingRig()
        let caller = rig.fetch(nil)
        rig.paginator.edits(id: { (item: SampleItem) in item.id }).remove(1)
        rig.show(upTo: 3)
        #expect(caller.listener.previews.last?.content.map(\.id) == [0, 2])
    }

    @Test func `nothing is shown after a cancel`() {
        let rig = hangingRig()
        let caller = rig.fetch(nil)
        let call = rig.source.pendingCalls[0]
        caller.execution.cancel()
        call.request.preview(PaginatorPage(content: PartRig.items(0..<2), key: "0", continuation: ""))
        // Of another type than the paginator's, and one that says that it is whole.
        call.request.preview(PaginatorPage(content: ["a"], key: "0", continuation: ""))
        rig.run()
        let other = rig.fetch(nil)
        rig.source.pendingCalls.first?.request.preview(PaginatorPage(content: ["a"], key: "0", continuation: ""))
        rig.source.pendingCalls.first?.request.preview(PaginatorPage(content: PartRig.items(0..<2), key: "0"))
        rig.run()
        #expect(caller.shown == [] && other.shown == [] && caller.endedOnce)
    }
}

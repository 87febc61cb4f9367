import PaginatorTesting
import Testing

@testable import PaginatorCore

/// What is kept of parts, beside whole pages and through edits.
@Suite struct PartKeepingTests {
    private let identity = PageIdentity(key: "0", pageSize: PartRig.pageSize)

    @Test func `a refresh that breaks off leaves the whole page in memory and on disk`() {
        let rig = PartRig(hasStore: true)
        rig.fetch(nil)
        rig.script.withLock { $0.hangs = true }
        let refresh = rig.fetch(nil, policy: .networkOnly)
        rig.show(upTo: 12)
        rig.fail()
        #expect(refresh.code == .sourceFailed && refresh.shown == [12])
        #expect(rig.cached?.content.count == 30)
        #expect(rig.store?.pages[identity]?.isInvalidated == false)
        #expect(rig.fetch(nil, policy: .cacheOnly).count == 30)
        #expect(rig.fetch(nil).origin == .memory)
    }

    @Test func `a refresh that breaks off leaves a page that only the disk has`() {
        let rig = PartRig(hasStore: true)
        rig.store?.seed(
            PaginatorPage(content: PartRig.items(0..<30), key: "0", nextKey: "30"), for: identity,
            fetchedAt: rig.clock.wallTime)
        rig.script.withLock { $0.hangs = true }
        rig.fetch(nil, policy: .networkOnly)
        rig.show(upTo: 12)
        rig.fail()
        #expect(rig.store?.pages[identity]?.isInvalidated == false)
        #expect(rig.fetch(nil).origin == .store)
    }

    @Test func `a part that was asked for takes no whole page's place`() {
        let rig = PartRig(hasStore: true)
        rig.fetch(nil)
        #expect(rig.fetch(.items(10), policy: .networkOnly).count == 10)
        #expect(rig.cached?.content.count == 30)
        #expect(rig.fetch(nil, policy: .cacheOnly).count == 30)
    }

    @Test(arguments: [false, true])
    func `a part of a newer state makes the whole page a fallback`(saysRevision: Bool) {
        let rig = PartRig(hasStore: true)
        rig.script.withLock { $0.saysRevision = saysRevision }
        rig.fetch(nil)
        rig.script.withLock { $0.version = 2 }
        #expect(rig.fetch(.items(10), policy: .networkOnly).count == 10)
        let fallback = rig.fetch(nil, policy: .cacheOnly)
        #expect(fallback.count == 30 && fallback.isStale == true)
        #expect(rig.store?.pages[identity]?.isInvalidated == true)
        let all = rig.fetch(nil)
        #expect(all.listener.page?.content == PartRig.items(0..<30, version: 2) && all.isStale == false)
        #expect(rig.store?.pages[identity]?.isInvalidated == false)
    }

    @Test(arguments: [FetchPolicy.cacheOnly, .networkFirst, .staleWhileRevalidate, .cacheThenRenew])
    func `beside a part the whole page on disk is what there is without a connection`(_ policy: FetchPolicy) {
        let rig = PartRig(hasStore: true)
        rig.store?.seed(
            PaginatorPage(content: PartRig.items(0..<30), key: "0", nextKey: "30"), for: identity,
            fetchedAt: rig.clock.wallTime)
        rig.fetch(.items(10), policy: .networkOnly)
        rig.script.withLock { $0.hangs = true }
        let caller = rig.fetch(nil, policy: policy)
        rig.fail()
        #expect(caller.count == 30 && caller.isPartial == false && caller.endedOnce)
        #expect(rig.violations.isEmpty)
    }

    @Test func `a row that goes between the parts leaves no hole`() {
        for isStreamed in [false, true] {
            let rig = PartRig()
            rig.script.withLock { ($0.saysRevision, $0.hangs) = (false, isStreamed) }
            rig.fetch(isStreamed ? nil : .items(10))
            if isStreamed {
                rig.show(upTo: 10)
                rig.fail()
            }
            #expect(rig.cached?.content.count == 10)
            rig.paginator.edits(id: { (item: SampleItem) in item.id }).remove(3)
            rig.script.withLock { ($0.gone, $0.hangs) = ([3], false) }
            rig.run()
            let all = rig.fetch(nil)
            #expect(all.listener.page?.content.map(\.id) == (0...30).filter { $0 != 3 })
            #expect(rig.calls.last == 0..<30)
        }
    }

    @Test func `an edit between the parts does not hide that the page has changed`() {
        let rig = PartRig()
        rig.fetch(.items(10))
        rig.paginator.edits(id: { (item: SampleItem) in item.id }).update(3) { SampleItem(id: 3, text: $0.text + "+") }
        rig.run()
        rig.script.withLock { $0.gives = 10 }
        #expect(rig.fetch(.items(20)).count == 20)
        #expect(rig.calls == [0..<10, 10..<20], "the edit itself is no change of the page's rows")
        rig.script.withLock { ($0.version, $0.gives) = (2, nil) }
        let all = rig.fetch(nil)
        #expect(all.listener.page?.content == PartRig.items(0..<30, version: 2))
        #expect(rig.calls.last == 0..<30)
    }

    @Test(arguments: [false, true])
    func `a part with which the source cannot go on leaves memory, also if the page then fails`(hasChanged: Bool) {
        let rig = PartRig()
        rig.fetch(.items(10))
        rig.script.withLock { ($0.hangs, $0.version) = (true, hasChanged ? 2 : 1) }
        let all = rig.fetch(nil)
        #expect(rig.cached?.content.count == 10)
        if hasChanged { rig.answer() } else { rig.fail(.keyExpired(FetchRig.Outage())) }
        #expect(rig.cached == nil && all.ends == 0)
        rig.fail()
        #expect(all.code == .sourceFailed && all.endedOnce)
        #expect(rig.fetch(.items(10), policy: .cacheOnly).code == .notInCache)
        #expect(rig.violations.isEmpty)
    }

    @Test func `nothing is joined to a part of long ago`() {
        let rig = PartRig()
        rig.script.withLock { $0.saysRevision = false }
        rig.fetch(.items(10))
        rig.clock.advance(by: .seconds(3_600))
        rig.script.withLock { $0.version = 2 }
        #expect(rig.fetch(nil).listener.page?.content == PartRig.items(0..<30, version: 2))
        #expect(rig.calls == [0..<10, 0..<30])
    }

    @Test func `a page that goes on behind its size is an error, and not the whole feed`() {
        let rig = PartRig()
        rig.script.withLock { ($0.gives, $0.isEndless) = (10, true) }
        #expect(rig.fetch(nil).code == .sourceFailed)
        #expect(rig.calls == [0..<10, 10..<20, 20..<30])
        #expect(rig.cached?.content.count == 20)
        // Nor does it go on from a page's size, or from more.
        rig.script.withLock { $0.hangs = true }
        for end in [30, 31] {
            rig.fetch(nil)
            rig.show(upTo: end)
            rig.fail()
            #expect(rig.cached?.content.count == 20)
        }
    }

    @Test func `parts beside a whole page delay no later answer of memory`() {
        let rig = PartRig()
        rig.fetch(nil)
        for _ in 0..<20 { #expect(rig.fetch(.items(10), policy: .networkOnly).count == 10) }
        var request = PageRequest(key: "0", pageSize: PartRig.pageSize)
        request.debounce = DebounceKey("search")
        let listeners = (0..<2).map { _ in RecordingListener<SampleItem>() }
        for listener in listeners { rig.paginator.fetch(request, listener: listener) }
        rig.run()
        #expect(listeners.map { $0.page?.content.count } == [30, 30], "neither waits, nor is superseded")
    }

    @Test func `a page that is refused is not continued from its beginning`() {
        let validator = AnyPageValidator<SampleItem>.closure { page, _ in
            page.continuation == nil && page.content.first?.text == "v1" ? .fail(reason: "of version 1") : .accept
        }
        let rig = PartRig(validator: validator)
        rig.script.withLock { $0.hangs = true }
        let refused = rig.start(nil)
        rig.show(upTo: 12)
        rig.answer()
        #expect(refused.code == .rejectedByValidation && rig.cached == nil)
        rig.script.withLock { ($0.hangs, $0.version) = (false, 2) }
        #expect(rig.fetch(nil).count == 30)
        #expect(rig.calls == [0..<30, 0..<30])
    }
}

import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct PageObservationTests {
    private final class Watch: Sendable {
        let states = Guarded<[String]>([])

        func note(_ state: PaginatorPageResult<SampleItem>?) {
            let text =
                switch state {
                case .loading(let page)?: "loading \(page?.version.map { "\($0)" } ?? "-")"
                case .success(let page)?: "page \(page.version ?? -1)"
                case .error(let error, let page)?: "\(error.code) \(page?.version.map { "\($0)" } ?? "-")"
                case nil: "nothing"
                }
            states.withLock { $0.append(text) }
        }

        /// What came since the last call.
        func take() -> [String] {
            states.withLock { states in
                defer { states = [] }
                return states
            }
        }
    }

    @discardableResult
    private func observe(_ rig: FetchRig, _ watch: Watch, _ key: String = "1") -> PaginatorExecution {
        rig.paginator.observe(key: key, pageSize: 10) { watch.note($0) }
    }

    @Test func `the state is told once soon and after each change`() throws {
        let rig = FetchRig()
        let watch = Watch()
        observe(rig, watch)
        #expect(watch.take() == [], "not inside the call")
        rig.run()
        #expect(watch.take() == ["nothing"])
        rig.hangSource()
        rig.fetch("1")
        #expect(watch.take() == ["loading -"])
        rig.answer("1")
        #expect(watch.take() == ["page 1"])
        rig.refresh("1")
        #expect(watch.take() == ["loading 1"])
        rig.fail("1")
        #expect(watch.take() == ["sourceFailed 1"])
        try rig.paginator.prime(rig.page("1", version: 50), pageSize: 10)
        rig.run()
        #expect(watch.take() == ["page 50"])
        rig.paginator.clear(key: "1")
        rig.run()
        #expect(watch.take() == ["nothing"])
    }

    @Test func `an edit is told with the edited page`() {
        let rig = FetchRig()
        rig.fetch("1")
        let texts = Guarded<[String]>([])
        rig.paginator.observe(key: "1", pageSize: 10) { state in
            guard case .success(let page)? = state else { return }
            texts.withLock { $0.append(page.content.map(\.text).joined()) }
        }
        rig.run()
        rig.paginator.edits(id: \.id).update(1) { SampleItem(id: $0.id, text: "new") }
        rig.run()
        #expect(texts.withLock { $0 } == ["1", "new"])
    }

    @Test func `changes in quick succession are told as one with the latest state`() throws {
        let rig = FetchRig()
        let watch = Watch()
        observe(rig, watch)
        for version in 1...10 { try rig.paginator.prime(rig.page("1", version: version), pageSize: 10) }
        rig.run()
        #expect(watch.take() == ["page 10"])
    }

    @Test func `without a connection a page is told as failed although a prefetch of it waits, and then as loading`() {
        let rig = FetchRig()
        rig.connectivity.set(.offline)
        rig.paginator.prefetch(keys: ["1"], pageSize: 10)
        let watch = Watch()
        observe(rig, watch)
        rig.run()
        #expect(watch.take().last == "loading -")
        for _ in 0..<2 {
            #expect(rig.fetch("1").code == .offline)
            #expect(watch.take().last == "offline -")
        }
        #expect(rig.fetch("1", policy: .cacheOnly).code == .notInCache)
        #expect(!watch.take().contains("loading -"))
        rig.hangSource()
        rig.connectivity.set([])
        rig.run()
        #expect(watch.take().last == "loading -")
        rig.answer("1")
        #expect(watch.take().last == "page 1")
    }

    @Test func `a page whose look ahead was held back is told as loading when a caller joins the prefetch of it`() {
        let rig = FetchRig { $0.maxParallelCalls = 1 }
        rig.connectivity.set(.lowPower)
        rig.paginator.prefetch(keys: ["51"], pageSize: 10)
        rig.fetchAround("50", depth: 1, direction: .forward)
        let watch = Watch()
        observe(rig, watch, "51")
        rig.run()
        #expect(watch.take().last == "heldBack -")
        rig.hangSource()
        // It takes the only slot.
        rig.fetch("9")
        rig.fetch("51")
        #expect(watch.take().last == "loading -")
        #expect(rig.source.pendingCalls.map(\.request.key) == ["9"])
    }

    @Test func `only the page in question is told`() {
        let rig = FetchRig()
        let watch = Watch()
        observe(rig, watch)
        rig.run()
        _ = watch.take()
        rig.fetch("2")
        rig.fetch("1", scope: "mine")
        rig.fetch("1", pageSize: 20)
        rig.paginator.clear(scope: "mine")
        rig.paginator.invalidate(.key("2"))
        rig.run()
        #expect(watch.take() == [])
        rig.paginator.invalidate(.all)
        rig.run()
        #expect(watch.take().count == 1)
    }

    @Test func `an evicted page is told as gone`() {
        let rig = FetchRig { $0.inMemoryEvictionStrategy = .lru(maxPages: 1) }
        rig.fetch("1")
        let watch = Watch()
        observe(rig, watch)
        rig.run()
        #expect(watch.take() == ["page 1"])
        rig.fetch("2")
        #expect(watch.take() == ["nothing"])
    }

    @Test func `a cancelled observation is told nothing more`() {
        let rig = FetchRig()
        let watch = Watch()
        let observation = observe(rig, watch)
        rig.run()
        _ = watch.take()
        rig.fetch("2")
        rig.paginator.clear(key: "1")
        #expect(observation.cancel())
        #expect(!observation.cancel())
        rig.fetch("1")
        #expect(watch.take() == [])
    }

    @Test func `dropping an observation does not end it and releasing the paginator does`() {
        let rig = FetchRig()
        weak var weakWatch: Watch?
        let other = Watch()
        do {
            let watch = Watch()
            weakWatch = watch
            observe(rig, watch)
        }
        observe(rig, other)
        rig.run()
        #expect(weakWatch?.take() == ["nothing"])
        rig.paginator.clear(key: "1")
        rig.release()
        rig.run()
        #expect(weakWatch == nil)
    }

    @Test func `several observers are told each`() {
        let rig = FetchRig()
        let watches = (0..<3).map { _ in Watch() }
        for watch in watches { observe(rig, watch) }
        rig.run()
        for watch in watches { _ = watch.take() }
        rig.fetch("1")
        #expect(watches.map { $0.take().last } == ["page 1", "page 1", "page 1"])
    }

    @Test func `the end of an observation is no answer of a fetch`() {
        let rig = FetchRig()
        let observation = observe(rig, Watch())
        rig.fetch("1")
        #expect(observation.cancel())
        rig.run()
        #expect(rig.paginator.counters[.callbackDelivered] == 1 && rig.paginator.counters[.fetchStarted] == 1)
    }

    /// Keeps every page, and does something while the next one comes in.
    private struct ComingIn: PaginatorEvictionStrategy {
        let meanwhile: Guarded<(@Sendable () -> Void)?>

        mutating func inserted(_ page: PageHandle, _ facts: PageFacts) {
            meanwhile.withLock { work in
                defer { work = nil }
                return work
            }?()
        }

        mutating func used(_ page: PageHandle) {}
        mutating func removed(_ page: PageHandle) {}
        mutating func victim(in usage: PageUsage) -> PageHandle? { nil }
    }

    @Test func `a page that may not be kept goes with an observer who leaves while it comes in`() throws {
        let meanwhile = Guarded<(@Sendable () -> Void)?>(nil)
        let rig = FetchRig { $0.inMemoryEvictionStrategy = EvictionStrategy(ComingIn(meanwhile: meanwhile)) }
        let ticket = try #require(observe(rig, Watch()) as? FetchTicket)
        rig.run()
        let (subscriptions, identity) = (rig.paginator.engine.subscriptions, rig.identity("1"))
        meanwhile.withLock { $0 = { subscriptions.remove(ticket.id, from: .state(identity)) } }
        try rig.paginator.prime(
            PaginatorPage(content: [SampleItem(id: 7, text: "")], key: "1", isStorable: false), pageSize: 10)
        rig.run()
        #expect(rig.cached("1") == nil)
        #expect(rig.observer?.count(of: .evicted) == 1)
    }
}

import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite("Rule 12: errors")
struct Rule12ErrorsTests {
    struct Cause: Sendable, CustomTestStringConvertible {
        let code: PaginatorError.Code
        var attempts = 0
        let play: @Sendable () -> Caller

        var testDescription: String { code.rawValue }
    }

    private static func offlineRig() -> FetchRig {
        let rig = FetchRig()
        rig.connectivity.set(.offline)
        return rig
    }

    static let causes: [Cause] = [
        Cause(code: .invalidKey) { FetchRig().fetch("") },
        Cause(code: .invalidPageSize) { FetchRig().fetch("1", pageSize: 0) },
        Cause(code: .expiredKey, attempts: 1) {
            let rig = FetchRig()
            rig.failSource(.keyExpired(FetchRig.Outage()))
            return rig.fetch("1")
        },
        Cause(code: .sourceFailed, attempts: 1) {
            let rig = FetchRig()
            rig.failSource(.fatal(FetchRig.Outage()))
            return rig.fetch("1")
        },
        Cause(code: .timedOut, attempts: 1) {
            let rig = FetchRig()
            rig.hangSource()
            let caller = rig.fetch("1", timeout: .seconds(1))
            rig.advance(.seconds(1))
            return caller
        },
        Cause(code: .rejectedByValidation, attempts: 1) {
            FetchRig(validator: .closure { _, _ in .fail(reason: "no") }).fetch("1")
        },
        Cause(code: .cancelled) {
            let rig = FetchRig()
            let caller = rig.start("1")
            caller.execution.cancel()
            rig.run()
            return caller
        },
        Cause(code: .superseded) {
            let rig = FetchRig()
            let caller = rig.fetch("1", debounce: DebounceKey("search"))
            rig.fetch("2", debounce: DebounceKey("search"))
            return caller
        },
        Cause(code: .notInCache) { FetchRig().fetch("1", policy: .cacheOnly) },
        Cause(code: .offline) { offlineRig().fetch("1") },
        Cause(code: .throttled) {
            let rig = FetchRig { $0.maxAttempts = 1 }
            rig.failSource(.retry(FetchRig.Outage()))
            var caller = rig.fetch("0")
            for number in 1...200 where caller.code != .throttled { caller = rig.fetch("\(number)") }
            return caller
        },
        Cause(code: .released) {
            let rig = FetchRig()
            rig.paginator.shutdown()
            return rig.fetch("1")
        },
    ]

    @Test(arguments: causes) func `each cause has its code and a sentence`(_ cause: Cause) {
        let caller = cause.play()
        #expect(caller.endedOnce)
        #expect(caller.code == cause.code)
        #expect(caller.listener.error?.attempts == cause.attempts)
        #expect(caller.listener.error?.message.isEmpty == false)
        #expect(caller.listener.error?.metricsLabel.hasPrefix(cause.code.rawValue) == true)
    }

    @Test func `an error carries what is behind it and its metrics label no user data`() {
        let rig = FetchRig { $0.scheduling.backoffBase = .zero }
        rig.failSource(.retry(FetchRig.Outage()))
        let error = rig.fetch("secret-key").listener.error
        #expect(error?.underlying is FetchRig.Outage)
        #expect(error?.attempts == 3)
        #expect(error?.metricsLabel == "sourceFailed.Outage")
        #expect(error?.message.contains("secret-key") == true)
    }

    @Test func `errors are never cached`() {
        let rig = FetchRig(hasStore: true)
        rig.failSource(.fatal(FetchRig.Outage()))
        #expect(rig.fetch("1").code == .sourceFailed)
        #expect(rig.fetch("1").code == .sourceFailed)
        #expect(rig.source.calls.count == 2)
        #expect(rig.fetch("1", policy: .cacheOnly).code == .notInCache)
        rig.failSource(nil)
        #expect(rig.fetch("1").version == 1)
        #expect(rig.store?.pages.count == 1)
    }

    private func error(_ rig: FetchRig, _ key: String) -> PaginatorError.Code? {
        if case .error(let error, _)? = rig.paginator.state(of: rig.identity(key)) { error.code } else { nil }
    }

    @Test func `the state of a page shows its last error until it loads`() {
        let rig = FetchRig()
        #expect(rig.paginator.state(of: rig.identity("1")) == nil)
        rig.failSource(.fatal(FetchRig.Outage()))
        rig.fetch("1")
        #expect(error(rig, "1") == .sourceFailed)
        rig.failSource(.keyExpired(FetchRig.Outage()))
        rig.fetch("1")
        #expect(error(rig, "1") == .expiredKey)
        rig.failSource(nil)
        rig.hangSource()
        rig.fetch("1")
        guard case .loading(previous: nil)? = rig.paginator.state(of: rig.identity("1")) else {
            Issue.record("a load is running")
            return
        }
        rig.answer("1")
        guard case .success(let page)? = rig.paginator.state(of: rig.identity("1")) else {
            Issue.record("the page has come")
            return
        }
        #expect(page.version == 1)
    }

    @Test func `the state of a page keeps the previous page`() {
        let rig = FetchRig()
        rig.fetch("1")
        rig.failSource(.fatal(FetchRig.Outage()))
        rig.refresh("1")
        #expect(error(rig, "1") == .sourceFailed)
        #expect(rig.paginator.state(of: rig.identity("1"))?.page?.version == 1)
        rig.paginator.clear(key: "1")
        #expect(rig.paginator.state(of: rig.identity("1")) == nil, "a clear forgets the error too")
    }

    @Test func `a page that does not come in time is an error of the page, once nobody waits for it any more`() {
        let rig = FetchRig { $0.attemptTimeout = .seconds(100) }
        rig.hangSource()
        let hasty = rig.fetch("1", timeout: .seconds(10))
        let caller = rig.fetch("1")
        rig.advance(.seconds(10))
        #expect(hasty.code == .timedOut && error(rig, "1") == nil, "the load goes on")
        rig.advance(.seconds(50))
        #expect(caller.code == .timedOut && error(rig, "1") == .timedOut)
        rig.script.withLock { $0.hangs = false }
        rig.fetch("1")
        #expect(error(rig, "1") == nil)
    }

    @Test func `a page whose renewal does not come in time is shown with the error`() {
        let rig = FetchRig()
        rig.fetch("1")
        rig.paginator.invalidate(.all)
        rig.hangSource()
        let caller = rig.fetch("1", policy: .staleWhileRevalidate)
        rig.advance(.seconds(60))
        #expect(caller.version == 1 && caller.refreshError == .timedOut)
        #expect(error(rig, "1") == .timedOut)
        #expect(rig.paginator.state(of: rig.identity("1"))?.page?.version == 1)
    }

    @Test func `a page that the source wants to be asked for later than anybody waits is an error of the page`() {
        let rig = FetchRig()
        rig.failSource(.retry(FetchRig.Outage(), after: .seconds(120)))
        #expect(rig.fetch("1").code == .sourceFailed)
        #expect(error(rig, "1") == .sourceFailed)
    }

    @Test func `a page on disk that the validator refuses is an error of the page until it loads`() {
        let rig = FetchRig(
            hasStore: true,
            validator: .closure { _, context in context.origin == .store ? .fail(reason: "withdrawn") : .accept })
        rig.store?.seed(rig.page("1", version: 70), for: rig.identity("1"), fetchedAt: rig.clock.wallTime)
        #expect(rig.fetch("1").code == .rejectedByValidation)
        #expect(error(rig, "1") == .rejectedByValidation && rig.source.calls.isEmpty)
        #expect(rig.refresh("1").version == 1)
        #expect(error(rig, "1") == nil && rig.cached("1") == 1)
    }

    @Test func `an error reads as its code, its message, the attempts that were made, and what is behind it`() {
        #expect("\(PaginatorError(.offline, "No connection."))" == "offline: No connection.")
        let error = PaginatorError(.sourceFailed, "The source failed.", underlying: FetchRig.Outage(), attempts: 3)
        #expect("\(error)" == "sourceFailed: The source failed. (attempts: 3) — Outage()")
    }

    @Test func `the ring is bounded`() {
        let rig = FetchRig()
        rig.failSource(.fatal(FetchRig.Outage()))
        for number in 0..<100 { rig.fetch("\(number)") }
        let remembered = (0..<100).filter { error(rig, "\($0)") != nil }
        #expect(remembered == Array(36..<100))
    }

    @Test func `a failing store never fails a fetch and is reported and counted`() {
        let rig = FetchRig(hasStore: true)
        let full = PaginatorError(.storeFailed, "the disk is full")
        rig.store?.failLoads(with: full)
        rig.store?.failChanges(with: full)
        #expect(rig.fetch("1").version == 1)
        #expect(rig.fetch("1").origin == .memory)
        #expect(rig.fetch("2", policy: .cacheOnly).code == .notInCache, "not the store's error")
        rig.paginator.clearAll()
        rig.run()
        #expect(
            rig.observer?.events(of: .storeFailed).map(\.error?.message) == Array(repeating: full.message, count: 4))
        #expect(rig.paginator.counters[.storeFailed] == 4)
    }

    @Test func `what the store reports of itself is counted too`() {
        let rig = FetchRig(hasStore: true)
        var event = PaginatorEvent(.storeFailed, at: rig.clock.now)
        event.error = PaginatorError(.storeFailed, "a damaged file was set aside")
        rig.store?.environment?.report(event)
        rig.run()
        #expect(rig.paginator.counters[.storeFailed] == 1)
    }

    @Test func `a store that is too slow loses pages and never serves old ones`() {
        let rig = FetchRig(hasStore: true)
        rig.store?.holdChanges()
        for number in 0..<StoreCalls.saveLimit { rig.fetch("k\(number)") }
        #expect(rig.paginator.counters[.storeFailed] == 0)
        #expect(rig.refresh("k0").version == StoreCalls.saveLimit + 1)
        #expect(rig.paginator.counters[.storeFailed] == 1)
        #expect(rig.store?.pages[rig.identity("k0")] == nil)
        rig.store?.acceptChanges()
        rig.refresh("k0")
        #expect(rig.store?.pages[rig.identity("k0")]?.page.version == StoreCalls.saveLimit + 2)
    }

    @Test func `a page that the store lost does not come back in an older version`() throws {
        let rig = FetchRig(hasStore: true) { $0.inMemoryEvictionStrategy = .lru(maxPages: 1) }
        let store = try #require(rig.store)
        rig.fetch("1")
        lose(in: store) { #expect(rig.refresh("1").version == 2) }
        rig.run()
        rig.fetch("2")
        #expect(rig.cached("1") == nil)
        #expect(rig.fetch("1").version == 4)
        #expect(rig.paginator.counters[.storeFailed] == 1)
    }

    @Test func `a page that the store lost an edit of is stale, and a removal is repeated`() throws {
        let rig = FetchRig(hasStore: true)
        let store = try #require(rig.store)
        rig.fetch("1")
        rig.fetch("2")
        let edits = rig.paginator.edits(id: { (item: SampleItem) in item.id })
        lose(in: store) {
            edits.update(1) { SampleItem(id: 1, text: $0.text + "+") }
            rig.run()
        }
        rig.run()
        #expect(store.pages[rig.identity("1")]?.isInvalidated == true)
        lose(in: store) {
            rig.paginator.clear(key: "2")
            rig.run()
        }
        rig.run()
        #expect(store.pages.keys.map(\.key) == ["1"])
        #expect(rig.paginator.counters[.storeFailed] == 2)
    }

    /// The store loses all changes that are made, and works again when it says so.
    private func lose(in store: ScriptedStore<SampleItem>, _ body: () -> Void) {
        store.holdChanges()
        store.failChanges(with: PaginatorError(.storeFailed, "busy"))
        body()
        store.failChanges(with: nil)
        store.acceptChanges()
    }

    @Test func `flush and shutdown tell what the store says`() {
        let rig = FetchRig(hasStore: true)
        let outcomes = Guarded<[Bool]>([])
        let note: @Sendable (Result<Void, PaginatorError>) -> Void = { result in
            if case .success = result {
                outcomes.withLock { $0.append(true) }
            } else {
                outcomes.withLock { $0.append(false) }
            }
        }
        rig.fetch("1")
        rig.paginator.flush(completion: note)
        #expect(outcomes.withLock { $0 } == [], "not inside the call")
        rig.run()
        rig.store?.failChanges(with: PaginatorError(.storeFailed, "gone"))
        rig.paginator.shutdown(completion: note)
        rig.run()
        #expect(outcomes.withLock { $0 } == [true, false])
        let memoryOnly = FetchRig()
        memoryOnly.paginator.flush(completion: note)
        memoryOnly.run()
        #expect(outcomes.withLock { $0 } == [true, false, true])
    }

    @Test func `pages are cleared after a shutdown too`() {
        let rig = FetchRig(hasStore: true)
        rig.fetch("1")
        rig.fetch("2")
        rig.paginator.shutdown()
        rig.run()
        #expect(rig.store?.pages.count == 2)
        rig.paginator.clear(key: "1")
        rig.run()
        #expect(rig.cached("1") == nil && rig.store?.pages.keys.map(\.key) == ["2"])
        rig.paginator.clearAll()
        rig.run()
        #expect(rig.store?.pages.isEmpty == true)
        #expect(rig.fetch("1").code == .released)
    }
}

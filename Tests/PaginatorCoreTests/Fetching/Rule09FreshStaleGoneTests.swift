import Testing

@testable import PaginatorCore
@testable import PaginatorTesting

@Suite("Rule 9: fresh, stale, gone")
struct Rule09FreshStaleGoneTests {
    /// A rig whose page 1 has version 1, fresh for 10 seconds.
    static func rig(
        stale: Bool = false, hasStore: Bool = false, _ configure: (inout PaginatorConfig) -> Void = { _ in }
    ) -> FetchRig {
        let rig = FetchRig(hasStore: hasStore, configure)
        rig.script.withLock { $0.lifetime = .seconds(10) }
        rig.fetch("1")
        if stale { rig.advance(.seconds(10)) }
        return rig
    }

    @Test func `an expiration time makes a page stale never absent`() {
        let rig = Self.rig()
        rig.advance(.seconds(9))
        #expect(rig.paginator.peek(key: "1", pageSize: 10)?.isStale == false)
        rig.advance(.seconds(1))
        let peeked = rig.paginator.peek(key: "1", pageSize: 10)
        #expect(peeked?.isStale == true)
        #expect(peeked?.age == .seconds(10))
        rig.advance(.days(1_000))
        #expect(rig.cached("1") == 1)
        #expect(rig.paginator.withPage(key: "1", pageSize: 10) { $0.version } == 1)
        #expect(rig.observer?.count(of: .evicted) == 0)
    }

    @Test func `a strategy removes a page`() {
        let rig = Self.rig { $0.inMemoryEvictionStrategy = .lru(maxPages: 1) }
        rig.fetch("2")
        #expect(rig.cached("1") == nil)
        #expect(rig.observer?.events(of: .evicted).map(\.evictionCause) == [.strategy])
    }

    @Test func `a clear removes a page`() {
        let rig = Self.rig()
        rig.paginator.clear(key: "1")
        #expect(rig.cached("1") == nil)
        rig.run()
        #expect(rig.observer?.events(of: .evicted).map(\.evictionCause) == [.cleared])
    }

    @Test func `the wall clock cannot make a page in memory stale`() {
        let rig = Self.rig()
        rig.clock.moveWallTime(by: .days(365))
        #expect(rig.fetch("1").origin == .memory)
        rig.clock.moveWallTime(by: .days(-730))
        rig.advance(.seconds(10))
        #expect(rig.fetch("1").origin == .source)
    }

    @Test func `cache first takes a fresh page else the source`() {
        let rig = Self.rig()
        #expect(rig.fetch("1", policy: .cacheFirst).version == 1)
        rig.advance(.seconds(10))
        let caller = rig.fetch("1", policy: .cacheFirst)
        #expect(caller.version == 2)
        #expect(caller.previews == [])
    }

    @Test func `cache first falls back on a stale page if the error strategy says so`() {
        let serving = Self.rig(stale: true)
        serving.failSource(.fatal(FetchRig.Outage()))
        let caller = serving.fetch("1")
        #expect(caller.version == 1)
        #expect(caller.isStale == true)
        #expect(caller.refreshError == .sourceFailed)
        #expect(caller.origin == .memory)
        let failing = Self.rig(stale: true) { $0.errorStrategy = .neverServeCached }
        failing.failSource(.fatal(FetchRig.Outage()))
        #expect(failing.fetch("1").code == .sourceFailed)
        #expect(failing.cached("1") == 1)
    }

    @Test func `cache only takes a cached page fresh or stale else fails`() {
        let rig = Self.rig(stale: true, hasStore: true)
        let caller = rig.fetch("1", policy: .cacheOnly)
        #expect(caller.version == 1)
        #expect(caller.isStale == true)
        #expect(rig.fetch("2", policy: .cacheOnly).code == .notInCache)
        rig.store?.seed(rig.page("3", version: 70), for: rig.identity("3"), fetchedAt: rig.clock.wallTime)
        #expect(rig.fetch("3", policy: .cacheOnly).origin == .store)
        #expect(rig.source.calls.count == 1)
    }

    @Test func `network only asks the source and uses no cached page`() {
        let rig = Self.rig(hasStore: true)
        let loads = rig.store?.calls.count { if case .load = $0 { true } else { false } }
        #expect(rig.fetch("1", policy: .networkOnly).version == 2)
        #expect(rig.cached("1") == 2, "its answer is cached")
        rig.failSource(.fatal(FetchRig.Outage()))
        #expect(rig.fetch("1", policy: .networkOnly).code == .sourceFailed)
        #expect(rig.cached("1") == 2)
        #expect(rig.store?.calls.count { if case .load = $0 { true } else { false } } == loads)
    }

    @Test(arguments: [true, false]) func `network first falls back after a failure`(stale: Bool) {
        let rig = Self.rig(stale: stale) { $0.errorStrategy = .neverServeCached }
        #expect(rig.fetch("1", policy: .networkFirst).version == 2)
        rig.failSource(.fatal(FetchRig.Outage()))
        let caller = rig.fetch("1", policy: .networkFirst)
        #expect(caller.version == 2)
        #expect(caller.isStale == true)
        #expect(caller.refreshError == .sourceFailed)
        #expect(rig.fetch("2", policy: .networkFirst).code == .sourceFailed)
    }

    @Test func `network first falls back on the store`() {
        let rig = FetchRig(hasStore: true)
        rig.store?.seed(rig.page("1", version: 70), for: rig.identity("1"), fetchedAt: rig.clock.wallTime)
        rig.store?.holdLoads()
        rig.failSource(.fatal(FetchRig.Outage()))
        let caller = rig.fetch("1", policy: .networkFirst)
        #expect(caller.ends == 0, "the source failed first; the fallback is still being read")
        rig.store?.answerLoads()
        rig.run()
        #expect(caller.version == 70)
        #expect(caller.refreshError == .sourceFailed)
    }

    @Test(arguments: [true, false]) func `network first falls back after a given time`(stale: Bool) {
        let rig = Self.rig(stale: stale)
        rig.hangSource()
        let caller = rig.fetch("1", policy: .networkFirst(fallbackAfter: .seconds(3)))
        rig.advance(.seconds(2))
        #expect(caller.ends == 0)
        rig.advance(.seconds(1))
        #expect(caller.version == 1)
        #expect(caller.isStale == stale)
        #expect(caller.refreshError == nil)
        #expect(rig.source.pendingCalls.count == 1, "the load goes on for the cache")
        rig.answer("1")
        #expect(rig.cached("1") == 2)
        #expect(caller.endedOnce)
    }

    @Test func `network first takes the source that is faster than the given time`() {
        let rig = Self.rig()
        rig.hangSource()
        let caller = rig.fetch("1", policy: .networkFirst(fallbackAfter: .seconds(3)))
        rig.advance(.seconds(2))
        rig.answer("1")
        #expect(caller.version == 2)
        #expect(rig.state == FetchRig.quiet, "no timer is left")
        rig.advance(.seconds(5))
        #expect(caller.endedOnce)
    }

    @Test func `network first says that its fallback is stale where that was invalidated meanwhile`() {
        let rig = Self.rig()
        rig.hangSource()
        let caller = rig.fetch("1", policy: .networkFirst(fallbackAfter: .seconds(3)))
        rig.paginator.invalidate(.key("1"))
        rig.advance(.seconds(3))
        #expect(caller.version == 1)
        #expect(caller.isStale == true)
    }

    @Test func `network first waits for the source where nothing is cached`() {
        let rig = FetchRig()
        rig.hangSource()
        let caller = rig.fetch("1", policy: .networkFirst(fallbackAfter: .seconds(3)))
        rig.advance(.seconds(20))
        #expect(caller.ends == 0)
        rig.answer("1")
        #expect(caller.version == 1)
    }

    @Test func `network first falls back as soon as the store is read when its time is over`() {
        let rig = FetchRig(hasStore: true)
        rig.store?.seed(rig.page("1", version: 70), for: rig.identity("1"), fetchedAt: rig.clock.wallTime)
        rig.store?.holdLoads()
        rig.hangSource()
        let caller = rig.fetch("1", policy: .networkFirst(fallbackAfter: .seconds(3)))
        rig.advance(.seconds(4))
        #expect(caller.ends == 0)
        rig.store?.answerLoads()
        rig.run()
        #expect(caller.version == 70)
    }

    @Test(arguments: [true, false])
    func `network first tells that its source has failed, though its time is over when the store is read`(
        isOffline: Bool
    ) {
        let rig = FetchRig(hasStore: true)
        rig.store?.seed(rig.page("1", version: 70), for: rig.identity("1"), fetchedAt: rig.clock.wallTime)
        rig.store?.holdLoads()
        if isOffline { rig.connectivity.set(.offline) } else { rig.failSource(.fatal(FetchRig.Outage())) }
        let callers = (0..<2).map { _ in rig.fetch("1", policy: .networkFirst(fallbackAfter: .seconds(3))) }
        rig.advance(.seconds(4))
        #expect(callers.map(\.ends) == [0, 0])
        rig.store?.answerLoads()
        rig.run()
        #expect(callers.map(\.version) == [70, 70] && callers.allSatisfy(\.endedOnce))
        let code: PaginatorError.Code = isOffline ? .offline : .sourceFailed
        #expect(callers.map(\.refreshError) == [code, code] && callers.map(\.isStale) == [true, true])
        #expect(rig.paginator.engine.invariantViolations() == [])
    }

    @Test func `stale while revalidate answers with a fresh page`() {
        let rig = Self.rig()
        let caller = rig.fetch("1", policy: .staleWhileRevalidate)
        #expect(caller.version == 1)
        #expect(caller.previews == [])
        #expect(rig.source.calls.count == 1)
    }

    @Test func `stale while revalidate shows a stale page and then the new one`() {
        let rig = Self.rig(stale: true)
        rig.hangSource()
        let caller = rig.fetch("1", policy: .staleWhileRevalidate)
        #expect(caller.previews == [1])
        #expect(caller.listener.previews.first?.isStale == true)
        #expect(caller.ends == 0)
        rig.answer("1")
        #expect(caller.version == 2)
        #expect(caller.isStale == false)
        #expect(rig.journal.texts == ["page 1", "preview 1", "page 1"])
    }

    @Test func `stale while revalidate ends with the stale page and the error when the source fails`() {
        let rig = Self.rig(stale: true) { $0.errorStrategy = .neverServeCached }
        rig.failSource(.fatal(FetchRig.Outage()))
        let caller = rig.fetch("1", policy: .staleWhileRevalidate)
        #expect(caller.previews == [1])
        #expect(caller.version == 1)
        #expect(caller.isStale == true)
        #expect(caller.refreshError == .sourceFailed)
        #expect(rig.fetch("2", policy: .staleWhileRevalidate).code == .sourceFailed)
    }

    @Test func `stale while revalidate shows a stale page of the store once`() {
        let rig = FetchRig(hasStore: true)
        rig.store?.seed(
            rig.page("1", version: 70, lifetime: .seconds(-1)), for: rig.identity("1"),
            fetchedAt: rig.clock.wallTime)
        rig.hangSource()
        let first = rig.fetch("1", policy: .staleWhileRevalidate)
        let second = rig.fetch("1", policy: .staleWhileRevalidate)
        #expect([first, second].map(\.previews) == [[70], [70]])
        rig.answer("1")
        #expect([first, second].map(\.version) == [1, 1])
        #expect([first, second].map(\.previews.count) == [1, 1])
    }

    @Test func `the configuration sets the default policy`() {
        let rig = Self.rig { $0.defaultPolicy = .networkOnly }
        #expect(rig.fetch("1").version == 2)
        #expect(rig.fetch("1", policy: .cacheFirst).version == 2)
        #expect(rig.fetchAround("1", depth: 0).listener.deliveries.first?.fetched.page.version == 3)
    }

    @Test func `a form with one answer shows no previews whatever the default`() {
        let rig = Self.rig(stale: true) { $0.defaultPolicy = .staleWhileRevalidate }
        let answers = Guarded<[Int?]>([])
        rig.paginator.fetch(key: "1", pageSize: 10) { result in
            answers.withLock { $0.append(try? result.get().page.version) }
        }
        rig.run()
        #expect(answers.withLock { $0 } == [2])
    }

    @Test(arguments: [false, true])
    func `cache then renew answers at once with what has expired, and loads it for who asks next`(_ isOnDisk: Bool) {
        let rig = Self.rig(stale: true, hasStore: true)
        if isOnDisk { rig.paginator.trim(toFraction: 0) }
        rig.hangSource()
        let caller = rig.fetch("1", policy: .cacheThenRenew)
        #expect(caller.version == 1 && caller.isStale == true && caller.refreshError == nil && caller.endedOnce)
        #expect(caller.origin == (isOnDisk ? .store : .memory))
        #expect(rig.fetch("1", policy: .cacheThenRenew).version == 1, "nobody waits for the renewal")
        #expect(rig.source.calls.count == 2, "one load renews it")
        rig.answer("1")
        #expect(rig.fetch("1", policy: .cacheThenRenew).version == 2)
        #expect(rig.source.calls.count == 2 && rig.state == FetchRig.quiet)
    }

    @Test func `cache then renew waits for what was invalidated or is not there`() {
        let rig = Self.rig()
        rig.paginator.invalidate(.key("1"))
        rig.hangSource()
        let callers = ["1", "2"].map { rig.fetch($0, policy: .cacheThenRenew) }
        #expect(callers.map(\.ends) == [0, 0])
        rig.answer("2")
        rig.fail("1")
        #expect(callers[1].version == 2 && callers[1].isStale == false)
        #expect(callers[0].version == 1 && callers[0].refreshError == .sourceFailed)
    }
}

@Suite("Rule 9: the error strategy")
struct Rule09ErrorStrategyTests {
    @Test func `it is told the error the attempt and the cached page`() {
        let failures = Guarded<[ErrorStrategy.Failure]>([])
        let rig = Rule09FreshStaleGoneTests.rig(stale: true) { config in
            config.scheduling.backoffBase = .zero
            config.errorStrategy = ErrorStrategy { failure in
                failures.withLock { $0.append(failure) }
                return failure.attempt < 2 ? .retry : .serveCached
            }
        }
        rig.failSource(.fatal(FetchRig.Outage()))
        let caller = rig.fetch("1")
        let told = failures.withLock { $0 }
        #expect(told.map(\.attempt) == [1, 2])
        #expect(told.map(\.maxAttempts) == [3, 3])
        #expect(told.map(\.isRetryable) == [false, false])
        #expect(told.map(\.error.code) == [.sourceFailed, .sourceFailed])
        #expect(told.first?.identity == rig.identity("1"))
        #expect(told.first?.cachedAge == .seconds(10))
        #expect(caller.version == 1)
        #expect(caller.listener.fetched?.refreshError?.attempts == 2)
    }

    @Test func `a retry beyond the allowed attempts serves the cached page`() {
        let rig = Rule09FreshStaleGoneTests.rig(stale: true) { config in
            config.scheduling.backoffBase = .zero
            config.maxAttempts = 2
            config.errorStrategy = ErrorStrategy { _ in .retry }
        }
        rig.failSource(.retry(FetchRig.Outage()))
        #expect(rig.fetch("1").version == 1)
        #expect(rig.source.calls.count == 3)
        #expect(rig.fetch("2").code == .sourceFailed)
    }

    @Test func `it decides about a time out too`() {
        for (strategy, version) in [(ErrorStrategy.standard, 1), (.neverServeCached, nil)] as [(ErrorStrategy, Int?)] {
            let rig = Rule09FreshStaleGoneTests.rig(stale: true) { $0.errorStrategy = strategy }
            rig.hangSource()
            let caller = rig.fetch("1", timeout: .seconds(5))
            rig.advance(.seconds(5))
            #expect(caller.endedOnce)
            #expect(caller.version == version)
            #expect((caller.refreshError ?? caller.code) == .timedOut)
        }
    }

    @Test func `the standard one retries what may pass`() {
        let rig = FetchRig { $0.scheduling.backoffBase = .zero }
        rig.source.script(
            [.fail(.retry(FetchRig.Outage())).insideFetch, .fail(.retry(FetchRig.Outage())).insideFetch],
            forKey: "1")
        #expect(rig.fetch("1").version == 1)
        #expect(rig.source.calls.map(\.request.attempt) == [1, 2, 3])
    }

    @Test func `a stated delay is kept`() {
        let rig = FetchRig { $0.scheduling.backoffBase = .zero }
        rig.source.script([.fail(.retry(FetchRig.Outage(), after: .seconds(7))).insideFetch], forKey: "1")
        let caller = rig.fetch("1")
        rig.advance(.seconds(6))
        #expect(caller.ends == 0)
        rig.advance(.seconds(1))
        #expect(caller.version == 1)
    }
}

// Long because one rig, and what it is asked, serves all that can become of a prefetch.
import Testing

@testable import PaginatorCore
@testable import PaginatorTesting

/// Prefetches that tell what came, wait for conditions, keep to limits and walk.
@Suite struct PrefetchRequestTests {
    /// A prefetch, and what its caller was told.
    struct Prefetch {
        let execution: PaginatorExecution
        let told: Guarded<[PrefetchSummary]>

        var ends: Int { told.withLock(\.count) }
        var summary: PrefetchSummary? { told.withLock { $0.count == 1 ? $0[0] : nil } }
        var loaded: [String]? { summary?.loaded.map(\.key) }
        var fresh: [String]? { summary?.fresh.map(\.key) }
        var failed: [String: PaginatorError.Code]? {
            summary.map { Dictionary(uniqueKeysWithValues: $0.failed.map { ($0.key.key, $0.value.code) }) }
        }
        var unfinished: [String]? { summary?.unfinished.map(\.key) }
    }

    private func start(
        _ request: PrefetchRequest, in rig: FetchRig, _ conditions: PaginatorConditions = [], bytes: Int? = nil,
        timeout: Duration? = nil
    ) -> Prefetch {
        var request = request
        (request.allows, request.requires) = (conditions, conditions)
        request.maxBytes = bytes
        request.timeout = timeout
        let told = Guarded<[PrefetchSummary]>([])
        let execution = rig.paginator.prefetch(request) { summary in told.withLock { $0.append(summary) } }
        let prefetch = Prefetch(execution: execution, told: told)
        #expect(prefetch.ends == 0, "nobody is called inside a call")
        rig.run()
        return prefetch
    }

    private func keys(_ keys: String...) -> PrefetchRequest { PrefetchRequest(keys: keys, pageSize: 10) }

    private func walk(
        from key: String, _ pages: Int, _ direction: PageFetchDirection = .forward
    ) -> PrefetchRequest {
        PrefetchRequest(from: key, pages: pages, pageSize: 10, direction: direction)
    }

    // MARK: What it tells

    @Test func `a prefetch tells once what came, what was fresh and what failed`() {
        let rig = FetchRig()
        rig.fetch("2")
        rig.hangSource()
        let prefetch = start(keys("1", "2", "3", "1"), in: rig)
        rig.answer("1")
        #expect(prefetch.ends == 0, "a page is still missing")
        rig.fail("3")
        #expect(prefetch.loaded == ["1"])
        #expect(prefetch.fresh == ["2"])
        #expect(prefetch.failed == ["3": .sourceFailed])
        #expect(prefetch.unfinished == [])
        #expect(rig.cached("1") != nil)
        #expect(!prefetch.execution.cancel() && prefetch.ends == 1)
        #expect(rig.state.count == 2, "the one error is remembered: \(rig.state)")
    }

    @Test func `pages that no request may be for have failed, and no page at all is an end`() {
        let rig = FetchRig()
        let bad = start(keys("", "7", "a\u{0}"), in: rig)
        #expect(bad.loaded == ["7"])
        #expect(bad.failed == ["": .invalidKey, "a\u{0}": .invalidKey])
        #expect(start(keys(), in: rig).summary == PrefetchSummary())
        #expect(start(walk(from: "1", 0), in: rig).summary == PrefetchSummary())
        #expect(start(PrefetchRequest(keys: ["1"], pageSize: 0), in: rig).failed == ["1": .invalidPageSize])
        #expect(rig.source.keys == ["7"])
    }

    @Test func `a stale page that takes the place of one that failed has failed`() {
        let rig = FetchRig { $0.errorStrategy = .standard }
        rig.fetch("1")
        rig.paginator.invalidate(.all)
        rig.failSource(.fatal(FetchRig.Outage()))
        let prefetch = start(walk(from: "1", 3), in: rig)
        #expect(prefetch.failed == ["1": .sourceFailed])
        #expect(prefetch.loaded == [] && prefetch.fresh == [])
    }

    // MARK: Every wait ends

    @Test func `a cancel stops what runs, keeps what came and tells the rest`() {
        let rig = FetchRig()
        rig.hangSource()
        let prefetch = start(keys("1", "2", "3", "4", "5"), in: rig)
        rig.answer("1")
        #expect(prefetch.execution.cancel())
        #expect(prefetch.ends == 0)
        rig.run()
        #expect(prefetch.loaded == ["1"])
        #expect(prefetch.unfinished == ["2", "3", "4", "5"])
        #expect(rig.source.pendingCalls.isEmpty, "nobody else wants the pages")
        #expect(rig.cached("1") != nil)
        #expect(!prefetch.execution.cancel())
        rig.run()
        #expect(prefetch.ends == 1)
        #expect(rig.state == FetchRig.quiet)
    }

    @Test func `what somebody else waits for goes on after a cancel`() {
        let rig = FetchRig()
        rig.hangSource()
        let prefetch = start(keys("1"), in: rig)
        let fetch = rig.fetch("1")
        prefetch.execution.cancel()
        rig.answer("1")
        #expect(prefetch.unfinished == ["1"])
        #expect(fetch.version == 1)
    }

    @Test func `a cancel after the last page is told nothing of changes nothing`() {
        let rig = FetchRig()
        let told = Guarded<[PrefetchSummary]>([])
        let execution = rig.paginator.prefetch(keys("1")) { summary in told.withLock { $0.append(summary) } }
        rig.work.runAll()
        execution.cancel()
        rig.run()
        #expect(told.withLock { $0.map(\.loaded) } == [[rig.identity("1")]])
    }

    @Test func `a paginator that ends tells every prefetch`() {
        for conditions in [PaginatorConditions.background, []] {
            let rig = FetchRig()
            rig.connectivity.set(conditions)
            rig.hangSource()
            let prefetch = start(keys("1", "2"), in: rig)
            rig.release()
            rig.run()
            #expect(prefetch.unfinished == ["1", "2"])
        }
        let rig = FetchRig()
        rig.paginator.shutdown()
        #expect(start(keys("1", "2"), in: rig).unfinished == ["1", "2"])
        #expect(start(walk(from: "1", 2), in: rig, timeout: .seconds(1)).unfinished == ["1"])
    }

    @Test func `when its time is over it ends, whether it waits or loads`() {
        for conditions in [PaginatorConditions.lowPower, []] {
            let rig = FetchRig()
            rig.fetch("9")
            rig.connectivity.set(conditions)
            rig.hangSource()
            let prefetch = start(keys("9", "1", "2"), in: rig, timeout: .seconds(30))
            rig.advance(.seconds(29))
            #expect(prefetch.ends == 0)
            rig.advance(.seconds(1))
            #expect(prefetch.fresh == ["9"])
            #expect(prefetch.unfinished == ["1", "2"])
            #expect(rig.state == FetchRig.quiet)
            rig.connectivity.set([])
            rig.run()
            #expect(rig.source.pendingCalls.isEmpty)
        }
        let rig = FetchRig()
        #expect(start(keys("1"), in: rig, timeout: .seconds(30)).loaded == ["1"])
        #expect(rig.state == FetchRig.quiet, "no timer is left")
        rig.advance(.seconds(30))
        #expect(start(keys("2"), in: rig, timeout: .zero).unfinished == ["2"])
        #expect(rig.source.keys == ["1"], "it ends at once")
    }

    @Test func `pages that are cleared are told as unfinished`() {
        let rig = FetchRig()
        rig.hangSource()
        let prefetch = start(keys("1", "2"), in: rig)
        rig.paginator.clear(key: "1")
        rig.run()
        #expect(prefetch.ends == 0)
        rig.answer("2")
        #expect(prefetch.loaded == ["2"])
        #expect(prefetch.unfinished == ["1"])
    }

    @Test func `an invalidated page is loaded anew and told once`() {
        let rig = FetchRig()
        rig.hangSource()
        let prefetch = start(keys("1"), in: rig)
        rig.paginator.invalidate(.all)
        rig.answer("1")
        #expect(prefetch.loaded == ["1"])
        #expect(rig.source.keys == ["1", "1"])
    }

    // MARK: Conditions

    @Test func `in the background only a prefetch loads that may`() {
        let rig = FetchRig()
        rig.connectivity.set(.background)
        let other = start(keys("1"), in: rig)
        let prefetch = start(walk(from: "50", 3), in: rig, .background)
        #expect(prefetch.loaded == ["50", "51", "52"])
        #expect(other.ends == 0, "it waits, and has not failed")
        rig.advance(.days(1))
        rig.connectivity.set([])
        rig.run()
        #expect(other.loaded == ["1"])
    }

    @Test func `a prefetch for a charging device waits for power`() {
        let rig = FetchRig()
        let prefetch = start(keys("1"), in: rig, .charging)
        #expect(prefetch.ends == 0)
        rig.connectivity.set([.charging, .background])
        rig.run()
        #expect(prefetch.ends == 0)
        rig.connectivity.set(.charging)
        rig.run()
        #expect(prefetch.loaded == ["1"])
        let alone = FetchRig { $0.connectivity = nil }
        #expect(start(keys("1"), in: alone, .charging).loaded == ["1"])
    }

    @Test func `what is allowed is not required, and what is required is not allowed`() {
        let rig = FetchRig()
        rig.connectivity.set([])
        var request = keys("1")
        request.allows = [.charging, .idle, .background]
        let told = Guarded<[PrefetchSummary]>([])
        rig.paginator.prefetch(request) { summary in told.withLock { $0.append(summary) } }
        rig.run()
        #expect(told.withLock { $0.map(\.loaded) } == [[rig.identity("1")]])
        rig.connectivity.set([.background, .charging])
        request = keys("2")
        request.requires = [.background, .charging]
        rig.paginator.prefetch(request) { summary in told.withLock { $0.append(summary) } }
        rig.run()
        #expect(told.withLock(\.count) == 1)
        rig.connectivity.set(.charging)
        rig.run()
        #expect(told.withLock(\.count) == 2)
    }

    @Test func `a prefetch for idle times waits until nobody waits`() {
        let rig = FetchRig()
        rig.hangSource()
        let first = rig.fetch("90")
        let prefetch = start(walk(from: "1", 2), in: rig, .idle)
        #expect(rig.source.keys == ["90"])
        rig.answer("90")
        #expect(first.version != nil)
        #expect(rig.source.keys == ["90", "1"])
        let second = rig.fetch("91")
        rig.answer("1")
        #expect(rig.source.keys == ["90", "1", "91"])
        rig.fail("91")
        rig.answer("2")
        #expect(second.code == .sourceFailed)
        #expect(prefetch.loaded == ["1", "2"])
    }

    @Test func `somebody who waits for a page that is being loaded ahead is somebody who waits`() {
        let rig = FetchRig()
        rig.hangSource()
        let ahead = start(keys("1"), in: rig)
        let fetch = rig.start("1")
        let idle = start(keys("2"), in: rig, .idle)
        #expect(rig.source.keys == ["1"])
        fetch.execution.cancel()
        rig.run()
        #expect(rig.source.keys == ["1", "2"])
        rig.answer("1")
        rig.answer("2")
        #expect(ahead.loaded == ["1"] && idle.loaded == ["2"])
    }

    @Test func `a page that two want ahead is loaded when one of them may`() {
        let rig = FetchRig()
        rig.connectivity.set([.background, .weakLink])
        let (one, other) = (start(keys("1"), in: rig, .background), start(keys("1"), in: rig, .weakLink))
        #expect(rig.source.calls.isEmpty)
        rig.connectivity.set(.background)
        rig.run()
        #expect(one.loaded == ["1"] && other.loaded == ["1"])
        rig.connectivity.set([])
        let (early, late) = (start(keys("2"), in: rig, .charging), start(keys("2"), in: rig))
        #expect(early.loaded == ["2"] && late.loaded == ["2"])
    }

    @Test func `when the one leaves whose conditions hold, the others wait again`() {
        let rig = FetchRig { $0.maxParallelCalls = 1 }
        rig.hangSource()
        rig.fetch("90")
        let (early, late) = (start(keys("1"), in: rig, .charging), start(keys("1"), in: rig))
        late.execution.cancel()
        rig.answer("90")
        #expect(late.unfinished == ["1"] && early.ends == 0)
        #expect(rig.source.keys == ["90"])
        rig.connectivity.set(.charging)
        rig.answer("1")
        #expect(early.loaded == ["1"])
    }

    // MARK: Limits

    @Test func `no more is loaded than its bytes allow`() {
        let bytes = FetchRig().page("1", version: 1).byteCount
        let rig = FetchRig { $0.maxParallelCalls = 2 }
        rig.fetch("8")
        let prefetch = start(keys("8", "1", "2", "3", "4"), in: rig, bytes: 2 * bytes)
        #expect(prefetch.loaded == ["1", "2"])
        #expect(prefetch.fresh == ["8"], "it costs nothing")
        #expect(prefetch.unfinished == ["3", "4"])
        let walked = start(walk(from: "50", 9), in: rig, bytes: bytes + 1)
        #expect(walked.loaded == ["50", "51"])
        #expect(walked.unfinished == ["52"], "where to go on from")
        #expect(start(keys("70"), in: rig, bytes: 0).unfinished == ["70"])
    }

    @Test func `what is under way when the bytes are spent still comes`() {
        let rig = FetchRig { $0.maxParallelCalls = 4 }
        rig.hangSource()
        let prefetch = start(keys("1", "2", "3", "4", "5"), in: rig, bytes: 1)
        #expect(rig.source.keys == ["1", "2", "3"])
        rig.answer("2")
        #expect(prefetch.ends == 0)
        rig.answer("1")
        rig.fail("3")
        #expect(prefetch.loaded == ["2", "1"])
        #expect(prefetch.failed == ["3": .sourceFailed])
        #expect(prefetch.unfinished == ["4", "5"])
        #expect(rig.source.keys == ["1", "2", "3"])
    }

    // MARK: Renewing

    private func rigOfPagesToRenew(
        _ keys: String..., configure: (inout PaginatorConfig) -> Void = { _ in }
    ) throws -> FetchRig {
        let rig = FetchRig(
            validator: .closure { _, context in context.origin == .source ? .accept : .useButRefresh }, configure)
        for key in keys { try rig.paginator.prime(rig.page(key, version: 1), pageSize: 10) }
        rig.hangSource()
        return rig
    }

    @Test func `cached pages that are to be renewed are loaded under the conditions and within the limits`() throws {
        let rig = try rigOfPagesToRenew("1", "2", "3") { $0.maxParallelCalls = 2 }
        let prefetch = start(walk(from: "1", 3), in: rig, .charging, bytes: 1)
        #expect(rig.source.calls.isEmpty && prefetch.ends == 0)
        rig.connectivity.set(.charging)
        rig.run()
        #expect(prefetch.ends == 0, "a page is still missing")
        rig.answer("1")
        #expect(prefetch.loaded == ["1"])
        #expect(prefetch.unfinished == ["2"])
        #expect(rig.source.keys == ["1"])
    }

    @Test func `a cached page whose renewal is under way is loaded and not said to be fresh`() {
        let rig = FetchRig(
            hasStore: true,
            validator: .closure { _, context in context.origin == .source ? .accept : .useButRefresh })
        rig.store?.seed(rig.page("1", version: 70), for: rig.identity("1"), fetchedAt: rig.clock.wallTime)
        rig.hangSource()
        #expect(rig.fetch("1").version == 70)
        let prefetch = start(keys("1"), in: rig)
        #expect(prefetch.ends == 0)
        rig.answer("1")
        #expect(prefetch.loaded == ["1"] && prefetch.fresh == [])
        #expect(rig.source.calls.count == 1 && rig.cached("1") == 1)
    }

    @Test func `a cancel stops the renewal of a cached page`() throws {
        let rig = try rigOfPagesToRenew("1")
        let prefetch = start(keys("1"), in: rig)
        prefetch.execution.cancel()
        rig.run()
        #expect(prefetch.unfinished == ["1"])
        #expect(rig.source.pendingCalls.isEmpty)
        #expect(rig.state == FetchRig.quiet)
    }

    @Test func `what is looked at ahead is answered, and renewed where conditions do not speak against it`() throws {
        let rig = try rigOfPagesToRenew("4", "5", "6")
        rig.connectivity.set(.weakLink)
        #expect(rig.fetchAround("5", depth: 1).distances == [0, 1, -1])
        #expect(rig.source.keys == ["5"], "somebody looks at it")
        var request = PageRequest(key: "4", pageSize: 10)
        request.isAhead = true
        let ahead = RecordingListener<SampleItem>()
        rig.paginator.fetch(request, listener: ahead)
        rig.run()
        #expect(ahead.page?.version == 1)
        #expect(rig.source.keys == ["5"])
        #expect(rig.fetch("6").version == 1)
        #expect(rig.source.keys == ["5", "6"])
    }

    @Test func `a renewal that somebody wants does not wait for what one ahead waits for`() throws {
        let rig = try rigOfPagesToRenew("4", "5", "6") { $0.maxParallelCalls = 2 }
        rig.fetch("80")
        rig.fetchAround("5", depth: 1, direction: .forward)
        rig.fetch("6")
        rig.connectivity.set(.weakLink)
        rig.answer("80")
        rig.answer("5")
        #expect(rig.source.keys.contains("6"))
    }

    // MARK: Walks

    @Test func `a walk loads the pages that follow one another`() {
        let rig = FetchRig()
        #expect(start(walk(from: "5", 20), in: rig).loaded == (5..<25).map(String.init))
        #expect(start(walk(from: "90", 1), in: rig).summary == PrefetchSummary(loaded: [rig.identity("90")]))
        let back = start(walk(from: "7", 4, .backward), in: rig)
        #expect(back.fresh == ["7", "6", "5"] && back.loaded == ["4"])
        let both = start(walk(from: "50", 5, .all), in: rig)
        #expect(both.loaded == ["50", "51", "49", "52", "48"])
        #expect(both.unfinished == [], "it is where it was to go")
    }

    @Test func `a walk ends at the end, where a page fails and where one comes again`() throws {
        let rig = FetchRig()
        #expect(start(walk(from: "98", 9), in: rig).summary?.loaded.count == 2)
        #expect(start(walk(from: "1", 9, .backward), in: rig).loaded == ["1", "0"])
        try rig.paginator.prime(rig.page("12", version: 1, nextKey: "10"), pageSize: 10)
        let round = start(walk(from: "10", 9), in: rig)
        #expect(round.loaded == ["10", "11"] && round.fresh == ["12"])
        #expect(round.failed == ["12": .repeatedKey])
        try rig.paginator.prime(rig.page("21", version: 1, nextKey: "a\u{0}"), pageSize: 10)
        #expect(start(walk(from: "20", 9), in: rig).failed == ["21": .invalidKey])
        rig.hangSource()
        let failing = start(walk(from: "30", 9), in: rig)
        rig.answer("30")
        rig.fail("31")
        #expect(failing.loaded == ["30"] && failing.failed == ["31": .sourceFailed])
    }

    @Test func `a walk over pages in memory and on disk asks no source`() {
        let rig = FetchRig(hasStore: true) { $0.inMemoryEvictionStrategy = .lru(maxPages: 3) }
        _ = start(walk(from: "1", 10), in: rig)
        let calls = rig.source.calls.count
        let prefetch = start(walk(from: "1", 10), in: rig)
        #expect(prefetch.fresh == (1...10).map(String.init))
        #expect(prefetch.loaded == [] && rig.source.calls.count == calls)
        #expect(start(walk(from: "8", 5), in: rig).loaded == ["11", "12"])
    }

    @Test func `a walk that is cancelled tells where it would have gone on`() {
        let rig = FetchRig()
        rig.hangSource()
        let prefetch = start(walk(from: "1", 9), in: rig)
        rig.answer("1")
        rig.answer("2")
        prefetch.execution.cancel()
        rig.run()
        #expect(prefetch.loaded == ["1", "2"] && prefetch.unfinished == ["3"])
    }

    @Test func `what came can be made durable in the completion`() {
        let rig = FetchRig(hasStore: true)
        let isDurable = Guarded(false)
        let paginator = rig.paginator
        paginator.prefetch(walk(from: "1", 3)) { _ in
            paginator.flush { result in isDurable.withLock { $0 = (try? result.get()) != nil } }
        }
        rig.run()
        #expect(isDurable.withLock { $0 == true })
        #expect(rig.store?.pages.count == 3)
    }

    @Test func `a walk over thousands of pages in memory needs no deep stack and no time of its caller`() throws {
        let judged = Guarded(0)
        let rig = FetchRig(
            isObserved: false,
            validator: .closure { _, _ in
                judged.withLock { $0 += 1 }
                return .accept
            }
        ) { $0.inMemoryEvictionStrategy = .lru(maxPages: 30_000) }
        for number in 0..<20_000 {
            try rig.paginator.prime(rig.page("\(number)", version: 1, nextKey: "\(number + 1)"), pageSize: 10)
        }
        judged.withLock { $0 = 0 }
        let told = Guarded<PrefetchSummary?>(nil)
        rig.paginator.prefetch(walk(from: "0", 20_000)) { summary in told.withLock { $0 = summary } }
        #expect(judged.withLock { $0 } == 0, "the user's code has not run inside the call")
        rig.run()
        #expect(told.withLock { $0?.fresh.count } == 20_000)
    }

    // MARK: - Extremes

    @Test func `pages that count any number of bytes are added up`() {
        let rig = FetchRig()
        for key in ["1", "2", "3"] {
            let page = PaginatorPage(content: [SampleItem(id: 1, text: key)], key: key, byteCount: .max)
            rig.source.script([.page(page).insideFetch], forKey: key)
        }
        #expect(start(keys("1", "2"), in: rig).loaded == ["1", "2"])
        #expect(start(keys("3", "4"), in: rig, bytes: .max).loaded?.contains("3") == true)
    }

    @Test func `limits below zero are as zero`() {
        let rig = FetchRig()
        #expect(start(walk(from: "1", -1), in: rig).summary == PrefetchSummary())
        #expect(start(keys("1"), in: rig, bytes: -1).unfinished == ["1"])
        for conditions in [[], PaginatorConditions.background] {
            rig.connectivity.set(conditions)
            #expect(start(keys("1"), in: rig, timeout: .seconds(-1)).unfinished == ["1"])
        }
        #expect(rig.source.calls.isEmpty)
    }

    // MARK: - Counting

    @Test func `a callback of a prefetch is counted once, and none where there is none`() {
        let rig = FetchRig()
        rig.hangSource()
        let prefetch = start(keys("1"), in: rig)
        prefetch.execution.cancel()
        rig.run()
        #expect(rig.paginator.counters[.callbackDelivered] == 1)
        rig.paginator.prefetch(keys: ["2"], pageSize: 10).cancel()
        rig.paginator.prefetch(keys: ["3"], pageSize: 10)
        rig.answer("3")
        #expect(rig.cached("3") != nil)
        #expect(rig.paginator.counters[.callbackDelivered] == 1)
    }

    @Test func `where nobody is told, nobody's queue is used`() {
        let rig = FetchRig()
        let prefetch = rig.paginator.prefetch(keys: ["1"], pageSize: 10)
        rig.work.runAll()
        #expect(rig.cached("1") != nil)
        #expect(rig.callbacks.count == 0)
        #expect(!prefetch.cancel())
        #expect(rig.callbacks.count == 0)
    }

    @Test func `a look into memory that nobody waits for any more is counted as a miss`() throws {
        let clears = Guarded<(@Sendable () -> Void)?>(nil)
        let rig = FetchRig(
            validator: .closure { _, _ in
                clears.withLock { $0.take() }?()
                return .accept
            })
        try rig.paginator.prime(rig.page("1", version: 1), pageSize: 10)
        let paginator = rig.paginator
        clears.withLock { $0 = { paginator.clear(key: "1") } }
        #expect(start(keys("1"), in: rig).unfinished == ["1"])
        #expect(paginator.counters[.memoryMiss] == 1)
        #expect(paginator.counters[.memoryHit] == 0)
    }

    @Test func `a long walk over pages that are being renewed needs no deep stack`() {
        let rig = FetchRig(isObserved: false) { $0.inMemoryEvictionStrategy = .lru(maxPages: 100_000) }
        rig.hangSource()
        let count = 8_000
        for number in 0..<count {
            let page = PaginatorPage(
                content: [SampleItem(id: number, text: "")], key: String(number),
                nextKey: number + 1 < count ? String(number + 1) : nil)
            try? rig.paginator.prime(page, pageSize: 10)
            rig.start(String(number), policy: .networkFirst)
        }
        rig.run()
        let walked = start(walk(from: "0", count), in: rig)
        #expect(walked.fresh == (0..<count).map(String.init))
    }
}

import PaginatorTesting
import Testing

@testable import PaginatorCore

/// What observers and counters say is what happened: a hit of a cache is no load, whatever begins ends, and the numbers
/// add up to what callers did and saw.
@Suite struct TruthfulEventsTests {
    private func seed(_ rig: FetchRig, _ keys: some Sequence<Int>) {
        for key in keys {
            rig.store?.seed(
                rig.page("\(key)", version: 1_000 + key), for: rig.identity("\(key)"), fetchedAt: rig.clock.wallTime)
        }
    }

    @Test(arguments: [true, false])
    func `100 prefetches of a page in memory are 100 hits and no load`(isObserved: Bool) {
        let rig = FetchRig(isObserved: isObserved)
        rig.fetch("1")
        let before = rig.paginator.counters
        for _ in 0..<100 {
            rig.paginator.prefetch(keys: ["1"], pageSize: 10)
            rig.run()
        }
        let counters = rig.paginator.counters
        #expect(counters[.memoryHit] - before[.memoryHit] == 100)
        #expect(counters[.memoryMiss] == before[.memoryMiss])
        #expect(counters[.loadStarted] == 1 && counters[.loadEnded] == 1, "the one that fetched the page")
        #expect(rig.source.calls.count == 1)
        if let observer = rig.observer { #expect(observer.events.allSatisfy { $0.error == nil }) }
    }

    @Test(arguments: [true, false])
    func `pages that the store has are hits of the store and no loads`(isObserved: Bool) {
        let rig = FetchRig(hasStore: true, isObserved: isObserved)
        seed(rig, 0..<50)
        rig.paginator.prefetch(keys: (0..<25).map(String.init), pageSize: 10)
        rig.run()
        for key in 25..<50 { #expect(rig.fetch("\(key)").origin == .store) }
        let counters = rig.paginator.counters
        #expect(counters[.storeHit] == 50 && counters[.storeReadStarted] == 50 && counters[.storeMiss] == 0)
        #expect(counters[.loadStarted] == 0 && counters[.loadEnded] == 0)
        #expect(counters.answers == [.store: 25] && counters.failures.isEmpty)
        #expect(rig.source.calls.isEmpty)
        if let observer = rig.observer { #expect(observer.events.allSatisfy { $0.error == nil }) }
    }

    @Test func `callers who wait for one read of the store have joined it, and nobody has loaded`() {
        let rig = FetchRig(hasStore: true)
        seed(rig, 1...1)
        rig.store?.holdLoads()
        let callers = (0..<10).map { _ in rig.start("1") }
        rig.run()
        rig.store?.answerLoads()
        rig.run()
        #expect(callers.allSatisfy { $0.origin == .store })
        let counters = rig.paginator.counters
        #expect(counters[.fetchStarted] == 10 && counters[.fetchEnded] == 10 && counters[.joined] == 9)
        #expect(counters[.storeHit] == 1 && counters[.loadStarted] == 0 && counters[.loadEnded] == 0)
    }

    @Test func `a load of the source begins and ends once, whoever waits for it`() {
        let rig = FetchRig(hasStore: true)
        rig.hangSource()
        let callers = (0..<10).map { _ in rig.start("1") }
        rig.run()
        rig.answer("1")
        #expect(callers.allSatisfy { $0.origin == .source })
        #expect(
            rig.observer?.kinds.filter { $0 != .joined && $0 != .callbackDelivered && $0 != .fetchStarted } == [
                .memoryMiss, .storeReadStarted, .storeMiss, .loadStarted, .attemptStarted, .attemptEnded, .validated,
                .loadEnded,
            ] + Array(repeating: .fetchEnded, count: 10))
        #expect(rig.observer?.events(of: .loadEnded).first?.error == nil)
    }

    @Test func `an attempt that begins tells how many other loads wait for the source or call it`() {
        let rig = FetchRig { $0.maxParallelCalls = 2 }
        rig.hangSource()
        let callers = ["1", "2", "3", "4"].map { rig.fetch($0) }
        #expect(rig.observer?.events(of: .attemptStarted).map(\.count) == [0, 1])
        callers[0].execution.cancel()
        rig.run()
        // One load calls the source, and one waits.
        #expect(rig.observer?.events(of: .attemptStarted).map(\.count) == [0, 1, 2])
    }

    @Test func `a load that ends tells its last attempt, and none if it was stopped before the first`() {
        let rig = FetchRig { $0.maxParallelCalls = 1 }
        rig.hangSource()
        let callers = ["1", "2"].map { rig.fetch($0) }
        for caller in callers.reversed() {
            caller.execution.cancel()
            rig.run()
        }
        #expect(rig.observer?.events(of: .loadEnded).map(\.attempt) == [nil, 1])
    }

    @Test func `only a load that was stopped is cancelled`() {
        let rig = FetchRig()
        rig.hangSource()
        let caller = rig.start("1")
        rig.run()
        caller.execution.cancel()
        rig.run()
        #expect(rig.observer?.events(of: .loadEnded).map(\.error?.code) == [.cancelled])
    }

    @Test(arguments: [true, false])
    func `a read of the store that nobody waits for any more has ended`(isCleared: Bool) {
        let rig = FetchRig(hasStore: true)
        rig.store?.holdLoads()
        let caller = rig.start("1", policy: isCleared ? .cacheOnly : nil)
        rig.run()
        if isCleared { rig.paginator.clearAll() } else { caller.execution.cancel() }
        rig.run()
        let counters = rig.paginator.counters
        #expect(counters[.storeReadStarted] == 1 && counters[.storeHit] + counters[.storeMiss] == 1)
        rig.store?.answerLoads()
        rig.run()
        #expect(rig.paginator.counters[.storeMiss] == 1 && rig.paginator.counters[.loadStarted] == 0)
    }

    @Test func `a page that the validator throws away is no hit`() {
        let rig = FetchRig(validator: .closure { _, context in context.origin == .memory ? .dropAndReload : .accept })
        for _ in 0..<2 { rig.fetch("1") }
        #expect(rig.source.calls.count == 2)
        #expect(rig.paginator.counters[.memoryHit] == 0 && rig.paginator.counters[.memoryMiss] == 2)
    }

    @Test(arguments: [true, false])
    func `a page in memory that the validator refuses is a miss of each fetch that fails`(isObserved: Bool) {
        let rig = FetchRig(
            isObserved: isObserved,
            validator: .closure { _, context in context.origin == .memory ? .fail(reason: "withdrawn") : .accept })
        for _ in 0..<3 { rig.fetch("1") }
        let counters = rig.paginator.counters
        #expect(counters[.memoryHit] == 0 && counters[.memoryMiss] == 3)
        #expect(counters.answers == [.source: 1] && counters.failures == [.rejectedByValidation: 2])
        #expect(rig.source.calls.count == 1)
    }

    // MARK: - The dump

    /// What somebody reads who has a log and a dump from a user.
    @Test func `a dump names pages as events do, and has neither types nor numbers of the inside`() throws {
        let rig = FetchRig(hasStore: true) {
            $0.maxAttempts = 1
            $0.maxParallelCalls = 1
        }
        rig.fetch("1")
        rig.failSource(.fatal(FetchRig.Outage()))
        rig.fetch("2")
        rig.hangSource()
        rig.start("3")
        rig.start("3", priority: .high)
        rig.start("4", scope: "likes")
        rig.advance(.milliseconds(1_500))
        rig.store?.holdLoads()
        rig.start("5")
        rig.advance(.milliseconds(250))
        rig.connectivity.set([.weakLink, .lowPower])
        rig.run()
        func name(_ key: String, scope: String = "") throws -> String {
            let events = try #require(rig.observer?.events.filter { $0.identity == rig.identity(key, scope: scope) })
            let event = try #require(events.first)
            func page(_ showsUserData: Bool) -> String {
                event.text(showsUserData: showsUserData).split(separator: " ").first { $0.hasPrefix("page=") }
                    .map { String($0) } ?? ""
            }
            return "\(page(true)) (\(page(false).dropFirst(5)))"
        }
        let bytes = rig.paginator.engine.memory.usage.bytes
        let (two, three, five) = (try name("2"), try name("3"), try name("5"))
        let four = try name("4", scope: "likes")
        let expected = """
            paginator: mode=running, waiting=4, calls=1
            memory: pages=1, items=1, bytes=\(bytes), pinned=(pages=0, items=0, bytes=0), limits=(pages=200), \
            strategy=adaptive, adaptive=(follows=lru, why=recentHits, scores=[(name=lru, hits=0), \
            (name=lirs, hits=0), (name=s3fifo, hits=0), (name=cache, hits=0)])
            scheduler: running=1, limit=1, held=0, suspended=false, conditions=[weakLink, lowPower], \
            retryBudget=0.99, throttle=0.0, queued=1
            waiting: priority=medium, prefetch=false, since=1.75 seconds ago
            loads: \(three), stage=attempt, attempt=1, since=1.75 seconds ago, due=in 28.25 seconds, waiters=2, \
            priority=high
            loads: \(four), stage=queued, since=1.75 seconds ago, waiters=1, priority=medium
            loads: \(five), stage=store, since=0.25 seconds ago, due=in 4.75 seconds, waiters=1, priority=medium
            errors: \(two), error=sourceFailed.Outage: The source failed for 2#10.
            timers: purpose=store times out, \(five), due=in 4.75 seconds
            timers: purpose=attempt times out, \(three), due=in 28.25 seconds
            timers: purpose=fetch times out, \(three), due=in 58.25 seconds
            timers: purpose=fetch times out, \(four), due=in 58.25 seconds
            timers: purpose=fetch times out, \(three), due=in 58.25 seconds
            timers: purpose=fetch times out, \(five), due=in 59.75 seconds
            """
        #expect(rig.paginator.dump().hasPrefix(expected + "\n"), "\(rig.paginator.dump())")
        for text in ["Optional", "rawValue", "PaginatorCore", "Statistics", "PageUsage", "FetchPriority"] {
            #expect(!rig.paginator.dump().contains(text))
        }
    }

    @Test func `a dump lists what waits by its priority, and then by its time`() {
        let rig = FetchRig { $0.maxParallelCalls = 1 }
        rig.hangSource()
        rig.fetch("0")
        rig.start("1", priority: .low)
        rig.advance(.seconds(1))
        rig.start("2")
        rig.advance(.seconds(1))
        rig.start("3")
        rig.start("4", priority: .high)
        rig.advance(.seconds(1))
        let waiting = rig.paginator.dump().split(separator: "\n").filter { $0.hasPrefix("waiting:") }
        #expect(
            waiting == [
                "waiting: priority=high, prefetch=false, since=1.0 seconds ago",
                "waiting: priority=medium, prefetch=false, since=2.0 seconds ago",
                "waiting: priority=medium, prefetch=false, since=1.0 seconds ago",
                "waiting: priority=low, prefetch=false, since=3.0 seconds ago",
            ])
    }

    // MARK: - Sums

    /// What a run did and what its callers saw, counted without the library.
    private struct Seen: Equatable {
        var fetches = 0
        var answers: [PageOrigin: Int] = [:]
        var failures: [PaginatorError.Code: Int] = [:]
        var sourceCalls = 0
        var storeReads = 0
    }

    /// Does what a random app does, and returns what it saw and what the paginator counted.
    private func run(
        seed: UInt64, isObserved: Bool, policies: [FetchPolicy], isPlain: Bool
    ) -> (Seen, PaginatorCounters, asked: Int) {
        var random = SeededRandom(seed: seed)
        let rig = FetchRig(hasStore: true, isObserved: isObserved) { $0.maxAttempts = 2 }
        rig.script.withLock { $0.lifetime = .seconds(20) }
        self.seed(rig, 0..<4)
        var callers: [Caller] = []
        var arounds: [AroundCaller] = []
        var asked = 0
        func key() -> String { "\(random.number(in: 0..<8))" }
        for _ in 0..<200 {
            switch random.number(in: 0..<(isPlain ? 9 : 12)) {
            case 0...3:
                // In bursts, so that some join others.
                for _ in 0...random.number(in: 0..<3) {
                    callers.append(rig.start(key(), policy: policies[random.number(in: 0..<policies.count)]))
                    asked += 1
                }
            case 4:
                let keys = Set((0..<3).map { _ in key() }).sorted()
                asked += keys.count
                rig.paginator.prefetch(keys: keys, pageSize: 10)
            case 5: callers.last { $0.ends == 0 }?.execution.cancel()
            case 6:
                // Prefetches begin anew then, and are counted once more.
                if isPlain { rig.advance(.seconds(20)) } else { rig.paginator.invalidate(.key(key())) }
            case 7:
                rig.hangSource()
                rig.failSource(random.chance(0.4) ? .retry(FetchRig.Outage()) : nil)
            case 8:
                rig.script.withLock { $0.hangs = false }
                for call in rig.source.pendingCalls { rig.answer(call.request.key) }
                rig.advance(.seconds(random.number(in: 0..<30)))
            case 9: rig.paginator.clear(key: key())
            case 10: callers.append(rig.refresh(key()))
            default: arounds.append(rig.fetchAround(key(), depth: 2))
            }
            rig.run()
        }
        rig.failSource(nil)
        rig.script.withLock { $0.hangs = false }
        for _ in 0..<5 { rig.advance(.seconds(100)) }
        var seen = Seen()
        seen.fetches = callers.count + arounds.count
        for caller in callers {
            #expect(caller.endedOnce)
            if let origin = caller.origin { seen.answers[origin, default: 0] += 1 }
            if let code = caller.code { seen.failures[code, default: 0] += 1 }
        }
        for around in arounds {
            if around.summary != nil, let first = around.listener.deliveries.first {
                seen.answers[first.fetched.origin, default: 0] += 1
            }
            if let code = around.code { seen.failures[code, default: 0] += 1 }
        }
        seen.sourceCalls = rig.source.calls.count
        seen.storeReads = rig.store?.calls.count { if case .load = $0 { true } else { false } } ?? 0
        return (seen, rig.paginator.counters, asked)
    }

    @Test(arguments: UInt64(0)..<40)
    func `after a random run every pair is complete and the sums are those of the callers`(seed: UInt64) {
        let policies: [FetchPolicy] = [
            .cacheFirst, .cacheOnly, .networkOnly, .networkFirst, .networkFirst(fallbackAfter: .seconds(3)),
            .staleWhileRevalidate,
        ]
        for isObserved in [true, false] {
            let (seen, counters, _) = run(seed: seed, isObserved: isObserved, policies: policies, isPlain: false)
            #expect(counters[.fetchStarted] == seen.fetches && counters[.fetchEnded] == seen.fetches)
            #expect(counters.answers == seen.answers)
            #expect(counters.failures == seen.failures)
            // An attempt may time out before its thread has come to call the source.
            #expect(counters[.attemptStarted] >= seen.sourceCalls)
            #expect(counters[.attemptStarted] == counters[.attemptEnded])
            #expect(counters[.storeReadStarted] == seen.storeReads)
            #expect(counters[.storeHit] + counters[.storeMiss] == seen.storeReads)
            #expect(counters[.loadStarted] == counters[.loadEnded])
        }
    }

    @Test(arguments: UInt64(0)..<40)
    func `hits, misses and joins are all that was asked for`(seed: UInt64) {
        for isObserved in [true, false] {
            let (_, counters, asked) = run(
                seed: seed, isObserved: isObserved, policies: [.cacheFirst, .staleWhileRevalidate], isPlain: true)
            #expect(counters[.memoryHit] + counters[.memoryMiss] + counters[.joined] == asked)
        }
    }

    @Test func `a source can say how long it decoded, so that its call divides into transfer and decoding`() {
        let rig = FetchRig()
        let clock = rig.clock
        let observer = RecordingObserver()
        var config = PaginatorConfig()
        config.simulate(on: rig.work, clock: clock)
        config.observer = observer
        let source = ClosureDataSource<Int>(firstKey: "0") { request in
            clock.advance(by: .milliseconds(30))
            let items = request.decoding {
                clock.advance(by: .milliseconds(5))
                return [1, 2]
            }
            return PaginatorPage(content: items, key: request.key)
        }
        let paginator = CallbackPaginator(dataSource: source, config: config)
        paginator.fetch(key: "0", pageSize: 2) { _ in }
        rig.work.runAll()
        #expect(observer.events(of: .decoded).map(\.duration) == [.milliseconds(5)])
        #expect(observer.events(of: .decoded).map(\.origin) == [.source])
        #expect(observer.events(of: .decoded).map(\.identity?.key) == ["0"])
        #expect(observer.events(of: .attemptEnded).map(\.duration) == [.milliseconds(35)])
        #expect(paginator.counters.durations(of: .decoded).longest == .milliseconds(5))
        #expect(paginator.counters.description.contains("decode"))
    }
}

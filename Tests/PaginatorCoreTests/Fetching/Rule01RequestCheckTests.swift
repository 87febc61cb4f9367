import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite("Rule 1: request check")
struct Rule01RequestCheckTests {
    /// A page request that must be refused.
    struct Bad: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var key = "1"
        var pageSize = 10
        var scope = ""
        var debounce: DebounceKey?
        let code: PaginatorError.Code
    }

    static let bad: [Bad] = [
        Bad(testDescription: "empty key", key: "", code: .invalidKey),
        Bad(testDescription: "key of 1 MB", key: String(repeating: "k", count: 1 << 20), code: .invalidKey),
        Bad(testDescription: "key one byte too long", key: String(repeating: "k", count: 4_097), code: .invalidKey),
        Bad(testDescription: "key too long in bytes", key: String(repeating: "🌊", count: 1_025), code: .invalidKey),
        Bad(testDescription: "only a NUL", key: "\0", code: .invalidKey),
        Bad(testDescription: "NUL inside", key: "a\0b", code: .invalidKey),
        Bad(testDescription: "scope too long", scope: String(repeating: "s", count: 4_097), code: .invalidKey),
        Bad(testDescription: "NUL in the scope", scope: "s\0", code: .invalidKey),
        Bad(testDescription: "NUL in the debounce key", debounce: DebounceKey("\0"), code: .invalidKey),
        Bad(
            testDescription: "debounce key too long", debounce: DebounceKey(String(repeating: "l", count: 4_097)),
            code: .invalidKey),
        Bad(testDescription: "refused by the rule", key: "forbidden", code: .invalidKey),
        Bad(testDescription: "page size 0", pageSize: 0, code: .invalidPageSize),
        Bad(testDescription: "page size -1", pageSize: -1, code: .invalidPageSize),
        Bad(testDescription: "page size over the limit", pageSize: 1_001, code: .invalidPageSize),
        Bad(testDescription: "page size Int.max", pageSize: .max, code: .invalidPageSize),
        Bad(testDescription: "page size Int.min", pageSize: .min, code: .invalidPageSize),
    ]

    private func rig() -> FetchRig {
        FetchRig(hasStore: true) { config in
            config.keyRule = KeyRule { $0 == "forbidden" ? "it is forbidden here" : nil }
        }
    }

    /// Nothing was asked, kept or started.
    private func expectUntouched(_ rig: FetchRig) {
        #expect(rig.source.calls.isEmpty)
        #expect(rig.store?.calls == [])
        #expect(rig.paginator.engine.memory.usage == PageUsage())
        #expect(rig.state == FetchRig.quiet)
        #expect(rig.clock.armedDeadlines.isEmpty)
    }

    private func expectClear(_ error: PaginatorError?, _ bad: Bad) {
        #expect(error?.code == bad.code)
        #expect(error?.attempts == 0)
        #expect((error?.message.utf8.count ?? .max) < 500, "the sentence must not repeat a long key")
        #expect(error?.message.contains("\0") == false)
    }

    @Test(arguments: bad) func `a bad request ends with a clear error and touches nothing`(_ bad: Bad) throws {
        let rig = rig()
        let request = PageRequest(key: bad.key, pageSize: bad.pageSize, scope: bad.scope, debounce: bad.debounce)
        for policy: FetchPolicy in [.cacheFirst, .cacheOnly, .networkOnly, .networkFirst, .staleWhileRevalidate] {
            let caller = rig.start(
                bad.key, pageSize: bad.pageSize, scope: bad.scope, policy: policy, debounce: bad.debounce)
            #expect(caller.ends == 0, "no callback inside the call")
            rig.run()
            #expect(caller.endedOnce)
            expectClear(caller.listener.error, bad)
        }
        let refreshed = RecordingListener<SampleItem>()
        rig.paginator.refresh(request, listener: refreshed)
        let around = RecordingAroundListener<SampleItem>()
        rig.paginator.fetchAround(AroundRequest(page: request, depthLevel: 1), listener: around)
        rig.run()
        expectClear(refreshed.error, bad)
        #expect(around.ends.count == 1)
        if case .failure(let error)? = around.ends.first { expectClear(error, bad) } else { Issue.record("no error") }
        expectUntouched(rig)
    }

    @Test(arguments: bad.filter { $0.debounce == nil }) func `a bad page is neither put nor prefetched`(_ bad: Bad) {
        let rig = rig()
        let error = #expect(throws: PaginatorError.self) {
            try rig.paginator.prime(rig.page(bad.key, version: 1), pageSize: bad.pageSize, scope: bad.scope)
        }
        expectClear(error, bad)
        rig.paginator.prefetch(keys: [bad.key], pageSize: bad.pageSize, scope: bad.scope)
        rig.run()
        expectUntouched(rig)
    }

    @Test(arguments: bad.filter { $0.debounce == nil }) func `reading a bad page gives nothing`(_ bad: Bad) {
        let rig = rig()
        #expect(rig.paginator.peek(key: bad.key, pageSize: bad.pageSize, scope: bad.scope) == nil)
        #expect(rig.paginator.withPage(key: bad.key, pageSize: bad.pageSize, scope: bad.scope) { _ in 1 } == nil)
        rig.paginator.clear(key: bad.key)
        rig.paginator.clear(scope: bad.scope)
        rig.run()
        #expect(rig.source.calls.isEmpty)
        #expect(rig.state == FetchRig.quiet)
    }

    @Test(arguments: [-1, 17, Int.max, Int.min]) func `a bad depth ends with a clear error and touches nothing`(
        _ depth: Int
    ) {
        let rig = rig()
        let caller = rig.fetchAround("1", depth: depth)
        #expect(caller.endedOnce)
        #expect(caller.code == .invalidDepth)
        if case .failure(let error)? = caller.listener.ends.first {
            #expect(error.message.contains("16"))
            #expect(error.message.contains("\(depth)"))
        }
        expectUntouched(rig)
    }

    @Test func `what lies on the limits is accepted`() {
        let rig = rig()
        let longest = String(repeating: "k", count: 4_096)
        for (key, size) in [(longest, 10), ("1", 1), ("1", 1_000)] {
            #expect(rig.fetch(key, pageSize: size).listener.page?.key == key)
        }
        #expect(rig.fetchAround("1", depth: 0).distances == [0])
        #expect(rig.fetchAround("50", depth: 16).distances.count == 33)
        #expect(rig.fetch("2", scope: longest).version != nil)
    }

    @Test func `every other string is a key of its own`() {
        let rig = rig()
        let keys = [
            "é", "e\u{301}", "\u{212B}", "\u{C5}", "A\u{30A}", "👩‍👩‍👧‍👦", "👩👩👧👦", "'", "\"", "''", "%", "_", "%_", "*", "?",
            " ", "  ",
            "\n", "\r\n", "\t", "a", "A", "ﬁ", "fi", "\u{feff}a", "a\u{200B}", "\\0", "0", "00", "-1", "--", ";",
            "null",
            "\u{10FFFF}", "e\u{301}\u{302}", "e\u{302}\u{301}",
        ]
        for key in keys { #expect(rig.fetch(key).origin == .source) }
        #expect(rig.source.calls.count == keys.count)
        for (index, key) in keys.enumerated() {
            let caller = rig.fetch(key)
            #expect(caller.origin == .memory)
            #expect(caller.version == index + 1)
            #expect(caller.listener.page?.key.hasSameBytes(as: key) == true)
        }
        rig.paginator.clear(key: "é")
        rig.run()
        #expect(rig.cached("é") == nil)
        #expect(rig.cached("e\u{301}") == 2)
        #expect(rig.paginator.engine.memory.usage.pages == keys.count - 1)
        #expect(rig.store?.pages.count == keys.count - 1)
    }

    @Test func `a key rule never runs on the thread on which everybody's deadlines wait`() {
        let isTimer = Guarded(false)
        let wasRun = Guarded(false)
        let rig = FetchRig {
            $0.keyRule = KeyRule { _ in
                if isTimer.withLock({ $0 }) { wasRun.withLock { $0 = true } }
                return nil
            }
        }
        rig.fetch("1")
        rig.paginator.invalidate(.all)
        let caller = rig.fetch("1", debounce: DebounceKey("search", delay: .seconds(1)))
        // What was found in memory is out of date when the burst is over, so memory is looked into again.
        rig.paginator.invalidate(.all)
        isTimer.withLock { $0 = true }
        rig.clock.advance(by: .seconds(1))
        isTimer.withLock { $0 = false }
        rig.run()
        #expect(caller.version == 2)
        #expect(!wasRun.withLock { $0 })
    }

    @Test(arguments: ["abc", "-1", "+1", "007", "1.5"])
    func `a key that the source does not know is refused, with or without a connection`(_ key: String) {
        let (executor, connectivity) = (SimulatedExecutor(), ScriptedConnectivity())
        connectivity.set(.offline)
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: ManualPaginatorClock())
        config.connectivity = connectivity
        let source = ArrayDataSource(Array(0..<10))
        for source in [source, source.fallback(to: source)] as [any PaginatorDataSource<Int>] {
            let paginator = CallbackPaginator(dataSource: source, config: config)
            let error = Guarded<PaginatorError?>(nil)
            paginator.fetch(key: key, pageSize: 5) { result in
                if case .failure(let failure) = result { error.withLock { $0 = failure } }
            }
            executor.runAll()
            #expect(error.withLock { $0 }?.code == .invalidKey)
            #expect(error.withLock { $0 }?.attempts == 0)
            #expect(paginator.counters[.loadStarted] == 0)
        }
    }
}

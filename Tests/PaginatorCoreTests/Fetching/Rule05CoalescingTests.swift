import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite("Rule 5: coalescing")
struct Rule05CoalescingTests {
    @Test func `one load serves all who ask`() {
        let rig = FetchRig(hasStore: true)
        rig.hangSource()
        let callers = (0..<20).map { _ in rig.fetch("1") }
        let refreshed = rig.refresh("1")
        #expect(rig.source.calls.count == 2, "a refresh begins a new epoch")
        rig.answer("1")
        #expect(callers.allSatisfy { $0.endedOnce && $0.version == 1 })
        #expect(callers.allSatisfy { $0.listener.page === callers[0].listener.page })
        #expect(refreshed.ends == 0)
        #expect(rig.paginator.counters[.joined] == 19)
    }

    @Test func `a later caller raises the priority`() {
        let rig = FetchRig { $0.maxParallelCalls = 1 }
        rig.hangSource()
        rig.fetch("0")
        rig.fetch("low", priority: .low)
        rig.fetch("medium")
        rig.fetch("low", priority: .high)
        rig.answer("0")
        #expect(rig.source.keys == ["0", "low"])
        #expect(rig.source.calls[1].request.priority == .high)
    }

    @Test func `a caller that leaves takes its priority along`() {
        let rig = FetchRig { $0.maxParallelCalls = 1 }
        rig.hangSource()
        rig.fetch("0")
        rig.fetch("low", priority: .low)
        let urgent = rig.fetch("low", priority: .high)
        rig.fetch("medium")
        urgent.execution.cancel()
        rig.answer("0")
        #expect(rig.source.keys == ["0", "medium"])
    }

    @Test func `a caller turns a prefetch into a fetch`() {
        let rig = FetchRig { $0.maxParallelCalls = 2 }
        rig.hangSource()
        rig.fetch("0")
        rig.paginator.prefetch(keys: ["1"], pageSize: 10)
        rig.run()
        #expect(rig.source.keys == ["0"], "a prefetch leaves the last slot free")
        rig.fetch("1", priority: .low)
        #expect(rig.source.keys == ["0", "1"])
        #expect(rig.source.calls[1].request.isPrefetch == false)
    }

    @Test func `a load stops when its last waiter leaves`() {
        let rig = FetchRig()
        rig.hangSource()
        let first = rig.fetch("1")
        let second = rig.fetch("1")
        first.execution.cancel()
        rig.run()
        #expect(rig.source.pendingCalls.count == 1)
        second.execution.cancel()
        rig.run()
        #expect(rig.source.calls[0].isCancelled)
        #expect(rig.state == FetchRig.quiet)
        #expect(rig.paginator.engine.scheduler.statistics.running == 0, "the slot is free again")
    }

    @Test func `prefetch and refresh are owners too`() {
        let rig = FetchRig()
        rig.hangSource()
        let prefetch = rig.paginator.prefetch(keys: ["1", "2"], pageSize: 10)
        rig.run()
        let waiter = rig.fetch("1")
        waiter.execution.cancel()
        rig.run()
        #expect(rig.source.pendingCalls.map(\.request.key) == ["1", "2"])
        let refresh = rig.refresh("3")
        prefetch.cancel()
        rig.run()
        #expect(rig.source.pendingCalls.map(\.request.key) == ["3"])
        refresh.execution.cancel()
        rig.run()
        #expect(rig.source.pendingCalls.isEmpty)
        #expect(rig.state == FetchRig.quiet)
    }

    @Test func `a load that still waits for its turn is taken back`() {
        let rig = FetchRig { $0.maxParallelCalls = 1 }
        rig.hangSource()
        rig.fetch("0")
        let waiting = rig.fetch("1")
        waiting.execution.cancel()
        rig.answer("0")
        #expect(rig.source.keys == ["0"])
    }

    @Test func `deadlines are the waiters`() {
        let rig = FetchRig { $0.attemptTimeout = .seconds(100) }
        rig.hangSource()
        let hasty = rig.fetch("1", timeout: .seconds(5))
        let patient = rig.fetch("1", timeout: .seconds(50))
        rig.advance(.seconds(4))
        #expect(hasty.ends == 0)
        rig.advance(.seconds(1))
        #expect(hasty.code == .timedOut)
        #expect(patient.ends == 0)
        #expect(rig.source.pendingCalls.count == 1, "the load goes on")
        rig.advance(.seconds(44))
        rig.answer("1")
        #expect(patient.version == 1)
        #expect(hasty.endedOnce)
    }

    @Test func `attempts time outs and back off are the loads`() {
        let rig = FetchRig {
            $0.attemptTimeout = .seconds(10)
            $0.scheduling.backoffBase = .zero
        }
        rig.hangSource()
        let first = rig.fetch("1")
        rig.advance(.seconds(9))
        let second = rig.fetch("1")
        rig.advance(.seconds(1))
        #expect(
            rig.source.calls.map(\.request.attempt) == [1, 2], "the second caller's attempt began with the first's")
        #expect(rig.source.calls[0].isCancelled)
        #expect(first.ends + second.ends == 0)
        rig.answer("1")
        #expect(first.version == 1)
        #expect(second.version == 1)
    }

    @Test func `cache only never joins a source`() {
        let rig = FetchRig()
        rig.hangSource()
        let waiter = rig.fetch("1")
        let cacheOnly = rig.fetch("1", policy: .cacheOnly)
        #expect(cacheOnly.code == .notInCache)
        waiter.execution.cancel()
        rig.run()
        #expect(rig.source.calls[0].isCancelled)
        #expect(rig.source.calls.count == 1)
    }

    @Test func `cache only is not answered by a source that is faster than the store`() {
        let rig = FetchRig(hasStore: true)
        rig.store?.holdLoads()
        let cacheOnly = rig.fetch("1", policy: .cacheOnly)
        let fromSource = rig.fetch("1", policy: .networkOnly)
        #expect(fromSource.origin == .source)
        rig.store?.answerLoads()
        rig.run()
        #expect(cacheOnly.endedOnce)
        #expect(cacheOnly.origin != .source)
    }

    @Test func `cache only waits for the store though the source has answered in an earlier epoch`() {
        let rig = FetchRig(hasStore: true)
        rig.store?.seed(rig.page("1", version: 70), for: rig.identity("1"), fetchedAt: rig.clock.wallTime)
        rig.store?.holdLoads()
        rig.hangSource()
        let cacheOnly = rig.fetch("1", policy: .cacheOnly)
        let fromSource = rig.fetch("1", policy: .networkOnly)
        rig.refresh("1")
        rig.answer("1")
        #expect(fromSource.version == 1)
        #expect(cacheOnly.ends == 0, "the page of an earlier epoch is not cached, and the store still reads")
        rig.store?.answerLoads()
        rig.run()
        #expect(cacheOnly.version == 70)
        #expect(cacheOnly.endedOnce)
    }

    @Test func `network only joins a running load of the same epoch`() {
        let rig = FetchRig()
        rig.hangSource()
        let first = rig.fetch("1")
        let second = rig.fetch("1", policy: .networkOnly)
        #expect(rig.source.calls.count == 1)
        rig.paginator.clear(key: "1")
        let third = rig.fetch("1", policy: .networkOnly)
        #expect(rig.source.calls.count == 2, "the epoch has ended")
        rig.answer("1")
        #expect([first, second].map(\.version) == [1, 1])
        rig.answer("1")
        #expect(third.version == 2)
    }

    @Test func `memory is looked into a second time before a load starts`() throws {
        let rig = FetchRig()
        let caller = rig.fetch("1", debounce: DebounceKey("search", delay: .seconds(1)))
        try rig.paginator.prime(rig.page("1", version: 9), pageSize: 10)
        rig.advance(.seconds(1))
        #expect(caller.version == 9)
        #expect(caller.origin == .memory)
        #expect(rig.source.calls.isEmpty)
    }
}

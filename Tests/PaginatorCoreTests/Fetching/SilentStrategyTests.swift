import PaginatorTesting
import Testing

@testable import PaginatorCore

/// An error strategy that does not answer: a fetch ends all the same.
@Suite struct SilentStrategyTests {
    @Test func `a fetch whose time is over does not wait for the strategy for ever`() {
        let barrier = Barrier()
        defer { barrier.open() }
        let clock = ManualPaginatorClock()
        var config = PaginatorConfig()
        config.clock = clock
        config.errorStrategy = ErrorStrategy { _ in
            barrier.pass()
            return .serveCached
        }
        let source = ScriptedDataSource<Int>(
            clock: clock, otherwise: { .page(PaginatorPage(content: [1], key: $0.key)).insideFetch })
        let paginator = CallbackPaginator(dataSource: source, config: config)
        let first = RecordingListener<Int>()
        paginator.fetch(key: "0", pageSize: 10, listener: first)
        #expect(ends { first.blockUntilEnd() })
        paginator.invalidate(.all)
        source.otherwise { _ in .hang }
        let second = RecordingListener<Int>()
        paginator.fetch(PageRequest(key: "0", pageSize: 10, timeout: .seconds(2)), listener: second)
        #expect(ends { clock.blockForTimer(atOrBefore: clock.now.advanced(by: .seconds(2))) })
        clock.advance(by: .seconds(2))
        #expect(barrier.waitForArrival())
        clock.advance(by: .seconds(1))
        #expect(ends { second.blockUntilEnd() })
        #expect(second.error?.code == .timedOut)
    }

    @Test func `a prefetch that the scheduler refused does not wait for the strategy for ever`() {
        let script = MachineScript()
        script.prefetch("1", as: script.ticket())
        script.look(.miss)
        script.feed(.refused(script.tasks[0], .throttled))
        #expect(script.pass(.seconds(61)) == .did(["post #1 prefetched nothing, failed 1 timedOut"]))
        #expect(script.machine.isIdle && script.machine.nextDeadline == nil)
    }
}

import PaginatorTesting
import Testing

@testable import PaginatorCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Sources that block, as they may: nobody else waits for them.
@Suite struct BlockedSourcesTests {
    private struct Opened: Error {}

    private static func blocking(_ barrier: Barrier, _ config: PaginatorConfig) -> CallbackPaginator<Int> {
        let source = ClosureDataSource<Int>(
            firstKey: "0",
            load: { _ in
                barrier.pass()
                throw SourceError.fatal(Opened())
            })
        return CallbackPaginator(dataSource: source, config: config)
    }

    /// Paginators of which each has as many hanging calls as it may make.
    private static func hanging(_ count: Int, calls: Int = 4, _ barrier: Barrier) -> [CallbackPaginator<Int>] {
        (0..<count).map { _ in
            var config = PaginatorConfig()
            config.maxParallelCalls = calls
            let paginator = blocking(barrier, config)
            for key in 0..<calls {
                paginator.fetch(key: "\(key)", pageSize: 10, listener: RecordingListener<Int>())
            }
            return paginator
        }
    }

    @Test func `a time-out comes while the sources of many other paginators hang`() {
        let barrier = Barrier()
        defer { barrier.open() }
        let others = Self.hanging(12, barrier)
        let clock = ManualPaginatorClock()
        var config = PaginatorConfig()
        config.clock = clock
        let paginator = CallbackPaginator(
            dataSource: ScriptedDataSource<Int>(clock: clock, otherwise: { _ in .hang }), config: config)
        let listener = RecordingListener<Int>()
        paginator.fetch(PageRequest(key: "0", pageSize: 10, timeout: .seconds(2)), listener: listener)
        #expect(ends { clock.blockForTimer() })
        clock.advance(by: .seconds(2))
        #expect(ends { listener.blockUntilEnd() })
        #expect(listener.error?.code == .timedOut)
        withExtendedLifetime(others) {}
    }

    @Test func `a time-out comes by the device's clock while the sources of others hang on all threads there are`() {
        let barrier = Barrier()
        defer { barrier.open() }
        // More calls than the 255 threads that Linux has for one class; other tests may have some of these.
        let others = Self.hanging(5, calls: 64, barrier)
        for _ in 0..<100 { #expect(barrier.waitForArrival()) }
        let paginator = CallbackPaginator(dataSource: ScriptedDataSource<Int>(otherwise: { _ in .hang }))
        let listener = RecordingListener<Int>()
        paginator.fetch(PageRequest(key: "0", pageSize: 10, timeout: .milliseconds(1)), listener: listener)
        #expect(ends { listener.blockUntilEnd() })
        #expect(listener.error?.code == .timedOut)
        withExtendedLifetime(others) {}
    }

    @Test func `a page comes while the sources of many other paginators hang`() {
        let barrier = Barrier()
        defer { barrier.open() }
        let others = Self.hanging(12, barrier)
        let paginator = CallbackPaginator(dataSource: ArrayDataSource(Array(0..<100)))
        let listener = RecordingListener<Int>()
        paginator.fetch(key: "0", pageSize: 10, listener: listener)
        #expect(ends { listener.blockUntilEnd() })
        #expect(listener.page?.content.count == 10)
        withExtendedLifetime(others) {}
    }

    @Test func `a time-out of a hanging source's own paginator comes, and its debounced fetch too`() {
        let barrier = Barrier()
        defer { barrier.open() }
        let clock = ManualPaginatorClock()
        var config = PaginatorConfig()
        config.clock = clock
        config.maxAttempts = 1
        let paginator = Self.blocking(barrier, config)
        let listeners = (0..<4).map { _ in RecordingListener<Int>() }
        for (key, listener) in listeners.enumerated() {
            paginator.fetch(PageRequest(key: "\(key)", pageSize: 10, timeout: .seconds(2)), listener: listener)
            #expect(barrier.waitForArrival())
        }
        clock.advance(by: .seconds(2))
        for listener in listeners { #expect(ends { listener.blockUntilEnd() }) }
        #expect(listeners.allSatisfy { $0.error?.code == .timedOut })
    }

    @Test func `calls that hang for ever hold a bounded number of threads, and others are asked when they return`() {
        let barrier = Barrier()
        let clock = ManualPaginatorClock()
        var config = PaginatorConfig()
        config.clock = clock
        config.maxAttempts = 1
        config.attemptTimeout = .seconds(1)
        config.scheduling.throttlesFailingSource = false
        let paginator = Self.blocking(barrier, config)
        for round in 0..<10 {
            let listeners = (0..<4).map { _ in RecordingListener<Int>() }
            for (key, listener) in listeners.enumerated() {
                paginator.fetch(key: "\(round)-\(key)", pageSize: 10, listener: listener)
            }
            for listener in listeners {
                #expect(
                    ends {
                        while listener.ends.isEmpty {
                            clock.advance(by: .milliseconds(100))
                            sched_yield()
                        }
                    })
            }
        }
        #expect(barrier.mostInside <= 8)
        barrier.open()
        let listener = RecordingListener<Int>()
        paginator.fetch(key: "last", pageSize: 10, listener: listener)
        #expect(ends { listener.blockUntilEnd() })
        #expect(listener.error?.code == .sourceFailed)
    }

    @Test func `a timer whose handler hangs holds up no other timer`() {
        let barrier = Barrier()
        defer { barrier.open() }
        let clock = SystemPaginatorClock()
        let hanging = clock.makeTimer { barrier.pass() }
        hanging.arm(at: clock.now)
        #expect(barrier.waitForArrival())
        let fired = Handshake(false)
        let other = clock.makeTimer { fired.update { $0 = true } }
        other.arm(at: clock.now)
        #expect(ends { fired.block { $0 } })
        withExtendedLifetime((hanging, other)) {}
    }
}

import Dispatch
import PaginatorCore
import PaginatorTesting
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct ManualPaginatorClockTests {
    private func instant(_ seconds: Int64) -> PaginatorInstant {
        PaginatorInstant(nanoseconds: seconds * 1_000_000_000)
    }

    @Test func `stands still until it is advanced`() {
        let clock = ManualPaginatorClock()
        let wall = clock.wallTime
        #expect(clock.now == .zero)
        clock.advance(by: .seconds(3))
        #expect(clock.now == instant(3))
        #expect(clock.wallTime == wall.addingTimeInterval(3))
        clock.advance(by: .seconds(-9))
        #expect(clock.now == instant(3))
    }

    @Test func `fires in the order of deadlines, then of arming, and each handler sees its own deadline`() {
        let clock = ManualPaginatorClock()
        let fired = Handshake<[String]>([])
        let timers = ["c", "a", "b"].map { name in
            clock.makeTimer { fired.update { $0.append("\(name)@\(clock.now.nanoseconds / 1_000_000_000)") } }
        }
        timers[0].arm(at: instant(5))
        timers[1].arm(at: instant(2))
        timers[2].arm(at: instant(2))
        #expect(clock.armedDeadlines == [instant(2), instant(2), instant(5)])
        clock.advance(by: .seconds(1))
        #expect(fired.read { $0 } == [])
        clock.advance(by: .seconds(10))
        #expect(fired.read { $0 } == ["a@2", "b@2", "c@5"])
        #expect(clock.now == instant(11))
        #expect(clock.armedDeadlines == [])
    }

    @Test func `fires what is armed meanwhile and becomes due`() {
        let clock = ManualPaginatorClock()
        let fired = Handshake<[PaginatorInstant]>([])
        let holder = Handshake<(any PaginatorTimer)?>(nil)
        let timer = clock.makeTimer {
            let count = fired.update { fired in
                fired.append(clock.now)
                return fired.count
            }
            if count < 4 { holder.read { $0 }?.arm(at: clock.now.advanced(by: .seconds(2))) }
        }
        holder.update { $0 = timer }
        timer.arm(at: instant(1))
        clock.advance(by: .seconds(6))
        #expect(fired.read { $0 } == [instant(1), instant(3), instant(5)])
        #expect(clock.armedDeadlines == [instant(7)])
        holder.update { $0 = nil }
    }

    @Test func `never calls a handler inside arm, and fires a deadline in the past without being advanced`() {
        let clock = ManualPaginatorClock(now: PaginatorInstant(nanoseconds: 50))
        let entered = Handshake(0)
        let gate = DispatchSemaphore(value: 0)
        let timer = clock.makeTimer {
            gate.wait()
            entered.update { $0 += 1 }
        }
        timer.arm(at: .zero)
        #expect(entered.read { $0 } == 0)
        gate.signal()
        entered.block { $0 == 1 }
    }

    @Test func `a timer that was disarmed, re-armed or released does not fire at its old deadline`() {
        let clock = ManualPaginatorClock()
        let fired = Handshake<[String]>([])
        let disarmed = clock.makeTimer { fired.update { $0.append("disarmed") } }
        let moved = clock.makeTimer { fired.update { $0.append("moved") } }
        var released: (any PaginatorTimer)? = clock.makeTimer { fired.update { $0.append("released") } }
        disarmed.arm(at: instant(1))
        moved.arm(at: instant(1))
        released?.arm(at: instant(1))
        disarmed.disarm()
        moved.arm(at: instant(3))
        released = nil
        clock.advance(by: .seconds(2))
        #expect(fired.read { $0 } == [])
        #expect(clock.advanceToNextTimer() == instant(3))
        #expect(fired.read { $0 } == ["moved"])
        #expect(clock.advanceToNextTimer() == nil)
        _ = released
    }

    @Test func `an advance from a handler is made after it`() {
        let clock = ManualPaginatorClock()
        let seen = Handshake<[PaginatorInstant]>([])
        let first = clock.makeTimer {
            clock.advance(by: .seconds(10))
            seen.update { $0.append(clock.now) }
        }
        let second = clock.makeTimer { seen.update { $0.append(clock.now) } }
        first.arm(at: instant(1))
        second.arm(at: instant(8))
        clock.advance(by: .seconds(2))
        #expect(seen.read { $0 } == [instant(1), instant(8)])
        #expect(clock.now == instant(12))
    }

    @Test func `the wall clock can be set and jumps without moving the monotonic time`() {
        let clock = ManualPaginatorClock(now: PaginatorInstant(nanoseconds: 7))
        let wall = clock.wallTime
        clock.moveWallTime(by: .hours(-2))
        #expect(abs(clock.wallTime.timeIntervalSince(wall) + 7_200) < 0.001)
        #expect(clock.now.nanoseconds == 7)
        clock.advance(by: .seconds(5))
        #expect(abs(clock.wallTime.timeIntervalSince(wall) + 7_195) < 0.001)
    }

    @Test func `both times go on while the device sleeps, and timers stand still`() {
        let clock = ManualPaginatorClock()
        let wall = clock.wallTime
        let fired = Guarded<[Duration]>([])
        let timer = clock.makeTimer { fired.withLock { $0.append(PaginatorInstant.zero.duration(to: clock.now)) } }
        timer.arm(at: PaginatorInstant.zero.advanced(by: .seconds(10)))
        clock.advance(by: .seconds(4))
        clock.sleep(.hours(1))
        #expect(clock.now == PaginatorInstant.zero.advanced(by: .seconds(3_604)))
        #expect(clock.wallTime.timeIntervalSince(wall) == 3_604)
        clock.advance(by: .seconds(5))
        #expect(fired.withLock { $0 } == [])
        clock.advance(by: .seconds(1))
        #expect(fired.withLock { $0 } == [.seconds(3_610)])
        withExtendedLifetime(timer) {}
    }

    @Test func `waits until a timer is armed from another thread`() async throws {
        let clock = ManualPaginatorClock()
        let fired = Handshake(0)
        let timer = clock.makeTimer { fired.update { $0 += 1 } }
        DispatchQueue.global().async { timer.arm(at: PaginatorInstant(nanoseconds: 5)) }
        try await clock.waitForTimer()
        try await clock.waitForTimer(atOrBefore: PaginatorInstant(nanoseconds: 5))
        try await clock.waitUntilTimesArmed(1)
        clock.advanceToNextTimer()
        #expect(fired.read { $0 } == 1)
    }

    @Test func `waits by blocking`() {
        let clock = ManualPaginatorClock()
        let timer = clock.makeTimer {}
        DispatchQueue.global().async { timer.arm(at: PaginatorInstant(nanoseconds: 5)) }
        clock.blockForTimer()
        clock.blockForTimer(atOrBefore: PaginatorInstant(nanoseconds: 9))
        #expect(clock.timesArmed == 1)
    }

    @Test func `a wait ends with an error when its task is cancelled`() async {
        let clock = ManualPaginatorClock()
        let task = Task { try await clock.waitForTimer() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `arming and advancing from many threads fires every deadline once`() {
        let clock = ManualPaginatorClock()
        let fired = Handshake(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            var timers: [any PaginatorTimer] = []
            for step in 0..<50 {
                let timer = clock.makeTimer { fired.update { $0 += 1 } }
                timer.arm(at: PaginatorInstant(nanoseconds: Int64(step * 3 + thread)))
                timers.append(timer)
                clock.advance(by: .nanoseconds(2))
            }
            clock.advance(by: .nanoseconds(1_000))
            withExtendedLifetime(timers) {}
        }
        #expect(fired.read { $0 } == 400)
        #expect(clock.armedDeadlines == [])
    }
}

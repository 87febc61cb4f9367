import Dispatch
import Foundation
@testable import PaginatorCore
import PaginatorTesting

#if canImport(FoundationEssentials)
    import FoundationEssentials
#endif

/// Numbers that follow from a seed: xorshift64*, with nothing of the library in it.
struct Dice {
    private var bits: UInt64

    init(_ seed: UInt64) { bits = (seed &+ 1) &* 0x9e37_79b9_7f4a_7c15 | 1 }

    /// A number from 0 up to, not including, `count`.
    mutating func below(_ count: Int) -> Int {
        bits ^= bits >> 12
        bits ^= bits << 25
        bits ^= bits >> 27
        return Int((bits &* 0x2545_f491_4f6c_dd1d) >> 33) % max(1, count)
    }

    mutating func one(in count: Int) -> Bool { below(count) == 0 }

    mutating func of<T>(_ values: [T]) -> T { values[below(values.count)] }
}

/// A device that sleeps: its clock goes on while it sleeps, its timers stand still.
///
/// `@unchecked Sendable`: everything runs on the one thread of the history.
final class SleepyClock: PaginatorClock, @unchecked Sendable {
    private final class Timer: PaginatorTimer, @unchecked Sendable {
        let clock: SleepyClock
        let handler: @Sendable () -> Void
        /// In awake time.
        var due: Int64?

        init(_ clock: SleepyClock, _ handler: @escaping @Sendable () -> Void) {
            self.clock = clock
            self.handler = handler
        }

        func arm(at deadline: PaginatorInstant) {
            clock.onUse?()
            let left = max(0, deadline.nanoseconds - clock.nanoseconds)
            due = left < 1 << 60 ? clock.awake + left : nil
        }

        func disarm() {
            clock.onUse?()
            due = nil
        }
    }

    private struct Known { weak var timer: Timer? }

    private var timers: [Known] = []
    /// The time, and the part of it during which the device was awake.
    private(set) var nanoseconds: Int64 = 1_000_000_000
    private(set) var awake: Int64 = 0
    /// What a user's own clock does when it is asked.
    var onUse: (() -> Void)?

    var now: PaginatorInstant {
        onUse?()
        return PaginatorInstant(nanoseconds: nanoseconds)
    }

    var wallTime: Date { Date(timeIntervalSince1970: 1_700_000_000 + Double(nanoseconds) / 1e9) }

    func makeTimer(_ handler: @escaping @Sendable () -> Void) -> any PaginatorTimer {
        onUse?()
        let timer = Timer(self, handler)
        timers.append(Known(timer: timer))
        return timer
    }

    func sleep(_ duration: Int64) { nanoseconds += duration }

    /// Goes on to a moment of awake time.
    func go(to moment: Int64) {
        nanoseconds += max(0, moment - awake)
        awake = max(awake, moment)
    }

    /// When the next timer fires, in awake time.
    var next: Int64? { timers.compactMap { $0.timer?.due }.min() }

    /// Fires one timer that is due; says whether there was one.
    func fireOne() -> Bool {
        timers.removeAll { $0.timer == nil }
        guard let timer = timers.compactMap(\.timer).first(where: { $0.due.map { $0 <= awake } ?? false }) else {
            return false
        }
        timer.due = nil
        timer.handler()
        return true
    }
}

/// What runs on the thread of a history, and what it found.
///
/// `@unchecked Sendable`: written on that thread; read by the test after it ended, or, when it hangs, for the message.
final class Findings: @unchecked Sendable {
    var seed: UInt64 = 0
    var texts: [String] = []
    /// What happened, where it was asked for.
    var log: [String]?

    func report(_ text: @autoclosure () -> String) {
        if texts.count < 6, !AwaitedRepairs.findings.contains(where: { text().contains($0) }) {
            texts.append("seed \(seed): \(text())")
            note("FAILED: \(text())")
        }
    }

    func note(_ text: @autoclosure () -> String) {
        if log != nil { log?.append(text()) }
    }
}

/// Runs a history on a thread of its own, and tells it as a finding when it does not end.
///
/// - Parameter seconds: how long a history that hangs is waited for; one that does not, ends long before.
func watched(seconds: Int = 120, _ body: @escaping @Sendable (Findings) -> Void) -> [String] {
    let findings = Findings()
    let hasEnded = DispatchSemaphore(value: 0)
    let thread = Thread {
        body(findings)
        hasEnded.signal()
    }
    thread.stackSize = 64 << 20
    thread.start()
    guard hasEnded.wait(timeout: .now() + .seconds(seconds)) == .success else {
        return findings.texts + ["seed \(findings.seed): hangs"]
    }
    return findings.texts
}

import Dispatch
package import Foundation
package import PaginatorCore

/// Numbers that follow from a seed: xorshift64*, with nothing of the library in it.
package struct Dice {
    private var bits: UInt64

    package init(_ seed: UInt64) { bits = (seed &+ 1) &* 0x9e37_79b9_7f4a_7c15 | 1 }

    /// A number from 0 up to, not including, `count`.
    package mutating func below(_ count: Int) -> Int {
        bits ^= bits >> 12
        bits ^= bits << 25
        bits ^= bits >> 27
        return Int((bits &* 0x2545_f491_4f6c_dd1d) >> 33) % max(1, count)
    }

    package mutating func one(in count: Int) -> Bool { below(count) == 0 }

    package mutating func of<T>(_ values: [T]) -> T { values[below(values.count)] }
}

/// A device that sleeps: its clock goes on while it sleeps, its timers stand still.
///
/// `@unchecked Sendable`: everything runs on the one thread of the history.
package final class SleepyClock: PaginatorClock, @unchecked Sendable {
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

    package init() {}

    private struct Known { weak var timer: Timer? }

    private var timers: [Known] = []
    /// The time, and the part of it during which the device was awake.
    package private(set) var nanoseconds: Int64 = 1_000_000_000
    package private(set) var awake: Int64 = 0
    /// What a user's own clock does when it is asked.
    package var onUse: (() -> Void)?

    package var now: PaginatorInstant {
        onUse?()
        return PaginatorInstant(nanoseconds: nanoseconds)
    }

    package var wallTime: Date { Date(timeIntervalSince1970: 1_700_000_000 + Double(nanoseconds) / 1e9) }

    package func makeTimer(_ handler: @escaping @Sendable () -> Void) -> any PaginatorTimer {
        onUse?()
        let timer = Timer(self, handler)
        timers.append(Known(timer: timer))
        return timer
    }

    package func sleep(_ duration: Int64) { nanoseconds += duration }

    /// Goes on to a moment of awake time.
    package func go(to moment: Int64) {
        nanoseconds += max(0, moment - awake)
        awake = max(awake, moment)
    }

    /// When the next timer fires, in awake time.
    package var next: Int64? { timers.compactMap { $0.timer?.due }.min() }

    /// Fires one timer that is due; says whether there was one.
    package func fireOne() -> Bool {
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
package final class Findings: @unchecked Sendable {
    package init() {}

    package var seed: UInt64 = 0 { didSet { steps.signal() } }
    /// Signalled when a seed begins, and when the last one has ended.
    fileprivate let steps = DispatchSemaphore(value: 0)
    package var texts: [String] = []
    /// What happened, where it was asked for.
    package var log: [String]?

    package func report(_ text: @autoclosure () -> String) {
        if texts.count < 6, !AwaitedRepairs.findings.contains(where: { text().contains($0) }) {
            texts.append("seed \(seed): \(text())")
            note("FAILED: \(text())")
        }
    }

    package func note(_ text: @autoclosure () -> String) {
        if log != nil { log?.append(text()) }
    }
}

/// Which seeds a test runs.
package enum Seeds {
    /// The first `count` of them; with `PAGINATOR_LONG_TESTS` twenty times as many, with `PAGINATOR_SEED` that one.
    package static func upTo(_ count: UInt64) -> ClosedRange<UInt64> {
        let environment = ProcessInfo.processInfo.environment
        if let one = environment["PAGINATOR_SEED"].flatMap({ UInt64($0) }) { return one...one }
        return 1...(environment["PAGINATOR_LONG_TESTS"] == nil ? count : count * 20)
    }

    /// Whether one seed is looked at alone, with everything that happens.
    package static var isAlone: Bool { ProcessInfo.processInfo.environment["PAGINATOR_SEED"] != nil }
}

/// An object that may be gone.
package struct WeakObject {
    package private(set) weak var object: AnyObject?

    package init(object: AnyObject?) { self.object = object }
}

/// Runs histories on a thread of their own, and tells it as a finding when one does not end.
///
/// - Parameter seconds: how long a history that hangs is waited for; one that does not, ends long before.
package func watched(seconds: Int = 120, _ body: @escaping @Sendable (Findings) -> Void) -> [String] {
    let findings = Findings()
    let hasEnded = DispatchSemaphore(value: 0)
    let thread = Thread {
        body(findings)
        hasEnded.signal()
        findings.steps.signal()
    }
    thread.stackSize = 64 << 20
    thread.start()
    repeat {
        guard findings.steps.wait(timeout: .now() + .seconds(seconds)) == .success else {
            return findings.texts + ["seed \(findings.seed): hangs"]
        }
    } while hasEnded.wait(timeout: .now()) != .success
    return findings.texts
}

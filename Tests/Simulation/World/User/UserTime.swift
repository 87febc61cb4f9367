import PaginatorCore
import PaginatorTesting

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The one thread and the clock of a device that may sleep: what waits is an array, of which the earliest comes first.
///
/// Timers and work stand still while the device sleeps; the clock does not.
///
/// `@unchecked Sendable`: everything runs on the thread of the world.
final class UserTime: PaginatorClock, WorkExecutor, @unchecked Sendable {
    private var waiting: [(due: Int64, order: UInt64, work: @Sendable () -> Void)] = []
    private var random: SeededRandom
    /// Nanoseconds for which the device was awake.
    private(set) var awake: Int64 = 0
    private var asleep: Int64 = 0

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    var now: PaginatorInstant { PaginatorInstant(nanoseconds: awake + asleep) }
    var wallTime: Date { Date(timeIntervalSinceReferenceDate: 800_000_000 + Double(awake + asleep) * 1e-9) }

    /// A piece of work of the library runs soon, and now and then a little later.
    func run(_ work: @escaping @Sendable () -> Void) {
        add(after: Int64(random.number(in: 0..<(random.chance(0.05) ? 20_000_000 : 200_000))), work)
    }

    func add(after delay: Int64, _ work: @escaping @Sendable () -> Void) {
        waiting.append((awake + max(0, delay), random.next(), work))
    }

    func sleep(_ nanoseconds: Int64) { asleep += nanoseconds }

    /// Lets time pass, doing what is due; `after` is called behind each piece.
    func pass(_ nanoseconds: Int64, after: () -> Void) {
        let end = awake + nanoseconds
        while let index = waiting.indices.min(by: { isBefore(waiting[$0], waiting[$1]) }), waiting[index].due <= end {
            let next = waiting.remove(at: index)
            awake = max(awake, next.due)
            next.work()
            after()
        }
        awake = end
    }

    private func isBefore(
        _ left: (due: Int64, order: UInt64, work: @Sendable () -> Void),
        _ right: (due: Int64, order: UInt64, work: @Sendable () -> Void)
    ) -> Bool {
        (left.due, left.order) < (right.due, right.order)
    }

    func makeTimer(_ handler: @escaping @Sendable () -> Void) -> any PaginatorTimer { Timer(self, handler) }

    /// `@unchecked Sendable`: everything runs on the thread of the world.
    private final class Timer: PaginatorTimer, @unchecked Sendable {
        private let time: UserTime
        private let handler: @Sendable () -> Void
        private var turn = 0

        init(_ time: UserTime, _ handler: @escaping @Sendable () -> Void) {
            self.time = time
            self.handler = handler
        }

        func arm(at deadline: PaginatorInstant) {
            turn += 1
            let armed = turn
            let delay = deadline.nanoseconds.subtractingReportingOverflow(time.awake + time.asleep)
            guard !delay.overflow, delay.partialValue < 1 << 60 else { return }
            time.add(after: delay.partialValue) { [weak self] in
                guard let self, turn == armed else { return }
                turn += 1
                handler()
            }
        }

        func disarm() { turn += 1 }
    }
}

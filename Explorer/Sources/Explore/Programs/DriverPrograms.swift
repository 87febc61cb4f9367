import CExplorer
import Foundation

@testable import PaginatorCore

/// Numbers its events, holds a page, and wants to be woken.
struct CountingMachine: Machine {
    enum Event: Sendable {
        case add(Int)
        case hold(PaginatorPage<Watched>?)
        case due(Int)
        case woken
    }

    var outbox = MachineOutbox<Int, Int>()
    var deadlines: [Int] = []
    private var held: PaginatorPage<Watched>?

    var nextDeadline: PaginatorInstant? { deadlines.min().map { PaginatorInstant(nanoseconds: Int64($0)) } }

    mutating func handle(_ event: Event, at now: PaginatorInstant) {
        switch event {
        case .add(let number):
            outbox.ordered.append(number)
            outbox.unordered.append(number)
        case .hold(let page): held = page
        case .due(let time): deadlines.append(time)
        case .woken: deadlines.removeAll { PaginatorInstant(nanoseconds: Int64($0)) <= now }
        }
    }

    func invariantViolations() -> [String] { [] }
}

/// Something of the user's that calls the library when it ends.
final class Watched: Sendable {
    private let ended: @Sendable () -> Void

    init(_ ended: @escaping @Sendable () -> Void) {
        self.ended = ended
    }

    deinit { ended() }
}

/// A clock whose time a thread sets, with the one timer that the driver makes.
final class ScheduledClock: PaginatorClock {
    final class Timer: PaginatorTimer {
        let armed = Guarded<PaginatorInstant?>(nil)
        let handler: @Sendable () -> Void
        let complaints: Complaints

        init(_ complaints: Complaints, _ handler: @escaping @Sendable () -> Void) {
            self.complaints = complaints
            self.handler = handler
        }

        func arm(at deadline: PaginatorInstant) {
            complaints.expectNoLock("a timer")
            armed.withLock { $0 = deadline }
        }

        func disarm() { armed.withLock { $0 = nil } }
    }

    let timer = Guarded<Timer?>(nil)
    private let time = Guarded(PaginatorInstant.zero)
    private let complaints: Complaints

    init(_ complaints: Complaints) {
        self.complaints = complaints
    }

    var now: PaginatorInstant {
        complaints.expectNoLock("a clock")
        return time.withLock { $0 }
    }

    var wallTime: Date { Date(timeIntervalSince1970: 0) }

    func makeTimer(_ handler: @escaping @Sendable () -> Void) -> any PaginatorTimer {
        let timer = Timer(complaints, handler)
        self.timer.withLock { $0 = timer }
        return timer
    }

    /// As the system does it: the timer fires when its time has come.
    func advance(to nanoseconds: Int64) {
        time.withLock { $0 = PaginatorInstant(nanoseconds: nanoseconds) }
        fireIfDue()
    }

    func fireIfDue() {
        let now = time.withLock { $0 }
        guard let timer = timer.withLock({ $0 }) else { return }
        let isDue = timer.armed.withLock { armed in
            guard let due = armed, due <= now else { return false }
            armed = nil
            return true
        }
        if isDue { timer.handler() }
    }
}

/// What was fed is done, in order, when the call returns.
struct DriverModel: SequentialModel {
    enum Call: Sendable {
        case feed([Int])
        case read
    }

    private var done: [Int] = []

    mutating func accepts(_ call: Call, _ outcome: [Int]) -> Bool {
        if case .feed(let numbers) = call {
            done += numbers
            return true
        }
        return outcome == done
    }
}

private final class DriverRig: Sendable {
    let complaints = Complaints()
    let history = History<DriverModel.Call, [Int]>()
    let clock: ScheduledClock
    let driver: MachineDriver<CountingMachine>
    /// Written by ordered actions, so under the driver's lock.
    private let done = Unguarded<[Int]>([])
    let later = Guarded<[Int]>([])

    init() {
        clock = ScheduledClock(complaints)
        let woken = Guarded<@Sendable () -> Void>({})
        driver = MachineDriver(CountingMachine(), clock: clock) { woken.withLock { $0 }() }
        woken.withLock { $0 = { [weak self] in self?.feed(.woken) } }
    }

    func feed(_ event: CountingMachine.Event, releasingOn executor: (any WorkExecutor)? = nil) {
        driver.feed(event, releasingOn: executor) { number, now in
            done.value.append(number)
            // Its turn comes after what was decided before.
            if number == 1 { _ = driver.feed(.add(10), at: now, ordered: { _, _ in }, unordered: { _ in }) }
        } unordered: { number in
            complaints.expectNoLock("an unordered action")
            later.withLock { $0.append(number) }
        }
    }

    /// Its item feeds the machine when it ends.
    func page(_ number: Int, endsOn worker: Int32? = nil) -> PaginatorPage<Watched> {
        let watched = Watched { [weak self] in
            guard let self else { return }
            complaints.expectNoLock("a deinit")
            complaints.add(
                "the user's object ends on another thread", unless: worker == nil || worker == explorer_worker())
            feed(.add(number))
        }
        return PaginatorPage(content: [watched], key: "1")
    }

    func add(_ number: Int) {
        let fed = number == 1 ? [1, 10] : [number]
        history.record(.feed(fed)) {
            feed(.add(number))
            return fed
        }
    }

    func read() { history.record(.read) { driver.withMachine { _ in done.value } } }

    func complaint(_ numbers: [Int]) -> String? {
        if let complaint = complaints.first { return complaint }
        read()
        let later = later.withLock { $0.sorted() }
        guard later == numbers else { return "the unordered actions \(later) were done, not \(numbers)" }
        return DriverModel().complaint(about: history)
    }
}

let driverPrograms = [
    Program("driver", "feed an event whose action feeds another | feed, feed | read") {
        let rig = DriverRig()
        return Run(threads: [
            { rig.add(1) },
            {
                rig.add(2)
                rig.add(3)
            }, { rig.read() },
        ]) { rig.complaint([1, 2, 3, 10]) }
    },
    Program("driver-release", "hold a page, let go of it | hold another one; its end feeds the machine") {
        let rig = DriverRig()
        return Run(threads: [
            {
                rig.feed(.hold(rig.page(2)))
                rig.feed(.hold(nil))
            },
            { rig.feed(.hold(rig.page(3))) },
        ]) {
            rig.feed(.hold(nil))
            return rig.complaints.first
                ?? (rig.later.withLock { $0.sorted() } == [2, 3] ? nil : "a page has not ended")
        }
    },
    Program("driver-release-elsewhere", "hold a page, let go of it | feed | an executor that releases") {
        let rig = DriverRig()
        let executor = ScheduledExecutor()
        return Run(threads: [
            {
                rig.feed(.hold(rig.page(2, endsOn: 2)), releasingOn: executor)
                rig.feed(.hold(nil), releasingOn: executor)
            },
            { rig.feed(.add(3), releasingOn: executor) }, { executor.serve() },
        ]) {
            rig.complaints.first ?? (rig.later.withLock { $0.sorted() } == [2, 3] ? nil : "a page has not ended")
        }
    },
    Program("driver-timer", "feed a deadline, then an earlier one | feed the earliest | time passes, the timer fires") {
        let rig = DriverRig()
        return Run(threads: [
            {
                rig.feed(.due(9))
                rig.feed(.due(7))
            },
            { rig.feed(.due(3)) }, { rig.clock.advance(to: 5) },
        ]) {
            if let complaint = rig.complaints.first { return complaint }
            rig.clock.fireIfDue()
            let left = rig.driver.withMachine { $0.deadlines }.sorted()
            guard left == [7, 9] else { return "the deadlines \(left) are left at 5" }
            let armed = rig.clock.timer.withLock { $0 }?.armed.withLock { $0 }
            guard let armed, armed <= PaginatorInstant(nanoseconds: 7) else {
                return "the timer is set to \(String(describing: armed)), and the next deadline is at 7"
            }
            return nil
        }
    },
]

import Dispatch
import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct MachineDriverTests {
    /// Numbers its events, and can be told to hold an object, to let go of it, and to want to be woken.
    private struct Counter: Machine {
        enum Event: Sendable {
            case count(String)
            case both
            case hold(Page)
            case letGo
            case wake(at: PaginatorInstant?)
            case woken
        }

        typealias Page = PaginatorPage<Watched>

        var outbox = MachineOutbox<String, String>()
        var nextDeadline: PaginatorInstant?
        var events = 0
        var held: Page?
        var wakings: [PaginatorInstant] = []

        mutating func handle(_ event: Event, at now: PaginatorInstant) {
            events += 1
            switch event {
            case .count(let name): outbox.ordered.append("\(name)\(events)")
            case .both:
                outbox.ordered += ["first", "second"]
                outbox.unordered.append("later")
            case .hold(let page): held = page
            case .letGo: held = nil
            case .wake(let deadline): nextDeadline = deadline
            case .woken:
                if let due = nextDeadline, due <= now {
                    wakings.append(now)
                    nextDeadline = nil
                }
            }
        }

        func invariantViolations() -> [String] { [] }
    }

    /// Something of the user's that does what it likes when it ends.
    private final class Watched: Sendable {
        let ended: @Sendable () -> Void

        init(_ ended: @escaping @Sendable () -> Void) {
            self.ended = ended
        }

        deinit { ended() }
    }

    /// The shell of a counter.
    private final class Shell: Sendable {
        let log = Guarded<[String]>([])
        let driver: MachineDriver<Counter>
        private let reaction: @Sendable (Shell, String) -> Void

        init(_ clock: any PaginatorClock, reaction: @escaping @Sendable (Shell, String) -> Void = { _, _ in }) {
            let woken = Guarded<@Sendable () -> Void>({})
            driver = MachineDriver(Counter(), clock: clock) { woken.withLock { $0 }() }
            self.reaction = reaction
            woken.withLock { $0 = { [weak self] in self?.feed(.woken) } }
        }

        func feed(_ event: Counter.Event, releasingOn executor: (any WorkExecutor)? = nil) {
            driver.feed(event, releasingOn: executor) { action, _ in
                log.withLock { $0.append(action) }
                reaction(self, action)
            } unordered: { action in
                log.withLock { $0.append(action) }
                reaction(self, action)
            }
        }
    }

    private let clock = ManualPaginatorClock()

    @Test func `an event that an ordered action feeds is handled after the actions decided before it`() {
        let shell = Shell(clock) { shell, action in
            if action == "first" { shell.feed(.count("nested")) }
            if action == "nested2" { shell.feed(.count("deeper")) }
        }
        shell.feed(.both)
        #expect(shell.log.withLock { $0 } == ["first", "second", "nested2", "deeper3", "later"])
    }

    @Test func `unordered actions are done without the lock`() {
        let shell = Shell(clock) { shell, action in
            guard action == "later" else { return }
            let other = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                shell.feed(.count("other"))
                other.signal()
            }
            other.wait()
        }
        shell.feed(.both)
        #expect(shell.log.withLock { $0 } == ["first", "second", "later", "other2"])
    }

    @Test func `from many threads, actions are done in the order decided`() {
        let shell = Shell(clock)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<1_000 { shell.feed(.count("")) }
        }
        #expect(shell.log.withLock { $0 } == (1...8_000).map(String.init))
    }

    @Test func `what a machine lets go of is released without the lock`() {
        let shell = Shell(clock)
        let ended = Guarded(0)
        // Its end waits for another thread that feeds the machine, so under the lock it would never come.
        func page() -> PaginatorPage<Watched> {
            let watched = Watched { [weak shell] in
                ended.withLock { $0 += 1 }
                let other = DispatchSemaphore(value: 0)
                DispatchQueue.global().async { [shell] in
                    shell?.feed(.count("other"))
                    other.signal()
                }
                other.wait()
            }
            return PaginatorPage(content: [watched], key: "1")
        }
        shell.feed(.hold(page()))
        shell.feed(.hold(page()))
        #expect(ended.withLock { $0 } == 1)
        shell.feed(.letGo)
        #expect(ended.withLock { $0 } == 2)
        #expect(shell.log.withLock { $0 }.count == 2)
    }

    @Test func `an underlying error is released without the lock, too`() {
        struct Failure: Error {
            let watched: Watched
        }
        let ended = Guarded(false)
        var error: PaginatorError? = PaginatorError(
            .sourceFailed, "", underlying: Failure(watched: Watched { ended.withLock { $0 = true } }))
        let (_, gone) = DeferredRelease.collect { error = nil }
        #expect(error == nil)
        #expect(!ended.withLock { $0 })
        #expect(gone.count == 1)
    }

    @Test func `a thread that must not wait has the release done elsewhere`() {
        let executor = SimulatedExecutor()
        let shell = Shell(clock)
        let ended = Guarded(false)
        shell.feed(.hold(PaginatorPage(content: [Watched { ended.withLock { $0 = true } }], key: "1")))
        shell.feed(.letGo, releasingOn: executor)
        #expect(!ended.withLock { $0 })
        executor.runAll()
        #expect(ended.withLock { $0 })
    }

    @Test func `the machine is woken in time, once`() {
        let shell = Shell(clock)
        shell.feed(.wake(at: clock.now.advanced(by: .seconds(5))))
        shell.feed(.wake(at: clock.now.advanced(by: .seconds(2))))
        clock.advance(by: .seconds(10))
        #expect(shell.driver.withMachine { $0.wakings } == [PaginatorInstant.zero.advanced(by: .seconds(2))])
    }

    @Test func `a later deadline is reached by a timer that was set earlier`() {
        let shell = Shell(clock)
        shell.feed(.wake(at: clock.now.advanced(by: .seconds(2))))
        shell.feed(.wake(at: clock.now.advanced(by: .seconds(5))))
        clock.advance(by: .seconds(10))
        #expect(shell.driver.withMachine { $0.wakings } == [PaginatorInstant.zero.advanced(by: .seconds(5))])
    }

    @Test func `a deadline that passed while the device slept counts as unset`() {
        let clock = ManualPaginatorClock()
        let shell = Shell(clock)
        shell.feed(.wake(at: clock.now.advanced(by: .seconds(1))))
        clock.sleep(.hours(1))
        let due = clock.now.advanced(by: .milliseconds(300))
        shell.feed(.wake(at: due))
        clock.advance(by: .milliseconds(300))
        #expect(shell.driver.withMachine { $0.wakings.count } == 1)
    }

    @Test func `a deadline in the past wakes the machine as soon as possible`() {
        clock.advance(by: .seconds(10))
        let shell = Shell(clock)
        shell.feed(.wake(at: .zero))
        shell.feed(.count(""))
        clock.advance(by: .zero)
        #expect(shell.driver.withMachine { $0.wakings } == [clock.now])
    }

    @Test func `whoever holds a lock feeds without the clock, and sets the timer later`() {
        let shell = Shell(clock)
        let due = clock.now.advanced(by: .seconds(1))
        let wantsTimer = shell.driver.feed(.wake(at: due), at: clock.now) { _, _ in
        } unordered: { _ in
        }
        #expect(wantsTimer)
        #expect(clock.armedDeadlines == [])
        shell.driver.setTimer()
        #expect(clock.armedDeadlines == [due])
    }

    @Test func `whoever feeds from within an action leaves the timer to the feed around it`() {
        let shell = Shell(clock)
        let due = clock.now.advanced(by: .seconds(1))
        var innerWantsTimer: Bool?
        let wantsTimer = shell.driver.feed(.count(""), at: clock.now) { _, now in
            innerWantsTimer = shell.driver.feed(.wake(at: due), at: now) { _, _ in
            } unordered: { _ in
            }
        } unordered: { _ in
        }
        #expect(innerWantsTimer == false)
        #expect(wantsTimer)
        shell.driver.setTimer()
        #expect(clock.armedDeadlines == [due])
    }
}

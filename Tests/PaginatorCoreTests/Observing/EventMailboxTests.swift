import Dispatch
import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct EventMailboxTests {
    private func event(_ number: Int) -> PaginatorEvent {
        PaginatorEvent(.joined, at: PaginatorInstant(nanoseconds: Int64(number)))
    }

    @Test func `a lost notice counts as many as it tells of`() {
        var notice = PaginatorEvent(.eventsLost, at: .zero)
        notice.count = 5
        let one = PaginatorEvent.countingLost(nil, PaginatorEvent(.memoryHit, at: .zero))
        #expect(one.count == 1)
        #expect(PaginatorEvent.countingLost(one, notice).count == 6)
    }

    @Test func `a full mailbox tells what is lost at the place where it is missing`() {
        let executor = SimulatedExecutor()
        let observer = RecordingObserver()
        let mailbox = EventMailbox(observer: observer, executor: executor, capacity: 3)
        for number in 0..<5 { mailbox.post(event(number)) }
        executor.runAll()
        #expect(observer.events.map(\.time.nanoseconds) == [0, 1, 2, 3])
        #expect(observer.events.map(\.kind) == [.joined, .joined, .joined, .eventsLost])
        #expect(observer.events[3].count == 2)
        mailbox.post(event(9))
        executor.runAll()
        #expect(observer.events.map(\.kind).suffix(2) == [.eventsLost, .joined])
    }

    @Test(arguments: UInt64(0)..<20)
    func `whatever the interleaving, every event is told in order or counted`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let executor = SimulatedExecutor()
        let observer = RecordingObserver()
        let mailbox = EventMailbox(observer: observer, executor: executor, capacity: random.number(in: 0..<9))
        var posted: Int64 = 0
        for _ in 0..<500 {
            if random.chance(0.8) {
                mailbox.post(event(Int(posted)))
                posted += 1
            } else {
                executor.runOne()
            }
        }
        executor.runAll()
        var expected: Int64 = 0
        for event in observer.events {
            #expect(event.time.nanoseconds == expected, "seed \(seed)")
            expected += event.kind == .eventsLost ? Int64(event.count ?? 0) : 1
        }
        #expect(expected == posted, "seed \(seed)")
    }

    @Test func `posting never calls the observer`() {
        let executor = SimulatedExecutor()
        let observer = RecordingObserver()
        let mailbox = EventMailbox(observer: observer, executor: executor)
        mailbox.post(event(1))
        mailbox.post(event(2))
        #expect(observer.events.isEmpty)
        #expect(executor.count == 1)
        executor.runOne()
        #expect(observer.events.map(\.time.nanoseconds) == [1, 2])
        #expect(executor.count == 0)
        mailbox.post(event(3))
        executor.runOne()
        #expect(observer.events.count == 3)
    }

    @Test func `an observer may post, and gets those events after that`() {
        final class Echo: PaginatorObserver {
            let mailbox = Handshake<EventMailbox?>(nil)
            let seen = Handshake(0)

            func paginatorDidReport(_ event: PaginatorEvent) {
                seen.update { $0 += 1 }
                if event.kind == .joined { mailbox.read { $0 }?.post(PaginatorEvent(.memoryHit, at: .zero)) }
            }
        }
        let executor = SimulatedExecutor()
        let echo = Echo()
        let mailbox = EventMailbox(observer: echo, executor: executor)
        echo.mailbox.update { $0 = mailbox }
        mailbox.post(event(1))
        executor.runAll()
        #expect(echo.seen.read { $0 } == 2)
        #expect(executor.count == 0)
        echo.mailbox.update { $0 = nil }
    }

    @Test func `from many threads, each thread's events keep their order and the numbers add up`() async throws {
        let observer = RecordingObserver()
        let mailbox = EventMailbox(observer: observer, executor: QueueExecutor.work, capacity: 64)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for step in 0..<500 {
                var event = event(step)
                event.attempt = thread
                mailbox.post(event)
            }
        }
        try await observer.wait { events in
            events.reduce(0) { $0 + ($1.kind == .eventsLost ? $1.count ?? 0 : 1) } == 4_000
        }
        for thread in 0..<8 {
            let times = observer.events.filter { $0.attempt == thread }.map(\.time)
            #expect(times == times.sorted())
        }
    }
}

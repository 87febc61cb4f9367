import Dispatch
import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct SerialMailboxTests {
    private let own = SimulatedExecutor()
    private let other = SimulatedExecutor()
    private let log = Guarded<[Int]>([])

    private var handled: [Int] { log.withLock { $0 } }

    @Test func `one batch is asked for, however many messages are posted`() {
        let mailbox = SerialMailbox<Int>(on: own) { [log] message in log.withLock { $0.append(message) } }
        for message in 0..<3 { mailbox.post(message) }
        #expect(own.count == 1)
        #expect(handled == [])
        own.runOne()
        #expect(handled == [0, 1, 2])
        #expect(own.count == 0)
        mailbox.post(3)
        own.runAll()
        #expect(handled == [0, 1, 2, 3])
    }

    @Test func `a batch is bounded, and the next one is asked for`() {
        let mailbox = SerialMailbox<Int>(on: own) { [log] message in log.withLock { $0.append(message) } }
        for message in 0..<150 { mailbox.post(message) }
        own.runOne()
        #expect(handled.count == 64)
        #expect(own.count == 1)
        own.runAll()
        #expect(handled == Array(0..<150))
    }

    @Test func `a batch ends where the next message needs another executor`() {
        let (own, other) = (own, other)
        let mailbox = SerialMailbox<Int>(on: { $0 < 0 ? other : own }) { [log] message in
            log.withLock { $0.append(message) }
        }
        for message in [1, -2, -3, 4] { mailbox.post(message) }
        #expect(other.count == 0)
        own.runOne()
        #expect(handled == [1])
        #expect(own.count == 0)
        other.runOne()
        #expect(handled == [1, -2, -3])
        own.runOne()
        #expect(handled == [1, -2, -3, 4])
        #expect(own.count + other.count == 0)
    }

    @Test func `a bounded mailbox tells what it could not take, at its place`() {
        let bound: SerialMailbox<Int>.Bound = (2, { notice, _ in (notice ?? 0) - 1 })
        let mailbox = SerialMailbox<Int>(on: own, bound: bound) { [log] message in log.withLock { $0.append(message) } }
        for message in 1...5 { mailbox.post(message) }
        own.runAll()
        #expect(handled == [1, 2, -3])
        mailbox.post(6)
        own.runAll()
        #expect(handled == [1, 2, -3, 6])
    }

    @Test func `without an executor, what is posted within a handler comes after it`() {
        let mailbox = SerialMailbox<@Sendable () -> Void>()
        mailbox.run { [log] in
            mailbox.run { log.withLock { $0.append(2) } }
            log.withLock { $0.append(1) }
        }
        #expect(handled == [1, 2])
    }

    @Test func `with an executor, a caller handles its own message and a few others, and the executor the rest`() {
        let mailbox = SerialMailbox<@Sendable () -> Void>(on: own) { $0() }
        mailbox.run { [log] in
            // As other threads do meanwhile.
            for message in 1...100 { mailbox.run { log.withLock { $0.append(message) } } }
            log.withLock { $0.append(0) }
        }
        #expect(handled == Array(0..<8))
        mailbox.run { [log] in log.withLock { $0.append(101) } }
        #expect(handled.count == 8)
        own.runAll()
        #expect(handled == Array(0...101))
        mailbox.run { [log] in log.withLock { $0.append(102) } }
        #expect(handled.last == 102)
    }

    @Test(arguments: [true, false])
    func `from many threads, nothing is handled twice, at once or out of its thread's order`(isInline: Bool) {
        let (threads, steps) = (8, 2_000)
        let inside = Guarded(0)
        let overlaps = Guarded(0)
        let all = DispatchSemaphore(value: 0)
        let handle: @Sendable (Int) -> Void = { [log] message in
            if inside.withLock({
                $0 += 1; return $0
            }) != 1 {
                overlaps.withLock { $0 += 1 }
            }
            let count = log.withLock { log in
                log.append(message)
                return log.count
            }
            inside.withLock { $0 -= 1 }
            if count == threads * steps { all.signal() }
        }
        let mailbox =
            isInline
            ? SerialMailbox<@Sendable () -> Void>()
            : SerialMailbox<@Sendable () -> Void>(on: QueueExecutor.work) { $0() }
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            for step in 0..<steps {
                let message = thread * steps + step
                if isInline { mailbox.run { handle(message) } } else { mailbox.post { handle(message) } }
            }
        }
        all.wait()
        #expect(overlaps.withLock { $0 } == 0)
        for thread in 0..<threads {
            let own = handled.filter { $0 / steps == thread }
            #expect(own == Array(thread * steps..<(thread + 1) * steps))
        }
    }
}

import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct MailboxLimitsTests {
    /// Threads that may be busy with work that blocks, and one for work that does not.
    private final class TwoWays: WorkExecutor {
        let blocking = SimulatedExecutor()
        let prompt = SimulatedExecutor()

        func run(_ work: @escaping @Sendable () -> Void) { blocking.run(work) }
        func runPromptly(_ work: @escaping @Sendable () -> Void) { prompt.run(work) }
    }

    @Test func `a mailbox for one message keeps that one and a single notice of all that it lost`() {
        let executor = SimulatedExecutor()
        let handled = Guarded<[Int]>([])
        let bound: SerialMailbox<Int>.Bound = (1, { notice, _ in (notice ?? 0) - 1 })
        let mailbox = SerialMailbox<Int>(on: executor, bound: bound) { [handled] message in
            handled.withLock { $0.append(message) }
        }
        for message in 1...5 { mailbox.post(message) }
        executor.runAll()
        #expect(handled.withLock { $0 } == [1, -4])
    }

    @Test(arguments: [true, false])
    func `only what is prompt is handled while all threads for blocking work are busy`(isPrompt: Bool) {
        let executor = TwoWays()
        let handled = Guarded<[Int]>([])
        let mailbox = SerialMailbox<Int>(on: executor, isPrompt: isPrompt) { [handled] message in
            handled.withLock { $0.append(message) }
        }
        let messages = Array(0..<100)
        for message in messages { mailbox.post(message) }
        executor.prompt.runAll()
        #expect(handled.withLock { $0 } == (isPrompt ? messages : []))
        executor.blocking.runAll()
        #expect(handled.withLock { $0 } == messages)
    }
}

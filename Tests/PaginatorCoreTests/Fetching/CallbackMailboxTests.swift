import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct CallbackMailboxTests {
    private let own = StepExecutor()
    private let main = StepExecutor()
    private let clock = ManualPaginatorClock()
    private let log = Guarded<[String]>([])

    private func ticket(_ name: String, wantsMain: Bool = false) -> FetchTicket {
        FetchTicket(id: 0, wantsMain: wantsMain, onCancel: { _ in }) { [log] delivery, _ in
            log.withLock { $0.append("\(name)\(delivery.isTerminal ? "!" : "")") }
        }
    }

    private func mailbox(
        main: StepExecutor? = nil, delivered: @escaping @Sendable (Duration) -> Void = { _ in }
    ) -> CallbackMailbox {
        CallbackMailbox(own: own, main: main ?? self.main, clock: clock, delivered: delivered)
    }

    private let answer = Delivery.answer(.failure(PaginatorError(.offline, "")))

    @Test func `one turn is asked for however many are posted`() {
        let mailbox = mailbox()
        for name in ["a", "b", "c"] { mailbox.post(answer, to: ticket(name), decidedAt: .zero) }
        #expect(own.waiting == 1)
        #expect(log.withLock { $0 } == [])
        own.drain()
        #expect(log.withLock { $0 } == ["a!", "b!", "c!"])
        #expect(own.waiting == 0)
        mailbox.post(answer, to: ticket("d"), decidedAt: .zero)
        #expect(own.waiting == 1)
    }

    @Test func `a turn is bounded and the next is asked for`() {
        let mailbox = mailbox()
        for number in 0..<150 { mailbox.post(answer, to: ticket("\(number)"), decidedAt: .zero) }
        own.step()
        #expect(log.withLock { $0.count } == 64)
        #expect(own.waiting == 1)
        own.step()
        #expect(log.withLock { $0.count } == 128)
        own.drain()
        #expect(log.withLock { $0 } == (0..<150).map { "\($0)!" })
    }

    @Test func `queues take turns in one order`() {
        let mailbox = mailbox()
        for (name, wantsMain) in [("a", false), ("b", true), ("c", true), ("d", false)] {
            mailbox.post(answer, to: ticket(name, wantsMain: wantsMain), decidedAt: .zero)
        }
        #expect(main.waiting == 0)
        own.step()
        #expect(log.withLock { $0 } == ["a!"])
        #expect(own.waiting == 0)
        main.step()
        #expect(log.withLock { $0 } == ["a!", "b!", "c!"])
        own.step()
        #expect(log.withLock { $0 } == ["a!", "b!", "c!", "d!"])
        #expect(own.waiting + main.waiting == 0)
    }

    @Test func `with one queue for both there is one turn`() {
        let mailbox = mailbox(main: own)
        for (name, wantsMain) in [("a", false), ("b", true), ("c", false)] {
            mailbox.post(answer, to: ticket(name, wantsMain: wantsMain), decidedAt: .zero)
        }
        own.step()
        #expect(log.withLock { $0 } == ["a!", "b!", "c!"])
    }

    @Test func `what is posted in a callback comes in a later turn or after it`() {
        let mailbox = mailbox()
        let second = ticket("second")
        let answer = answer
        let first = FetchTicket(id: 0, onCancel: { _ in }) { [log] _, _ in
            mailbox.post(answer, to: second, decidedAt: .zero)
            log.withLock { $0.append("first!") }
        }
        mailbox.post(answer, to: first, decidedAt: .zero)
        own.drain()
        #expect(log.withLock { $0 } == ["first!", "second!"])
    }

    @Test func `only the first terminal of a ticket is delivered and timed`() {
        let waits = Guarded<[Duration]>([])
        let mailbox = mailbox(delivered: { waited in waits.withLock { $0.append(waited) } })
        let ticket = ticket("a")
        mailbox.post(answer, to: ticket, decidedAt: .zero)
        mailbox.post(answer, to: ticket, decidedAt: .zero)
        clock.advance(by: .seconds(3))
        own.drain()
        #expect(log.withLock { $0 } == ["a!"])
        #expect(waits.withLock { $0 } == [.seconds(3)])
    }

    @Test func `a ticket lets go of its listener with the terminal`() {
        let mailbox = mailbox()
        weak var listener: Guarded<Int>?
        let ticket: FetchTicket
        do {
            let made = Guarded(0)
            listener = made
            ticket = FetchTicket(id: 0, onCancel: { _ in }) { _, _ in made.withLock { $0 += 1 } }
        }
        #expect(listener != nil)
        mailbox.post(.changed, to: ticket, decidedAt: .zero)
        own.drain()
        #expect(listener != nil)
        mailbox.post(answer, to: ticket, decidedAt: .zero)
        own.drain()
        #expect(listener == nil)
    }
}

import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct CallbackMailboxTests {
    private let own = SimulatedExecutor()
    private let main = SimulatedExecutor()
    private let clock = ManualPaginatorClock()
    private let log = Guarded<[String]>([])

    private func ticket(_ name: String, wantsMain: Bool = false) -> FetchTicket {
        let place: FetchTicket.Place = wantsMain ? .mainQueue : .callbackQueue
        return FetchTicket(id: 0, place: place, onCancel: { _ in }) { [log] delivery, _ in
            log.withLock { $0.append("\(name)\(delivery.isTerminal ? "!" : "")") }
        }
    }

    private func mailbox(
        main: SimulatedExecutor? = nil, delivered: @escaping @Sendable (PaginatorInstant) -> Void = { _ in }
    ) -> CallbackMailbox {
        CallbackMailbox(own: own, main: main ?? self.main, delivered: delivered)
    }

    private let answer = Delivery.answer(.failure(PaginatorError(.offline, "")))

    @Test func `one turn is asked for however many are posted`() {
        let mailbox = mailbox()
        for name in ["a", "b", "c"] { mailbox.post(answer, to: ticket(name), decidedAt: .zero) }
        #expect(own.count == 1)
        #expect(log.withLock { $0 } == [])
        own.runAll()
        #expect(log.withLock { $0 } == ["a!", "b!", "c!"])
        #expect(own.count == 0)
        mailbox.post(answer, to: ticket("d"), decidedAt: .zero)
        #expect(own.count == 1)
    }

    @Test func `a turn is bounded and the next is asked for`() {
        let mailbox = mailbox()
        for number in 0..<150 { mailbox.post(answer, to: ticket("\(number)"), decidedAt: .zero) }
        own.runOne()
        #expect(log.withLock { $0.count } == 64)
        #expect(own.count == 1)
        own.runOne()
        #expect(log.withLock { $0.count } == 128)
        own.runAll()
        #expect(log.withLock { $0 } == (0..<150).map { "\($0)!" })
    }

    @Test func `queues take turns in one order`() {
        let mailbox = mailbox()
        for (name, wantsMain) in [("a", false), ("b", true), ("c", true), ("d", false)] {
            mailbox.post(answer, to: ticket(name, wantsMain: wantsMain), decidedAt: .zero)
        }
        #expect(main.count == 0)
        own.runOne()
        #expect(log.withLock { $0 } == ["a!"])
        #expect(own.count == 0)
        main.runOne()
        #expect(log.withLock { $0 } == ["a!", "b!", "c!"])
        own.runOne()
        #expect(log.withLock { $0 } == ["a!", "b!", "c!", "d!"])
        #expect(own.count + main.count == 0)
    }

    @Test func `with one queue for both there is one turn`() {
        let mailbox = mailbox(main: own)
        for (name, wantsMain) in [("a", false), ("b", true), ("c", false)] {
            mailbox.post(answer, to: ticket(name, wantsMain: wantsMain), decidedAt: .zero)
        }
        own.runOne()
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
        own.runAll()
        #expect(log.withLock { $0 } == ["first!", "second!"])
    }

    @Test func `only the first terminal of a ticket is delivered and timed`() {
        let waits = Guarded<[Duration]>([])
        let mailbox = mailbox(delivered: { [clock] decided in
            waits.withLock { $0.append(decided.duration(to: clock.now)) }
        })
        let ticket = ticket("a")
        mailbox.post(answer, to: ticket, decidedAt: .zero)
        mailbox.post(answer, to: ticket, decidedAt: .zero)
        clock.advance(by: .seconds(3))
        own.runAll()
        #expect(log.withLock { $0 } == ["a!"])
        #expect(waits.withLock { $0 } == [.seconds(3)])
    }

    @Test func `a ticket that was cancelled or answered says that it delivers nothing`() {
        let cancelled = ticket("a")
        #expect(cancelled.deliver(.changed, at: .zero))
        #expect(cancelled.cancel())
        #expect(!cancelled.deliver(.changed, at: .zero))
        #expect(!cancelled.deliver(answer, at: .zero))
        let answered = ticket("b")
        #expect(answered.deliver(answer, at: .zero))
        #expect(!answered.deliver(.changed, at: .zero))
        #expect(log.withLock { $0 } == ["a", "b!"])
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
        own.runAll()
        #expect(listener != nil)
        mailbox.post(answer, to: ticket, decidedAt: .zero)
        own.runAll()
        #expect(listener == nil)
    }
}

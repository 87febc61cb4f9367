@testable import PaginatorCore

/// A fetch that is cancelled while its answer and its deadline are on their way.
struct TicketModel: SequentialModel {
    enum Call: Sendable {
        case cancel
        case deliver(String)
    }

    private enum State { case pending, answered, cancelled }

    private var state = State.pending
    private var wasTold = false

    mutating func accepts(_ call: Call, _ outcome: Bool) -> Bool {
        switch call {
        case .cancel, .deliver("answer"), .deliver("deadline"):
            guard outcome == (state == .pending) else { return false }
            guard outcome else { return true }
            if case .cancel = call {
                state = .cancelled
            } else {
                (state, wasTold) = (.answered, true)
            }
        case .deliver("preview"): return outcome == (state == .pending)
        default:
            guard outcome == (state == .cancelled && !wasTold) else { return false }
            wasTold = true
        }
        return true
    }

    static func program(_ name: String, _ about: String, previews: Bool, cancels: Int) -> Program {
        Program(name, about) {
            let history = History<Call, Bool>()
            let mailbox = SerialMailbox<@Sendable () -> Void>()
            let told = Unguarded<[String]>([])
            let complaints = Complaints()
            @Sendable func post(_ ticket: FetchTicket, _ delivery: Delivery, _ name: String) {
                mailbox.run {
                    history.record(.deliver(name)) { ticket.deliver(delivery, at: .zero) }
                }
            }
            let ticket = FetchTicket(
                id: 1, onCancel: { post($0, .cancelled, "cancelled") },
                receiver: { delivery, _ in
                    complaints.expectNoLock("a callback")
                    told.value.append(delivery.isTerminal ? "terminal" : "preview")
                })
            let page = LoadedPage.numbered(1)
            let cancelling: [@Sendable () -> Void] = (0..<cancels).map { _ in
                { history.record(.cancel) { ticket.cancel() } }
            }
            return Run(
                threads: cancelling + [
                    {
                        if previews { post(ticket, .preview(page), "preview") }
                        post(ticket, .answer(.success(page)), "answer")
                    },
                    { post(ticket, .answer(.failure(PaginatorError(.timedOut, ""))), "deadline") },
                ]
            ) {
                if let complaint = complaints.first { return complaint }
                let terminals = told.value.count { $0 == "terminal" }
                guard terminals == 1, told.value.last == "terminal" else {
                    return "the listener was told \(told.value)"
                }
                return TicketModel().complaint(about: history)
            }
        }
    }
}

let ticketPrograms = [
    TicketModel.program("ticket", "cancel | preview, answer | deadline", previews: true, cancels: 1),
    TicketModel.program("ticket-twice", "cancel | cancel | answer | deadline", previews: false, cancels: 2),
]

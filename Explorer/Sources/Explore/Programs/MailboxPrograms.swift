import CExplorer

@testable import PaginatorCore

/// Messages are handled in the order in which they were posted, one at a time.
struct MailboxModel: SequentialModel {
    enum Call: Sendable {
        case post(Int)
        case handle(Int)
    }

    private var waiting: [Int] = []

    mutating func accepts(_ call: Call, _ outcome: Bool) -> Bool {
        switch call {
        case .post(let message): waiting.append(message)
        case .handle(let message):
            guard waiting.first == message else { return false }
            waiting.removeFirst()
        }
        return true
    }

    mutating func isDone() -> Bool { waiting.isEmpty }
}

private final class MailboxRig: Sendable {
    let history = History<MailboxModel.Call, Bool>()
    let complaints = Complaints()
    private let isHandling = Unguarded(false)
    private let handled = Unguarded(0)

    func handle(_ message: Int) {
        complaints.expectNoLock("a handler")
        complaints.add("two messages are handled at once", unless: !isHandling.value)
        isHandling.value = true
        history.record(.handle(message)) {
            explorer_point()
            return true
        }
        handled.value += 1
        isHandling.value = false
    }

    func complaint(_ posted: Int, _ isIdle: Bool) -> String? {
        if let complaint = complaints.first { return complaint }
        guard handled.value == posted else { return "\(handled.value) of \(posted) messages were handled" }
        guard isIdle else { return "the mailbox is at work for ever" }
        return MailboxModel().complaint(about: history)
    }
}

let mailboxPrograms = [
    Program("mailbox", "post, post | post | an executor") {
        let rig = MailboxRig()
        let executor = ScheduledExecutor()
        let mailbox = SerialMailbox<Int>(on: executor) { rig.handle($0) }
        @Sendable func post(_ message: Int) {
            rig.history.record(.post(message)) {
                mailbox.post(message)
                return true
            }
        }
        return Run(threads: [
            { for message in [1, 2] { post(message) } }, { post(3) }, { executor.serve() },
        ]) { rig.complaint(3, mailbox.isIdle) }
    },
    Program("mailbox-two-executors", "post, post | post | an executor for even messages | one for odd ones") {
        let rig = MailboxRig()
        let executors = [ScheduledExecutor(), ScheduledExecutor()]
        let mailbox = SerialMailbox<Int>(on: { executors[$0 % 2] }) { rig.handle($0) }
        @Sendable func post(_ message: Int) {
            rig.history.record(.post(message)) {
                mailbox.post(message)
                return true
            }
        }
        return Run(threads: [
            { for message in [1, 2] { post(message) } }, { post(3) }, { executors[0].serve() },
            { executors[1].serve() },
        ]) { rig.complaint(3, mailbox.isIdle) }
    },
    Program("mailbox-inline", "post, post | post | post, each handled by who is at work") {
        let rig = MailboxRig()
        let mailbox = SerialMailbox<@Sendable () -> Void>()
        // A post that finds another thread at work returns at once; else it returns with its message handled.
        @Sendable func post(_ message: Int) {
            let begun = rig.history.begin(.post(message))
            mailbox.run { rig.handle(message) }
            rig.history.end(begun, true)
        }
        return Run(threads: [{ for message in [1, 2] { post(message) } }, { post(3) }, { post(4) }]) {
            rig.complaint(4, mailbox.isIdle)
        }
    },
    Program("mailbox-bound", "post, post, post | post | an executor; one message waits, and losses are added up") {
        let complaints = Complaints()
        let executor = ScheduledExecutor()
        let received = Unguarded(0)
        // A message is how many it stands for.
        let bound: SerialMailbox<Int>.Bound = (1, { notice, lost in (notice ?? 0) + lost })
        let mailbox = SerialMailbox<Int>(on: executor, bound: bound) {
            complaints.expectNoLock("a handler")
            explorer_point()
            received.value += $0
        }
        return Run(threads: [
            { for _ in 0..<3 { mailbox.post(1) } }, { mailbox.post(1) }, { executor.serve() },
        ]) {
            complaints.first ?? (received.value == 4 && mailbox.isIdle ? nil : "\(received.value) of 4 arrived")
        }
    },
]

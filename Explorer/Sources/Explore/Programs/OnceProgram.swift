@testable import PaginatorCore

/// The first one who takes a flag has it.
struct OnceModel: SequentialModel {
    enum Call: Sendable { case take, look }

    private var isTaken = false

    mutating func accepts(_ call: Call, _ outcome: Bool) -> Bool {
        guard case .take = call else { return outcome == isTaken }
        defer { isTaken = true }
        return outcome == !isTaken
    }
}

let oncePrograms = [
    Program("once", "take, look | take | look, take") {
        let history = History<OnceModel.Call, Bool>()
        let flag = OnceFlag()
        @Sendable func take() { history.record(.take) { flag.take() } }
        @Sendable func look() { history.record(.look) { flag.isTaken } }
        return Run(threads: [
            {
                take()
                look()
            }, take,
            {
                look()
                take()
            },
        ]) { OnceModel().complaint(about: history) }
    }
]

/// What a client has yet to be told, in the order decided, and whether somebody is telling it.
struct SchedulerOutbox {
    /// After so many decisions the executor's other work has its turn.
    static let turn = 64

    private(set) weak var client: (any SchedulerClient)?
    private var pending: [SchedulerDecision] = []
    private var isDraining = false

    init(client: any SchedulerClient) {
        self.client = client
    }

    /// Adds a decision; `true` when a turn has to be asked for.
    mutating func append(_ decision: SchedulerDecision) -> Bool {
        pending.append(decision)
        defer { isDraining = true }
        return !isDraining
    }

    /// Takes what is told next, at most `limit` decisions; when there is none, the turn is over.
    mutating func next(upTo limit: Int) -> [SchedulerDecision] {
        guard pending.count > limit else {
            isDraining = !pending.isEmpty
            defer { pending = [] }
            return pending
        }
        defer { pending.removeFirst(limit) }
        return Array(pending.prefix(limit))
    }

    /// Ends a turn that has told as much as it may; `true` when another one has to be asked for.
    mutating func endTurn() -> Bool {
        isDraining = !pending.isEmpty
        return isDraining
    }
}

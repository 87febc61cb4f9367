/// What a client has yet to be told, in the order decided, and whether somebody is telling it.
struct SchedulerOutbox: Sendable {
    /// After so many decisions the executor's other work has its turn.
    static let turn = 64

    private weak var client: (any SchedulerClient)?
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

    /// Takes what is told next, at most `limit` decisions, and whom it is told; when there is none, the turn is over.
    ///
    /// - Returns: `nil` when the client no longer lives.
    mutating func next(upTo limit: Int) -> (client: any SchedulerClient, decisions: [SchedulerDecision])? {
        guard let client else { return nil }
        guard pending.count > limit else {
            isDraining = !pending.isEmpty
            defer { pending = [] }
            return (client, pending)
        }
        defer { pending.removeFirst(limit) }
        return (client, Array(pending.prefix(limit)))
    }

    /// Ends a turn that has told as much as it may; `true` when another one has to be asked for.
    mutating func endTurn() -> Bool {
        isDraining = !pending.isEmpty
        return isDraining
    }
}

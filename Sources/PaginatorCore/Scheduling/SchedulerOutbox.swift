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

    /// Takes what one turn tells.
    mutating func nextTurn() -> ArraySlice<SchedulerDecision> {
        let turn = pending.prefix(Self.turn)
        pending = Array(pending.dropFirst(turn.count))
        return turn
    }

    /// Ends a turn; `true` when another one has to be asked for.
    mutating func endTurn() -> Bool {
        isDraining = !pending.isEmpty
        return isDraining
    }
}

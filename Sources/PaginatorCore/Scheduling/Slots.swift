/// The slots that running attempts hold.
package struct Slots: Sendable {
    /// How many attempts may run at once; lowering it stops none that runs.
    package var limit: Int {
        didSet { limit = max(1, limit) }
    }

    /// How many attempts run.
    package private(set) var running = 0

    /// Makes `limit` free slots, at least one.
    package init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// How many slots are free.
    package var free: Int { max(0, limit - running) }

    /// Whether a prefetch may take a slot: not the last free one, unless there is only one slot at all.
    package var admitsPrefetch: Bool { free > (limit > 1 ? 1 : 0) }

    /// Takes a slot; the caller has seen that one is free.
    package mutating func take() { running += 1 }

    /// Gives a slot back.
    package mutating func release() { running = max(0, running - 1) }
}

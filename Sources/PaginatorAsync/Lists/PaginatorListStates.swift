public import PaginatorCore

extension PaginatorList {
    /// The states of the list: the present one first, whose difference inserts everything, then the latest after each
    /// change.
    ///
    /// Whoever is slow misses states in between, never the latest: the difference leads from the state that was taken before
    /// to this one, and notices of the states between are kept, the latest 256. The sequence does not keep the list alive;
    /// it ends with it, and in a cancelled task. Whoever stops iterating ends the observation.
    ///
    /// ```swift
    /// for await state in list.states() { view.apply(state.difference, state.status) }
    /// ```
    public func states() -> PaginatorSequence<PaginatorListUpdate<T, ID>, Never> {
        PaginatorSequence { [weak self] in
            let channel = Channel(Latest<PaginatorListUpdate<T, ID>>())
            guard let self else {
                channel.finish()
                return ListStates(updates: ChannelSource(channel))
            }
            // The handler goes with the observation, and the end with the handler.
            let end = ChannelEnd(channel)
            let execution = observe { update in end.channel.put { $0.put(update) { $1.replacing($0) } } }
            // Held strongly, the execution would keep its handler, and with that the channel, from ending.
            return ListStates(updates: ChannelSource(channel) { [weak execution] in execution?.cancel() })
        }
    }

    /// Loads pages anew and returns when that is over, for a pull to refresh; what else the list loads or has failed to load
    /// does not matter.
    ///
    /// Cancelling the task stops the wait, not the refresh; ``cancelLoads()`` does that.
    ///
    /// - Parameter refresh: which pages, and what becomes of the rest; all by default.
    /// - Throws: ``PaginatorError`` with why the refresh failed, or with ``PaginatorError/Code/cancelled``. The items
    ///   stay in either case.
    nonisolated(nonsending) public func refreshAndWait(
        _ refresh: PaginatorListRefresh = .all
    ) async throws(PaginatorError) {
        guard !Task.isCancelled else { throw .taskCancelled }
        let channel = Channel(Latest<Result<Void, PaginatorError>>())
        self.refresh(refresh) { error in channel.put { $0.put(error.map { .failure($0) } ?? .success(())) } }
        guard let result = await channel.next() else { throw .taskCancelled }
        try result.get()
    }
}

/// The updates of a list, each with the difference from the one that was taken before.
private struct ListStates<T: Sendable, ID: Hashable & Sendable>: ElementSource {
    var updates: ChannelSource<Latest<PaginatorListUpdate<T, ID>>>
    private var taken = PaginatorListSnapshot<T, ID>()

    init(updates: ChannelSource<Latest<PaginatorListUpdate<T, ID>>>) {
        self.updates = updates
    }

    nonisolated(nonsending) mutating func next() async -> PaginatorListUpdate<T, ID>? {
        guard let update = await updates.next()?.following(taken) else { return nil }
        taken = update.snapshot
        return update
    }
}

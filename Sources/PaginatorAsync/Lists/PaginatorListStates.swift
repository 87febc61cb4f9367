public import PaginatorCore
public import PaginatorLists

extension PaginatorList {
    /// The states of the list: first the present one, whose difference inserts every item, then one after each change.
    ///
    /// A slow consumer gets fewer states, and always the latest: the difference leads from the state that it took last
    /// to this one, and the latest 256 notices in between are kept. The sequence does not keep the list alive. It ends
    /// when the list is released, when the task is cancelled, and when its iterator is dropped.
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

    /// Loads pages again and returns when they have arrived, for a pull to refresh; other loads of the list do not matter.
    ///
    /// Cancelling the task stops the wait, not the refresh; `cancelLoads()` stops the refresh.
    ///
    /// - Parameter refresh: which pages, and what becomes of the others; all by default.
    /// - Throws: the ``/PaginatorCore/PaginatorError`` of the first page that failed, or one with the code
    ///   ``/PaginatorCore/PaginatorError/Code/cancelled``. The items stay in either case.
    nonisolated(nonsending) public func refreshAndWait(
        _ refresh: PaginatorListRefresh = .all
    ) async throws(PaginatorError) {
        guard !Task.isCancelled else { throw .taskCancelled }
        let channel = Channel(Latest<Result<Void, PaginatorError>>())
        self.refresh(refresh) { error in channel.put { $0.put(error.map { .failure($0) } ?? .success(())) } }
        guard let result = await channel.next() else { throw .taskCancelled }
        try result.get()
    }

    /// Tells where the list is, to come back to it after a relaunch; `nil` while nothing is loaded.
    nonisolated(nonsending) public func bookmark() async -> PaginatorListBookmark? {
        await withCheckedContinuation { continuation in bookmark { continuation.resume(returning: $0) } }
    }

    /// Loads pages at the end until there are no more, or the list has a number of items; see `loadAll(limit:completion:)`.
    ///
    /// Cancelling the task stops further pages, too.
    ///
    /// ```swift
    /// try await list.loadAllAndWait(limit: 500)
    /// ```
    ///
    /// - Parameter limit: how many items are enough; all by default.
    /// - Throws: the ``/PaginatorCore/PaginatorError`` of the page that failed, or one with the code
    ///   ``/PaginatorCore/PaginatorError/Code/cancelled``. The items stay in either case.
    nonisolated(nonsending) public func loadAllAndWait(limit: Int = .max) async throws(PaginatorError) {
        guard !Task.isCancelled else { throw .taskCancelled }
        let channel = Channel(Latest<Result<Void, PaginatorError>>())
        let execution = loadAll(limit: limit) { error in
            channel.put { $0.put(error.map { .failure($0) } ?? .success(())) }
        }
        guard let result = await channel.next() else {
            execution.cancel()
            throw .taskCancelled
        }
        try result.get()
    }
}

/// The updates of a list, each with the difference from the one that was taken before.
private struct ListStates<T: Sendable, ID: Hashable & Sendable>: ElementSource {
    var updates: ChannelSource<Latest<PaginatorListUpdate<T, ID>>>
    // By this iterator: a copy of it takes others.
    private var taken: PaginatorListUpdate<T, ID>?

    init(updates: ChannelSource<Latest<PaginatorListUpdate<T, ID>>>) {
        self.updates = updates
    }

    nonisolated(nonsending) mutating func next() async -> PaginatorListUpdate<T, ID>? {
        guard let update = await updates.next()?.following(taken) else { return nil }
        taken = update
        return update
    }
}

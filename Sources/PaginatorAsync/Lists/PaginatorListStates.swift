public import PaginatorCore
public import PaginatorLists

extension PaginatorList {
    /// The states of the list: first the current one, whose difference inserts every item, then one after each change.
    ///
    /// A slow consumer skips states, and always gets the latest: its difference begins at the last state taken, and the
    /// last 256 notices in between are kept. The sequence does not retain the list. It ends when the list is released,
    /// when the task is cancelled, and when its iterator is dropped.
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
            // Released with the observation's handler, which ends the sequence.
            let end = ChannelEnd(channel)
            let execution = observe { update in end.channel.put { $0.put(update) { $1.replacing($0) } } }
            // Weak, because the execution would retain its handler, and so the channel.
            return ListStates(updates: ChannelSource(channel) { [weak execution] in execution?.cancel() })
        }
    }

    /// Loads pages again and returns when they have arrived, for a pull to refresh. It does not wait for other loads.
    ///
    /// Cancelling the task stops the wait, not the refresh; `cancelLoads()` stops the refresh.
    ///
    /// - Parameter refresh: which pages to load; all by default.
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

    /// Returns a bookmark of the current place, for `restore(_:)` after a relaunch; `nil` if nothing is loaded.
    nonisolated(nonsending) public func bookmark() async -> PaginatorListBookmark? {
        await withCheckedContinuation { continuation in bookmark { continuation.resume(returning: $0) } }
    }

    /// Loads pages at the end until the source has no more, or the list has `limit` items; see
    /// `loadAll(limit:completion:)`.
    ///
    /// Cancelling the task also stops further pages.
    ///
    /// ```swift
    /// try await list.loadAllAndWait(limit: 500)
    /// ```
    ///
    /// - Parameter limit: the number of items to load up to; all by default.
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

/// A list's updates, each with the difference from the last one taken.
private struct ListStates<T: Sendable, ID: Hashable & Sendable>: ElementSource {
    var updates: ChannelSource<Latest<PaginatorListUpdate<T, ID>>>
    // The last one taken by this iterator; a copy takes others.
    var taken: PaginatorListUpdate<T, ID>?

    nonisolated(nonsending) mutating func next() async -> PaginatorListUpdate<T, ID>? {
        guard let update = await updates.next()?.following(taken) else { return nil }
        taken = update
        return update
    }
}

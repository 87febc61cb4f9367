public import PaginatorCore

/// What a list shows and does at one time.
public struct PaginatorListState<T: Sendable, ID: Hashable & Sendable>: Sendable {
    /// How many notices wait at most; the oldest go first.
    static var noticeLimit: Int { 256 }

    /// What the list shows.
    public let snapshot: PaginatorListSnapshot<T, ID>
    /// What the list is doing.
    public let status: PaginatorListStatus
    /// Where the first visible item is now, as last hinted; `nil` without a hint, or when it is gone.
    public let anchor: Int?
    /// What else happened since the state before, in order; the latest 256 at most.
    public let notices: [PaginatorListNotice]
}

/// The states of a list: the present one first, then the latest after each change.
///
/// Whoever is slow misses states in between, never the latest. Differences are for callbacks, because they follow each
/// other without a gap; see `PaginatorList/observe(_:)`. It ends with the list, and in a cancelled task; whoever stops
/// iterating ends the observation. Each iterator observes on its own from when it is made.
public struct PaginatorListStates<T: Sendable, ID: Hashable & Sendable>: AsyncSequence, Sendable {
    let list: @Sendable () -> PaginatorList<T, ID>?

    /// Starts an observation.
    public func makeAsyncIterator() -> Iterator {
        let channel = Channel(LatestListState<T, ID>())
        guard let list = list() else {
            channel.finish()
            return Iterator(subscription: ObservationSubscription(channel, nil))
        }
        // The handler goes with the observation, and the end with the handler.
        let end = ChannelEnd(channel)
        let execution = list.observe { update in end.channel.put { $0.replace(with: update) } }
        return Iterator(subscription: ObservationSubscription(channel, execution))
    }

    /// Delivers the states of a list.
    public struct Iterator: AsyncIteratorProtocol {
        /// A state.
        public typealias Element = PaginatorListState<T, ID>
        /// It never fails.
        public typealias Failure = Never

        let subscription: ObservationSubscription<LatestListState<T, ID>>

        /// Waits for the next state on the caller's actor; `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> PaginatorListState<T, ID>? {
            await subscription.channel.next()
        }

        /// Waits for the next state; `nil` at the end.
        public mutating func next() async -> PaginatorListState<T, ID>? {
            await next(isolation: #isolation)
        }
    }
}

/// The latest state of a list, with the notices of those that nobody took.
struct LatestListState<T: Sendable, ID: Hashable & Sendable>: ChannelBuffer {
    private var latest: PaginatorListState<T, ID>?

    mutating func replace(with update: PaginatorListUpdate<T, ID>) {
        let notices = (latest?.notices ?? []) + update.notices
        latest = PaginatorListState(
            snapshot: update.snapshot, status: update.status, anchor: update.anchor,
            notices: notices.suffix(PaginatorListState<T, ID>.noticeLimit))
    }

    mutating func takeFirst() -> PaginatorListState<T, ID>? {
        defer { latest = nil }
        return latest
    }
}

extension PaginatorList {
    /// The states of the list as a sequence, which does not keep the list alive.
    public func states() -> PaginatorListStates<T, ID> {
        PaginatorListStates(list: { [weak self] in self })
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
        let channel = Channel(RefreshEnd())
        self.refresh(refresh) { error in channel.put { $0.result = error.map { .failure($0) } ?? .success(()) } }
        guard let result = await channel.next() else { throw .taskCancelled }
        try result.get()
    }
}

/// How a refresh ended, once it has.
private struct RefreshEnd: ChannelBuffer {
    var result: Result<Void, PaginatorError>?

    mutating func takeFirst() -> Result<Void, PaginatorError>? {
        defer { result = nil }
        return result
    }
}

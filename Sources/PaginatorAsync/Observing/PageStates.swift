public import PaginatorCore

/// The states of one page as a screen shows them: the present one first, then the latest after each change.
///
/// Whoever is slow misses states in between, never the latest. It ends with the paginator, and in a cancelled task;
/// whoever stops iterating ends the observation. Each iterator observes on its own from when it is made.
public struct PageStates<T: Sendable>: AsyncSequence, Sendable {
    let paginator: @Sendable () -> CallbackPaginator<T>?
    let identity: PageIdentity

    /// Starts an observation.
    public func makeAsyncIterator() -> Iterator {
        let channel = Channel(LatestState<T>())
        guard let paginator = paginator() else {
            channel.finish()
            return Iterator(subscription: ObservationSubscription(channel, nil))
        }
        // The handler goes with the observation, and the end with the handler.
        let end = ChannelEnd(channel)
        let execution = paginator.observe(
            key: identity.key, pageSize: identity.pageSize, scope: identity.scope
        ) { state in
            end.channel.put { $0.latest = .some(state) }
        }
        return Iterator(subscription: ObservationSubscription(channel, execution))
    }

    /// Delivers the states of a page.
    public struct Iterator: AsyncIteratorProtocol {
        /// A state; `nil` when nothing is known of the page.
        public typealias Element = PaginatorPageResult<T>?
        /// It never fails.
        public typealias Failure = Never

        let subscription: ObservationSubscription<LatestState<T>>

        /// Waits for the next state on the caller's actor; `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> PaginatorPageResult<T>?? {
            await subscription.channel.next()
        }

        /// Waits for the next state; `nil` at the end.
        public mutating func next() async -> PaginatorPageResult<T>?? {
            await next(isolation: #isolation)
        }
    }
}

/// The latest of what was put in.
struct LatestState<T: Sendable>: ChannelBuffer {
    var latest: PaginatorPageResult<T>??

    mutating func takeFirst() -> PaginatorPageResult<T>?? {
        defer { latest = .none }
        return latest
    }
}

/// Ends a channel when nobody can put anything into it any more.
final class ChannelEnd<Buffer: ChannelBuffer>: Sendable {
    let channel: Channel<Buffer>

    init(_ channel: Channel<Buffer>) {
        self.channel = channel
    }

    deinit {
        channel.finish()
    }
}

/// An observation that ends with the iterator that holds it.
///
/// The execution is held weakly: as long as the observation lasts somebody else holds it, and holding it would keep the
/// observation's handler, and with that the channel, from ending.
///
/// `@unchecked Sendable`: `execution` is set in the initializer and never again; reading a weak reference is atomic.
final class ObservationSubscription<Buffer: ChannelBuffer>: @unchecked Sendable {
    let channel: Channel<Buffer>
    private weak var execution: PaginatorExecution?

    init(_ channel: Channel<Buffer>, _ execution: PaginatorExecution?) {
        self.channel = channel
        self.execution = execution
    }

    deinit {
        execution?.cancel()
        channel.finish()
    }
}

extension CallbackPaginator {
    /// The states of a page as a sequence, which does not keep the paginator alive.
    ///
    /// - Parameters:
    ///   - key: the page's key.
    ///   - pageSize: the number of items it is asked for with.
    ///   - scope: separates the same keys.
    public func states(key: String, pageSize: Int, scope: String = "") -> PageStates<T> {
        PageStates(
            paginator: { [weak self] in self }, identity: PageIdentity(key: key, pageSize: pageSize, scope: scope))
    }
}

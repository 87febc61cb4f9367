#if canImport(Combine)
    public import Combine
#elseif OpenCombine
    public import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
    import PaginatorCore

    /// Publishes what a paginator delivers.
    ///
    /// Each subscriber has a fetch or an observation of its own, which starts with its first demand and ends when the
    /// subscription is cancelled. No value is delivered beyond the demand: what comes meanwhile waits, and each function that
    /// makes a publisher says how much of it. Values come on the paginator's callback queue, or on the thread that asks for
    /// more, one at a time.
    public struct PaginatorPublisher<Output: Sendable, Failure: Error>: Publisher, Sendable {
        typealias Feed = PublisherFeed<Output, Failure>

        let makeRules: @Sendable () -> FeedRules<Output>
        let start: @Sendable (Feed) -> @Sendable () -> Void

        /// Makes a publisher.
        ///
        /// - Parameters:
        ///   - makeRules: what happens to values that nobody has asked for yet, for one subscriber.
        ///   - start: begins to feed a subscriber, and returns what ends that.
        init(
            _ makeRules: @escaping @Sendable () -> FeedRules<Output>,
            start: @escaping @Sendable (Feed) -> @Sendable () -> Void
        ) {
            self.makeRules = makeRules
            self.start = start
        }

        /// Gives a subscriber its subscription; nothing starts before it asks for values.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let receiver = FeedReceiver(
                value: { subscriber.receive($0).max }, completion: { subscriber.receive(completion: $0) })
            subscriber.receive(subscription: Feed(makeRules(), receiver, start: start))
        }
    }
#endif

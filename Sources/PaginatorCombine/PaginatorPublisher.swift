#if canImport(Combine)
    public import Combine
#elseif OpenCombine
    public import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
    import PaginatorCore

    /// A publisher of what a paginator delivers.
    ///
    /// Each subscriber has its own fetch or observation, which starts with its first demand and ends when the
    /// subscription is cancelled. No value is delivered beyond the demand; the functions that create publishers say how
    /// many values wait. Values come one at a time: on the paginator's callback queue, or on the thread that requests
    /// more. A screen needs `receive(on:)`, or `.main` as the configuration's `dispatchQueue` and a subscriber with
    /// unlimited demand. An observation completes on the thread that releases the observed object, which may be any
    /// one, so a screen that handles this always needs `receive(on:)`.
    public struct PaginatorPublisher<Output: Sendable, Failure: Error>: Publisher, Sendable {
        typealias Feed = PublisherFeed<Output, Failure>

        let makeRules: @Sendable () -> FeedRules<Output>
        let start: @Sendable (Feed) -> @Sendable () -> Void

        /// Creates a publisher.
        ///
        /// - Parameters:
        ///   - makeRules: returns the rules for values without demand, for one subscriber.
        ///   - start: starts feeding a subscriber, and returns a closure that stops it.
        init(
            _ makeRules: @escaping @Sendable () -> FeedRules<Output>,
            start: @escaping @Sendable (Feed) -> @Sendable () -> Void
        ) {
            self.makeRules = makeRules
            self.start = start
        }

        /// Attaches a subscriber. Nothing starts before it requests values.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let receiver = FeedReceiver(
                value: { subscriber.receive($0).max }, completion: { subscriber.receive(completion: $0) })
            subscriber.receive(subscription: Feed(makeRules(), receiver, start: start))
        }
    }
#endif

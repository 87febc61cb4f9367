#if canImport(Combine)
    import Combine
#elseif OpenCombine
    import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
    import PaginatorCore

    /// What happens to values without demand.
    struct FeedRules<Output: Sendable>: Sendable {
        /// Adds a value to those that wait.
        let add: @Sendable (inout ArraySlice<Output>, Output) -> Void
        /// Maps the next value to the one that is delivered.
        var taken: @Sendable (Output) -> Output = { $0 }

        /// Every value waits; for feeds with few values.
        static var all: FeedRules { FeedRules { $0.append($1) } }

        /// Only the latest value waits.
        static func latest(
            _ merge: @escaping @Sendable (_ earlier: Output, _ later: Output) -> Output = { $1 }
        ) -> FeedRules {
            FeedRules { waiting, new in waiting = [waiting.first.map { merge($0, new) } ?? new] }
        }
    }

    /// A subscriber without its type.
    struct FeedReceiver<Output, Failure: Error> {
        /// Receives a value, and returns the further demand; `nil` for unlimited.
        let value: (Output) -> Int?
        let completion: (Subscribers.Completion<Failure>) -> Void
    }

    /// A subscription: takes values from any thread, and delivers them one at a time within the demand.
    ///
    /// `@unchecked Sendable`: only the handler of a message uses `state`, `waiting`, `wanted` and `end`, and the lock
    /// of `messages` passes them on; everything else never changes.
    final class PublisherFeed<Output: Sendable, Failure: Error>: Subscription, @unchecked Sendable {
        private enum Message: Sendable {
            /// `nil` is unlimited.
            case wanted(Int?)
            case value(Output)
            case ended(Failure?)
            case cancelled
        }

        private enum State {
            case idle(FeedReceiver<Output, Failure>)
            case running(FeedReceiver<Output, Failure>, cancel: @Sendable () -> Void)
            case over

            var receiver: FeedReceiver<Output, Failure>? {
                switch self {
                case .idle(let receiver), .running(let receiver, _): receiver
                case .over: nil
                }
            }
        }

        // One at a time without a lock, because a subscriber may request more, or cancel, meanwhile.
        private let messages = SerialMailbox<@Sendable () -> Void>()
        private let rules: FeedRules<Output>
        private let start: @Sendable (PublisherFeed) -> @Sendable () -> Void
        private let isCancelled = OnceFlag()
        private var state: State
        // A slice, because removing its first element is cheap.
        private var waiting: ArraySlice<Output> = []
        // The demand; `nil` for unlimited.
        private var wanted: Int? = 0
        // The completion after the last value.
        private var end: Subscribers.Completion<Failure>?

        init(
            _ rules: FeedRules<Output>, _ receiver: FeedReceiver<Output, Failure>,
            start: @escaping @Sendable (PublisherFeed) -> @Sendable () -> Void
        ) {
            self.rules = rules
            self.start = start
            state = .idle(receiver)
        }

        func request(_ demand: Subscribers.Demand) { post(.wanted(demand.max)) }

        func cancel() {
            // At once, so that no waiting value is delivered any more.
            _ = isCancelled.take()
            post(.cancelled)
        }

        func put(_ value: Output) { post(.value(value)) }

        func finish(_ failure: Failure? = nil) { post(.ended(failure)) }

        private func post(_ message: Message) {
            messages.run { self.handle(message) }
        }

        private func handle(_ message: Message) {
            switch message {
            case .wanted(let more):
                want(more)
                if case .idle(let receiver) = state, wanted != 0 {
                    // Values put during this call wait in the mailbox.
                    state = .running(receiver, cancel: start(self))
                }
            case .value(let value):
                if case .over = state { return }
                rules.add(&waiting, value)
            case .ended(let failure):
                // The first end counts: the feed's producer reports another when it is released.
                end = end ?? failure.map { .failure($0) } ?? .finished
            case .cancelled:
                stop()
            }
            deliver()
        }

        private func want(_ more: Int?) {
            guard let more, let wanted else {
                wanted = nil
                return
            }
            // A subscriber may request `Int.max` values twice.
            let (sum, isTooMuch) = wanted.addingReportingOverflow(more)
            self.wanted = isTooMuch ? nil : sum
        }

        private func deliver() {
            while let receiver = state.receiver, !waiting.isEmpty, wanted != 0 {
                guard !isCancelled.isTaken else { return stop() }
                wanted = wanted.map { $0 - 1 }
                want(receiver.value(rules.taken(waiting.removeFirst())))
            }
            guard waiting.isEmpty, let end, let receiver = state.receiver else { return }
            let wasCancelled = isCancelled.isTaken
            stop()
            if !wasCancelled { receiver.completion(end) }
        }

        // Releases the subscriber, which may retain the subscription.
        private func stop() {
            let former = state
            state = .over
            waiting = []
            if case .running(_, let cancel) = former { cancel() }
        }
    }

    /// Finishes a feed when it is released, because nothing can put values into it any more.
    final class FeedEnd<Output: Sendable, Failure: Error>: Sendable {
        let feed: PublisherFeed<Output, Failure>

        init(_ feed: PublisherFeed<Output, Failure>) {
            self.feed = feed
        }

        deinit {
            feed.finish()
        }
    }
#endif

#if canImport(Combine)
    import Combine
#elseif OpenCombine
    import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
    import PaginatorCore

    /// What happens to values that nobody has asked for yet.
    struct FeedRules<Output: Sendable>: Sendable {
        /// Adds a value to those that wait.
        let add: @Sendable (inout ArraySlice<Output>, Output) -> Void
        /// Makes what is delivered of the value that is next.
        var taken: @Sendable (Output) -> Output = { $0 }

        /// Every value waits; for what delivers few.
        static var all: FeedRules { FeedRules { $0.append($1) } }

        /// The latest value waits.
        static func latest(
            _ merge: @escaping @Sendable (_ earlier: Output, _ later: Output) -> Output = { $1 }
        ) -> FeedRules {
            FeedRules { waiting, new in waiting = [waiting.first.map { merge($0, new) } ?? new] }
        }
    }

    /// A subscriber without its type.
    struct FeedReceiver<Output, Failure: Error> {
        /// Takes a value, and returns how many more are wanted; `nil` for all there are.
        let value: (Output) -> Int?
        let completion: (Subscribers.Completion<Failure>) -> Void
    }

    /// The subscription of one subscriber: takes values from any thread, and hands them on one at a time, as many as are wanted.
    ///
    /// `@unchecked Sendable`: `state`, `waiting`, `wanted` and `end` belong to whoever handles a message, and are handed on
    /// through the lock of `messages`; everything else never changes.
    final class PublisherFeed<Output: Sendable, Failure: Error>: Subscription, @unchecked Sendable {
        private enum Message: Sendable {
            /// `nil` asks for all there are.
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

        // One at a time without a lock held: a subscriber may ask for more, or cancel, from within.
        private let messages = SerialMailbox<Message>()
        private let rules: FeedRules<Output>
        private let start: @Sendable (PublisherFeed) -> @Sendable () -> Void
        private let isCancelled = OnceFlag()
        private var state: State
        // A slice, because what goes at its front costs nothing.
        private var waiting: ArraySlice<Output> = []
        // How many values are wanted; `nil` for all there are.
        private var wanted: Int? = 0
        // What comes behind the last value.
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
            // At once, so that of what waits nothing begins to be delivered any more.
            _ = isCancelled.take()
            post(.cancelled)
        }

        func put(_ value: Output) { post(.value(value)) }

        func finish(_ failure: Failure? = nil) { post(.ended(failure)) }

        private func post(_ message: Message) {
            messages.post(message) { handle($0) }
        }

        private func handle(_ message: Message) {
            switch message {
            case .wanted(let more):
                want(more)
                if case .idle(let receiver) = state, wanted != 0 {
                    // What it puts at once waits in the mailbox until this is done.
                    state = .running(receiver, cancel: start(self))
                }
            case .value(let value):
                if case .over = state { return }
                rules.add(&waiting, value)
            case .ended(let failure):
                // The first end counts: whoever feeds it is released later, and tells of an end once more.
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
            // A subscriber may ask for `Int.max` values twice.
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

        // Lets go of the subscriber, which may own the subscription.
        private func stop() {
            let former = state
            state = .over
            waiting = []
            if case .running(_, let cancel) = former { cancel() }
        }
    }

    /// Finishes a feed when nobody can put anything into it any more.
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

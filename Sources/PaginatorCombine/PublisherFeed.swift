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
    /// `@unchecked Sendable`: only the handler of a message uses `receiver`, `waiting`, `wanted` and `end`, and the
    /// lock of `messages` passes them on; everything else never changes.
    final class PublisherFeed<Output: Sendable, Failure: Error>: Subscription, @unchecked Sendable {
        private enum Message: Sendable {
            /// `nil` is unlimited.
            case wanted(Int?)
            case value(Output, isPreview: Bool)
            case ended(Failure?)
            case cancelled
        }

        // What it gets values from.
        private enum Source: Sendable {
            case idle
            case running(cancel: @Sendable () -> Void)
            case over
        }

        // One at a time without a lock, because a subscriber may request more, or cancel, meanwhile.
        private let messages = SerialMailbox<@Sendable () -> Void>()
        private let rules: FeedRules<Output>
        private let start: @Sendable (PublisherFeed) -> @Sendable () -> Void
        private let isStarted = OnceFlag()
        private let isCancelled = OnceFlag()
        private let source = Guarded(Source.idle)
        // `nil` once it is over.
        private var receiver: FeedReceiver<Output, Failure>?
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
            self.receiver = receiver
        }

        func request(_ demand: Subscribers.Demand) {
            post(.wanted(demand.max))
            guard demand.max != 0, !isCancelled.isTaken, isStarted.take() else { return }
            // Here, not in the mailbox: a value put meanwhile would be left to this thread.
            let cancel = start(self)
            let isOver = source.withLock { source in
                if case .over = source { return true }
                source = .running(cancel: cancel)
                return false
            }
            if isOver { cancel() }
        }

        func cancel() {
            // At once, so that no waiting value is delivered any more.
            _ = isCancelled.take()
            post(.cancelled)
        }

        /// Adds a value. A preview takes the place of those that wait for demand.
        func put(_ value: Output, isPreview: Bool = false) { post(.value(value, isPreview: isPreview)) }

        func finish(_ failure: Failure? = nil) { post(.ended(failure)) }

        private func post(_ message: Message) {
            messages.run { self.handle(message) }
        }

        private func handle(_ message: Message) {
            switch message {
            case .wanted(let more): want(more)
            case .value(let value, let isPreview):
                guard receiver != nil else { return }
                if isPreview { waiting = [] }
                rules.add(&waiting, value)
            case .ended(let failure):
                // The first end counts: the feed's producer reports another when it is released.
                end = end ?? failure.map { .failure($0) } ?? .finished
            case .cancelled: stop()
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
            while let receiver, !waiting.isEmpty, wanted != 0 {
                guard !isCancelled.isTaken else { return stop() }
                wanted = wanted.map { $0 - 1 }
                want(receiver.value(rules.taken(waiting.removeFirst())))
            }
            guard waiting.isEmpty, let end, let receiver else { return }
            let wasCancelled = isCancelled.isTaken
            stop()
            if !wasCancelled { receiver.completion(end) }
        }

        // Releases the subscriber, which may retain the subscription.
        private func stop() {
            receiver = nil
            waiting = []
            if case .running(let cancel) = source.replace(with: .over) { cancel() }
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

#if canImport(Combine)
    public import Combine
#elseif OpenCombine
    public import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
    public import PaginatorCore

    /// An observer whose events any number of subscribers get.
    ///
    /// ```swift
    /// let events = PaginatorEventPublisher()
    /// config.observer = events
    /// events.sink { print($0) }.store(in: &cancellables)
    /// ```
    ///
    /// Each subscriber gets the events that are reported after its first demand. Events beyond the capacity are lost; in
    /// their place comes one event of the kind `eventsLost`, with their number as its count. It finishes when it is released.
    public final class PaginatorEventPublisher: PaginatorObserver, Publisher {
        /// Events.
        public typealias Output = PaginatorEvent
        /// It cannot fail.
        public typealias Failure = Never

        private typealias Feed = PublisherFeed<PaginatorEvent, Never>

        private let capacity: Int
        private struct Subscribers: Sendable {
            var feeds: [ObjectIdentifier: Feed] = [:]
            // Whether no event can come any more: who begins then finishes at once.
            var isFinished = false
        }

        private let subscribers = Guarded(Subscribers())

        /// Makes an observer without subscribers.
        ///
        /// - Parameter capacity: how many events may wait for each subscriber, at least 1; 1,024 by default. Those that
        ///   come while a subscriber takes one wait beside them until it has returned.
        public init(capacity: Int = 1_024) {
            self.capacity = Swift.max(1, capacity)
        }

        deinit {
            let feeds = subscribers.withLock { subscribers in
                defer { subscribers = Subscribers(isFinished: true) }
                return Array(subscribers.feeds.values)
            }
            for feed in feeds { feed.finish() }
        }

        /// Gives the event to each subscriber. Complexity: O(subscribers).
        public func paginatorDidReport(_ event: PaginatorEvent) {
            for feed in subscribers.withLock({ Array($0.feeds.values) }) { feed.put(event) }
        }

        /// Gives a subscriber its subscription; it gets events from its first demand on.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == PaginatorEvent, S.Failure == Never {
            let rules = FeedRules<PaginatorEvent> { [capacity] waiting, event in
                // One notice behind the last event that has a place, for all that have none.
                if let last = waiting.last, last.kind == .eventsLost {
                    waiting[waiting.endIndex - 1] = .countingLost(last, event)
                } else {
                    waiting.append(waiting.count < capacity ? event : .countingLost(nil, event))
                }
            }
            let subscribers = subscribers
            PaginatorPublisher<PaginatorEvent, Never> {
                rules
            } start: { feed in
                let id = ObjectIdentifier(feed)
                let isFinished = subscribers.withLock { subscribers in
                    if !subscribers.isFinished { subscribers.feeds[id] = feed }
                    return subscribers.isFinished
                }
                if isFinished { feed.finish() }
                return { withExtendedLifetime(subscribers.withLock { $0.feeds.removeValue(forKey: id) }) {} }
            }.receive(subscriber: subscriber)
        }
    }
#endif

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
    /// let log = events.sink { print($0) }
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
        private let feeds = Guarded<[ObjectIdentifier: Feed]>([:])

        /// Makes an observer without subscribers.
        ///
        /// - Parameter capacity: how many events may wait for each subscriber, at least 1; 1,024 by default.
        public init(capacity: Int = 1_024) {
            self.capacity = Swift.max(1, capacity)
        }

        deinit {
            for feed in feeds.withLock({ Array($0.values) }) { feed.finish() }
        }

        /// Gives the event to each subscriber. Complexity: O(subscribers).
        public func paginatorDidReport(_ event: PaginatorEvent) {
            for feed in feeds.withLock({ Array($0.values) }) { feed.put(event) }
        }

        /// Gives a subscriber its subscription; it gets events from its first demand on.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == PaginatorEvent, S.Failure == Never {
            let rules = FeedRules<PaginatorEvent> { [capacity] waiting, event in
                if waiting.count < capacity {
                    waiting.append(event)
                } else {
                    // One notice behind the last event that has a place, for all that have none.
                    let notice = waiting.count > capacity ? waiting.removeLast() : nil
                    waiting.append(.countingLost(notice, event))
                }
            }
            let feeds = feeds
            PaginatorPublisher<PaginatorEvent, Never> {
                rules
            } start: { feed in
                let id = ObjectIdentifier(feed)
                feeds.withLock { $0[id] = feed }
                return { withExtendedLifetime(feeds.withLock { $0.removeValue(forKey: id) }) {} }
            }.receive(subscriber: subscriber)
        }
    }
#endif

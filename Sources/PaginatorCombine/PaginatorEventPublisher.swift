#if canImport(Combine)
    public import Combine
#elseif OpenCombine
    public import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
    public import PaginatorCore

    /// An observer that publishes events to any number of subscribers.
    ///
    /// ```swift
    /// let events = PaginatorEventPublisher()
    /// config.observer = events
    /// events.sink { print($0) }.store(in: &cancellables)
    /// ```
    ///
    /// Each subscriber gets the events reported after its first demand. Events beyond the capacity are lost, and one
    /// event of the kind `eventsLost` with their number comes in their place. It finishes when it is released.
    public final class PaginatorEventPublisher: PaginatorObserver, Publisher {
        /// Events.
        public typealias Output = PaginatorEvent
        /// It cannot fail.
        public typealias Failure = Never

        private typealias Feed = PublisherFeed<PaginatorEvent, Never>

        private let capacity: Int
        private struct Subscribers: Sendable {
            var feeds: [ObjectIdentifier: Feed] = [:]
            // Whether no more events can come, so that a new subscriber finishes at once.
            var isFinished = false
        }

        private let subscribers = Guarded(Subscribers())

        /// Creates an observer without subscribers.
        ///
        /// - Parameter capacity: the number of events that may wait for each subscriber; 1,024 by default, at least 1.
        ///   Events that arrive while the subscriber handles one do not count until it has returned.
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

        /// Passes the event to each subscriber. Complexity: O(subscribers).
        public func paginatorDidReport(_ event: PaginatorEvent) {
            for feed in subscribers.withLock({ Array($0.feeds.values) }) { feed.put(event) }
        }

        /// Attaches a subscriber, which gets events from its first demand on.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == PaginatorEvent, S.Failure == Never {
            let rules = FeedRules<PaginatorEvent> { [capacity] waiting, event in
                // One notice after the last event with a place counts all that are lost in a row.
                if waiting.count < capacity {
                    waiting.append(event)
                } else if let last = waiting.last, last.kind == .eventsLost {
                    waiting[waiting.endIndex - 1] = .countingLost(last, event)
                } else {
                    waiting.append(.countingLost(nil, event))
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

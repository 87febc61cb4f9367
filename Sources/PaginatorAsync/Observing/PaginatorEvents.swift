public import PaginatorCore

/// An observer whose events are a sequence, over which any number of tasks can iterate.
///
/// ```swift
/// let events = PaginatorEvents()
/// config.observer = events
/// for await event in events { log(event) }
/// ```
///
/// Each iterator gets the events that are reported after it was made, through a buffer of its own. Events beyond the
/// buffer's capacity are lost; in their place comes one event of the kind `eventsLost`, with their number as its count.
/// The sequence ends after ``finish()``, when the observer is released, and when the task is cancelled.
public final class PaginatorEvents: PaginatorObserver, AsyncSequence {
    private let capacity: Int
    private let listeners = EventListeners()

    /// Makes an observer without iterators.
    ///
    /// - Parameter capacity: how many events may wait for each iterator, at least 1; 1,024 by default.
    public init(capacity: Int = 1_024) {
        self.capacity = capacity
    }

    deinit {
        listeners.finish()
    }

    /// Adds the event to the buffer of each iterator. Complexity: O(iterators).
    public func paginatorDidReport(_ event: PaginatorEvent) {
        listeners.put(event)
    }

    /// Ends the sequence; waiting events are still delivered.
    public func finish() {
        listeners.finish()
    }

    /// Returns an iterator over the events from now on.
    public func makeAsyncIterator() -> PaginatorSequence<PaginatorEvent, Never>.Iterator {
        let channel = Channel(WaitingEvents(capacity: capacity))
        let id = listeners.add(channel)
        return PaginatorSequence.Iterator(source: ChannelSource(channel) { [listeners] in listeners.remove(id) })
    }
}

/// Events in order. Those beyond the capacity are counted, and told where they are missing, as one notice.
struct WaitingEvents: ChannelBuffer {
    private let capacity: Int
    private var events: [PaginatorEvent] = []
    private var notice: PaginatorEvent?
    /// What was taken out of `events`, the next event last.
    private var taken: [PaginatorEvent] = []

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    mutating func append(_ event: PaginatorEvent) {
        if events.count < capacity {
            events.append(event)
        } else {
            notice = .countingLost(notice, event)
        }
    }

    mutating func takeFirst() -> PaginatorEvent? {
        if taken.isEmpty {
            if let notice { events.append(notice) }
            taken = events.reversed()
            (events, notice) = ([], nil)
        }
        return taken.popLast()
    }
}

/// Who listens to events.
final class EventListeners: Sendable {
    private struct State: Sendable {
        var channels: [UInt64: Channel<WaitingEvents>] = [:]
        var last: UInt64 = 0
        var isFinished = false
    }

    private let state = Guarded(State())

    func add(_ channel: Channel<WaitingEvents>) -> UInt64 {
        let (id, isFinished) = state.withLock { state in
            state.last += 1
            if !state.isFinished { state.channels[state.last] = channel }
            return (state.last, state.isFinished)
        }
        if isFinished { channel.finish() }
        return id
    }

    func remove(_ id: UInt64) {
        let removed = state.withLock { $0.channels.removeValue(forKey: id) }
        withExtendedLifetime(removed) {}
    }

    func put(_ event: PaginatorEvent) {
        for channel in state.withLock({ Array($0.channels.values) }) { channel.put { $0.append(event) } }
    }

    func finish() {
        let channels = state.withLock { state in
            state.isFinished = true
            defer { state.channels = [:] }
            return Array(state.channels.values)
        }
        for channel in channels { channel.finish() }
    }
}

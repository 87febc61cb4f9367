public import PaginatorCore

/// An observer whose events are a sequence for any number of tasks.
///
/// ```swift
/// let events = PaginatorEvents()
/// config.observer = events
/// for await event in events { log(event) }
/// ```
///
/// Each iterator gets the events reported after it was created, through its own buffer. Events beyond the capacity are
/// lost, and one event of the kind `eventsLost` with their number comes in their place. The sequence ends after
/// ``finish()``, when the observer is released, and when the task is cancelled.
public final class PaginatorEvents: PaginatorObserver, AsyncSequence {
    private let capacity: Int
    private let listeners = EventListeners()

    /// Creates an observer without iterators.
    ///
    /// - Parameter capacity: the number of events that may wait for each iterator; 1,024 by default, at least 1.
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

    /// Ends the sequence after the waiting events.
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

/// Waiting events in order. Those beyond the capacity are counted in one notice in their place.
struct WaitingEvents: ChannelBuffer {
    private let capacity: Int
    private var events: [PaginatorEvent] = []
    private var notice: PaginatorEvent?
    /// Events taken out of `events`, the next one last.
    private var taken: [PaginatorEvent] = []

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    mutating func append(_ event: PaginatorEvent) {
        if taken.count + events.count < capacity {
            if let notice = notice.take() { events.append(notice) }
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

/// The iterators of the events.
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

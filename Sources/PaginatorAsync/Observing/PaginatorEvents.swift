public import PaginatorCore

/// The events of paginators as a sequence: an observer that can be iterated over, by any number of tasks.
///
/// ```swift
/// let events = PaginatorEvents()
/// config.observer = events
/// for await event in events { log(event) }
/// ```
///
/// Each iterator has a bounded buffer and sees what is reported from when it was made. What exceeds the capacity is lost,
/// and told at its place as one event of the kind `PaginatorEvent/Kind/eventsLost` whose count is the number. The sequence
/// ends after ``finish()``, when nobody refers to it any more, and in a cancelled task.
public final class PaginatorEvents: PaginatorObserver, AsyncSequence {
    private let capacity: Int
    private let listeners = EventListeners()

    /// Makes an observer that nobody listens to yet.
    ///
    /// - Parameter capacity: how many events wait for each iterator at most; 1,024 by default, at least 1.
    public init(capacity: Int = 1_024) {
        self.capacity = capacity
    }

    deinit {
        listeners.finish()
    }

    /// Hands the event to every iterator. Complexity: O(iterators).
    public func paginatorDidReport(_ event: PaginatorEvent) {
        listeners.put(event)
    }

    /// Ends the sequence: what waits is still delivered.
    public func finish() {
        listeners.finish()
    }

    /// Starts to listen.
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

/// The receivers of a paginator's events: the configured observer, and sinks attached while it runs.
///
/// A sink is called in the order of the events, possibly under a lock, so it must only enqueue the event. Without sinks
/// an event costs one atomic read.
final class EventOutlets: Sendable {
    typealias Sink = @Sendable (PaginatorEvent) -> Void

    private let sinks = Guarded<[(number: UInt64, take: Sink)]>([])
    private let count = AtomicWord()
    private let lastNumber = AtomicWord()

    var isObserved: Bool { count.value > 0 }

    func post(_ event: PaginatorEvent) {
        guard isObserved else { return }
        for sink in sinks.withLock({ $0 }) { sink.take(event) }
    }

    func add(_ sink: @escaping Sink) -> UInt64 {
        let number = lastNumber.add(1)
        sinks.withLock {
            $0.append((number, sink))
            count.value = UInt64($0.count)
        }
        return number
    }

    // Returns the sink, to be released without a lock.
    func remove(_ number: UInt64) -> Sink? {
        sinks.withLock { sinks in
            guard let index = sinks.firstIndex(where: { $0.number == number }) else { return nil }
            defer { count.value = UInt64(sinks.count) }
            return sinks.remove(at: index).take
        }
    }
}

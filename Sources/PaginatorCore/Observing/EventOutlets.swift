/// Who takes a paginator's events: the observer of its configuration, and what is attached while it runs.
///
/// A sink is called in the order of the events, also with locks held, so that it only puts the event somewhere. Without
/// one, an event costs one look at a number.
final class EventOutlets: Sendable {
    typealias Sink = @Sendable (PaginatorEvent) -> Void

    private let sinks = Guarded<[(number: UInt64, take: Sink)]>([])
    private let count = AtomicWord()
    private let lastNumber = AtomicWord()

    init() {}

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

    // Returns what is to be released without a lock.
    func remove(_ number: UInt64) -> Sink? {
        sinks.withLock { sinks in
            guard let index = sinks.firstIndex(where: { $0.number == number }) else { return nil }
            defer { count.value = UInt64(sinks.count) }
            return sinks.remove(at: index).take
        }
    }
}

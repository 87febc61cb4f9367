import PaginatorCore
import Synchronization

/// The connections that read and that nobody uses.
///
/// The one that was used last lies apart, where it is taken and given back by one atomic operation each. So a thread that
/// reads alone waits for nobody, and finds the connection whose memory is in the processor's cache.
final class IdleReaders: Sendable {
    /// Owns a reference to what it points to; who takes it out, owns it.
    private let last = Atomic<Unmanaged<SQLiteConnection>?>(nil)
    private let others = Guarded<[SQLiteConnection]>([])
    /// How many are kept besides the last.
    private static let maxOthers = 7

    deinit {
        last.load(ordering: .acquiring)?.release()
    }

    /// Takes one out; `nil` when there is none.
    func take() -> SQLiteConnection? {
        if let reader = last.exchange(nil, ordering: .acquiring) { return reader.takeRetainedValue() }
        return others.withLock { $0.popLast() }
    }

    /// Puts one in, or drops it when there are many.
    func put(_ reader: SQLiteConnection) {
        let own = Unmanaged.passRetained(reader)
        if last.compareExchange(expected: nil, desired: own, ordering: .releasing).exchanged { return }
        own.release()
        others.withLock { others in
            if others.count < Self.maxOthers { others.append(reader) }
        }
    }

    /// Takes all of them out.
    func removeAll() {
        last.exchange(nil, ordering: .acquiring)?.release()
        // Closed where no lock is held.
        _ = others.withLock { others in
            defer { others = [] }
            return others
        }
    }
}

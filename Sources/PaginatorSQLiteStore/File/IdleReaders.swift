import PaginatorCore

/// The idle reading connections. The last used one is taken first, because its memory is in the processor's cache.
final class IdleReaders: Sendable {
    private let readers = Guarded<[SQLiteConnection]>([])
    // Twice as many as a store uses at once; each has up to a megabyte and two descriptors.
    private static let most = 8

    /// Removes and returns one; `nil` if there is none.
    func take() -> SQLiteConnection? {
        readers.withLock { $0.popLast() }
    }

    /// Adds one, or drops it if there are many.
    func put(_ reader: SQLiteConnection) {
        readers.withLock { readers in
            if readers.count < Self.most { readers.append(reader) }
        }
    }

    /// Removes all of them.
    func removeAll() {
        // Closed without the lock.
        readers.replace(with: [])
    }
}

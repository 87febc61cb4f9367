import PaginatorCore

/// The connections that read and that nobody uses; the one that was used last is taken first, because its memory is in the
/// processor's cache.
final class IdleReaders: Sendable {
    private let readers = Guarded<[SQLiteConnection]>([])
    // Twice as many as one store reads with at once; each keeps up to a megabyte, and two descriptors.
    private static let most = 8

    /// Takes one out; `nil` when there is none.
    func take() -> SQLiteConnection? {
        readers.withLock { $0.popLast() }
    }

    /// Puts one in, or drops it when there are many.
    func put(_ reader: SQLiteConnection) {
        readers.withLock { readers in
            if readers.count < Self.most { readers.append(reader) }
        }
    }

    /// Takes all of them out.
    func removeAll() {
        // Closed where no lock is held.
        _ = readers.withLock { readers in
            defer { readers = [] }
            return readers
        }
    }
}

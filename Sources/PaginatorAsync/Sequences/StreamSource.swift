import PaginatorCore

/// The iterator behind a stream. A stream's closure has to be sendable, an iterator is not; here one caller at a time
/// has it, and the others find the stream ended.
///
/// `@unchecked Sendable`: `iterator` is guarded by `lock`, and taken out while it is used.
final class StreamSource<Iterator: AsyncIteratorProtocol>: @unchecked Sendable where Iterator.Element: Sendable {
    private let lock = Lock()
    private var iterator: Iterator?

    init(_ iterator: sending Iterator) {
        self.iterator = iterator
    }

    /// Pulls the next element; `nil` at the end, and after an error.
    nonisolated(nonsending) func next() async throws(Iterator.Failure) -> Iterator.Element? {
        guard var taken = take() else { return nil }
        let element = try await taken.next(isolation: #isolation)
        let returned = taken
        lock.withLock { iterator = returned }
        return element
    }

    private func take() -> Iterator? {
        lock.withLock {
            defer { iterator = nil }
            return iterator
        }
    }
}

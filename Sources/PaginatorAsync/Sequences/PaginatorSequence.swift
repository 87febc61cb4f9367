/// Pages, items, updates or states of a paginator, as an `async` sequence.
///
/// Work starts when the iterator's `next` is called, on the caller's actor. Each iterator begins at the first element.
/// Dropping the iterator or cancelling the task stops its work.
///
/// A copy of an iterator over pages or items goes on by itself from where it was copied. Copies of any other share what
/// comes: each element goes to one of them, and of two that wait at the same time the earlier ends.
public struct PaginatorSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
    private let makeSource: @Sendable () -> any ElementSource<Element, Failure>

    init(_ makeSource: @escaping @Sendable () -> any ElementSource<Element, Failure>) {
        self.makeSource = makeSource
    }

    /// Returns an iterator that begins at the first element.
    public func makeAsyncIterator() -> Iterator { Iterator(source: makeSource()) }

    /// Delivers the elements.
    public struct Iterator: AsyncIteratorProtocol {
        /// `nil` when it is over.
        var source: (any ElementSource<Element, Failure>)?

        /// Waits for the next element on the caller's actor; `nil` at the end, and after an error.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
            do throws(Failure) {
                if let element = try await source?.next() { return element }
            } catch {
                source = nil
                throw error
            }
            // What it has running is stopped.
            source = nil
            return nil
        }

        /// Waits for the next element; `nil` at the end, and after an error.
        public mutating func next() async throws(Failure) -> Element? {
            try await next(isolation: #isolation)
        }
    }
}

/// Where the elements of one iterator come from.
protocol ElementSource<Element, Failure> {
    associatedtype Element: Sendable
    associatedtype Failure: Error

    /// Waits for the next element on the caller's actor; `nil` at the end. It is not called after that, nor after an
    /// error.
    nonisolated(nonsending) mutating func next() async throws(Failure) -> Element?
}

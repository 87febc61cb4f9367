/// The pages, items, updates or states of a paginator as an asynchronous sequence.
///
/// Work starts with the first call of the iterator's `next`, on the caller's actor. Each iterator begins at the first
/// element. Dropping the iterator or cancelling the task stops its work.
///
/// A copy of an iterator over pages or items continues independently. Copies of any other iterator share the elements:
/// each element goes to one of them, and if two wait at the same time, the earlier one ends.
public struct PaginatorSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
    private let makeSource: @Sendable () -> any ElementSource<Element, Failure>

    init(_ makeSource: @escaping @Sendable () -> any ElementSource<Element, Failure>) {
        self.makeSource = makeSource
    }

    /// Returns an iterator that begins at the first element.
    public func makeAsyncIterator() -> Iterator { Iterator(source: makeSource()) }

    /// An iterator over the elements.
    public struct Iterator: AsyncIteratorProtocol {
        /// `nil` after the end.
        var source: (any ElementSource<Element, Failure>)?

        /// Returns the next element, waiting on the caller's actor if necessary; `nil` at the end, and after an error.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
            do throws(Failure) {
                if let element = try await source?.next() { return element }
            } catch {
                source = nil
                throw error
            }
            // Stops its work.
            source = nil
            return nil
        }

        /// Returns the next element, waiting for it if necessary; `nil` at the end, and after an error.
        public mutating func next() async throws(Failure) -> Element? {
            try await next(isolation: #isolation)
        }
    }
}

/// The source of one iterator's elements.
protocol ElementSource<Element, Failure> {
    associatedtype Element: Sendable
    associatedtype Failure: Error

    /// Returns the next element, waiting on the caller's actor if necessary; `nil` at the end. It is not called after
    /// the end or an error.
    nonisolated(nonsending) mutating func next() async throws(Failure) -> Element?
}

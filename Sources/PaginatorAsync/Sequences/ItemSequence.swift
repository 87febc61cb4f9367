public import PaginatorCore

/// The items of pages, one after the other; a page is fetched when its first item is asked for.
///
/// An item of a page that has come is returned without suspending. It ends, throws and stops as ``PageSequence`` does.
/// Items that the source gives twice come twice.
public struct ItemSequence<T: Sendable>: AsyncSequence, Sendable {
    /// The pages that the items are on.
    public let pages: PageSequence<T>

    /// Starts at the first page; nothing is loaded yet.
    public func makeAsyncIterator() -> Iterator {
        Iterator(pages: pages.makeAsyncIterator())
    }

    /// The same items as a stream, for interfaces that ask for one. It is for one consumer, and pulls as this
    /// sequence does.
    public func stream() -> AsyncThrowingStream<T, any Error> {
        let source = StreamSource(makeAsyncIterator())
        return AsyncThrowingStream { try await source.next() }
    }

    /// Fetches the pages of an ``ItemSequence`` and gives out their items.
    public struct Iterator: AsyncIteratorProtocol {
        /// One item.
        public typealias Element = T
        /// Why a page did not come.
        public typealias Failure = PaginatorError

        private var pages: PageSequence<T>.Iterator
        private var content: [T] = []
        private var position = 0

        init(pages: PageSequence<T>.Iterator) {
            self.pages = pages
        }

        /// Returns the next item; `nil` at the end, and after an error. In a cancelled task it throws at once.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(PaginatorError) -> T? {
            while position == content.count || Task.isCancelled {
                content = []
                position = 0
                guard let page = try await pages.next(isolation: actor) else { return nil }
                content = page.content
            }
            defer { position += 1 }
            return content[position]
        }

        /// Returns the next item; `nil` at the end, and after an error.
        public mutating func next() async throws(PaginatorError) -> T? {
            try await next(isolation: #isolation)
        }
    }
}

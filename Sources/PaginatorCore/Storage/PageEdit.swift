/// A change of what pages hold, as a pure function of a page: the same page gives the same result, and nothing else is
/// read or touched. A store may call it several times, on any thread.
///
/// ```swift
/// let liked = PageEdit<Post>.items { post in post.id == id } change: { post in post.liked() }
/// store.apply([.edit(.all, liked)]) { _ in }
/// ```
public struct PageEdit<T: Sendable>: Sendable {
    private let body: Body

    private final class Body: Sendable {
        let change: @Sendable (PaginatorPage<T>) -> PaginatorPage<T>?
        let target: ItemTarget?

        init(_ change: @escaping @Sendable (PaginatorPage<T>) -> PaginatorPage<T>?, _ target: ItemTarget?) {
            self.change = change
            self.target = target
        }

        // What it holds is the user's, and it may end while a lock is held.
        deinit {
            DeferredRelease.keep(change)
            DeferredRelease.keep(target)
        }
    }

    /// Makes an edit of whole pages.
    ///
    /// - Parameter body: returns the changed page, or `nil` when the page is not concerned.
    public init(_ body: @escaping @Sendable (PaginatorPage<T>) -> PaginatorPage<T>?) {
        self.body = Body(body, nil)
    }

    init(of target: ItemTarget?, _ body: @escaping @Sendable (PaginatorPage<T>) -> PaginatorPage<T>?) {
        self.body = Body(body, target)
    }

    /// The item without which a page is not concerned; `nil` where any page may be.
    package var target: ItemTarget? { body.target }

    /// An edit of single items: changes or removes those that match.
    ///
    /// - Parameters:
    ///   - isConcerned: whether the item is to be changed; by its identity, mostly.
    ///   - change: returns the item's new value, or `nil` to take it off its page.
    public static func items(
        where isConcerned: @escaping @Sendable (T) -> Bool,
        change: @escaping @Sendable (T) -> T?
    ) -> PageEdit {
        PageEdit { page in
            // By hand, because each edit looks at each page, and `contains(where:)` of an unknown type is slow.
            var index = 0
            while index < page.content.count, !isConcerned(page.content[index]) { index += 1 }
            guard index < page.content.count else { return nil }
            let content = page.content.compactMap { isConcerned($0) ? change($0) : $0 }
            return PaginatorPage(
                content: content, key: page.key, expirationTime: page.expirationTime, prevKey: page.prevKey,
                nextKey: page.nextKey, byteCount: page.byteCount, isStorable: page.isStorable, total: page.total,
                tags: page.tags, continuation: page.continuation)
        }
    }

    /// Returns the changed page, or `nil` when the page is not concerned.
    public func callAsFunction(_ page: PaginatorPage<T>) -> PaginatorPage<T>? {
        body.change(page)
    }
}

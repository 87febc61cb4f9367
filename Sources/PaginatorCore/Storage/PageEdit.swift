/// A change of pages as a pure function: it has no side effects, and the same page gives the same result. A store may
/// call it several times, on any thread.
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

        // The closure belongs to the user, and may be released under a lock.
        deinit {
            DeferredRelease.keep(change)
            DeferredRelease.keep(target)
        }
    }

    /// Creates an edit of whole pages.
    ///
    /// - Parameter body: returns the changed page, or `nil` if the page is not affected.
    public init(_ body: @escaping @Sendable (PaginatorPage<T>) -> PaginatorPage<T>?) {
        self.body = Body(body, nil)
    }

    init(of target: ItemTarget?, _ body: @escaping @Sendable (PaginatorPage<T>) -> PaginatorPage<T>?) {
        self.body = Body(body, target)
    }

    /// The item that a page must have to be concerned; `nil` if any page may be.
    package var target: ItemTarget? { body.target }

    /// An edit of single items: changes or removes those that match.
    ///
    /// - Parameters:
    ///   - isConcerned: whether to change an item; usually compares its identity.
    ///   - change: returns the item's new value, or `nil` to remove it from its page.
    public static func items(
        where isConcerned: @escaping @Sendable (T) -> Bool, change: @escaping @Sendable (T) -> T?
    ) -> PageEdit {
        PageEdit { page in
            // A loop, because an unspecialized `compactMap` is slow.
            var content = page.content
            var (index, isChanged) = (0, false)
            while index < content.count {
                let item = content[index]
                guard isConcerned(item) else {
                    index += 1
                    continue
                }
                isChanged = true
                if let changed = change(item) {
                    content[index] = changed
                    index += 1
                } else {
                    content.remove(at: index)
                }
            }
            guard isChanged else { return nil }
            return PaginatorPage(
                content: content, key: page.key, expirationTime: page.expirationTime, prevKey: page.prevKey,
                nextKey: page.nextKey, byteCount: page.byteCount, isStorable: page.isStorable, total: page.total,
                tags: page.tags, continuation: page.continuation)
        }
    }

    /// Returns the changed page, or `nil` if the page is not affected.
    public func callAsFunction(_ page: PaginatorPage<T>) -> PaginatorPage<T>? {
        body.change(page)
    }
}

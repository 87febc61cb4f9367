/// Changes items by identity wherever a paginator has them: in memory, in the store and in every list.
///
/// ```swift
/// let edits = paginator.edits(id: { (post: Post) in post.id })
/// let like = edits.begin(post.id) { $0.liked() }
/// api.like(post.id) { result in
///     switch result {
///     case .success(let post): like.commit(with: post)
///     case .failure: like.rollBack()
///     }
/// }
/// ```
///
/// No page is loaded again. A pending edit is applied to every page when it is read. A committed edit becomes part of
/// the pages, and an older answer of the source never undoes it. Every method may be called from any thread, even from
/// a callback. All lists see edits in the same order, including lists that identify items by another closure.
///
/// Complexity: a commit is O(pages in memory that have the item, or that were cached since the last commit). The first
/// two commits through one object are O(items in memory), so keep this object. Beginning an edit or rolling it back is
/// O(observed pages). A store rewrites the pages that have the item, later and on its own thread; for the first commit
/// through an object it reads every page of its file, without delaying other reads. Memory and store each keep an index
/// for the last four objects.
public final class PaginatorEdits<T: Sendable, ID: Hashable & Sendable>: Sendable {
    let board: EditBoard<T>
    private let identifier: ItemIdentifier<T, ID>
    // The scope that the list shows if these are a list's edits.
    private let scope: @Sendable () -> String?

    init(_ board: EditBoard<T>, _ identifier: ItemIdentifier<T, ID>, scope: @escaping @Sendable () -> String?) {
        (self.board, self.identifier, self.scope) = (board, identifier, scope)
    }

    /// Changes an item with a committed edit.
    ///
    /// - Parameters:
    ///   - id: the item's identity.
    ///   - change: returns the item's new value, or `nil` to remove it. Pure; called on any thread, repeatedly.
    @inlinable
    public func update(_ id: ID, _ change: @escaping @Sendable (T) -> T?) {
        commit(id, removes: false, isAmong: finder(of: id), hashes: hasher, change)
    }

    /// Removes an item with a committed edit.
    ///
    /// If the source addresses its pages by offset, set `PaginatorListConfig.addressing`; otherwise the next page skips
    /// a row. For lists created later the last 128 removals are kept; when one is dropped, all cached pages of its
    /// scopes become stale, with a store those of every scope. A stored page that loses an item becomes stale if its
    /// next key is a number; see ``StoredPage/edited(by:)``.
    @inlinable
    public func remove(_ id: ID) {
        commit(id, removes: true, isAmong: finder(of: id), hashes: hasher) { _ in nil }
    }

    /// Inserts a new item into the lists of a scope. Pages do not change; a page that brings the item replaces the row.
    ///
    /// Lists created later also show it, above older pages. The last 128 such items of all scopes are kept; when one
    /// is dropped, the older pages of its scope become stale.
    ///
    /// - Parameters:
    ///   - item: the item.
    ///   - place: where to insert it; the head by default.
    ///   - scope: the scope of the lists that show it; `nil`, the default, is the scope that the list shows if these
    ///     are a list's edits, and else the empty one.
    public func insert(_ item: T, at place: PaginatorRowPlace<ID> = .head, scope: String? = nil) {
        _ = board.insert(item, self.place(place), scope: scope ?? self.scope() ?? "", isCommitted: true)
    }

    /// Changes an item until the edit is committed or rolled back.
    ///
    /// - Parameters:
    ///   - id: the item's identity.
    ///   - change: returns the item's new value, or `nil` to hide it. Pure; called on any thread, repeatedly.
    /// - Returns: the edit, which stays pending if it is dropped.
    @inlinable
    public func begin(_ id: ID, _ change: @escaping @Sendable (T) -> T?) -> PaginatorEdit<T> {
        begin(id, isAmong: finder(of: id), hashes: hasher, change)
    }

    @usableFromInline
    func begin(
        _ id: ID, isAmong: @escaping @Sendable ([T]) -> Bool, hashes: @escaping @Sendable ([T]) -> [UInt32],
        _ change: @escaping @Sendable (T) -> T?
    ) -> PaginatorEdit<T> {
        board.begin(ItemReference(id, by: identifier, isAmong: isAmong, hashes: hashes), scope: scope(), change)
    }

    @usableFromInline
    func commit(
        _ id: ID, removes: Bool, isAmong: @escaping @Sendable ([T]) -> Bool,
        hashes: @escaping @Sendable ([T]) -> [UInt32], _ change: @escaping @Sendable (T) -> T?
    ) {
        board.commit(ItemReference(id, by: identifier, isAmong: isAmong, hashes: hashes), removes: removes, change)
    }

    // Inlinable like `hasher`, so that both are specialized: they visit all items of a page.
    @inlinable
    func finder(of id: ID) -> @Sendable ([T]) -> Bool {
        let idOf = idOf
        return { items in items.contains { idOf($0) == id } }
    }

    @inlinable var hasher: @Sendable ([T]) -> [UInt32] {
        let idOf = idOf
        return { items in items.map { UInt32(truncatingIfNeeded: idOf($0).hashValue) } }
    }

    func afterEdits(_ work: @escaping @Sendable () -> Void) { board.afterEdits(work) }

    @usableFromInline var idOf: @Sendable (T) -> ID { identifier.id }

    /// Inserts a new item until the edit is committed, perhaps with the identity that the source chose, or rolled back.
    ///
    /// Lists created later also show it. If a list already has the item, the new value covers it like an edit. The
    /// parameters are those of ``insert(_:at:scope:)``.
    ///
    /// - Returns: the edit, which stays pending if it is dropped.
    public func beginInsert(
        _ item: T, at place: PaginatorRowPlace<ID> = .head, scope: String? = nil
    ) -> PaginatorEdit<T> {
        board.insert(item, self.place(place), scope: scope ?? self.scope() ?? "", isCommitted: false)
    }

    private func place(_ place: PaginatorRowPlace<ID>) -> ItemPlace<T> {
        switch place {
        case .head: .head
        case .tail: .tail
        case .after(let anchor):
            .after(ItemReference(anchor, by: identifier, isAmong: finder(of: anchor), hashes: hasher))
        }
    }
}

/// An optimistic edit of an item, or of all members of a ``ConsistencyGroup``. It is shown until it is committed or
/// rolled back. Only the first of these calls has an effect.
public final class PaginatorEdit<T: Sendable>: Sendable {
    let end: @Sendable (EditOutcome<T>) -> Void

    init(end: @escaping @Sendable (EditOutcome<T>) -> Void) {
        self.end = end
    }

    /// Commits the edit's own change.
    public func commit() { end(.committed) }

    /// Commits the source's value in place of the edit. Edits of the same item that were committed since this one began
    /// are applied to it again.
    ///
    /// A value with another identity replaces the item in pages and lists. If a list already has an item with that
    /// identity, that item takes the value, and the edited one is removed.
    ///
    /// - Parameter value: the source's value of the item. For an edit of a group, the source's version of the change,
    ///   which is committed instead. It is applied to the current item, so it keeps edits committed since, except for
    ///   what the change itself sets.
    public func commit(with value: T) { end(.committedValue(value)) }

    /// Rolls the edit back. Other pending edits of the item remain.
    public func rollBack() { end(.rolledBack) }
}

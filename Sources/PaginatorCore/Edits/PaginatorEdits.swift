/// Changes items by their identity, wherever a paginator has them: in memory, in the store and in every list.
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
/// Nothing is loaded again. A pending edit lies over every page when it is read; a committed one is part of it, and an
/// older answer of the source never undoes it. Every call may come from any thread, also from a callback; all lists
/// learn of edits in the same order, also those that tell items from one another in another way.
///
/// Complexity: a commit is O(pages in memory that have the item, or that came since the last commit). The first two by one
/// closure are O(items in memory), so keep this object. To begin an edit, or to roll it back, is O(pages observed). A store
/// rewrites the pages that have the item, later and on its own thread; for the first commit by a closure it reads all pages
/// of its file, beside whatever else is asked of it. It knows four closures at once.
public final class PaginatorEdits<T: Sendable, ID: Hashable & Sendable>: Sendable {
    private let board: EditBoard<T>
    private let identifier: ItemIdentifier<T, ID>

    init(_ board: EditBoard<T>, _ identifier: ItemIdentifier<T, ID>) {
        self.board = board
        self.identifier = identifier
    }

    /// Changes an item at once and for good.
    ///
    /// - Parameters:
    ///   - id: the item.
    ///   - change: returns the item's new value, or `nil` to remove it; pure, and called on any thread, several times.
    @inlinable
    public func update(_ id: ID, _ change: @escaping @Sendable (T) -> T?) {
        begin(id, change).commit()
    }

    /// Removes an item at once and for good.
    ///
    /// Where the source addresses its pages by offset, say so in `PaginatorListConfig.addressing`: the next page would leave
    /// out a row otherwise.
    @inlinable
    public func remove(_ id: ID) {
        begin(id, removes: true, isAmong: finder(of: id), hashes: hasher) { _ in nil }.commit()
    }

    /// Shows a new item in the lists of a scope; pages are not changed, and the one that brings it takes its place.
    /// Lists that are made later show it too, over pages that are older; the last 128 such items of all scopes are kept.
    ///
    /// - Parameters:
    ///   - item: the item.
    ///   - place: where it goes.
    ///   - scope: the scope of the lists that show it.
    public func insert(_ item: T, at place: PaginatorRowPlace<ID> = .head, scope: String = "") {
        board.insert(item, self.place(place), scope: scope)
    }

    /// Changes an item until the edit is committed or rolled back.
    ///
    /// - Parameters:
    ///   - id: the item.
    ///   - change: returns the item's new value, or `nil` to hide it; pure, and called on any thread, several times.
    /// - Returns: the edit, which stays pending if it is dropped.
    @inlinable
    public func begin(_ id: ID, _ change: @escaping @Sendable (T) -> T?) -> PaginatorEdit<T> {
        begin(id, removes: false, isAmong: finder(of: id), hashes: hasher, change)
    }

    @usableFromInline
    func begin(
        _ id: ID, removes: Bool, isAmong: @escaping @Sendable ([T]) -> Bool,
        hashes: @escaping @Sendable ([T]) -> [UInt32], _ change: @escaping @Sendable (T) -> T?
    ) -> PaginatorEdit<T> {
        board.begin(ItemReference(id, by: identifier, isAmong: isAmong, hashes: hashes), removes: removes, change)
    }

    // Made where the types are known, as `hasher` is, because they look at all items of pages.
    @inlinable
    func finder(of id: ID) -> @Sendable ([T]) -> Bool {
        let idOf = idOf
        return { items in items.contains { idOf($0) == id } }
    }

    @inlinable var hasher: @Sendable ([T]) -> [UInt32] {
        let idOf = idOf
        return { items in items.map { UInt32(truncatingIfNeeded: idOf($0).hashValue) } }
    }

    // `nil` when the paginator is gone.
    var engine: FetchEngine? { board.engine }
    var boardIdentity: ObjectIdentifier { ObjectIdentifier(board) }

    @usableFromInline var idOf: @Sendable (T) -> ID { identifier.id }

    /// Shows a new item until the edit is committed, perhaps under the identity that the source chose, or rolled back.
    /// Lists that are made later show it too. Over an item that a list has, it lies as an edit does.
    ///
    /// - Parameters:
    ///   - item: the item.
    ///   - place: where it goes.
    ///   - scope: the scope of the lists that show it.
    /// - Returns: the edit, which stays pending if it is dropped.
    public func beginInsert(
        _ item: T, at place: PaginatorRowPlace<ID> = .head, scope: String = ""
    ) -> PaginatorEdit<T> {
        board.beginInsert(item, self.place(place), scope: scope)
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

/// An optimistic edit of an item, or of all members of a ``ConsistencyGroup``: it shows until it is committed or rolled
/// back, once; later calls do nothing.
public final class PaginatorEdit<T: Sendable>: Sendable {
    let end: @Sendable (EditOutcome<T>) -> Void

    init(end: @escaping @Sendable (EditOutcome<T>) -> Void) {
        self.end = end
    }

    /// Makes the edit's own change the truth.
    public func commit() { end(.committed) }

    /// Makes the source's value the truth; edits of the same item that were committed since this one began are applied
    /// to it again.
    ///
    /// A value of another identity takes the item's place, in pages and in lists: the item is that one from now on. Where
    /// a list has an item of that identity already, that one takes the value, and the edited one goes.
    ///
    /// - Parameter value: the item as the source has it now. For an edit of a group it is the change as the source made it,
    ///   which takes the place of the one begun and is made of the item as it is by then: what was committed since stays as
    ///   far as the change leaves it, and one that puts a whole item in place leaves nothing.
    public func commit(with value: T) { end(.committedValue(value)) }

    /// Takes the edit back; what else is pending on the item stays.
    public func rollBack() { end(.rolledBack) }
}

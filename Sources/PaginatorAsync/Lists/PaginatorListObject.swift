#if canImport(Combine)
    public import Combine
    import PaginatorCore
    public import PaginatorLists

    /// A list as an `ObservableObject` of the main actor, for SwiftUI on systems that ``PaginatorListModel`` is too new for.
    ///
    /// ```swift
    /// struct FeedView: View {
    ///     @StateObject private var feed: PaginatorListObject<Post, Post.ID>
    ///
    ///     init(_ paginator: CallbackPaginator<Post>) {
    ///         _feed = StateObject(wrappedValue: PaginatorListObject(PaginatorList(paginator)))
    ///     }
    ///
    ///     var body: some View {
    ///         List(feed.items, id: \.id) { post in PostRow(post) }
    ///             .refreshable { [list = feed.list] in try? await list.refreshAndWait() }
    ///     }
    /// }
    /// ```
    ///
    /// It changes on the main queue, after the list has changed; items, status and anchor change together. Loads, edits
    /// and hints are called on ``list``, which the object keeps alive.
    @MainActor
    public final class PaginatorListObject<T: Sendable, ID: Hashable & Sendable>: PaginatorListShowing,
        ObservableObject
    {
        /// The list that the object shows.
        public let list: PaginatorList<T, ID>

        @Published package private(set) var shown: ShownList<T, ID>

        private var observation: PaginatorExecution?

        /// Makes an object of a list, which follows it until the object is released.
        ///
        /// - Parameter list: the list; it loads nothing because of this call.
        public init(_ list: PaginatorList<T, ID>) {
            self.list = list
            shown = ShownList(list)
            observation = list.observe(onMain: { [weak self] update in self?.shown.follow(update) })
        }

        deinit {
            observation?.cancel()
        }

        /// What the list shows. Complexity: O(1).
        public var items: PaginatorListSnapshot<T, ID> { shown.items }

        /// What the list is doing.
        public var status: PaginatorListStatus { shown.status }

        /// The position of the item that was the first visible one at the last hint, jump or restore; `nil` before, and when that
        /// item is gone.
        public var anchor: Int? { shown.anchor }

        /// The changes that led from the items before to ``items``, for views that animate or scroll by themselves.
        public var difference: PaginatorListDifference<T> { shown.difference }
    }
#endif

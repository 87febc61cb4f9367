#if canImport(Combine)
    public import Combine
    import PaginatorCore
    public import PaginatorLists

    /// A list as an `ObservableObject` on the main actor, for SwiftUI on systems older than ``PaginatorListModel``
    /// supports.
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
    /// It changes on the main queue, after the list; items, status and anchor change together. It announces a change of
    /// items or status. Call loads, edits and hints on ``list``, which the object retains.
    @MainActor
    public final class PaginatorListObject<T: Sendable, ID: Hashable & Sendable>: PaginatorListShowing,
        ObservableObject
    {
        /// The list that the object shows.
        public let list: PaginatorList<T, ID>

        package private(set) var shown: ShownList<T, ID>

        private var observation: PaginatorExecution?

        /// Creates an object that follows a list until the object is released.
        ///
        /// - Parameter list: the list. This call loads nothing.
        public init(_ list: PaginatorList<T, ID>) {
            self.list = list
            shown = ShownList(list)
            observation = list.observe(onMain: { [weak self] update in self?.show(update) })
        }

        deinit {
            observation?.cancel()
        }

        /// The rows of the list. Complexity: O(1).
        public var items: PaginatorListSnapshot<T, ID> { shown.items }

        /// The state of the list's loads.
        public var status: PaginatorListStatus { shown.status }

        /// The position of the item that was the first visible one at the last hint, jump or restore; `nil` before
        /// that, or if the item is gone. A change of the anchor alone, as with each row that is scrolled, is not
        /// announced.
        public var anchor: Int? { shown.update?.anchor }

        private func show(_ update: PaginatorListUpdate<T, ID>) {
            // Before the change; each one makes every view of the object anew.
            if shown.differs(from: update) { objectWillChange.send() }
            shown.follow(update)
        }
    }
#endif

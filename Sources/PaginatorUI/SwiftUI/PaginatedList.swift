#if canImport(SwiftUI)
    public import PaginatorAsync
    public import PaginatorCore
    public import PaginatorLists
    public import SwiftUI

    /// A list that loads as the user scrolls, with placeholders for the first page, a pull to refresh, the load states
    /// at both ends, gaps, and views for a list without items.
    ///
    /// ```swift
    /// @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    /// struct FeedScreen: View {
    ///     @State private var feed: PaginatorListModel<Post, Post.ID>
    ///
    ///     init(_ paginator: CallbackPaginator<Post>) {
    ///         _feed = State(wrappedValue: PaginatorListModel(PaginatorList(paginator)))
    ///     }
    ///
    ///     var body: some View {
    ///         PaginatedList(feed) { post in PostRow(post) }
    ///     }
    /// }
    /// ```
    ///
    /// SwiftUI keeps only the first model that the screen's `init` creates. If the view that contains the screen
    /// changes often, create the model there and pass it to the screen.
    ///
    /// A `PaginatedList` loads the first page when it appears, reports the visible rows to the list, and keeps them in
    /// place when rows above come or go; at the start it shows new rows, and a jump or a restored bookmark scrolls to
    /// its row. On iOS 16 the model is a `PaginatorListObject`. Each part can be replaced:
    ///
    /// ```swift
    /// PaginatedList(feedModel) { post in PostRow(post) }
    ///     .empty { Text("No posts yet") }
    ///     .footer { state, retry in FeedFooter(state: state, retry: retry) }
    /// ```
    ///
    /// When rows above come or go, a `List` scrolls the first visible row to the top of the screen;
    /// `PaginatedListLayout.stack` keeps it exactly in place, on systems with `scrollPosition(id:anchor:)`. Both scroll
    /// vertically.
    ///
    /// With the model of another list the view starts again. The default texts "No Items", "Try Again", "Load More" and
    /// "Loading" are looked up in the strings of the app's main bundle; an error is shown as its
    /// `localizedDescription`.
    public struct PaginatedList<Model: PaginatorListPresenting, Row: View>: View {
        private let model: Model
        private let layout: PaginatedListLayout
        private let row: (Model.T) -> Row
        private var sections: PaginatorListSections<Model.T, Model.ID, AnySectionKey>?
        private var parts = PaginatedListParts()

        /// Creates a view of a list.
        ///
        /// - Parameters:
        ///   - model: a `PaginatorListModel` or a `PaginatorListObject`, which the app retains.
        ///   - layout: the container of the rows; a `List` by default.
        ///   - row: makes the view of an item.
        public init(
            _ model: Model, layout: PaginatedListLayout = .list, @ViewBuilder row: @escaping (Model.T) -> Row
        ) {
            self.model = model
            self.layout = layout
            self.row = row
        }

        /// The rows and what is around them.
        public var body: some View {
            // An observable object must be observed by the view that reads it; a model tracks its readers itself.
            if let object = model as? PaginatorListObject<Model.T, Model.ID> {
                ObjectReader(object: object) { screen }
            } else {
                screen
            }
        }

        private var screen: some View {
            let shown = (model as? any PaginatorListShowing<Model.T, Model.ID>)?.shown
            return PaginatedScreen(
                list: model.list, items: model.items, status: model.status,
                // A model's own anchor would update the view with every row that is scrolled.
                anchor: shown == nil ? model.anchor : shown?.update?.anchor,
                shown: shown, layout: layout, sections: sections, row: row, parts: parts
            )
            // Its state belongs to this list.
            .id(ObjectIdentifier(model.list))
        }
    }

    extension PaginatedList {
        /// Shows the items in sections by a key, such as the day of each.
        ///
        /// ```swift
        /// PaginatedList(feedModel) { post in PostRow(post) }
        ///     .sections(by: { $0.day }) { day in Text("\(day)") }
        /// ```
        ///
        /// A section is a run of consecutive items with the same key; see ``PaginatorListSections``. The key is read
        /// when the view appears; to group the same list by another one, change the view's `id(_:)`.
        ///
        /// - Parameters:
        ///   - key: returns the section key of an item. It must be pure.
        ///   - header: makes the header of a section.
        public func sections<Key: Hashable & Sendable>(
            by key: @escaping @Sendable (Model.T) -> Key, @ViewBuilder header: @escaping (Key) -> some View
        ) -> Self {
            var copy = replacing { $0.sectionHeader = { AnyView(($0.base as? Key).map { header($0) }) } }
            copy.sections = PaginatorListSections(erasing: key)
            return copy
        }

        /// Sets which pages a pull loads again: by default all, so that the first page replaces everything. If the list
        /// has none yet, a pull loads the first one.
        ///
        /// - Parameter refresh: the pages, such as `.page("newest")` in a chat, whose first page is at the end; `nil`
        ///   for no pull. A change between `nil` and pages makes the list anew, at its first row, so keep to one.
        public func refresh(_ refresh: PaginatorListRefresh?) -> Self { replacing { $0.refresh = refresh } }

        /// Shows the end of the list, as in a chat: see ``PaginatorListAdapter/followsEnd``.
        ///
        /// - Parameter lastKey: the key of the source's last page, or of one near it, which ``newBelow(_:)`` loads if
        ///   the list does not have its end; by default the source's first key, as in a list that begins with its
        ///   newest page and grows upwards.
        public func followsEnd(lastKey: String? = nil) -> Self {
            replacing { ($0.followsEnd, $0.lastKey) = (true, lastKey) }
        }

        /// Replaces the view after the last item: by default a spinner, or a failure with a button.
        ///
        /// If a switch to another scope fails, the header shows the failure, and the footer's state is `idle`.
        ///
        /// - Parameter content: makes the view from the state of the load at the end and a closure that retries it.
        public func footer(
            @ViewBuilder _ content: @escaping (PaginatorLoadState, @escaping @MainActor () -> Void) -> some View
        ) -> Self {
            replacing { $0.footer = { AnyView(content($0, $1)) } }
        }

        /// Replaces the view before the first item: by default a spinner, or a failure with a button.
        ///
        /// Where it would move the rows, as in a `List`, a load or a failure shows once the first row is visible; until
        /// then the state is `idle`. While another scope loads, the footer shows that.
        ///
        /// - Parameter content: makes the view from the state of the load at the start, or the failure of a refresh,
        ///   and a closure that retries it.
        public func header(
            @ViewBuilder _ content: @escaping (PaginatorLoadState, @escaping @MainActor () -> Void) -> some View
        ) -> Self {
            replacing { $0.header = { AnyView(content($0, $1)) } }
        }

        /// Replaces the view of a gap: by default a button that loads the missing items.
        ///
        /// A gap is filled when it becomes visible.
        ///
        /// - Parameter content: makes the view from the state of the load and a closure that starts it.
        public func gap(
            @ViewBuilder _ content: @escaping (PaginatorLoadState, @escaping @MainActor () -> Void) -> some View
        ) -> Self {
            replacing { $0.gap = { AnyView(content($0, $1)) } }
        }

        /// Replaces the placeholder rows.
        ///
        /// - Parameters:
        ///   - count: the number of rows while the first page loads; 10 by default.
        ///   - remaining: the greatest number of rows after the last item, for the items that
        ///     `PaginatorListStatus.placeholdersAfter` counts; none by default. They keep the scroll bar accurate.
        ///     While one is visible, page after page is loaded, so a few pages' worth is enough.
        ///   - content: makes a row, which is shown redacted.
        public func placeholder(
            count: Int = 10, remaining: Int = 0, @ViewBuilder _ content: @escaping () -> some View
        ) -> Self {
            replacing {
                $0.placeholderCount = count
                $0.remainingCount = remaining
                $0.placeholder = { AnyView(content()) }
            }
        }

        /// Replaces the view of a list without items.
        ///
        /// - Parameter content: makes the view.
        public func empty(@ViewBuilder _ content: @escaping () -> some View) -> Self {
            replacing { $0.empty = { AnyView(content()) } }
        }

        /// Replaces the view shown if the first page could not be loaded.
        ///
        /// - Parameter content: makes the view from the error and a closure that retries.
        public func failure(
            @ViewBuilder _ content: @escaping (PaginatorError, @escaping @MainActor () -> Void) -> some View
        ) -> Self {
            replacing { $0.failure = { AnyView(content($0, $1)) } }
        }

        /// Shows the number of new items above the visible ones; not shown by default.
        ///
        /// - Parameter content: makes the view from the number, which is not zero, and a closure that scrolls to the
        ///   first of them.
        public func newAbove(
            @ViewBuilder _ content: @escaping (Int, @escaping @MainActor () -> Void) -> some View
        ) -> Self {
            replacing { $0.newAbove = { AnyView(content($0, $1)) } }
        }

        /// Shows the number of new items below the visible ones; not shown by default.
        ///
        /// - Parameter content: makes the view from the number, which is not zero, and a closure that scrolls to the
        ///   end, which it loads if necessary.
        public func newBelow(
            @ViewBuilder _ content: @escaping (Int, @escaping @MainActor () -> Void) -> some View
        ) -> Self {
            replacing { $0.newBelow = { AnyView(content($0, $1)) } }
        }

        private func replacing(_ change: (inout PaginatedListParts) -> Void) -> Self {
            var copy = self
            change(&copy.parts)
            return copy
        }
    }

    /// Updates its content whenever an object changes.
    private struct ObjectReader<T: Sendable, ID: Hashable & Sendable, Content: View>: View {
        @ObservedObject var object: PaginatorListObject<T, ID>
        let content: () -> Content

        var body: some View { content() }
    }
#endif

#if canImport(SwiftUI)
    public import PaginatorAsync
    public import PaginatorCore
    public import PaginatorLists
    public import SwiftUI

    /// A list that loads as somebody scrolls, with everything around it: placeholders for the first page, a pull to
    /// refresh, what goes on at both ends, gaps, and what a screen without items says.
    ///
    /// ```swift
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
    /// It loads the first page when it appears, tells the list which rows are visible, and keeps what is on the screen
    /// where it is when rows come or go above; a screen at the start shows what is new there. On iOS 16 the model is a
    /// `PaginatorListObject`. Each part can be replaced:
    ///
    /// ```swift
    /// PaginatedList(feedModel) { post in PostRow(post) }
    ///     .empty { Text("No posts yet") }
    ///     .footer { state, retry in FeedFooter(state, retry: retry) }
    /// ```
    ///
    /// When rows come or go above, a `List` brings the first visible row to the top of the screen;
    /// `PaginatedListLayout.stack` leaves it exactly where it is, on systems that have `scrollPosition(id:anchor:)`. Both
    /// scroll vertically.
    ///
    /// A view that is given the model of another list begins anew with that. What stands there by default says "No Items",
    /// "Try Again", "Load More" and "Loading", which are looked up in the strings of the app's main bundle; an error is its
    /// `localizedDescription`.
    public struct PaginatedList<Model: PaginatorListPresenting, Row: View>: View {
        private let model: Model
        private let layout: PaginatedListLayout
        private let row: (Model.T) -> Row
        private var sections: PaginatorListSections<Model.T, Model.ID, AnySectionKey>?
        private var parts = PaginatedListParts()

        /// Makes a view of a list.
        ///
        /// - Parameters:
        ///   - model: a `PaginatorListModel` or a `PaginatorListObject`, which the app keeps.
        ///   - layout: what the rows stand in, a `List` by default.
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
            // Who reads an observable object must observe it; a model tells who reads it by itself.
            if let object = model as? PaginatorListObject<Model.T, Model.ID> {
                ObjectReader(object: object) { screen }
            } else {
                screen
            }
        }

        private var screen: some View {
            PaginatedScreen(
                list: model.list, items: model.items, status: model.status, anchor: model.anchor,
                shown: (model as? any PaginatorListShowing<Model.T, Model.ID>)?.shown, layout: layout,
                sections: sections, row: row, parts: parts
            )
            // What it remembers is of this list.
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
        /// A section is a run of neighbors with the same key; see ``PaginatorListSections``. The key is taken when the view
        /// appears; one that groups the same list in another way has another `id(_:)`.
        ///
        /// - Parameters:
        ///   - key: what the items of a section have in common; pure.
        ///   - header: makes the header of a section.
        public func sections<Key: Hashable & Sendable>(
            by key: @escaping @Sendable (Model.T) -> Key, @ViewBuilder header: @escaping (Key) -> some View
        ) -> Self {
            var copy = replacing { $0.sectionHeader = { AnyView(($0.base as? Key).map { header($0) }) } }
            copy.sections = PaginatorListSections(erasing: key)
            return copy
        }

        /// Replaces what stands behind the last item; a spinner and a failure with a button by default.
        ///
        /// - Parameter content: takes the state of the load at the end, and what tries a failed one again.
        public func footer(
            @ViewBuilder _ content: @escaping (PaginatorLoadState, @escaping @MainActor () -> Void) -> some View
        ) -> Self {
            replacing { $0.footer = { AnyView(content($0, $1)) } }
        }

        /// Replaces what stands before the first item; a spinner and a failure with a button by default.
        ///
        /// - Parameter content: takes the state of the load at the start, or why a refresh failed, and what tries that
        ///   again.
        public func header(
            @ViewBuilder _ content: @escaping (PaginatorLoadState, @escaping @MainActor () -> Void) -> some View
        ) -> Self {
            replacing { $0.header = { AnyView(content($0, $1)) } }
        }

        /// Replaces what stands where items may be missing between others; a button that loads them by default.
        ///
        /// A gap that comes on the screen is filled.
        ///
        /// - Parameter content: takes the state of that load, and what begins it.
        public func gap(
            @ViewBuilder _ content: @escaping (PaginatorLoadState, @escaping @MainActor () -> Void) -> some View
        ) -> Self {
            replacing { $0.gap = { AnyView(content($0, $1)) } }
        }

        /// Replaces the rows that are shown for items that have not come yet.
        ///
        /// - Parameters:
        ///   - count: how many there are while the first page loads, 10 by default.
        ///   - remaining: how many there are at most behind the last item, for items that the source is known to have by
        ///     `PaginatorListStatus.placeholdersAfter`; none by default. They make the scroll bar honest. While one of them
        ///     is on the screen page after page loads, so a bound of a few pages is as much as anybody waits for.
        ///   - content: makes one of them; it is redacted.
        public func placeholder(
            count: Int = 10, remaining: Int = 0, @ViewBuilder _ content: @escaping () -> some View
        ) -> Self {
            replacing {
                $0.placeholderCount = count
                $0.remainingCount = remaining
                $0.placeholder = { AnyView(content()) }
            }
        }

        /// Replaces what a list without items says.
        ///
        /// - Parameter content: makes the view.
        public func empty(@ViewBuilder _ content: @escaping () -> some View) -> Self {
            replacing { $0.empty = { AnyView(content()) } }
        }

        /// Replaces what is shown when the first page could not be loaded.
        ///
        /// - Parameter content: takes the error, and what tries again.
        public func failure(
            @ViewBuilder _ content: @escaping (PaginatorError, @escaping @MainActor () -> Void) -> some View
        ) -> Self {
            replacing { $0.failure = { AnyView(content($0, $1)) } }
        }

        /// Shows how many new items there are above what is visible; nothing does so by default.
        ///
        /// - Parameter content: takes the number, which is not zero, and what shows the first of them.
        public func newAbove(
            @ViewBuilder _ content: @escaping (Int, @escaping @MainActor () -> Void) -> some View
        ) -> Self {
            replacing { $0.newAbove = { AnyView(content($0, $1)) } }
        }

        private func replacing(_ change: (inout PaginatedListParts) -> Void) -> Self {
            var copy = self
            change(&copy.parts)
            return copy
        }
    }

    /// Makes its content anew whenever an object changes.
    private struct ObjectReader<T: Sendable, ID: Hashable & Sendable, Content: View>: View {
        @ObservedObject var object: PaginatorListObject<T, ID>
        let content: () -> Content

        var body: some View { content() }
    }
#endif

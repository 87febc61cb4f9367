public import Observation
import PaginatorCore
public import PaginatorLists

/// A list as an observable object of the main actor, for SwiftUI and everything else that tracks observation.
///
/// ```swift
/// struct FeedView: View {
///     @State private var feed: PaginatorListModel<Post, Post.ID>
///
///     init(_ paginator: CallbackPaginator<Post>) {
///         _feed = State(wrappedValue: PaginatorListModel(PaginatorList(paginator)))
///     }
///
///     var body: some View {
///         List(feed.items, id: \.id) { post in PostRow(post) }
///             .refreshable { try? await feed.list.refreshAndWait() }
///     }
/// }
/// ```
///
/// It changes on the main queue, after the list has changed; items, status and anchor change together. Loads, edits and
/// hints are called on ``list``, which the model keeps alive. It needs iOS 17; `PaginatorListObject` serves older systems.
@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
@Observable
@MainActor
public final class PaginatorListModel<T: Sendable, ID: Hashable & Sendable>: PaginatorListShowing {
    /// The list that the model shows.
    @ObservationIgnored public let list: PaginatorList<T, ID>

    /// What the list shows. Complexity: O(1).
    public private(set) var items: PaginatorListSnapshot<T, ID>

    /// What the list is doing.
    public private(set) var status: PaginatorListStatus

    /// The position of the item that was the first visible one at the last hint, jump or restore; `nil` before, and when that
    /// item is gone.
    public private(set) var anchor: Int?

    /// The changes that led from the items before to ``items``, for views that animate or scroll by themselves.
    @ObservationIgnored public private(set) var difference = PaginatorListDifference<T>()

    @ObservationIgnored package private(set) var shown: ShownList<T, ID>
    @ObservationIgnored private var observation: PaginatorExecution?

    /// Makes a model of a list, which follows it until the model is released.
    ///
    /// - Parameter list: the list; it loads nothing because of this call.
    public init(_ list: PaginatorList<T, ID>) {
        self.list = list
        shown = ShownList(list)
        items = shown.items
        status = shown.status
        observation = list.observe(onMain: { [weak self] update in self?.show(update) })
    }

    deinit {
        observation?.cancel()
    }

    private func show(_ update: PaginatorListUpdate<T, ID>) {
        shown.follow(update)
        // Each by itself, so that a view which reads one is drawn anew for that one alone.
        (difference, status, anchor) = (shown.difference, shown.status, shown.anchor)
        // Observation cannot tell whether snapshots of any items are equal, and takes each one as another.
        if !items.isSame(as: shown.items) { items = shown.items }
    }
}

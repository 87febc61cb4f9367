public import Observation
import PaginatorCore
public import PaginatorLists

/// A list as an observable object on the main actor, for SwiftUI and other users of Observation.
///
/// ```swift
/// @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
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
/// It changes on the main queue, after the list; items, status and anchor change together. Call loads, edits and hints
/// on ``list``, which the model retains. Views may skip states, so one that applies differences observes the list
/// itself. It needs iOS 17; `PaginatorListObject` serves older systems.
@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
@Observable
@MainActor
public final class PaginatorListModel<T: Sendable, ID: Hashable & Sendable>: PaginatorListShowing {
    /// The list that the model shows.
    @ObservationIgnored public let list: PaginatorList<T, ID>

    /// The rows of the list. Complexity: O(1).
    public private(set) var items: PaginatorListSnapshot<T, ID>

    /// The state of the list's loads.
    public private(set) var status: PaginatorListStatus

    /// The position of the item that was the first visible one at the last hint, jump or restore; `nil` before that, or
    /// if the item is gone.
    public private(set) var anchor: Int?

    @ObservationIgnored package private(set) var shown: ShownList<T, ID>
    @ObservationIgnored private var observation: PaginatorExecution?

    /// Creates a model that follows a list until the model is released.
    ///
    /// - Parameter list: the list. This call loads nothing.
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
        // One by one, so that a view is only updated for the property that it reads.
        (status, anchor) = (shown.status, update.anchor)
        // Observation cannot compare snapshots of any items, and treats each one as a change.
        if !items.isSame(as: shown.items) { items = shown.items }
    }
}

public import Observation
public import PaginatorCore

/// A list as an observable object of the main actor, for SwiftUI and everything else that tracks observation.
///
/// ```swift
/// @State private var feed = PaginatorListModel(PaginatorList(paginator, id: \.id))
///
/// List(feed.items, id: \.id) { post in PostRow(post) }
///     .refreshable { try? await feed.list.refreshAndWait() }
/// ```
///
/// It changes on the main queue, when the list has. Items, status and anchor always belong together. The list, with its
/// loads, edits and hints, is in ``list``; the model keeps it alive.
@Observable
@MainActor
public final class PaginatorListModel<T: Sendable, ID: Hashable & Sendable> {
    /// The list that the model shows.
    @ObservationIgnored public let list: PaginatorList<T, ID>

    /// What the list shows. Complexity: O(1).
    public private(set) var items: PaginatorListSnapshot<T, ID>

    /// What the list is doing.
    public private(set) var status: PaginatorListStatus

    /// Where the first visible item is now, as last hinted; `nil` without a hint, or when it is gone.
    public private(set) var anchor: Int?

    /// How the items before became these, for views that animate or scroll by themselves; the first one leads from the
    /// items that the model began with.
    @ObservationIgnored public private(set) var difference = PaginatorListDifference<T>()
    @ObservationIgnored private var hasShown = false

    @ObservationIgnored private var observation: PaginatorExecution?

    /// Makes a model that shows a list, from now on until it is released.
    ///
    /// - Parameter list: the list; nothing is loaded by making a model of it.
    public init(_ list: PaginatorList<T, ID>) {
        self.list = list
        items = list.snapshot
        status = list.status
        observation = list.observe(onMain: { [weak self] update in self?.show(update) })
    }

    deinit {
        observation?.cancel()
    }

    /// Whether nothing was loaded yet and nothing failed: the time for a placeholder.
    public var isLoadingFirstPage: Bool { items.isEmpty && !status.hasLoaded && status.refresh.isLoading }

    /// Whether there is nothing to show because the source has nothing.
    public var isEmpty: Bool { items.isEmpty && status.hasLoaded }

    /// Tells that a row came into view, so that the list loads ahead of it.
    ///
    /// - Parameter position: the row's position in ``items``.
    public func rowDidAppear(at position: Int) {
        guard items.indices.contains(position) else { return }
        list.hint(visible: position..<(position + 1))
    }

    private func show(_ update: PaginatorListUpdate<T, ID>) {
        // What an observer is told first inserts everything, and the model began with what the list had.
        difference = hasShown ? update.difference : PaginatorListDifference(from: items, to: update.snapshot)
        hasShown = true
        items = update.snapshot
        status = update.status
        anchor = update.anchor
    }
}

public import PaginatorCore

/// Shows a list in a collection view or a table view of UIKit or AppKit, and follows it.
///
/// ```
/// final class FeedController: UICollectionViewController {
///     private var adapter: PaginatorListAdapter<Post, Post.ID>?
///
///     override func viewDidLoad() {
///         super.viewDidLoad()
///         let registration = UICollectionView.CellRegistration<PostCell, Post> { cell, _, post in cell.show(post) }
///         adapter = PaginatorListAdapter(feed, collectionView: collectionView) { view, indexPath, post in
///             view.dequeueConfiguredReusableCell(using: registration, for: indexPath, item: post)
///         }
///         feed.loadNext()
///     }
/// }
/// ```
///
/// It makes the view's diffable data source and is its prefetching data source; the delegate stays the app's. Rows that
/// come on the screen let the list load ahead. When rows come or go above the screen, what is on it stays where it is.
@MainActor
public final class PaginatorListAdapter<T: Sendable, ID: Hashable & Sendable> {
    /// The list that is shown.
    public let list: PaginatorList<T, ID>

    /// Called after each change, for footers, placeholders and the like.
    public var onUpdate: (@MainActor (PaginatorListUpdate<T, ID>) -> Void)?

    private let view: any RowsView<ID>
    private var screen: PaginatorScreen<T, ID>
    private var hasFollowed = false
    private var observation: PaginatorExecution?

    init(_ list: PaginatorList<T, ID>, _ view: any RowsView<ID>) {
        self.list = list
        self.view = view
        screen = PaginatorScreen(list.snapshot, list.status)
        observation = list.observe(onMain: { [weak self] update in self?.follow(update) })
    }

    deinit {
        observation?.cancel()
    }

    /// What the view shows. Complexity: O(1).
    public var items: PaginatorListSnapshot<T, ID> { screen.items }

    /// What the list is doing.
    public var status: PaginatorListStatus { screen.status }

    /// What a screen shows as a whole.
    public var state: PaginatorScreenState { PaginatorScreenState(status, isEmpty: items.isEmpty) }

    /// How many new items there are above what is visible, for a button that leads there.
    public var newAbove: Int { screen.newAbove }

    /// Goes to the start of the list, where the new items are; it is loaded first where that has to be.
    public func goToStart() {
        guard screen.goToStart(of: list) else { return }
        view.scrollToStart()
        rowsDidMove()
    }

    /// Tells the list what is visible, so that it loads ahead.
    ///
    /// The adapter does so when a row comes on the screen. A delegate may call it in `scrollViewDidScroll(_:)` as well,
    /// for a bookmark that is exact to the row.
    public func rowsDidMove() {
        guard let visible = screen.show(view.visibleRows) else { return }
        list.hint(visible: visible)
        screen.loadEnds(of: list)
    }

    /// Shows what the list had when the adapter was made; called once the view can show rows.
    func start() {
        view.show(items.ids, updated: [], isAnimated: false)
        rowsDidMove()
    }

    private func follow(_ update: PaginatorListUpdate<T, ID>) {
        // The first update inserts everything, and the view began with what the list had.
        let difference =
            hasFollowed ? update.difference : PaginatorListDifference(from: items, to: update.snapshot)
        hasFollowed = true
        rowsDidMove()
        let scroll = screen.follow(update.snapshot, update.status)
        if !difference.isEmpty {
            let updated = difference.updates.map { update.snapshot.id(at: $0.position) }
            if case .keep(_, let from, let to) = scroll, from != to {
                let top = view.top(ofRow: from)
                view.show(items.ids, updated: updated, isAnimated: false)
                if let top, let now = view.top(ofRow: to) { view.scroll(by: now - top) }
            } else {
                view.show(items.ids, updated: updated, isAnimated: scroll != .goToStart)
            }
        }
        if scroll == .goToStart { view.scrollToStart() }
        rowsDidMove()
        onUpdate?(update)
    }
}

/// What a data source asks its adapter, which is made after it.
@MainActor
final class AdapterLink<T: Sendable, ID: Hashable & Sendable> {
    weak var adapter: PaginatorListAdapter<T, ID>?

    private var looksSoon = false

    /// Called by a data source whose view shows the item's row.
    func item(_ id: ID) -> T? {
        if !looksSoon {
            looksSoon = true
            // While a view lays out its rows it cannot tell which ones are visible.
            Task {
                looksSoon = false
                rowsDidMove()
            }
        }
        return adapter?.items[id: id]
    }

    func rowsDidMove() { adapter?.rowsDidMove() }
}

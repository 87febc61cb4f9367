import PaginatorCore
public import PaginatorLists

/// Shows a list in a collection view or a table view of UIKit or AppKit, and follows it.
///
/// ```swift
/// // On Apple's platforms:
/// final class FeedController: UICollectionViewController {
///     private var adapter: PaginatorListAdapter<Post, Post.ID>?
///
///     override func viewDidLoad() {
///         super.viewDidLoad()
///         let registration = UICollectionView.CellRegistration<PostCell, Post> { cell, _, post in cell.show(post) }
///         adapter = PaginatorListAdapter(list, collectionView: collectionView) { view, indexPath, post in
///             view.dequeueConfiguredReusableCell(using: registration, for: indexPath, item: post)
///         }
///         list.loadNext()
///     }
/// }
/// ```
///
/// It makes the view's diffable data source and keeps the closures that it is given, so that one which needs its
/// controller takes it with `[weak self]`. The delegate and the prefetching data source stay the app's. Rows that come
/// on the screen let the list load ahead, and fill a gap that they stand beside. When rows above the screen come, go or
/// get another height, what is on it stays where it is. The view scrolls vertically. A change takes O(items), as it does
/// in the data source.
@MainActor
public final class PaginatorListAdapter<T: Sendable, ID: Hashable & Sendable> {
    /// The list that is shown.
    public let list: PaginatorList<T, ID>

    /// Called after each change, for footers, placeholders and the like.
    public var onUpdate: (@MainActor (PaginatorListUpdate<T, ID>) -> Void)?

    private let view: any RowsView<ID>
    private var screen: PaginatorScreen<T, ID>
    // Without a key for sections, all items are one.
    private var sectioning: PaginatorListSections<T, ID, AnySectionKey>?
    private var sections: [PaginatorListSection<AnySectionKey>] = []
    // What was shown before, while the view goes over to what is: it may still ask for rows of that.
    private var previous: (items: PaginatorListSnapshot<T, ID>, sections: [PaginatorListSection<AnySectionKey>])?
    private var hasShown = false
    private var observation: PaginatorExecution?
    private lazy var looks = SoonLook { [weak self] in self?.rowsDidMove() }

    init(
        _ list: PaginatorList<T, ID>, _ view: any RowsView<ID>,
        sections: PaginatorListSections<T, ID, AnySectionKey>? = nil
    ) {
        self.list = list
        self.view = view
        sectioning = sections
        screen = PaginatorScreen(list.snapshot, list.status)
        observation = list.observe(onMain: { [weak self] update in self?.follow(update) })
        view.onScroll = { [weak self] in self?.rowsMayMove() }
    }

    deinit {
        observation?.cancel()
    }

    /// What the view shows. Complexity: O(1).
    public var items: PaginatorListSnapshot<T, ID> { screen.items }

    /// What the list is doing.
    public var status: PaginatorListStatus { screen.status }

    /// What a screen shows as a whole.
    public var state: PaginatorScreenState { screen.state }

    /// How many new items there are above what is visible, for a button that leads there.
    public var newAbove: Int { screen.newAbove }

    /// The key that the items of a section have in common; `nil` where there is no such section, or no such key.
    ///
    /// - Parameters:
    ///   - section: the section's number.
    ///   - as: the type of the keys.
    public func key<Key: Hashable & Sendable>(ofSection section: Int, as: Key.Type = Key.self) -> Key? {
        for sections in [sections, previous?.sections ?? []] where sections.indices.contains(section) {
            return sections[section].key.base as? Key
        }
        return nil
    }

    /// What a row shows, also of one that just goes away.
    func item(_ id: ID) -> T? { items[id: id] ?? previous?.items[id: id] }

    /// Goes to the start of the list, where the new items are; it is loaded first where that has to be.
    public func goToStart() {
        guard screen.goToStart(of: list) else { return }
        view.scrollToStart()
        rowsDidMove()
    }

    /// Tells the list what is visible, so that it loads ahead, and fills the gaps that are.
    ///
    /// The adapter does so whenever somebody scrolls and whenever a row comes on the screen.
    public func rowsDidMove() {
        let positions = view.visiblePlaces.compactMap { place -> Int? in
            guard sections.indices.contains(place.section) else { return nil }
            let range = sections[place.section].range
            return place.row < range.count ? range.lowerBound + place.row : nil
        }
        screen.look(at: Range(from: positions), in: list)
    }

    /// Tells the list what is visible once the view has laid out its rows.
    func rowsMayMove() { looks.ask() }

    /// The titles of an index of the sections, from the top, and the section of each.
    func index(_ title: (AnySectionKey) -> String) -> [PaginatorSectionIndexEntry<String>] {
        sectioning?.index(by: title) ?? []
    }

    private func follow(_ update: PaginatorListUpdate<T, ID>) {
        rowsDidMove()
        previous = (items, sections)
        defer { previous = nil }
        let scroll = screen.follow(update.snapshot, update.status, anchor: update.anchor)
        switch scroll {
        case .keep(_, let from, let to) where update.difference.reaches(above: from, to):
            let top = top(ofRow: from)
            show(update, isAnimated: false)
            if let top, let now = self.top(ofRow: to) { view.scroll(by: now - top) }
        case .goToStart:
            show(update, isAnimated: false)
            view.scrollToStart()
        case .stay, .showNew, .keep:
            show(update, isAnimated: true)
        }
        rowsDidMove()
        onUpdate?(update)
    }

    private func top(ofRow position: Int) -> Double? { sections.place(of: position).flatMap { view.top(of: $0) } }

    private func show(_ update: PaginatorListUpdate<T, ID>, isAnimated: Bool) {
        _ = sectioning?.apply(update)
        let all = PaginatorListSection(
            id: .init(key: AnySectionKey(base: 0), occurrence: 0), range: 0..<items.count)
        sections = sectioning?.sections ?? [all]
        // At first also without rows: beside them there may be a footer.
        guard !hasShown || !update.difference.isEmpty else { return }
        hasShown = true
        let ids = items.ids
        view.show(
            ShownRows(
                sections: sections.map { ($0.id, Array(ids[$0.range])) },
                updated: update.difference.updates.map { ids[$0.position] }, isAnimated: isAnimated))
    }
}

extension PaginatorListDifference {
    /// Whether anything changes above a row, which stood at one position and stands at another.
    fileprivate func reaches(above old: Int, _ new: Int) -> Bool {
        let firsts = [removals.first?.lowerBound, insertions.first?.range.lowerBound, updates.first?.position]
        return old != new || firsts.contains { $0.map { $0 < new } ?? false }
            || moves.contains { min($0.from, $0.to) < new }
    }
}

/// What a data source asks its adapter, which is made after it.
@MainActor
final class AdapterLink<T: Sendable, ID: Hashable & Sendable> {
    weak var adapter: PaginatorListAdapter<T, ID>?

    /// Called by a data source whose view shows the item's row.
    func item(_ id: ID) -> T? {
        adapter?.rowsMayMove()
        return adapter?.item(id)
    }
}

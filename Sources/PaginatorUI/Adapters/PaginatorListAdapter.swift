import PaginatorCore
public import PaginatorLists

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Shows a list in a collection view or a table view of UIKit or AppKit, and keeps it current.
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
/// It creates the view's diffable data source and retains its closures, so capture a controller with `[weak self]`. The
/// delegate and the prefetching data source remain the app's. As rows become visible, the list prefetches, and gaps
/// beside them are filled. When rows above the visible ones come, go or change their height, the visible rows stay in
/// place; a row that comes or goes among them moves those below it. A jump or a restored bookmark scrolls to its row.
/// The view must scroll vertically. A change takes O(items), as in the data source.
@MainActor
public final class PaginatorListAdapter<T: Sendable, ID: Hashable & Sendable> {
    /// The list.
    public let list: PaginatorList<T, ID>

    /// Called after each change, for footers, placeholders and the like.
    public var onUpdate: (@MainActor (PaginatorListUpdate<T, ID>) -> Void)?

    private let view: any RowsView<ID>
    private var screen: PaginatorScreen<T, ID>
    // Without a section key, all items are in one section.
    private var sectioning: PaginatorListSections<T, ID, AnySectionKey>?
    private var sections: [PaginatorListSection<AnySectionKey>] = []
    // The previous rows during an update, when the view may still ask for them.
    private var previous: (items: PaginatorListSnapshot<T, ID>, sections: [PaginatorListSection<AnySectionKey>])?
    private var hasShown = false
    private enum Target {
        case row(ID)
        case end
    }
    // Where a jump scrolls, until the view has visible rows: before its first layout it cannot scroll.
    private var target: Target?
    private var observation: PaginatorExecution?
    private let needsNewCell: @MainActor (T, T) -> Bool
    private lazy var looks = SoonLook { [weak self] in self?.rowsDidMove() }

    init(
        _ list: PaginatorList<T, ID>, _ view: any RowsView<ID>,
        sections: PaginatorListSections<T, ID, AnySectionKey>? = nil,
        needsNewCell: @escaping @MainActor (_ old: T, _ new: T) -> Bool = { _, _ in false }
    ) {
        self.list = list
        self.view = view
        self.needsNewCell = needsNewCell
        sectioning = sections
        screen = PaginatorScreen(list.snapshot, list.status)
        observation = list.observe(onMain: { [weak self] update in self?.follow(update) })
        view.onScroll = { [weak self] in self?.rowsMayMove() }
    }

    deinit {
        observation?.cancel()
    }

    /// The rows of the view. Complexity: O(1).
    public var items: PaginatorListSnapshot<T, ID> { screen.items }

    /// The state of the list's loads.
    public var status: PaginatorListStatus { screen.status }

    /// What the screen shows as a whole.
    public var state: PaginatorScreenState { screen.state }

    /// Whether the view shows the end of the list, as in a chat; false by default. Set it before the first update.
    ///
    /// Then the view opens at the last row, and while that is visible, it scrolls to each row that comes after it.
    /// Otherwise the visible rows stay in place, and ``newBelow`` counts. A list that begins with a `jump(to:)`, or
    /// with a page that has pages after it, opens there.
    public var followsEnd: Bool {
        get { screen.followsEnd }
        set { screen.followsEnd = newValue }
    }

    /// The number of new items above the visible ones, for a button that leads there.
    public var newAbove: Int { screen.newAbove }

    /// The number of new items below the visible ones, for a button that calls ``goToEnd(lastKey:)``.
    public var newBelow: Int { screen.newBelow }

    /// Returns the key of a section; `nil` if there is no such section, or its key has another type.
    ///
    /// - Parameters:
    ///   - section: the section's index.
    ///   - as: the type of the keys.
    public func key<Key: Hashable & Sendable>(ofSection section: Int, as: Key.Type = Key.self) -> Key? {
        for sections in [sections, previous?.sections ?? []] where sections.indices.contains(section) {
            return sections[section].key.base as? Key
        }
        return nil
    }

    /// Returns the item at an index path of the view, with or without sections, for example when the user taps a row;
    /// `nil` if there is none. Complexity: O(log pages).
    ///
    /// - Parameter indexPath: the section's index, and the row's index in it.
    public func item(at indexPath: IndexPath) -> T? {
        guard indexPath.count == 2 else { return nil }
        return position(ofRow: indexPath[1], inSection: indexPath[0]).map { items[$0] }
    }

    private func position(ofRow row: Int, inSection section: Int) -> Int? {
        guard sections.indices.contains(section) else { return nil }
        let range = sections[section].range
        return (0..<range.count).contains(row) ? range.lowerBound + row : nil
    }

    /// The item of a row, also of one that is being removed.
    func item(_ id: ID) -> T? { items[id: id] ?? previous?.items[id: id] }

    /// Scrolls to the start of the list, where the new items are, and loads it first if necessary.
    public func goToStart() {
        target = nil
        guard screen.go(to: .start, of: list) else { return }
        view.scrollToStart()
        rowsDidMove()
    }

    /// Scrolls to the end of the list, and loads it first if necessary.
    ///
    /// - Parameter lastKey: the key of the source's last page, or of one near it; by default the source's first key, as
    ///   in a list that begins with its newest page and grows upwards.
    public func goToEnd(lastKey: String? = nil) {
        target = screen.go(to: .end, of: list, lastKey: lastKey) ? .end : nil
        rowsDidMove()
    }

    /// Scrolls until an item's row is the first visible one, unless it is between two visible ones.
    ///
    /// - Parameter id: the item's identity.
    /// - Returns: whether the list has loaded the item; otherwise nothing happens, and `jump(to:)` loads its page.
    @discardableResult
    public func show(_ id: ID) -> Bool {
        guard let scroll = screen.goTo(id) else { return false }
        target = scroll == .stay ? nil : .row(id)
        rowsDidMove()
        return true
    }

    /// Reports the visible rows to the list, so that it prefetches and fills visible gaps. Called whenever the view
    /// scrolls and a row becomes visible.
    func rowsDidMove() {
        goToTarget()
        let positions = view.visiblePlaces.compactMap { position(ofRow: $0.row, inSection: $0.section) }
        screen.look(at: Range(from: positions), in: list)
    }

    private func goToTarget() {
        guard let target, !view.visiblePlaces.isEmpty else { return }
        self.target = nil
        switch target {
        case .row(let id):
            if let place = items.position(of: id).flatMap({ sections.place(of: $0) }) { view.scroll(to: place) }
        case .end:
            if let last = sections.place(of: items.count - 1) { view.scrollToEnd(last) }
        }
    }

    /// Reports the visible rows after the view's next layout.
    func rowsMayMove() { looks.ask() }

    /// The titles of an index of the sections, in order, with the section of each.
    func index(_ title: (AnySectionKey) -> String) -> [PaginatorSectionIndexEntry<String>] {
        sectioning?.index(by: title) ?? []
    }

    private func follow(_ update: PaginatorListUpdate<T, ID>) {
        // Not before there are rows: the first update would not tell of a load that begins now.
        if hasShown { rowsDidMove() }
        previous = (items, sections)
        defer { previous = nil }
        let scroll = screen.follow(
            update.snapshot, update.status, anchor: update.anchor, isAtEnd: view.isAtEnd)
        switch scroll {
        case .keep(_, let from, let to) where update.difference.reaches(above: from, to):
            let top = top(ofRow: from)
            show(update, isAnimated: false)
            if let top, let now = self.top(ofRow: to) { view.scroll(by: now - top) }
        case .goToStart:
            target = nil
            show(update, isAnimated: false)
            view.scrollToStart()
        case .goTo(let id, _):
            show(update, isAnimated: false)
            target = .row(id)
        case .goToEnd:
            show(update, isAnimated: false)
            target = .end
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
        // Also once without rows, for a footer next to them.
        guard !hasShown || !update.difference.isEmpty else { return }
        hasShown = true
        let ids = items.ids
        var rows = ShownRows<ID>(
            sections: sections.map { ($0.id, Array(ids[$0.range])) }, updated: [], reloaded: [], isAnimated: isAnimated)
        for change in update.difference.updates {
            let id = ids[change.position]
            let isReloaded = previous?.items[id: id].map { needsNewCell($0, change.item) } ?? false
            if isReloaded { rows.reloaded.append(id) } else { rows.updated.append(id) }
        }
        view.show(rows)
    }
}

extension PaginatorListDifference {
    /// Whether anything changes above a row that moved from one position to another.
    fileprivate func reaches(above old: Int, _ new: Int) -> Bool {
        let firsts = [removals.first?.lowerBound, insertions.first?.range.lowerBound, updates.first?.position]
        return old != new || firsts.contains { $0.map { $0 < new } ?? false }
            || moves.contains { min($0.from, $0.to) < new }
    }
}

/// Connects a data source to its adapter, which is created after it.
@MainActor
final class AdapterLink<T: Sendable, ID: Hashable & Sendable> {
    weak var adapter: PaginatorListAdapter<T, ID>?

    /// Called by a data source whose view shows the item's row.
    func item(_ id: ID) -> T? {
        adapter?.rowsMayMove()
        return adapter?.item(id)
    }
}

#if canImport(UIKit) && !os(watchOS)
    import PaginatorCore
    public import PaginatorLists
    public import UIKit

    extension PaginatorListAdapter {
        /// Shows a list in a collection view, in section 0 of a diffable data source.
        ///
        /// - Parameters:
        ///   - list: the list. This call loads nothing.
        ///   - collectionView: the view. It does not retain the adapter.
        ///   - supplementary: dequeues and configures a supplementary view of the layout, such as a footer that shows
        ///     ``status``; by default, and if it returns `nil`, the view is empty. Called when the view becomes
        ///     visible; update a visible one in ``onUpdate``.
        ///   - needsNewCell: whether an item's new value needs another kind of cell than its old one; never by default.
        ///   - cell: dequeues and configures a cell for an item. Unless `needsNewCell` says otherwise, UIKit traps if
        ///     it dequeues another kind of cell for an item's new value.
        public convenience init(
            _ list: PaginatorList<T, ID>, collectionView: UICollectionView,
            supplementary: (@MainActor (UICollectionView, String, IndexPath) -> UICollectionReusableView?)? = nil,
            needsNewCell: @escaping @MainActor (_ old: T, _ new: T) -> Bool = { _, _ in false },
            cell: @escaping @MainActor (UICollectionView, IndexPath, T) -> UICollectionViewCell
        ) {
            self.init(list, collectionView, nil, AdapterLink(), needsNewCell, cell) { supplementary?($0, $1, $2) }
        }

        /// Shows a list in a collection view, in sections by a key.
        ///
        /// ```swift
        /// let adapter = PaginatorListAdapter(list, collectionView: collectionView, sections: { $0.day }) {
        ///     view, indexPath, day in
        ///     let header = view.dequeueConfiguredReusableSupplementary(using: headers, for: indexPath)
        ///     header.show(day)
        ///     return header
        /// } cell: { view, indexPath, post in
        ///     view.dequeueConfiguredReusableCell(using: cells, for: indexPath, item: post)
        /// }
        /// ```
        ///
        /// - Parameters:
        ///   - list: the list. This call loads nothing.
        ///   - collectionView: the view. It does not retain the adapter.
        ///   - sections: returns the section key of an item; see ``PaginatorListSections``.
        ///   - header: dequeues and configures a section's header for its key, if the layout has headers.
        ///   - supplementary: dequeues and configures any other supplementary view, such as a footer that shows
        ///     ``status``; by default, and if it returns `nil`, the view is empty. A list without items has no section,
        ///     and so no such view.
        ///   - needsNewCell: whether an item's new value needs another kind of cell than its old one; never by default.
        ///   - cell: dequeues and configures a cell for an item, as without sections.
        public convenience init<Key: Hashable & Sendable>(
            _ list: PaginatorList<T, ID>, collectionView: UICollectionView,
            sections: @escaping @Sendable (T) -> Key,
            header: @escaping @MainActor (UICollectionView, IndexPath, Key) -> UICollectionReusableView,
            supplementary: (@MainActor (UICollectionView, String, IndexPath) -> UICollectionReusableView?)? = nil,
            needsNewCell: @escaping @MainActor (_ old: T, _ new: T) -> Bool = { _, _ in false },
            cell: @escaping @MainActor (UICollectionView, IndexPath, T) -> UICollectionViewCell
        ) {
            let link = AdapterLink<T, ID>()
            self.init(list, collectionView, PaginatorListSections(erasing: sections), link, needsNewCell, cell) {
                view, kind, indexPath in
                guard kind == UICollectionView.elementKindSectionHeader else {
                    return supplementary?(view, kind, indexPath)
                }
                return link.adapter?.key(ofSection: indexPath.section).map { header(view, indexPath, $0) }
            }
        }

        private convenience init(
            _ list: PaginatorList<T, ID>, _ view: UICollectionView,
            _ sections: PaginatorListSections<T, ID, AnySectionKey>?, _ link: AdapterLink<T, ID>,
            _ needsNewCell: @escaping @MainActor (T, T) -> Bool,
            _ cell: @escaping @MainActor (UICollectionView, IndexPath, T) -> UICollectionViewCell,
            supplementary: @escaping @MainActor (UICollectionView, String, IndexPath) -> UICollectionReusableView?
        ) {
            let source = UICollectionViewDiffableDataSource<SectionID, ID>(collectionView: view) {
                view, indexPath, id in
                link.item(id).map { cell(view, indexPath, $0) }
            }
            source.supplementaryViewProvider = { view, kind, indexPath in
                supplementary(view, kind, indexPath) ?? view.emptyView(of: kind, at: indexPath)
            }
            let rows = ScrollRows<UICollectionView, ID>(
                view, visible: { $0.uncoveredIndexPaths },
                frame: { $0.layoutAttributesForItem(at: $1)?.frame },
                goTo: { $0.scrollToItem(at: $1, at: .top, animated: false) },
                apply: { source.apply($0, animatingDifferences: $1) })
            self.init(list, rows, sections: sections, needsNewCell: needsNewCell)
            link.adapter = self
        }

        /// Shows a list in a table view, in section 0 of a diffable data source.
        ///
        /// - Parameters:
        ///   - list: the list. This call loads nothing.
        ///   - tableView: the view. It does not retain the adapter.
        ///   - canEdit: whether an item's row has the swipe actions of the view's delegate; none has by default.
        ///   - needsNewCell: whether an item's new value needs another kind of cell than its old one; never by default.
        ///   - cell: dequeues and configures a cell for an item, as for a collection view.
        public convenience init(
            _ list: PaginatorList<T, ID>, tableView: UITableView,
            canEdit: @escaping @MainActor (T) -> Bool = { _ in false },
            needsNewCell: @escaping @MainActor (_ old: T, _ new: T) -> Bool = { _, _ in false },
            cell: @escaping @MainActor (UITableView, IndexPath, T) -> UITableViewCell
        ) {
            self.init(list, tableView, nil, canEdit, nil, needsNewCell, cell)
        }

        /// Shows a list in a table view, in sections by a key.
        ///
        /// The view's delegate makes headers, from ``key(ofSection:as:)``.
        ///
        /// ```swift
        /// let adapter = PaginatorListAdapter(
        ///     list, tableView: tableView, sections: { $0.day }, indexTitle: { day in "\(day)" },
        ///     canEdit: { post in post.likes == 0 }
        /// ) { view, indexPath, post in
        ///     let cell = view.dequeueReusableCell(withIdentifier: "post", for: indexPath)
        ///     (cell as? PostTableCell)?.show(post)
        ///     return cell
        /// }
        /// ```
        ///
        /// - Parameters:
        ///   - list: the list. This call loads nothing.
        ///   - tableView: the view. It does not retain the adapter.
        ///   - sections: returns the section key of an item; see ``PaginatorListSections``.
        ///   - indexTitle: returns a section's title in the index at the view's edge; no index by default, and on tvOS.
        ///   - canEdit: whether an item's row has the swipe actions of the view's delegate; none has by default.
        ///   - needsNewCell: whether an item's new value needs another kind of cell than its old one; never by default.
        ///   - cell: dequeues and configures a cell for an item, as for a collection view.
        public convenience init<Key: Hashable & Sendable>(
            _ list: PaginatorList<T, ID>, tableView: UITableView,
            sections: @escaping @Sendable (T) -> Key,
            indexTitle: (@MainActor (Key) -> String)? = nil,
            canEdit: @escaping @MainActor (T) -> Bool = { _ in false },
            needsNewCell: @escaping @MainActor (_ old: T, _ new: T) -> Bool = { _, _ in false },
            cell: @escaping @MainActor (UITableView, IndexPath, T) -> UITableViewCell
        ) {
            var title: (@MainActor (AnySectionKey) -> String)?
            if let indexTitle { title = { ($0.base as? Key).map { indexTitle($0) } ?? "" } }
            self.init(list, tableView, PaginatorListSections(erasing: sections), canEdit, title, needsNewCell, cell)
        }

        private convenience init(
            _ list: PaginatorList<T, ID>, _ view: UITableView,
            _ sections: PaginatorListSections<T, ID, AnySectionKey>?, _ canEdit: @escaping @MainActor (T) -> Bool,
            _ indexTitle: (@MainActor (AnySectionKey) -> String)?,
            _ needsNewCell: @escaping @MainActor (T, T) -> Bool,
            _ cell: @escaping @MainActor (UITableView, IndexPath, T) -> UITableViewCell
        ) {
            let link = AdapterLink<T, ID>()
            let source = TableSource<ID>(tableView: view) { view, indexPath, id in
                link.item(id).map { cell(view, indexPath, $0) }
            }
            source.canEdit = { link.adapter?.item($0).map(canEdit) ?? false }
            if let indexTitle { source.index = { link.adapter?.index { indexTitle($0) } ?? [] } }
            let rows = ScrollRows<UITableView, ID>(
                view, visible: { $0.uncoveredIndexPaths }, frame: { $0.rectForRow(at: $1) },
                goTo: { $0.scrollToRow(at: $1, at: .top, animated: false) },
                apply: { [weak view] rows, isAnimated in
                    source.apply(rows, animatingDifferences: isAnimated)
                    if source.index != nil { view?.reloadSectionIndexTitles() }
                })
            self.init(list, rows, sections: sections, needsNewCell: needsNewCell)
            link.adapter = self
        }
    }

    private typealias SectionID = PaginatorListSection<AnySectionKey>.ID

    /// A table view's data source beyond cells.
    private final class TableSource<ID: Hashable & Sendable>: UITableViewDiffableDataSource<SectionID, ID> {
        var canEdit: @MainActor (ID) -> Bool = { _ in false }
        var index: (@MainActor () -> [PaginatorSectionIndexEntry<String>])?

        override func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
            itemIdentifier(for: indexPath).map(canEdit) ?? false
        }

        #if !os(tvOS)
            override func sectionIndexTitles(for tableView: UITableView) -> [String]? { index?().map(\.title) }

            override func tableView(
                _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
            ) -> Int {
                let entries = self.index?() ?? []
                return entries.indices.contains(index) ? entries[index].section : 0
            }
        #endif
    }

    /// A collection view or a table view, which differ in the names of their methods.
    @MainActor
    private final class ScrollRows<View: UIScrollView, ID: Hashable & Sendable>: RowsView {
        typealias Snapshot = NSDiffableDataSourceSnapshot<SectionID, ID>

        var onScroll: (@MainActor () -> Void)?
        private weak var view: View?
        private let visible: @MainActor (View) -> [IndexPath]
        private let frame: @MainActor (View, IndexPath) -> CGRect?
        private let goTo: @MainActor (View, IndexPath) -> Void
        private let apply: @MainActor (Snapshot, _ isAnimated: Bool) -> Void
        private var scrolling: NSKeyValueObservation?

        init(
            _ view: View, visible: @escaping @MainActor (View) -> [IndexPath],
            frame: @escaping @MainActor (View, IndexPath) -> CGRect?,
            goTo: @escaping @MainActor (View, IndexPath) -> Void,
            apply: @escaping @MainActor (Snapshot, _ isAnimated: Bool) -> Void
        ) {
            self.view = view
            self.visible = visible
            self.frame = frame
            self.goTo = goTo
            self.apply = apply
            scrolling = view.observeScrolling { [weak self] in self?.onScroll?() }
        }

        var visiblePlaces: [Place] { view.map { visible($0).map { Place($0) } } ?? [] }

        func top(of place: Place) -> Double? {
            guard let view, let frame = frame(view, place.indexPath) else { return nil }
            return frame.minY - view.contentOffset.y
        }

        var isAtEnd: Bool { view?.scrollBounds.isAtEnd ?? false }

        func scroll(by distance: Double) {
            guard let view else { return }
            let bounds = view.scrollBounds
            // Without a window there was no layout, so the height of the content is that of the rows before.
            let offset = view.window == nil ? bounds.offset + distance : bounds.offset(after: distance)
            view.contentOffset.y = CGFloat(offset)
        }

        func scrollToStart() {
            guard let view else { return }
            scroll(view, to: view.scrollBounds.startOffset)
        }

        func scrollToEnd(_ last: Place) {
            // First there, so that the last rows have their heights.
            scroll(to: last)
            guard let view else { return }
            scroll(view, to: view.scrollBounds.endOffset)
        }

        private func scroll(_ view: View, to offset: Double) {
            view.setContentOffset(CGPoint(x: view.contentOffset.x, y: CGFloat(offset)), animated: false)
            // So that the rows at that place are the visible ones now.
            view.layoutIfNeeded()
        }

        func scroll(to place: Place) {
            guard let view else { return }
            goTo(view, place.indexPath)
            view.layoutIfNeeded()
        }

        func show(_ rows: ShownRows<ID>) {
            let isOnScreen = view?.window != nil
            let isAnimated = rows.isAnimated && isOnScreen
            var snapshot = Snapshot()
            for (section, rows) in rows.sections {
                snapshot.appendSections([section])
                snapshot.appendItems(rows, toSection: section)
            }
            snapshot.reconfigureItems(rows.updated)
            snapshot.reloadItems(rows.reloaded)
            apply(snapshot, isAnimated)
            if isOnScreen, !isAnimated { view?.layoutIfNeeded() }
        }
    }

    extension UICollectionView {
        // UIKit traps if a layout has a supplementary view and the data source returns none.
        fileprivate func emptyView(of kind: String, at indexPath: IndexPath) -> UICollectionReusableView {
            let name = "PaginatorUI.empty"
            register(UICollectionReusableView.self, forSupplementaryViewOfKind: kind, withReuseIdentifier: name)
            return dequeueReusableSupplementaryView(ofKind: kind, withReuseIdentifier: name, for: indexPath)
        }
    }

    extension UICollectionView {
        /// The index paths of the visible items, without those behind a bar or a keyboard.
        var uncoveredIndexPaths: [IndexPath] {
            let bounds = scrollBounds
            return indexPathsForVisibleItems.filter { bounds.shows(layoutAttributesForItem(at: $0)?.frame) }
        }
    }

    extension UITableView {
        /// The index paths of the visible rows, without those behind a bar or a keyboard.
        var uncoveredIndexPaths: [IndexPath] {
            let bounds = scrollBounds
            return (indexPathsForVisibleRows ?? []).filter { bounds.shows(rectForRow(at: $0)) }
        }
    }

    extension ScrollBounds {
        fileprivate func shows(_ frame: CGRect?) -> Bool {
            frame.map { shows(from: Double($0.minY), to: Double($0.maxY)) } ?? true
        }
    }

    extension UIScrollView {
        fileprivate var scrollBounds: ScrollBounds {
            ScrollBounds(
                offset: Double(contentOffset.y), height: Double(bounds.height),
                contentHeight: Double(contentSize.height), topInset: Double(adjustedContentInset.top),
                bottomInset: Double(adjustedContentInset.bottom))
        }

        /// Calls an action whenever the view has scrolled, until the observation is released. The delegate remains the
        /// app's.
        func observeScrolling(_ action: @escaping @MainActor @Sendable () -> Void) -> NSKeyValueObservation {
            observe(\.contentOffset) { _, _ in MainActor.assumeIsolated { action() } }
        }
    }
#endif

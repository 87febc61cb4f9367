#if canImport(UIKit) && !os(watchOS)
    public import PaginatorCore
    public import UIKit

    extension PaginatorListAdapter {
        /// Shows a list in a collection view, in section 0 of a diffable data source.
        ///
        /// - Parameters:
        ///   - list: the list; it loads nothing because of this call.
        ///   - collectionView: the view, which does not keep the adapter alive.
        ///   - supplementary: dequeues a view that the layout has beside the cells and configures it, such as a footer that
        ///     shows ``status``, whose changes ``onUpdate`` tells; an empty view where it returns `nil`, as by default.
        ///   - cell: dequeues a cell and configures it for an item.
        public convenience init(
            _ list: PaginatorList<T, ID>, collectionView: UICollectionView,
            supplementary: (@MainActor (UICollectionView, String, IndexPath) -> UICollectionReusableView?)? = nil,
            cell: @escaping @MainActor (UICollectionView, IndexPath, T) -> UICollectionViewCell
        ) {
            let link = AdapterLink<T, ID>()
            let rows = CollectionRows(collectionView, link, cell)
            rows.source.supplementaryViewProvider = { view, kind, indexPath in
                supplementary?(view, kind, indexPath) ?? view.emptyView(of: kind, at: indexPath)
            }
            self.init(list, rows)
            link.adapter = self
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
        ///   - list: the list; it loads nothing because of this call.
        ///   - collectionView: the view, which does not keep the adapter alive.
        ///   - sections: what the items of a section have in common; see ``PaginatorListSections``.
        ///   - header: dequeues a section's header and configures it for the key; called where the layout has such.
        ///   - supplementary: dequeues any other view that the layout has beside the cells and configures it, such as a
        ///     footer that shows ``status``; an empty view where it returns `nil`, as by default.
        ///   - cell: dequeues a cell and configures it for an item.
        public convenience init<Key: Hashable & Sendable>(
            _ list: PaginatorList<T, ID>, collectionView: UICollectionView,
            sections: @escaping @Sendable (T) -> Key,
            header: @escaping @MainActor (UICollectionView, IndexPath, Key) -> UICollectionReusableView,
            supplementary: (@MainActor (UICollectionView, String, IndexPath) -> UICollectionReusableView?)? = nil,
            cell: @escaping @MainActor (UICollectionView, IndexPath, T) -> UICollectionViewCell
        ) {
            let link = AdapterLink<T, ID>()
            let rows = CollectionRows(collectionView, link, cell)
            rows.source.supplementaryViewProvider = { view, kind, indexPath in
                let made =
                    kind == UICollectionView.elementKindSectionHeader
                    ? link.adapter?.key(ofSection: indexPath.section).map { header(view, indexPath, $0) }
                    : supplementary?(view, kind, indexPath)
                return made ?? view.emptyView(of: kind, at: indexPath)
            }
            self.init(list, rows, sections: PaginatorListSections(erasing: sections))
            link.adapter = self
        }

        /// Shows a list in a table view, in section 0 of a diffable data source.
        ///
        /// - Parameters:
        ///   - list: the list; it loads nothing because of this call.
        ///   - tableView: the view, which does not keep the adapter alive.
        ///   - cell: dequeues a cell and configures it for an item.
        public convenience init(
            _ list: PaginatorList<T, ID>, tableView: UITableView,
            cell: @escaping @MainActor (UITableView, IndexPath, T) -> UITableViewCell
        ) {
            let link = AdapterLink<T, ID>()
            self.init(list, TableRows(tableView, link, cell))
            link.adapter = self
        }

        /// Shows a list in a table view, in sections by a key.
        ///
        /// Headers are the view's delegate's, which asks ``key(ofSection:as:)``.
        ///
        /// - Parameters:
        ///   - list: the list; it loads nothing because of this call.
        ///   - tableView: the view, which does not keep the adapter alive.
        ///   - sections: what the items of a section have in common; see ``PaginatorListSections``.
        ///   - cell: dequeues a cell and configures it for an item.
        public convenience init(
            _ list: PaginatorList<T, ID>, tableView: UITableView,
            sections: @escaping @Sendable (T) -> some Hashable & Sendable,
            cell: @escaping @MainActor (UITableView, IndexPath, T) -> UITableViewCell
        ) {
            let link = AdapterLink<T, ID>()
            self.init(
                list, TableRows(tableView, link, cell), sections: PaginatorListSections(erasing: sections))
            link.adapter = self
        }
    }

    private typealias SectionID = PaginatorListSection<AnySectionKey>.ID

    extension NSDiffableDataSourceSnapshot where SectionIdentifierType == SectionID {
        fileprivate init(_ shown: ShownRows<ItemIdentifierType>) {
            self.init()
            for (section, rows) in shown.sections {
                appendSections([section])
                appendItems(rows, toSection: section)
            }
            reconfigureItems(shown.updated)
        }
    }

    @MainActor
    private final class CollectionRows<ID: Hashable & Sendable>: RowsView {
        private weak var view: UICollectionView?
        let source: UICollectionViewDiffableDataSource<SectionID, ID>
        // The view does not keep it.
        private let prefetcher: PaginatorPrefetcher

        init<T>(
            _ view: UICollectionView, _ link: AdapterLink<T, ID>,
            _ cell: @escaping @MainActor (UICollectionView, IndexPath, T) -> UICollectionViewCell
        ) {
            self.view = view
            source = UICollectionViewDiffableDataSource(collectionView: view) { view, indexPath, id in
                link.item(id).map { cell(view, indexPath, $0) }
            }
            prefetcher = PaginatorPrefetcher { link.adapter?.rowsDidMove() }
            view.prefetchDataSource = prefetcher
        }

        var visiblePlaces: [Place] { view?.indexPathsForVisibleItems.map(\.place) ?? [] }

        func top(of place: Place) -> Double? {
            guard let view, let frame = view.layoutAttributesForItem(at: place.indexPath)?.frame else { return nil }
            return frame.minY - view.contentOffset.y
        }

        func scroll(by distance: Double) { view?.contentOffset.y += distance }

        func scrollToStart() { view?.scrollToStart() }

        func show(_ rows: ShownRows<ID>) {
            let isOnScreen = view?.window != nil
            let isAnimated = rows.isAnimated && isOnScreen
            source.apply(NSDiffableDataSourceSnapshot(rows), animatingDifferences: isAnimated)
            if isOnScreen, !isAnimated { view?.layoutIfNeeded() }
        }
    }

    @MainActor
    private final class TableRows<ID: Hashable & Sendable>: RowsView {
        private weak var view: UITableView?
        private let source: UITableViewDiffableDataSource<SectionID, ID>
        // The view does not keep it.
        private let prefetcher: PaginatorPrefetcher

        init<T>(
            _ view: UITableView, _ link: AdapterLink<T, ID>,
            _ cell: @escaping @MainActor (UITableView, IndexPath, T) -> UITableViewCell
        ) {
            self.view = view
            source = UITableViewDiffableDataSource(tableView: view) { view, indexPath, id in
                link.item(id).map { cell(view, indexPath, $0) }
            }
            prefetcher = PaginatorPrefetcher { link.adapter?.rowsDidMove() }
            view.prefetchDataSource = prefetcher
        }

        var visiblePlaces: [Place] { view?.indexPathsForVisibleRows?.map(\.place) ?? [] }

        func top(of place: Place) -> Double? {
            view.map { $0.rectForRow(at: place.indexPath).minY - $0.contentOffset.y }
        }

        func scroll(by distance: Double) { view?.contentOffset.y += distance }

        func scrollToStart() { view?.scrollToStart() }

        func show(_ rows: ShownRows<ID>) {
            let isOnScreen = view?.window != nil
            let isAnimated = rows.isAnimated && isOnScreen
            source.apply(NSDiffableDataSourceSnapshot(rows), animatingDifferences: isAnimated)
            if isOnScreen, !isAnimated { view?.layoutIfNeeded() }
        }
    }

    extension IndexPath {
        fileprivate var place: PaginatorBatch.Place { PaginatorBatch.Place(section: section, row: item) }
    }

    extension UICollectionView {
        // UIKit ends the app when a layout has a view and the data source does not.
        fileprivate func emptyView(of kind: String, at indexPath: IndexPath) -> UICollectionReusableView {
            let name = "PaginatorUI.empty"
            register(UICollectionReusableView.self, forSupplementaryViewOfKind: kind, withReuseIdentifier: name)
            return dequeueReusableSupplementaryView(ofKind: kind, withReuseIdentifier: name, for: indexPath)
        }
    }

    extension UIScrollView {
        fileprivate func scrollToStart() {
            setContentOffset(CGPoint(x: contentOffset.x, y: -adjustedContentInset.top), animated: false)
        }
    }
#endif

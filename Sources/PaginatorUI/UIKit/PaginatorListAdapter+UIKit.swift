#if canImport(UIKit) && !os(watchOS)
    public import PaginatorCore
    public import UIKit

    extension PaginatorListAdapter {
        /// Shows a list in a collection view, in section 0 of a diffable data source.
        ///
        /// - Parameters:
        ///   - list: the list; it loads nothing because of this call.
        ///   - collectionView: the view, which does not keep the adapter alive.
        ///   - cell: dequeues a cell and configures it for an item.
        public convenience init(
            _ list: PaginatorList<T, ID>, collectionView: UICollectionView,
            cell: @escaping @MainActor (UICollectionView, IndexPath, T) -> UICollectionViewCell
        ) {
            let link = AdapterLink<T, ID>()
            let source = UICollectionViewDiffableDataSource<Int, ID>(collectionView: collectionView) {
                view, indexPath, id in
                link.item(id).map { cell(view, indexPath, $0) }
            }
            let prefetcher = PaginatorPrefetcher { link.rowsDidMove() }
            collectionView.prefetchDataSource = prefetcher
            self.init(list, CollectionRows(collectionView, source, prefetcher))
            link.adapter = self
            start()
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
            let source = UITableViewDiffableDataSource<Int, ID>(tableView: tableView) { view, indexPath, id in
                link.item(id).map { cell(view, indexPath, $0) }
            }
            let prefetcher = PaginatorPrefetcher { link.rowsDidMove() }
            tableView.prefetchDataSource = prefetcher
            self.init(list, TableRows(tableView, source, prefetcher))
            link.adapter = self
            start()
        }
    }

    extension NSDiffableDataSourceSnapshot where SectionIdentifierType == Int {
        fileprivate init(_ ids: [ItemIdentifierType], updated: [ItemIdentifierType]) {
            self.init()
            appendSections([0])
            appendItems(ids, toSection: 0)
            reconfigureItems(updated)
        }
    }

    @MainActor
    private final class CollectionRows<ID: Hashable & Sendable>: RowsView {
        private weak var view: UICollectionView?
        private let source: UICollectionViewDiffableDataSource<Int, ID>
        // The view does not keep it.
        private let prefetcher: PaginatorPrefetcher

        init(
            _ view: UICollectionView, _ source: UICollectionViewDiffableDataSource<Int, ID>,
            _ prefetcher: PaginatorPrefetcher
        ) {
            (self.view, self.source, self.prefetcher) = (view, source, prefetcher)
        }

        var visibleRows: Range<Int>? { view.flatMap { rows(of: $0.indexPathsForVisibleItems) } }

        func top(ofRow row: Int) -> Double? {
            guard let view, let frame = view.layoutAttributesForItem(at: IndexPath(item: row, section: 0))?.frame
            else { return nil }
            return frame.minY - view.contentOffset.y
        }

        func scroll(by distance: Double) { view?.contentOffset.y += distance }

        func scrollToStart() { view?.scrollToTop() }

        func show(_ ids: [ID], updated: [ID], isAnimated: Bool) {
            source.apply(
                NSDiffableDataSourceSnapshot(ids, updated: updated),
                animatingDifferences: isAnimated && view?.window != nil)
            if !isAnimated { view?.layoutIfNeeded() }
        }
    }

    @MainActor
    private final class TableRows<ID: Hashable & Sendable>: RowsView {
        private weak var view: UITableView?
        private let source: UITableViewDiffableDataSource<Int, ID>
        // The view does not keep it.
        private let prefetcher: PaginatorPrefetcher

        init(_ view: UITableView, _ source: UITableViewDiffableDataSource<Int, ID>, _ prefetcher: PaginatorPrefetcher) {
            (self.view, self.source, self.prefetcher) = (view, source, prefetcher)
        }

        var visibleRows: Range<Int>? { view.flatMap { rows(of: $0.indexPathsForVisibleRows ?? []) } }

        func top(ofRow row: Int) -> Double? {
            view.map { $0.rectForRow(at: IndexPath(row: row, section: 0)).minY - $0.contentOffset.y }
        }

        func scroll(by distance: Double) { view?.contentOffset.y += distance }

        func scrollToStart() { view?.scrollToTop() }

        func show(_ ids: [ID], updated: [ID], isAnimated: Bool) {
            source.apply(
                NSDiffableDataSourceSnapshot(ids, updated: updated),
                animatingDifferences: isAnimated && view?.window != nil)
            if !isAnimated { view?.layoutIfNeeded() }
        }
    }

    @MainActor
    private func rows(of indexPaths: [IndexPath]) -> Range<Int>? {
        guard let first = indexPaths.min(), let last = indexPaths.max() else { return nil }
        return first.item..<last.item + 1
    }

    extension UIScrollView {
        fileprivate func scrollToTop() {
            setContentOffset(CGPoint(x: contentOffset.x, y: -adjustedContentInset.top), animated: false)
        }
    }
#endif

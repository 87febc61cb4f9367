#if canImport(UIKit) && !os(watchOS)
    import PaginatorCore
    public import PaginatorLists
    public import UIKit

    /// Lets a list load what a collection view or a table view with a data source of the app's own shows, and ahead of it.
    ///
    /// ```swift
    /// // The view does not keep it.
    /// dataSource.prefetcher = PaginatorPrefetcher(list, collectionView: collectionView)
    /// ```
    ///
    /// Of a view with sections it is told where the list has an item:
    ///
    /// ```swift
    /// let prefetcher = PaginatorPrefetcher(list, collectionView: collectionView) { [unowned dataSource] indexPath in
    ///     dataSource.days.position(of: PaginatorBatch.Place(indexPath))
    /// }
    /// ```
    ///
    /// It is the view's prefetching data source, and looks at the view whenever that scrolls or wants rows, and whenever the
    /// list has changed. ``PaginatorListAdapter`` needs none.
    @MainActor
    public final class PaginatorPrefetcher: NSObject, UICollectionViewDataSourcePrefetching,
        UITableViewDataSourcePrefetching
    {
        private let look: @MainActor () -> Void
        private let scrolling: NSKeyValueObservation

        /// Makes a prefetcher of a list and a collection view.
        ///
        /// - Parameters:
        ///   - list: the list, which it keeps alive.
        ///   - collectionView: the view, whose prefetching data source it becomes.
        ///   - position: where in the list the item of an index path is; the item of section 0 by default.
        public convenience init<T, ID>(
            _ list: PaginatorList<T, ID>, collectionView: UICollectionView,
            position: @escaping @MainActor (IndexPath) -> Int? = { $0.section == 0 ? $0.item : nil }
        ) {
            let watcher = RowsWatcher(list) { [weak collectionView] in
                (collectionView?.indexPathsForVisibleItems ?? []).compactMap(position)
            }
            self.init(watcher, collectionView)
            collectionView.prefetchDataSource = self
        }

        /// Makes a prefetcher of a list and a table view.
        ///
        /// - Parameters:
        ///   - list: the list, which it keeps alive.
        ///   - tableView: the view, whose prefetching data source it becomes.
        ///   - position: where in the list the item of an index path is; the row of section 0 by default.
        public convenience init<T, ID>(
            _ list: PaginatorList<T, ID>, tableView: UITableView,
            position: @escaping @MainActor (IndexPath) -> Int? = { $0.section == 0 ? $0.row : nil }
        ) {
            let watcher = RowsWatcher(list) { [weak tableView] in
                (tableView?.indexPathsForVisibleRows ?? []).compactMap(position)
            }
            self.init(watcher, tableView)
            tableView.prefetchDataSource = self
        }

        private init<T, ID>(_ watcher: RowsWatcher<T, ID>, _ view: UIScrollView) {
            look = { watcher.look() }
            scrolling = view.observeScrolling { watcher.lookSoon() }
        }

        /// Tells the list what is visible, so that it loads ahead, and fills the gaps that are.
        public func rowsDidMove() { look() }

        // How far ahead is the list's to say, so only what is visible matters; that rows are wanted says when.
        /// Called by the collection view.
        public func collectionView(_ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath]) {
            look()
        }

        /// Called by the table view.
        public func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath]) {
            look()
        }
    }
#endif

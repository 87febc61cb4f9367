#if canImport(UIKit) && !os(watchOS)
    import PaginatorCore
    public import PaginatorLists
    public import UIKit

    /// Lets a list load and prefetch for a collection view or a table view with a data source of your own.
    ///
    /// ```swift
    /// // The view does not retain it.
    /// dataSource.prefetcher = PaginatorPrefetcher(list, collectionView: collectionView)
    /// ```
    ///
    /// With sections, pass a closure that returns an item's position in the list:
    ///
    /// ```swift
    /// let prefetcher = PaginatorPrefetcher(list, collectionView: collectionView) { [unowned dataSource] indexPath in
    ///     dataSource.days.position(of: PaginatorBatch.Place(indexPath))
    /// }
    /// ```
    ///
    /// It becomes the view's prefetching data source, and reads the visible rows whenever the view scrolls or requests
    /// rows, and whenever the list changes, except by a jump. ``PaginatorListAdapter`` needs none.
    @MainActor
    public final class PaginatorPrefetcher: NSObject, UICollectionViewDataSourcePrefetching,
        UITableViewDataSourcePrefetching
    {
        private let look: @MainActor () -> Void
        private let observations: [NSKeyValueObservation]

        /// Creates a prefetcher for a list and a collection view.
        ///
        /// - Parameters:
        ///   - list: the list, which it retains.
        ///   - collectionView: the view, whose prefetching data source it becomes.
        ///   - position: returns an index path's position in the list; the item of section 0 by default.
        public convenience init<T, ID>(
            _ list: PaginatorList<T, ID>, collectionView: UICollectionView,
            position: @escaping @MainActor (IndexPath) -> Int? = { $0.section == 0 ? $0.item : nil }
        ) {
            let watcher = RowsWatcher(list) { [weak collectionView] in
                (collectionView?.uncoveredIndexPaths ?? []).compactMap(position)
            }
            self.init(watcher, collectionView)
            collectionView.prefetchDataSource = self
        }

        /// Creates a prefetcher for a list and a table view.
        ///
        /// - Parameters:
        ///   - list: the list, which it retains.
        ///   - tableView: the view, whose prefetching data source it becomes.
        ///   - position: returns an index path's position in the list; the row of section 0 by default.
        public convenience init<T, ID>(
            _ list: PaginatorList<T, ID>, tableView: UITableView,
            position: @escaping @MainActor (IndexPath) -> Int? = { $0.section == 0 ? $0.row : nil }
        ) {
            let watcher = RowsWatcher(list) { [weak tableView] in
                (tableView?.uncoveredIndexPaths ?? []).compactMap(position)
            }
            self.init(watcher, tableView)
            tableView.prefetchDataSource = self
        }

        private init<T, ID>(_ watcher: RowsWatcher<T, ID>, _ view: UIScrollView) {
            look = { watcher.look() }
            // The first layout of a short list neither scrolls nor requests rows, but gives the content its size.
            observations = [
                view.observeScrolling { watcher.lookSoon() },
                view.observe(\.contentSize) { _, _ in MainActor.assumeIsolated { watcher.lookSoon() } },
            ]
        }

        // The list decides how far ahead to load; the request for rows only says when to look at the visible ones.
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

#if canImport(UIKit) && !os(watchOS)
    public import PaginatorCore
    public import UIKit

    /// Lets a list load ahead as a collection view or a table view with a data source of the app's wants to know of rows.
    ///
    /// ```swift
    /// let prefetcher = PaginatorPrefetcher(list)
    /// collectionView.prefetchDataSource = prefetcher
    /// dataSource.prefetcher = prefetcher
    /// ```
    ///
    /// The view does not keep it alive. It takes section 0 for the list. ``PaginatorListAdapter`` has one of its own.
    @MainActor
    public final class PaginatorPrefetcher: NSObject, UICollectionViewDataSourcePrefetching,
        UITableViewDataSourcePrefetching
    {
        private let prefetch: @MainActor (_ visible: [IndexPath]) -> Void

        /// Makes a prefetcher of a list.
        ///
        /// - Parameter list: the list, which it keeps alive.
        public init<T, ID>(_ list: PaginatorList<T, ID>) {
            prefetch = { visible in
                let rows = visible.filter { $0.section == 0 }.map(\.item)
                guard let first = rows.min(), let last = rows.max() else { return }
                list.hint(visible: first..<last + 1)
            }
        }

        init(_ prefetch: @escaping @MainActor () -> Void) {
            self.prefetch = { _ in prefetch() }
        }

        // How far ahead is the list's to say, so only what is visible matters; that rows are wanted says when.
        /// Called by the collection view.
        public func collectionView(_ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath]) {
            prefetch(collectionView.indexPathsForVisibleItems)
        }

        /// Called by the table view.
        public func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath]) {
            prefetch(tableView.indexPathsForVisibleRows ?? [])
        }
    }
#endif

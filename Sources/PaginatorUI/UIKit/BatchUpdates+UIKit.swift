#if canImport(UIKit) && !os(watchOS)
    public import UIKit

    extension UICollectionView {
        /// Goes from what a list showed to what it shows now, for a data source of the app's own.
        ///
        /// ```
        /// list.observe(onMain: { [weak self] update in
        ///     self?.collectionView.perform(PaginatorBatch(update.difference)) { self?.rows = update.snapshot }
        /// })
        /// ```
        ///
        /// While the view is in no window, it loads its data anew instead.
        ///
        /// - Parameters:
        ///   - batch: the batch of the update's difference.
        ///   - setRows: gives the data source the new rows; called once, in here.
        ///   - completion: takes whether the animations ran to their end.
        public func perform(
            _ batch: PaginatorBatch, setRows: @escaping () -> Void, completion: (@MainActor (Bool) -> Void)? = nil
        ) {
            guard window != nil else {
                setRows()
                reloadData()
                completion?(true)
                return
            }
            performBatchUpdates(
                { [self] in
                    setRows()
                    deleteItems(at: batch.removals.map(\.indexPath))
                    insertItems(at: batch.insertions.map(\.indexPath))
                    for move in batch.moves { moveItem(at: move.from.indexPath, to: move.to.indexPath) }
                }, completion: { isFinished in completion?(isFinished) })
            if !batch.updates.isEmpty { reconfigureItems(at: batch.updates.map(\.indexPath)) }
        }
    }

    extension UITableView {
        /// Goes from what a list showed to what it shows now, for a data source of the app's own.
        ///
        /// While the view is in no window, it loads its data anew instead.
        ///
        /// - Parameters:
        ///   - batch: the batch of the update's difference.
        ///   - animation: how rows come and go.
        ///   - setRows: gives the data source the new rows; called once, in here.
        ///   - completion: takes whether the animations ran to their end.
        public func perform(
            _ batch: PaginatorBatch, with animation: RowAnimation = .automatic, setRows: @escaping () -> Void,
            completion: (@MainActor (Bool) -> Void)? = nil
        ) {
            guard window != nil else {
                setRows()
                reloadData()
                completion?(true)
                return
            }
            performBatchUpdates(
                { [self] in
                    setRows()
                    deleteRows(at: batch.removals.map(\.indexPath), with: animation)
                    insertRows(at: batch.insertions.map(\.indexPath), with: animation)
                    for move in batch.moves { moveRow(at: move.from.indexPath, to: move.to.indexPath) }
                }, completion: { isFinished in completion?(isFinished) })
            if !batch.updates.isEmpty { reconfigureRows(at: batch.updates.map(\.indexPath)) }
        }
    }

    extension PaginatorBatch.Place {
        /// The same as UIKit says it.
        public var indexPath: IndexPath { IndexPath(item: row, section: section) }
    }
#endif

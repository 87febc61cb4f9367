#if canImport(UIKit) && !os(watchOS)
    public import UIKit

    extension UICollectionView {
        /// Goes from what a list showed to what it shows now, for a data source of the app's own.
        ///
        /// ```swift
        /// list.observe(onMain: { update in
        ///     collectionView.perform(PaginatorBatch(update.difference)) { dataSource.rows = update.snapshot }
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
            perform(batch, sections: {}, setRows, completion)
        }

        /// Goes from the sections that a list showed to those that it shows now, for a data source of the app's own.
        ///
        /// The data source has the sections before until `setRows` is called, so the difference is that of a copy:
        ///
        /// ```swift
        /// var next = dataSource.days
        /// let difference = next.apply(update)
        /// collectionView.perform(difference) { dataSource.days = next }
        /// ```
        ///
        /// While the view is in no window, it loads its data anew instead.
        ///
        /// - Parameters:
        ///   - difference: what ``PaginatorListSections/apply(_:)`` returned.
        ///   - setRows: gives the data source the new sections; called once, in here.
        ///   - completion: takes whether the animations ran to their end.
        public func perform(
            _ difference: PaginatorSectionsDifference, setRows: @escaping () -> Void,
            completion: (@MainActor (Bool) -> Void)? = nil
        ) {
            perform(
                difference.rows,
                sections: { [self] in
                    deleteSections(IndexSet(difference.removedSections))
                    insertSections(IndexSet(difference.insertedSections))
                    for move in difference.movedSections { moveSection(move.from, toSection: move.to) }
                }, setRows, completion)
        }

        private func perform(
            _ rows: PaginatorBatch, sections: @escaping () -> Void, _ setRows: @escaping () -> Void,
            _ completion: (@MainActor (Bool) -> Void)?
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
                    sections()
                    deleteItems(at: rows.removals.map(\.indexPath))
                    insertItems(at: rows.insertions.map(\.indexPath))
                    for move in rows.moves { moveItem(at: move.from.indexPath, to: move.to.indexPath) }
                }, completion: { isFinished in completion?(isFinished) })
            if !rows.updates.isEmpty { reconfigureItems(at: rows.updates.map(\.indexPath)) }
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
            perform(batch, animation, sections: {}, setRows, completion)
        }

        /// Goes from the sections that a list showed to those that it shows now, for a data source of the app's own.
        ///
        /// The data source has the sections before until `setRows` is called, so the difference is that of a copy, as for a
        /// collection view.
        ///
        /// While the view is in no window, it loads its data anew instead.
        ///
        /// - Parameters:
        ///   - difference: what ``PaginatorListSections/apply(_:)`` returned.
        ///   - animation: how sections and rows come and go.
        ///   - setRows: gives the data source the new sections; called once, in here.
        ///   - completion: takes whether the animations ran to their end.
        public func perform(
            _ difference: PaginatorSectionsDifference, with animation: RowAnimation = .automatic,
            setRows: @escaping () -> Void, completion: (@MainActor (Bool) -> Void)? = nil
        ) {
            perform(
                difference.rows, animation,
                sections: { [self] in
                    deleteSections(IndexSet(difference.removedSections), with: animation)
                    insertSections(IndexSet(difference.insertedSections), with: animation)
                    for move in difference.movedSections { moveSection(move.from, toSection: move.to) }
                }, setRows, completion)
        }

        private func perform(
            _ rows: PaginatorBatch, _ animation: RowAnimation, sections: @escaping () -> Void,
            _ setRows: @escaping () -> Void, _ completion: (@MainActor (Bool) -> Void)?
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
                    sections()
                    deleteRows(at: rows.removals.map(\.indexPath), with: animation)
                    insertRows(at: rows.insertions.map(\.indexPath), with: animation)
                    for move in rows.moves { moveRow(at: move.from.indexPath, to: move.to.indexPath) }
                }, completion: { isFinished in completion?(isFinished) })
            if !rows.updates.isEmpty { reconfigureRows(at: rows.updates.map(\.indexPath)) }
        }
    }

    extension PaginatorBatch.Place {
        /// The same as UIKit says it.
        public var indexPath: IndexPath { IndexPath(item: row, section: section) }
    }
#endif

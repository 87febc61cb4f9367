#if canImport(AppKit) && !targetEnvironment(macCatalyst)
    public import AppKit

    extension NSCollectionView {
        /// Goes from what a list showed to what it shows now, for a data source of the app's own.
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
        /// While the view is in no window, it loads its data anew instead.
        ///
        /// - Parameters:
        ///   - difference: what ``PaginatorListSections/apply(_:)`` of a copy returned, as for UIKit.
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
                    deleteItems(at: Set(rows.removals.map(indexPath)))
                    insertItems(at: Set(rows.insertions.map(indexPath)))
                    for move in rows.moves { moveItem(at: indexPath(move.from), to: indexPath(move.to)) }
                }, completionHandler: { isFinished in completion?(isFinished) })
            if !rows.updates.isEmpty { reloadItems(at: Set(rows.updates.map(indexPath))) }
        }

        private func indexPath(_ place: PaginatorBatch.Place) -> IndexPath {
            IndexPath(item: place.row, section: place.section)
        }
    }
#endif

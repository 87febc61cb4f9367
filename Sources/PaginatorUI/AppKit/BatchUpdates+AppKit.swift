#if canImport(AppKit) && !targetEnvironment(macCatalyst)
    public import AppKit

    extension NSCollectionView {
        /// Goes from what a list showed to what it shows now, for a data source of the app's own.
        ///
        /// While the view is in no window, it reloads its data instead.
        ///
        /// - Parameters:
        ///   - batch: the batch of the update's difference.
        ///   - setRows: gives the data source the new rows; called once, in here.
        ///   - completion: takes whether the animations ran to their end.
        public func perform(
            _ batch: PaginatorBatch, setRows: @escaping () -> Void, completion: (@MainActor (Bool) -> Void)? = nil
        ) {
            show(PaginatorSectionsDifference(batch), setRows: setRows, completion: completion)
        }

        /// Goes from the sections that a list showed to those that it shows now, for a data source of the app's own.
        ///
        /// While the view is in no window, it reloads its data instead.
        ///
        /// - Parameters:
        ///   - difference: what ``PaginatorListSections/apply(_:)`` of a copy returned, as for UIKit.
        ///   - setRows: gives the data source the new sections; called once, in here.
        ///   - completion: takes whether the animations ran to their end.
        public func perform(
            _ difference: PaginatorSectionsDifference, setRows: @escaping () -> Void,
            completion: (@MainActor (Bool) -> Void)? = nil
        ) {
            show(difference, setRows: setRows, completion: completion)
        }
    }

    extension NSCollectionView: BatchView {
        var isInWindow: Bool { window != nil }

        func runBatch(_ steps: @escaping () -> Void, _ completion: @escaping (Bool) -> Void) {
            performBatchUpdates(steps, completionHandler: completion)
        }

        func change(_ difference: PaginatorSectionsDifference) {
            deleteSections(IndexSet(difference.removedSections))
            insertSections(IndexSet(difference.insertedSections))
            for move in difference.movedSections { moveSection(move.from, toSection: move.to) }
            deleteItems(at: Set(difference.rows.removals.map(indexPath)))
            insertItems(at: Set(difference.rows.insertions.map(indexPath)))
            for move in difference.rows.moves { moveItem(at: indexPath(move.from), to: indexPath(move.to)) }
        }

        func configureAnew(_ places: [Place]) { reloadItems(at: Set(places.map(indexPath))) }

        private func indexPath(_ place: Place) -> IndexPath { IndexPath(item: place.row, section: place.section) }
    }
#endif

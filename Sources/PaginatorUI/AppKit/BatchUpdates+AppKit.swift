#if canImport(AppKit) && !targetEnvironment(macCatalyst)
    public import AppKit

    extension NSCollectionView {
        /// Performs the changes of a list's update, for a data source of your own.
        ///
        /// A view without a window reloads its data instead.
        ///
        /// - Parameters:
        ///   - batch: the batch of the update's difference.
        ///   - setRows: sets the data source's new rows; called once, during this call.
        ///   - completion: called with whether the animations finished.
        public func perform(
            _ batch: PaginatorBatch, setRows: @escaping () -> Void, completion: (@MainActor (Bool) -> Void)? = nil
        ) {
            show(PaginatorSectionsDifference(batch), setRows: setRows, completion: completion)
        }

        /// Performs the changes of a list's sections, for a data source of your own.
        ///
        /// A view without a window reloads its data instead.
        ///
        /// - Parameters:
        ///   - difference: the result of ``PaginatorListSections/apply(_:)`` of a copy, as for UIKit.
        ///   - setRows: sets the data source's new sections; called once, during this call.
        ///   - completion: called with whether the animations finished.
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

#if canImport(UIKit) && !os(watchOS)
    public import UIKit

    extension UICollectionView {
        /// Performs the changes of a list's update, for a data source of your own.
        ///
        /// ```swift
        /// list.observe(onMain: { update in
        ///     collectionView.perform(PaginatorBatch(update.difference)) { dataSource.rows = update.snapshot }
        /// })
        /// ```
        ///
        /// A view without a window reloads its data instead. For the new value of an item the data source must dequeue
        /// the same kind of cell, because UIKit configures the item's cell again; otherwise it traps.
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
        /// The data source has the old sections until `setRows` is called, so apply the update to a copy:
        ///
        /// ```swift
        /// var next = dataSource.days
        /// let difference = next.apply(update)
        /// collectionView.perform(difference) { dataSource.days = next }
        /// ```
        ///
        /// A view without a window reloads its data instead. For the new value of an item the data source must dequeue
        /// the same kind of cell.
        ///
        /// - Parameters:
        ///   - difference: the result of ``PaginatorListSections/apply(_:)``.
        ///   - setRows: sets the data source's new sections; called once, during this call.
        ///   - completion: called with whether the animations finished.
        public func perform(
            _ difference: PaginatorSectionsDifference, setRows: @escaping () -> Void,
            completion: (@MainActor (Bool) -> Void)? = nil
        ) {
            show(difference, setRows: setRows, completion: completion)
        }
    }

    extension UICollectionView: BatchView {
        var isInWindow: Bool { window != nil }

        func runBatch(_ steps: @escaping () -> Void, _ completion: @escaping (Bool) -> Void) {
            performBatchUpdates(steps, completion: completion)
        }

        func change(_ difference: PaginatorSectionsDifference) {
            deleteSections(IndexSet(difference.removedSections))
            insertSections(IndexSet(difference.insertedSections))
            for move in difference.movedSections { moveSection(move.from, toSection: move.to) }
            deleteItems(at: difference.rows.removals.map(\.indexPath))
            insertItems(at: difference.rows.insertions.map(\.indexPath))
            for move in difference.rows.moves { moveItem(at: move.from.indexPath, to: move.to.indexPath) }
        }

        func configureAnew(_ places: [Place]) { reconfigureItems(at: places.map(\.indexPath)) }
    }

    extension UITableView {
        /// Performs the changes of a list's update, for a data source of your own.
        ///
        /// A view without a window reloads its data instead. For the new value of an item the data source must dequeue
        /// the same kind of cell.
        ///
        /// - Parameters:
        ///   - batch: the batch of the update's difference.
        ///   - animation: the animation of insertions and removals.
        ///   - setRows: sets the data source's new rows; called once, during this call.
        ///   - completion: called with whether the animations finished.
        public func perform(
            _ batch: PaginatorBatch, with animation: RowAnimation = .automatic, setRows: @escaping () -> Void,
            completion: (@MainActor (Bool) -> Void)? = nil
        ) {
            perform(PaginatorSectionsDifference(batch), with: animation, setRows: setRows, completion: completion)
        }

        /// Performs the changes of a list's sections, for a data source of your own.
        ///
        /// The data source has the old sections until `setRows` is called, so apply the update to a copy, as for a
        /// collection view.
        ///
        /// A view without a window reloads its data instead. For the new value of an item the data source must dequeue
        /// the same kind of cell.
        ///
        /// - Parameters:
        ///   - difference: the result of ``PaginatorListSections/apply(_:)``.
        ///   - animation: the animation of insertions and removals.
        ///   - setRows: sets the data source's new sections; called once, during this call.
        ///   - completion: called with whether the animations finished.
        public func perform(
            _ difference: PaginatorSectionsDifference, with animation: RowAnimation = .automatic,
            setRows: @escaping () -> Void, completion: (@MainActor (Bool) -> Void)? = nil
        ) {
            AnimatedTable(view: self, animation: animation).show(difference, setRows: setRows, completion: completion)
        }
    }

    private struct AnimatedTable: BatchView {
        let view: UITableView
        let animation: UITableView.RowAnimation

        var isInWindow: Bool { view.window != nil }

        func reloadData() { view.reloadData() }

        func runBatch(_ steps: @escaping () -> Void, _ completion: @escaping (Bool) -> Void) {
            view.performBatchUpdates(steps, completion: completion)
        }

        func change(_ difference: PaginatorSectionsDifference) {
            view.deleteSections(IndexSet(difference.removedSections), with: animation)
            view.insertSections(IndexSet(difference.insertedSections), with: animation)
            for move in difference.movedSections { view.moveSection(move.from, toSection: move.to) }
            view.deleteRows(at: difference.rows.removals.map(\.indexPath), with: animation)
            view.insertRows(at: difference.rows.insertions.map(\.indexPath), with: animation)
            for move in difference.rows.moves { view.moveRow(at: move.from.indexPath, to: move.to.indexPath) }
        }

        func configureAnew(_ places: [Place]) { view.reconfigureRows(at: places.map(\.indexPath)) }
    }

    extension PaginatorBatch.Place {
        /// Creates a place from an index path.
        public init(_ indexPath: IndexPath) { self.init(section: indexPath.section, row: indexPath.item) }

        /// The place as an index path.
        public var indexPath: IndexPath { IndexPath(item: row, section: section) }
    }
#endif

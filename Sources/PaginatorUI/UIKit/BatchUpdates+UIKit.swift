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
        /// The data source has the sections before until `setRows` is called, so the difference is that of a copy:
        ///
        /// ```swift
        /// var next = dataSource.days
        /// let difference = next.apply(update)
        /// collectionView.perform(difference) { dataSource.days = next }
        /// ```
        ///
        /// While the view is in no window, it reloads its data instead.
        ///
        /// - Parameters:
        ///   - difference: what ``PaginatorListSections/apply(_:)`` returned.
        ///   - setRows: gives the data source the new sections; called once, in here.
        ///   - completion: takes whether the animations ran to their end.
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
        /// Goes from what a list showed to what it shows now, for a data source of the app's own.
        ///
        /// While the view is in no window, it reloads its data instead.
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
            perform(PaginatorSectionsDifference(batch), with: animation, setRows: setRows, completion: completion)
        }

        /// Goes from the sections that a list showed to those that it shows now, for a data source of the app's own.
        ///
        /// The data source has the sections before until `setRows` is called, so the difference is that of a copy, as for a
        /// collection view.
        ///
        /// While the view is in no window, it reloads its data instead.
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
        /// Makes a place of what UIKit says of it.
        public init(_ indexPath: IndexPath) { self.init(section: indexPath.section, row: indexPath.item) }

        /// The same as UIKit says it.
        public var indexPath: IndexPath { IndexPath(item: row, section: section) }
    }
#endif

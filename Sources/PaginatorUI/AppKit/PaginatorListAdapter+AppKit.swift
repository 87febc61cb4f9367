#if canImport(AppKit) && !targetEnvironment(macCatalyst)
    public import AppKit
    public import PaginatorCore

    extension PaginatorListAdapter {
        /// Shows a list in a collection view, in section 0 of a diffable data source.
        ///
        /// AppKit has no prefetching of rows; that an item is asked for tells the list what is visible.
        ///
        /// - Parameters:
        ///   - list: the list; it loads nothing because of this call.
        ///   - collectionView: the view, which does not keep the adapter alive.
        ///   - item: makes a collection view item and configures it for an item of the list.
        public convenience init(
            _ list: PaginatorList<T, ID>, collectionView: NSCollectionView,
            item: @escaping @MainActor (NSCollectionView, IndexPath, T) -> NSCollectionViewItem
        ) {
            let link = AdapterLink<T, ID>()
            let source = NSCollectionViewDiffableDataSource<Int, ID>(collectionView: collectionView) {
                view, indexPath, id in
                link.item(id).map { item(view, indexPath, $0) }
            }
            self.init(list, CollectionRows(collectionView, source))
            link.adapter = self
            start()
        }

        /// Shows a list in a table view, by a diffable data source.
        ///
        /// - Parameters:
        ///   - list: the list; it loads nothing because of this call.
        ///   - tableView: the view, which does not keep the adapter alive.
        ///   - cell: makes the view of a column of an item's row.
        public convenience init(
            _ list: PaginatorList<T, ID>, tableView: NSTableView,
            cell: @escaping @MainActor (NSTableView, NSTableColumn, Int, T) -> NSView
        ) {
            let link = AdapterLink<T, ID>()
            let source = NSTableViewDiffableDataSource<Int, ID>(tableView: tableView) { view, column, row, id in
                link.item(id).map { cell(view, column, row, $0) } ?? NSView()
            }
            self.init(list, TableRows(tableView, source))
            link.adapter = self
            start()
        }
    }

    extension NSDiffableDataSourceSnapshot where SectionIdentifierType == Int {
        fileprivate init(_ ids: [ItemIdentifierType], updated: [ItemIdentifierType]) {
            self.init()
            appendSections([0])
            appendItems(ids, toSection: 0)
            reloadItems(updated)
        }
    }

    @MainActor
    private final class CollectionRows<ID: Hashable & Sendable>: RowsView {
        private weak var view: NSCollectionView?
        private let source: NSCollectionViewDiffableDataSource<Int, ID>

        init(_ view: NSCollectionView, _ source: NSCollectionViewDiffableDataSource<Int, ID>) {
            (self.view, self.source) = (view, source)
        }

        var visibleRows: Range<Int>? {
            guard let visible = view?.indexPathsForVisibleItems(), let first = visible.min(), let last = visible.max()
            else { return nil }
            return first.item..<last.item + 1
        }

        func top(ofRow row: Int) -> Double? {
            guard let view, let frame = view.layoutAttributesForItem(at: IndexPath(item: row, section: 0))?.frame
            else { return nil }
            return frame.minY - view.visibleRect.minY
        }

        func scroll(by distance: Double) { view?.scroll(by: distance) }

        func scrollToStart() { view?.scroll(NSPoint(x: 0, y: 0)) }

        func show(_ ids: [ID], updated: [ID], isAnimated: Bool) {
            source.apply(
                NSDiffableDataSourceSnapshot(ids, updated: updated),
                animatingDifferences: isAnimated && view?.window != nil)
            if !isAnimated { view?.layoutSubtreeIfNeeded() }
        }
    }

    @MainActor
    private final class TableRows<ID: Hashable & Sendable>: RowsView {
        private weak var view: NSTableView?
        private let source: NSTableViewDiffableDataSource<Int, ID>

        init(_ view: NSTableView, _ source: NSTableViewDiffableDataSource<Int, ID>) {
            (self.view, self.source) = (view, source)
        }

        var visibleRows: Range<Int>? {
            guard let view, let rows = Range(view.rows(in: view.visibleRect)), !rows.isEmpty else { return nil }
            return rows
        }

        func top(ofRow row: Int) -> Double? { view.map { $0.rect(ofRow: row).minY - $0.visibleRect.minY } }

        func scroll(by distance: Double) { view?.scroll(by: distance) }

        func scrollToStart() { view?.scroll(NSPoint(x: 0, y: 0)) }

        func show(_ ids: [ID], updated: [ID], isAnimated: Bool) {
            source.apply(
                NSDiffableDataSourceSnapshot(ids, updated: updated),
                animatingDifferences: isAnimated && view?.window != nil)
            if !isAnimated { view?.layoutSubtreeIfNeeded() }
        }
    }

    extension NSView {
        fileprivate func scroll(by distance: Double) {
            scroll(NSPoint(x: visibleRect.minX, y: visibleRect.minY + distance))
        }
    }
#endif

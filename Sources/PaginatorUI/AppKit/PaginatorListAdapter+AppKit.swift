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
        ///   - supplementary: makes a view that the layout has beside the items and configures it, such as a footer that
        ///     shows ``status``, whose changes ``onUpdate`` tells; an empty view where it returns `nil`, as by default.
        ///   - item: makes a collection view item and configures it for an item of the list.
        public convenience init(
            _ list: PaginatorList<T, ID>, collectionView: NSCollectionView,
            supplementary: (
                @MainActor (NSCollectionView, String, IndexPath) -> (any NSView & NSCollectionViewElement)?
            )? = nil,
            item: @escaping @MainActor (NSCollectionView, IndexPath, T) -> NSCollectionViewItem
        ) {
            let link = AdapterLink<T, ID>()
            let rows = CollectionRows(collectionView, link, item)
            rows.source.supplementaryViewProvider = { view, kind, indexPath in
                supplementary?(view, kind, indexPath) ?? EmptyElement()
            }
            self.init(list, rows)
            link.adapter = self
        }

        /// Shows a list in a collection view, in sections by a key.
        ///
        /// - Parameters:
        ///   - list: the list; it loads nothing because of this call.
        ///   - collectionView: the view, which does not keep the adapter alive.
        ///   - sections: what the items of a section have in common; see ``PaginatorListSections``.
        ///   - header: makes a section's header and configures it for the key; called where the layout has such.
        ///   - supplementary: makes any other view that the layout has beside the items and configures it, such as a footer
        ///     that shows ``status``; an empty view where it returns `nil`, as by default.
        ///   - item: makes a collection view item and configures it for an item of the list.
        public convenience init<Key: Hashable & Sendable>(
            _ list: PaginatorList<T, ID>, collectionView: NSCollectionView,
            sections: @escaping @Sendable (T) -> Key,
            header: @escaping @MainActor (NSCollectionView, IndexPath, Key) -> any NSView & NSCollectionViewElement,
            supplementary: (
                @MainActor (NSCollectionView, String, IndexPath) -> (any NSView & NSCollectionViewElement)?
            )? = nil,
            item: @escaping @MainActor (NSCollectionView, IndexPath, T) -> NSCollectionViewItem
        ) {
            let link = AdapterLink<T, ID>()
            let rows = CollectionRows(collectionView, link, item)
            rows.source.supplementaryViewProvider = { view, kind, indexPath in
                let made =
                    kind == NSCollectionView.elementKindSectionHeader
                    ? link.adapter?.key(ofSection: indexPath.section).map { header(view, indexPath, $0) }
                    : supplementary?(view, kind, indexPath)
                return made ?? EmptyElement()
            }
            self.init(list, rows, sections: PaginatorListSections(erasing: sections))
            link.adapter = self
        }

        /// Shows a list in a table view, by a diffable data source. It has no sections, since AppKit makes rows of headers.
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
            self.init(list, TableRows(tableView, link, cell))
            link.adapter = self
        }
    }

    private typealias SectionID = PaginatorListSection<AnySectionKey>.ID

    extension NSDiffableDataSourceSnapshot where SectionIdentifierType == SectionID {
        fileprivate init(_ shown: ShownRows<ItemIdentifierType>) {
            self.init()
            for (section, rows) in shown.sections {
                appendSections([section])
                appendItems(rows, toSection: section)
            }
            reloadItems(shown.updated)
        }
    }

    @MainActor
    private final class CollectionRows<ID: Hashable & Sendable>: RowsView {
        private weak var view: NSCollectionView?
        let source: NSCollectionViewDiffableDataSource<SectionID, ID>

        init<T>(
            _ view: NSCollectionView, _ link: AdapterLink<T, ID>,
            _ item: @escaping @MainActor (NSCollectionView, IndexPath, T) -> NSCollectionViewItem
        ) {
            self.view = view
            source = NSCollectionViewDiffableDataSource(collectionView: view) { view, indexPath, id in
                link.item(id).map { item(view, indexPath, $0) }
            }
        }

        var visiblePlaces: [Place] {
            view?.indexPathsForVisibleItems().map { Place(section: $0.section, row: $0.item) } ?? []
        }

        func top(of place: Place) -> Double? {
            let indexPath = IndexPath(item: place.row, section: place.section)
            guard let view, let frame = view.layoutAttributesForItem(at: indexPath)?.frame else { return nil }
            return frame.minY - view.visibleRect.minY
        }

        func scroll(by distance: Double) { view?.scroll(by: distance) }

        func scrollToStart() {
            guard let view, view.numberOfSections > 0, view.numberOfItems(inSection: 0) > 0 else { return }
            view.scrollToItems(at: [IndexPath(item: 0, section: 0)], scrollPosition: .top)
        }

        func show(_ rows: ShownRows<ID>) {
            let isOnScreen = view?.window != nil
            let isAnimated = rows.isAnimated && isOnScreen
            source.apply(NSDiffableDataSourceSnapshot(rows), animatingDifferences: isAnimated)
            if isOnScreen, !isAnimated { view?.layoutSubtreeIfNeeded() }
        }
    }

    @MainActor
    private final class TableRows<ID: Hashable & Sendable>: RowsView {
        private weak var view: NSTableView?
        private let source: NSTableViewDiffableDataSource<SectionID, ID>

        init<T>(
            _ view: NSTableView, _ link: AdapterLink<T, ID>,
            _ cell: @escaping @MainActor (NSTableView, NSTableColumn, Int, T) -> NSView
        ) {
            self.view = view
            source = NSTableViewDiffableDataSource(tableView: view) { view, column, row, id in
                link.item(id).map { cell(view, column, row, $0) } ?? NSView()
            }
        }

        var visiblePlaces: [Place] {
            guard let view, let rows = Range(view.rows(in: view.visibleRect)) else { return [] }
            return rows.map { Place(section: 0, row: $0) }
        }

        func top(of place: Place) -> Double? { view.map { $0.rect(ofRow: place.row).minY - $0.visibleRect.minY } }

        func scroll(by distance: Double) { view?.scroll(by: distance) }

        func scrollToStart() {
            guard let view, view.numberOfRows > 0 else { return }
            view.scrollRowToVisible(0)
        }

        func show(_ rows: ShownRows<ID>) {
            let isOnScreen = view?.window != nil
            let isAnimated = rows.isAnimated && isOnScreen
            source.apply(NSDiffableDataSourceSnapshot(rows), animatingDifferences: isAnimated)
            if isOnScreen, !isAnimated { view?.layoutSubtreeIfNeeded() }
        }
    }

    /// Stands where a layout has a view and the app has none.
    private final class EmptyElement: NSView, NSCollectionViewElement {}

    extension NSView {
        fileprivate func scroll(by distance: Double) {
            scroll(NSPoint(x: visibleRect.minX, y: visibleRect.minY + distance))
        }
    }
#endif

#if canImport(AppKit) && !targetEnvironment(macCatalyst)
    public import AppKit
    import PaginatorCore
    public import PaginatorLists

    extension PaginatorListAdapter {
        /// Shows a list in a collection view, in section 0 of a diffable data source.
        ///
        /// - Parameters:
        ///   - list: the list. This call loads nothing.
        ///   - collectionView: the view. It does not retain the adapter.
        ///   - supplementary: makes and configures a supplementary view of the layout, such as a footer that shows
        ///     ``status``; by default, and if it returns `nil`, the view is empty. Called when the view becomes
        ///     visible; update a visible one in ``onUpdate``.
        ///   - item: makes and configures a collection view item for an item of the list.
        public convenience init(
            _ list: PaginatorList<T, ID>, collectionView: NSCollectionView,
            supplementary: (
                @MainActor (NSCollectionView, String, IndexPath) -> (any NSView & NSCollectionViewElement)?
            )? = nil,
            item: @escaping @MainActor (NSCollectionView, IndexPath, T) -> NSCollectionViewItem
        ) {
            self.init(list, collectionView, nil, AdapterLink(), item) { supplementary?($0, $1, $2) }
        }

        /// Shows a list in a collection view, in sections by a key.
        ///
        /// - Parameters:
        ///   - list: the list. This call loads nothing.
        ///   - collectionView: the view. It does not retain the adapter.
        ///   - sections: returns the section key of an item; see ``PaginatorListSections``.
        ///   - header: makes and configures a section's header for its key, if the layout has headers.
        ///   - supplementary: makes and configures any other supplementary view, such as a footer that shows
        ///     ``status``; by default, and if it returns `nil`, the view is empty. A list without items has no section,
        ///     and so no such view.
        ///   - item: makes and configures a collection view item for an item of the list.
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
            self.init(list, collectionView, PaginatorListSections(erasing: sections), link, item) {
                view, kind, indexPath in
                guard kind == NSCollectionView.elementKindSectionHeader else {
                    return supplementary?(view, kind, indexPath)
                }
                return link.adapter?.key(ofSection: indexPath.section).map { header(view, indexPath, $0) }
            }
        }

        private convenience init(
            _ list: PaginatorList<T, ID>, _ view: NSCollectionView,
            _ sections: PaginatorListSections<T, ID, AnySectionKey>?, _ link: AdapterLink<T, ID>,
            _ item: @escaping @MainActor (NSCollectionView, IndexPath, T) -> NSCollectionViewItem,
            supplementary:
                @escaping @MainActor (NSCollectionView, String, IndexPath) -> (
                    any NSView & NSCollectionViewElement
                )?
        ) {
            let source = NSCollectionViewDiffableDataSource<SectionID, ID>(collectionView: view) {
                view, indexPath, id in
                link.item(id).map { item(view, indexPath, $0) }
            }
            source.supplementaryViewProvider = { supplementary($0, $1, $2) ?? EmptyElement() }
            let rows = ScrollRows<NSCollectionView, ID>(
                view,
                visible: { $0.indexPathsForVisibleItems().map { .init(section: $0.section, row: $0.item) } },
                frame: { $0.layoutAttributesForItem(at: IndexPath(item: $1.row, section: $1.section))?.frame },
                goTo: { view, place in
                    guard place.section < view.numberOfSections,
                        place.row < view.numberOfItems(inSection: place.section)
                    else { return }
                    view.scrollToItems(
                        at: [IndexPath(item: place.row, section: place.section)], scrollPosition: .top)
                },
                apply: { source.apply($0, animatingDifferences: $1) })
            self.init(list, rows, sections: sections)
            link.adapter = self
        }

        /// Shows a list in a table view with a diffable data source, without sections, because AppKit's headers are
        /// rows.
        ///
        /// - Parameters:
        ///   - list: the list. This call loads nothing.
        ///   - tableView: the view. It does not retain the adapter.
        ///   - cell: makes the view for a column of an item's row.
        public convenience init(
            _ list: PaginatorList<T, ID>, tableView: NSTableView,
            cell: @escaping @MainActor (NSTableView, NSTableColumn, Int, T) -> NSView
        ) {
            let link = AdapterLink<T, ID>()
            let source = NSTableViewDiffableDataSource<SectionID, ID>(tableView: tableView) { view, column, row, id in
                link.item(id).map { cell(view, column, row, $0) } ?? NSView()
            }
            let rows = ScrollRows<NSTableView, ID>(
                tableView,
                visible: { view in
                    (Range(view.rows(in: view.visibleRect)) ?? 0..<0).map { .init(section: 0, row: $0) }
                },
                frame: { $0.rect(ofRow: $1.row) },
                goTo: { view, place in
                    guard place.row < view.numberOfRows else { return }
                    // It scrolls as little as possible: from below, until the row is the first visible one.
                    view.scrollRowToVisible(view.numberOfRows - 1)
                    view.scrollRowToVisible(place.row)
                },
                apply: { source.apply($0, animatingDifferences: $1) })
            self.init(list, rows)
            link.adapter = self
        }
    }

    private typealias SectionID = PaginatorListSection<AnySectionKey>.ID

    /// A collection view or a table view, which differ in the names of their methods.
    @MainActor
    private final class ScrollRows<View: NSView, ID: Hashable & Sendable>: RowsView {
        typealias Snapshot = NSDiffableDataSourceSnapshot<SectionID, ID>

        var onScroll: (@MainActor () -> Void)?
        private weak var view: View?
        private let visible: @MainActor (View) -> [Place]
        private let frame: @MainActor (View, Place) -> NSRect?
        private let goTo: @MainActor (View, Place) -> Void
        private let apply: @MainActor (Snapshot, _ isAnimated: Bool) -> Void
        private var scrolling: ScrollObservation?

        init(
            _ view: View, visible: @escaping @MainActor (View) -> [Place],
            frame: @escaping @MainActor (View, Place) -> NSRect?, goTo: @escaping @MainActor (View, Place) -> Void,
            apply: @escaping @MainActor (Snapshot, _ isAnimated: Bool) -> Void
        ) {
            self.view = view
            self.visible = visible
            self.frame = frame
            self.goTo = goTo
            self.apply = apply
        }

        var visiblePlaces: [Place] {
            observeScrolling()
            return view.map(visible) ?? []
        }

        func top(of place: Place) -> Double? {
            guard let view, let frame = frame(view, place) else { return nil }
            return frame.minY - view.scrollOrigin.y
        }

        var isAtEnd: Bool { view.map { $0.visibleRect.maxY >= $0.bounds.maxY - 1 } ?? false }

        func scroll(by distance: Double) {
            guard let view else { return }
            view.scroll(NSPoint(x: view.scrollOrigin.x, y: view.scrollOrigin.y + distance))
        }

        func scrollToStart() {
            guard let view else { return }
            // Not to the first row, because its section's header is above it.
            let inset = view.enclosingScrollView?.contentView.contentInsets.top ?? 0
            view.scroll(NSPoint(x: view.scrollOrigin.x, y: -inset))
            // So that the first rows are the visible ones now.
            view.layoutSubtreeIfNeeded()
        }

        func scrollToEnd(_ last: Place) {
            // First there, so that the last rows have their heights.
            scroll(to: last)
            guard let view, !isAtEnd else { return }
            scroll(by: view.bounds.maxY - view.visibleRect.maxY)
            view.layoutSubtreeIfNeeded()
        }

        func scroll(to place: Place) {
            guard let view else { return }
            goTo(view, place)
            // So that the rows at that place are the visible ones now.
            view.layoutSubtreeIfNeeded()
        }

        func show(_ rows: ShownRows<ID>) {
            let isOnScreen = view?.window != nil
            let isAnimated = rows.isAnimated && isOnScreen
            var snapshot = Snapshot()
            for (section, rows) in rows.sections {
                snapshot.appendSections([section])
                snapshot.appendItems(rows, toSection: section)
            }
            snapshot.reloadItems(rows.updated)
            apply(snapshot, isAnimated)
            if isOnScreen, !isAnimated { view?.layoutSubtreeIfNeeded() }
        }

        // A view may be added to its scroll view after it got its adapter.
        private func observeScrolling() {
            guard let clipView = view?.enclosingScrollView?.contentView, clipView !== scrolling?.clipView else {
                return
            }
            scrolling = ScrollObservation(clipView) { [weak self] in self?.onScroll?() }
        }
    }

    /// Calls an action whenever a view has scrolled, until this is released.
    private final class ScrollObservation {
        private(set) weak var clipView: NSClipView?
        private let token: any NSObjectProtocol

        @MainActor init(_ clipView: NSClipView, _ action: @escaping @MainActor @Sendable () -> Void) {
            self.clipView = clipView
            clipView.postsBoundsChangedNotifications = true
            token = NotificationCenter.default.addObserver(
                forName: NSView.boundsDidChangeNotification, object: clipView, queue: nil
            ) { _ in MainActor.assumeIsolated { action() } }
        }

        deinit {
            NotificationCenter.default.removeObserver(token)
        }
    }

    /// A placeholder for a supplementary view that the app does not create.
    private final class EmptyElement: NSView, NSCollectionViewElement {}

    extension NSView {
        // Unlike `visibleRect`, which excludes what a scroll view's insets cover.
        fileprivate var scrollOrigin: NSPoint {
            guard let clipView = enclosingScrollView?.contentView else { return visibleRect.origin }
            return convert(clipView.bounds.origin, from: clipView)
        }
    }
#endif

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, DontRepeatTypeInStaticProperties, AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized, NoLeadingUnderscores

@_exported import Foundation

extension IndexPath {
    public init(item: Int, section: Int) { self = [section, item] }

    public var section: Int { self[0] }
    public var item: Int { self[1] }
}

@MainActor @preconcurrency open class NSResponder: NSObject {
    public override nonisolated init() {}
}

open class NSView: NSResponder {
    public nonisolated class var boundsDidChangeNotification: Notification.Name { Notification.Name("") }

    open var postsBoundsChangedNotifications = false
    open var window: NSWindow? { nil }
    open var bounds: NSRect { .zero }
    open var visibleRect: NSRect { .zero }
    open var enclosingScrollView: NSScrollView? { nil }

    open func layoutSubtreeIfNeeded() {}
    open func scroll(_ point: NSPoint) {}
    open func convert(_ point: NSPoint, from view: NSView?) -> NSPoint { point }
}

open class NSWindow: NSResponder {}

open class NSClipView: NSView {
    open var contentInsets: NSEdgeInsets { NSEdgeInsets() }
}

open class NSScrollView: NSView {
    open var contentView: NSClipView { NSClipView() }
}

open class NSControl: NSView {}

// MARK: - Collection views

@MainActor @preconcurrency open class NSCollectionViewItem: NSResponder {}

@MainActor @preconcurrency open class NSCollectionViewLayoutAttributes: NSObject {
    open var frame: NSRect { .zero }
}

@MainActor @preconcurrency public protocol NSCollectionViewElement: NSObjectProtocol {}

open class NSCollectionView: NSView {
    public nonisolated class var elementKindSectionHeader: String { "" }

    public struct ScrollPosition: OptionSet, Sendable {
        public static let top = ScrollPosition(rawValue: 1)

        public let rawValue: UInt

        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }
    }

    open var numberOfSections: Int { 0 }

    open func numberOfItems(inSection section: Int) -> Int { 0 }

    open func scrollToItems(at indexPaths: Set<IndexPath>, scrollPosition: ScrollPosition) {}

    open func indexPathsForVisibleItems() -> Set<IndexPath> { [] }

    open func layoutAttributesForItem(at indexPath: IndexPath) -> NSCollectionViewLayoutAttributes? { nil }

    open func performBatchUpdates(_ updates: (() -> Void)?, completionHandler: ((Bool) -> Void)? = nil) {}

    open func insertItems(at indexPaths: Set<IndexPath>) {}
    open func deleteItems(at indexPaths: Set<IndexPath>) {}
    open func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
    open func reloadItems(at indexPaths: Set<IndexPath>) {}
    open func insertSections(_ sections: IndexSet) {}
    open func deleteSections(_ sections: IndexSet) {}
    open func moveSection(_ section: Int, toSection newSection: Int) {}
    open func reloadData() {}
}

@MainActor @preconcurrency
open class NSCollectionViewDiffableDataSource<
    SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: NSObject {
    public typealias ItemProvider = (
        _ collectionView: NSCollectionView, _ indexPath: IndexPath, _ itemIdentifier: ItemIdentifierType
    ) -> NSCollectionViewItem?

    public typealias SupplementaryViewProvider = (
        _ collectionView: NSCollectionView, _ elementKind: String, _ indexPath: IndexPath
    ) -> (any NSView & NSCollectionViewElement)?

    open var supplementaryViewProvider: SupplementaryViewProvider?

    public init(collectionView: NSCollectionView, itemProvider: @escaping ItemProvider) {}

    open func apply(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
        animatingDifferences: Bool, completion: (() -> Void)? = nil
    ) {}
}

public struct NSDiffableDataSourceSnapshot<
    SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
> {
    public init() {}

    public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {}

    public mutating func appendItems(
        _ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil
    ) {}

    public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {}
}

@available(*, unavailable) extension NSDiffableDataSourceSnapshot: Sendable {}

// MARK: - Table views

@MainActor @preconcurrency open class NSTableColumn: NSObject {}

open class NSTableView: NSControl {
    open var numberOfRows: Int { 0 }

    open func scrollRowToVisible(_ row: Int) {}

    open func rows(in rect: NSRect) -> NSRange { NSRange(location: 0, length: 0) }

    open func rect(ofRow row: Int) -> NSRect { .zero }
}

@MainActor @preconcurrency
open class NSTableViewDiffableDataSource<
    SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: NSObject {
    public typealias CellProvider = (
        _ tableView: NSTableView, _ tableColumn: NSTableColumn, _ row: Int, _ identifier: ItemIdentifierType
    ) -> NSView

    public init(tableView: NSTableView, cellProvider: @escaping CellProvider) {}

    open func apply(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
        animatingDifferences: Bool, completion: (() -> Void)? = nil
    ) {}
}

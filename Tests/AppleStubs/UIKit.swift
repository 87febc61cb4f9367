// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, DontRepeatTypeInStaticProperties, AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized, NoLeadingUnderscores

@_exported import Foundation

extension IndexPath {
    public init(item: Int, section: Int) { self = [section, item] }
    public init(row: Int, section: Int) { self = [section, row] }

    public var section: Int { self[0] }
    public var item: Int { self[1] }
    public var row: Int { self[1] }
}

// Of Foundation, where there is an Objective-C runtime.
public class NSKeyValueObservation: NSObject {}

public struct NSKeyValueObservedChange<Value> {}

public protocol KeyValueObserving {}

extension KeyValueObserving {
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>,
        changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation { NSKeyValueObservation() }
}

public struct UIEdgeInsets: Sendable {
    public var top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat
}

@MainActor @preconcurrency open class UIView: NSObject {
    public override nonisolated init() {}

    open var bounds: CGRect { .zero }
    open var window: UIWindow? { nil }

    open func layoutIfNeeded() {}

    public class func performWithoutAnimation(_ actionsWithoutAnimation: () -> Void) {}
}

open class UIWindow: UIView {}

@MainActor @preconcurrency open class UIAction: NSObject {
    public init(title: String = "", handler: @escaping @MainActor (UIAction) -> Void) {}

    open var sender: Any? { nil }
}

open class UIControl: UIView {
    public struct Event: OptionSet, Sendable {
        public static let valueChanged = Event(rawValue: 1)

        public let rawValue: UInt

        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }
    }

    open func addAction(_ action: UIAction, for controlEvents: Event) {}
}

open class UIRefreshControl: UIControl {
    open func endRefreshing() {}
}

open class UIScrollView: UIView, KeyValueObserving {
    open var contentOffset: CGPoint = .zero
    open var contentSize: CGSize = .zero
    open var refreshControl: UIRefreshControl?
    open var adjustedContentInset: UIEdgeInsets { UIEdgeInsets(top: 0, left: 0, bottom: 0, right: 0) }

    open func setContentOffset(_ contentOffset: CGPoint, animated: Bool) {}
}

// MARK: - Search

open class UISearchBar: UIView {
    open var text: String?
}

@MainActor @preconcurrency open class UISearchController: NSObject {
    open var searchBar: UISearchBar { UISearchBar() }
}

@MainActor @preconcurrency public protocol UISearchResultsUpdating: NSObjectProtocol {
    func updateSearchResults(for searchController: UISearchController)
}

// MARK: - Collection views

open class UICollectionReusableView: UIView {}

open class UICollectionViewCell: UICollectionReusableView {}

@MainActor @preconcurrency open class UICollectionViewLayout: NSObject {
    public override nonisolated init() {}
}

open class UICollectionViewCompositionalLayout: UICollectionViewLayout {
    open class func list(
        using configuration: UICollectionLayoutListConfiguration
    ) -> UICollectionViewCompositionalLayout { UICollectionViewCompositionalLayout() }
}

@MainActor @preconcurrency public struct UICollectionLayoutListConfiguration {
    public enum Appearance: Int, Sendable { case plain, grouped }

    public init(appearance: Appearance) {}
}

@MainActor @preconcurrency open class UICollectionViewLayoutAttributes: NSObject {
    open var frame: CGRect { .zero }
}

@MainActor @preconcurrency public protocol UICollectionViewDataSource: NSObjectProtocol {}

@MainActor @preconcurrency public protocol UICollectionViewDataSourcePrefetching: NSObjectProtocol {
    func collectionView(_ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath])
}

open class UICollectionView: UIScrollView {
    public struct CellRegistration<Cell: UICollectionViewCell, Item> {
        public typealias Handler = (_ cell: Cell, _ indexPath: IndexPath, _ itemIdentifier: Item) -> Void

        @MainActor @preconcurrency public init(handler: @escaping Handler) {}
    }

    public struct SupplementaryRegistration<Supplementary: UICollectionReusableView> {
        public typealias Handler = (_ view: Supplementary, _ elementKind: String, _ indexPath: IndexPath) -> Void

        @MainActor @preconcurrency public init(elementKind: String, handler: @escaping Handler) {}
    }

    public struct ScrollPosition: OptionSet, Sendable {
        public static let top = ScrollPosition(rawValue: 1)

        public let rawValue: UInt

        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }
    }

    public nonisolated class var elementKindSectionHeader: String { "" }
    public nonisolated class var elementKindSectionFooter: String { "" }

    // The one without a layout is there, and ends the app.
    public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) {}

    weak open var dataSource: (any UICollectionViewDataSource)?
    weak open var prefetchDataSource: (any UICollectionViewDataSourcePrefetching)?

    open var indexPathsForVisibleItems: [IndexPath] { [] }

    open func register(
        _ viewClass: AnyClass?, forSupplementaryViewOfKind elementKind: String, withReuseIdentifier identifier: String
    ) {}

    open func dequeueReusableSupplementaryView(
        ofKind elementKind: String, withReuseIdentifier identifier: String, for indexPath: IndexPath
    ) -> UICollectionReusableView { UICollectionReusableView() }

    open func visibleSupplementaryViews(ofKind elementKind: String) -> [UICollectionReusableView] { [] }

    open func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? { nil }

    open func scrollToItem(at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool) {}

    open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {}

    open func insertItems(at indexPaths: [IndexPath]) {}
    open func deleteItems(at indexPaths: [IndexPath]) {}
    open func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
    open func insertSections(_ sections: IndexSet) {}
    open func deleteSections(_ sections: IndexSet) {}
    open func moveSection(_ section: Int, toSection newSection: Int) {}
    open func reconfigureItems(at indexPaths: [IndexPath]) {}
    open func reloadData() {}

    public final func dequeueConfiguredReusableCell<Cell: UICollectionViewCell, Item>(
        using registration: CellRegistration<Cell, Item>, for indexPath: IndexPath, item: Item?
    ) -> Cell { fatalError("Stubs do not run.") }

    public final func dequeueConfiguredReusableSupplementary<Supplementary: UICollectionReusableView>(
        using registration: SupplementaryRegistration<Supplementary>, for indexPath: IndexPath
    ) -> Supplementary { fatalError("Stubs do not run.") }
}

@MainActor @preconcurrency
open class UICollectionViewDiffableDataSource<
    SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: NSObject, UICollectionViewDataSource {
    public typealias CellProvider = (
        _ collectionView: UICollectionView, _ indexPath: IndexPath, _ itemIdentifier: ItemIdentifierType
    ) -> UICollectionViewCell?

    public typealias SupplementaryViewProvider = (
        _ collectionView: UICollectionView, _ elementKind: String, _ indexPath: IndexPath
    ) -> UICollectionReusableView?

    open var supplementaryViewProvider: SupplementaryViewProvider?

    public init(collectionView: UICollectionView, cellProvider: @escaping CellProvider) {}

    open func apply(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
        animatingDifferences: Bool = true, completion: (() -> Void)? = nil
    ) {}

    open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> { .init() }
}

public struct NSDiffableDataSourceSnapshot<
    SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
> {
    public init() {}

    public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {}

    public mutating func appendItems(
        _ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil
    ) {}

    public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {}
    public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {}
}

@available(*, unavailable) extension NSDiffableDataSourceSnapshot: Sendable {}

@MainActor @preconcurrency open class UICollectionViewController: NSObject {
    public override nonisolated init() {}

    open var collectionView: UICollectionView! { nil }

    open func viewDidLoad() {}
}

// MARK: - Table views

open class UITableViewCell: UIView {}

@MainActor @preconcurrency public protocol UITableViewDataSource: NSObjectProtocol {}

@MainActor @preconcurrency public protocol UITableViewDataSourcePrefetching: NSObjectProtocol {
    func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath])
}

// Each method is optional.
@MainActor @preconcurrency public protocol UITableViewDelegate: NSObjectProtocol {
    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath)

    func tableView(
        _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration?
}

@MainActor @preconcurrency open class UIContextualAction: NSObject {
    public enum Style: Int, Sendable { case normal, destructive }

    public typealias Handler = (
        _ action: UIContextualAction, _ sourceView: UIView, _ completionHandler: @escaping (Bool) -> Void
    ) -> Void

    public init(style: Style, title: String?, handler: @escaping Handler) {}
}

@MainActor @preconcurrency open class UISwipeActionsConfiguration: NSObject {
    public init(actions: [UIContextualAction]) {}
}

open class UITableView: UIScrollView {
    public enum RowAnimation: Int, Sendable { case fade, automatic, none }

    public enum ScrollPosition: Int, Sendable { case none, top, middle, bottom }

    weak open var delegate: (any UITableViewDelegate)?
    weak open var dataSource: (any UITableViewDataSource)?
    weak open var prefetchDataSource: (any UITableViewDataSourcePrefetching)?

    open var indexPathsForVisibleRows: [IndexPath]? { nil }

    open func rectForRow(at indexPath: IndexPath) -> CGRect { .zero }

    open func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
        UITableViewCell()
    }

    open func scrollToRow(at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool) {}

    open func reloadSectionIndexTitles() {}

    open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {}

    open func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {}
    open func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {}
    open func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
    open func insertSections(_ sections: IndexSet, with animation: RowAnimation) {}
    open func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {}
    open func moveSection(_ section: Int, toSection newSection: Int) {}
    open func reconfigureRows(at indexPaths: [IndexPath]) {}
    open func reloadData() {}
}

@MainActor @preconcurrency
open class UITableViewDiffableDataSource<
    SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: NSObject, UITableViewDataSource {
    public typealias CellProvider = (
        _ tableView: UITableView, _ indexPath: IndexPath, _ itemIdentifier: ItemIdentifierType
    ) -> UITableViewCell?

    public init(tableView: UITableView, cellProvider: @escaping CellProvider) {}

    open var defaultRowAnimation: UITableView.RowAnimation = .automatic

    open func itemIdentifier(for indexPath: IndexPath) -> ItemIdentifierType? { nil }

    open func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool { false }

    open func sectionIndexTitles(for tableView: UITableView) -> [String]? { nil }

    open func tableView(
        _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
    ) -> Int { 0 }

    open func apply(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
        animatingDifferences: Bool = true, completion: (() -> Void)? = nil
    ) {}
}

@MainActor @preconcurrency open class UIDevice: NSObject {
    public enum BatteryState: Int, Sendable { case unknown, unplugged, charging, full }

    public class var current: UIDevice { UIDevice() }

    public override nonisolated init() {}

    open var isBatteryMonitoringEnabled = false
    open var batteryState: BatteryState { .unknown }
}

#if canImport(Combine)
    public import Combine
    public import PaginatorCore

    /// A list as an `ObservableObject` of the main actor, for SwiftUI on systems that ``PaginatorListModel`` is too new for.
    ///
    /// ```
    /// @StateObject private var feed = PaginatorListObject(PaginatorList(paginator, id: \.id))
    /// ```
    ///
    /// It changes on the main queue, after the list has changed; items, status and anchor change together. Loads, edits
    /// and hints are called on ``list``, which the object keeps alive.
    @MainActor
    public final class PaginatorListObject<T: Sendable, ID: Hashable & Sendable>: ObservableObject {
        /// The list that the object shows.
        public let list: PaginatorList<T, ID>

        /// What the list shows. Complexity: O(1).
        @Published public private(set) var items: PaginatorListSnapshot<T, ID>

        /// What the list is doing.
        @Published public private(set) var status: PaginatorListStatus

        /// The position of the item that was the first visible one at the last hint; `nil` without a hint, and when that
        /// item is gone.
        @Published public private(set) var anchor: Int?

        private var observation: PaginatorExecution?

        /// Makes an object of a list, which follows it until the object is released.
        ///
        /// - Parameter list: the list; it loads nothing because of this call.
        public init(_ list: PaginatorList<T, ID>) {
            self.list = list
            items = list.snapshot
            status = list.status
            observation = list.observe(onMain: { [weak self] update in self?.show(update) })
        }

        deinit {
            observation?.cancel()
        }

        /// Tells the list that an item became visible, so that it loads ahead.
        ///
        /// ``PaginatorList/hint(visible:)`` tells all that is visible, which a bookmark is more exact by.
        ///
        /// - Parameter id: the item; nothing happens when the list does not show it.
        public func itemDidAppear(id: ID) { list.hint(visible: id) }

        private func show(_ update: PaginatorListUpdate<T, ID>) {
            items = update.snapshot
            status = update.status
            anchor = update.anchor
        }
    }
#endif

import PaginatorCore
import PaginatorLists

/// A screen for a framework whose views are values: it persists while these are recreated.
@MainActor
final class ScreenMemory<T: Sendable, ID: Hashable & Sendable> {
    private var screen: PaginatorScreen<T, ID>?
    private(set) var scroll = PaginatorScreen<T, ID>.Scroll.stay
    private var scrollNumber = 0
    // The number of the update that was last taken in; `nil` if the model does not count them.
    private var taken: Int?
    /// The sections, if there are any.
    private(set) var sections: PaginatorListSections<T, ID, AnySectionKey>?
    // The visible placeholder rows after the last item.
    private var visibleMissing: Set<Int> = []
    // The number of the last update that the sections followed.
    private var followed = 0
    private var isOnScreen = false

    /// What the view shows as a whole.
    var state: PaginatorScreenState { screen?.state ?? .placeholder }

    /// The end at which there may be items, if nothing is shown, is being loaded or has failed.
    var endToSearch: ScreenEdge? { screen?.endToSearch }

    /// Incremented when a visible screen learns that its list has no page and loads none. With a flag, a view that sees
    /// no state between two resets would miss the second one.
    private(set) var begins = 0

    // The list was reset, or its loads were cancelled. What failed waits for a retry.
    private var isToBegin: Bool {
        screen.map { isOnScreen && !$0.status.hasLoaded && $0.status.refresh == .idle } ?? false
    }

    /// A number that changes when the list changed, but none of its rows.
    var repeats: Int { screen?.repeats ?? 0 }

    /// Whether a view that does not keep its place shows a load or a failure before the first row.
    var showsHeader: Bool { screen?.showsHeader ?? true }

    /// The identity of the first row.
    var firstID: ID? { screen?.items.firstID }

    /// The identity of the last row.
    var lastID: ID? { screen?.items.lastID }

    private var showsLast: Bool { screen.map { $0.visible?.upperBound == $0.items.count } ?? false }

    /// The number of new items above the visible ones.
    var newAbove: Int { screen?.newAbove ?? 0 }

    /// The number of new items below the visible ones.
    var newBelow: Int { screen?.newBelow ?? 0 }

    /// Takes in the rows of a view; may be called repeatedly for the same.
    ///
    /// - Returns: a number that changes when ``scroll`` must be performed.
    func follow(
        _ items: PaginatorListSnapshot<T, ID>, _ status: PaginatorListStatus, anchor: Int? = nil,
        followsEnd: Bool = false, update: Int? = nil
    ) -> Int {
        if screen == nil { screen = PaginatorScreen(items, status) }
        screen?.followsEnd = followsEnd
        // Who sees all rows sees the end, also before they are more than the screen has room for.
        let isAtEnd = screen.map { $0.visible?.count == $0.items.count } ?? false
        // A view is also made anew between a request and the update that tells of it.
        let isSame = update != nil && update == taken && screen?.items.isSame(as: items) == true
        taken = update
        let next = isSame ? .stay : screen?.follow(items, status, anchor: anchor, isAtEnd: isAtEnd) ?? .stay
        if isToBegin { begins += 1 }
        // They go when a load fails, which a framework does not always report.
        if status.next.error != nil { visibleMissing = [] }
        switch next {
        case .stay: break
        case .keep(_, let from, let to) where from == to: break
        // The first visible row at the top of the screen would push the last one off it.
        case .keep where followsEnd && showsLast: (scroll, scrollNumber) = (.goToEnd, scrollNumber + 1)
        case .keep, .showNew, .goToStart, .goToEnd, .goTo: (scroll, scrollNumber) = (next, scrollNumber + 1)
        }
        return scrollNumber
    }

    /// Returns ``scroll`` once; then, and before there is one, `stay`.
    func takeScroll() -> PaginatorScreen<T, ID>.Scroll {
        defer { scroll = .stay }
        return scroll
    }

    func didAppear(_ id: ID, in list: PaginatorList<T, ID>) { look(screen?.didAppear(id), in: list) }

    func didDisappear(_ id: ID, in list: PaginatorList<T, ID>) { look(screen?.didDisappear(id), in: list) }

    /// Reports the visible rows to the list after its rows changed.
    func didScroll(in list: PaginatorList<T, ID>) { look(screen?.look(), in: list) }

    func didAppear(in list: PaginatorList<T, ID>) {
        isOnScreen = true
        loadFirst(of: list)
    }

    func didDisappear() { isOnScreen = false }

    /// Loads the first items when a view appears, and when the list was reset or is empty.
    func loadFirst(of list: PaginatorList<T, ID>) {
        screen?.searchItems(of: list)
        // Reads the list itself, since a view may report a change with its previous values.
        if !list.status.hasLoaded, case .idle = list.status.refresh { list.loadNext() }
    }

    /// The number of the first placeholder row after the last item; zero without items. It changes whenever a page
    /// comes at the end, also if the window drops as many rows at the start.
    var firstMissing: Int { missing(atMost: 0).lowerBound }

    /// The placeholder rows after the last item. Each is numbered by its item's position at the source, so it keeps its
    /// identity while items are inserted before it.
    ///
    /// - Parameter bound: the greatest number of rows.
    func missing(atMost bound: Int) -> Range<Int> {
        guard let screen, !screen.items.isEmpty else { return 0..<0 }
        let first = screen.status.placeholdersBefore + screen.items.count
        // A failed load is shown after them, where nobody would see it.
        let bound = screen.status.next.error == nil ? max(0, bound) : 0
        return first..<first + min(bound, screen.status.placeholdersAfter)
    }

    func didAppear(missing number: Int, in list: PaginatorList<T, ID>) {
        visibleMissing.insert(number)
        loadMissing(of: list)
    }

    func didDisappear(missing number: Int) { visibleMissing.remove(number) }

    /// Loads more while a placeholder row is visible. A failed load waits for a retry.
    func loadMissing(of list: PaginatorList<T, ID>) {
        guard let status = screen?.status, !status.refresh.isLoading, case .idle = status.next else { return }
        let first = firstMissing
        // A framework does not always report that a removed row disappeared.
        visibleMissing = visibleMissing.filter { $0 >= first }
        if !visibleMissing.isEmpty { list.loadNext() }
    }

    /// Fills a gap that becomes visible, from the end that the user scrolls from.
    func fillGap(at position: Int, of list: PaginatorList<T, ID>) {
        list.fillGap(at: position, fromEnd: screen?.fillsFromEnd(at: position) ?? false)
    }

    /// Retries a load at the end or in a gap: with all that failed, but not with a refresh or a jump, which would move
    /// the reader.
    func retry(_ state: PaginatorLoadState, of list: PaginatorList<T, ID>, by load: () -> Void) {
        let isAlone = state.error != nil && list.status.refresh.error == nil
        // Only a retry of everything replaces an expired key.
        if isAlone || state.error?.code == .expiredKey { list.retry() } else { load() }
    }

    /// - Returns: whether that end of the list is loaded; otherwise ``scroll`` tells when it is.
    func go(to edge: ScreenEdge, of list: PaginatorList<T, ID>, lastKey: String? = nil) -> Bool {
        screen?.go(to: edge, of: list, lastKey: lastKey) ?? false
    }

    /// Updates the sections; the first call creates them.
    ///
    /// - Parameters:
    ///   - update: the list's last update.
    ///   - count: the number of updates of its model so far; the same update is applied once.
    func follow(
        _ update: PaginatorListUpdate<T, ID>?, _ count: Int, in sections: PaginatorListSections<T, ID, AnySectionKey>?
    ) {
        if self.sections == nil { self.sections = sections }
        guard let update else {
            // A model from another package has no updates, and one of this package none at first.
            if let items = screen?.items { self.sections?.show(items) }
            return
        }
        // Another model of the list may have had as many.
        guard count != followed || self.sections?.items.isSame(as: update.snapshot) == false else { return }
        _ = self.sections?.apply(update)
        followed = count
    }

    private func look(_ visible: Range<Int>?, in list: PaginatorList<T, ID>) {
        // It fills gaps, too: the row of a gap appears once, and may stay after a page of it has come.
        if let visible { screen?.tell(visible, to: list) }
    }
}

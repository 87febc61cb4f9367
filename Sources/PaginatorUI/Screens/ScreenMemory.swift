import PaginatorCore
import PaginatorLists

/// A screen for a framework whose views are values: it stays the same while they are made anew.
@MainActor
final class ScreenMemory<T: Sendable, ID: Hashable & Sendable> {
    private var screen: PaginatorScreen<T, ID>?
    private(set) var scroll = PaginatorScreen<T, ID>.Scroll.stay
    private var turn = 0
    /// The sections, where there are some.
    private(set) var sections: PaginatorListSections<T, ID, AnySectionKey>?
    // The rows on the screen of those that are still missing behind the last item.
    private var visibleMissing: Set<Int> = []
    // Which of the list's updates they followed last.
    private var followed = 0

    /// What a view shows as a whole.
    var state: PaginatorScreenState { screen?.state ?? .placeholder }

    /// Whether nothing is shown, and there may be more that nobody loads.
    var isToSearch: Bool { screen?.isToSearch ?? false }

    /// The first row of those that are shown.
    var firstID: ID? { screen.flatMap { $0.items.isEmpty ? nil : $0.items.id(at: 0) } }

    /// How many new items there are above what is visible.
    var newAbove: Int { screen?.newAbove ?? 0 }

    /// Goes on to what a view shows; any number of times for the same.
    ///
    /// - Returns: a number that is another one when ``scroll`` is to be done.
    func follow(
        _ items: PaginatorListSnapshot<T, ID>, _ status: PaginatorListStatus, anchor: Int? = nil
    ) -> Int {
        let next = screen?.follow(items, status, anchor: anchor) ?? .stay
        if screen == nil { screen = PaginatorScreen(items, status) }
        switch next {
        case .stay: break
        case .keep(_, let from, let to) where from == to: break
        case .keep, .showNew, .goToStart:
            scroll = next
            turn += 1
        }
        return turn
    }

    func didAppear(_ id: ID, in list: PaginatorList<T, ID>) { look(screen?.didAppear(id), in: list) }

    func didDisappear(_ id: ID, in list: PaginatorList<T, ID>) { look(screen?.didDisappear(id), in: list) }

    /// Tells the list what is visible once its rows are others.
    func didScroll(in list: PaginatorList<T, ID>) { look(screen?.look(), in: list) }

    /// Loads the first items when a view comes on the screen, and when the list begins anew or shows none any more.
    func loadFirst(of list: PaginatorList<T, ID>) {
        screen?.searchItems(of: list)
        // Of the list, since a view may tell of a change with what was shown before it.
        if !list.status.hasLoaded, case .idle = list.status.refresh { list.loadNext() }
    }

    /// The rows behind the last item for items that the source is known to have. Each has the number that its item has at
    /// the source, so it stays the same one while items come before it.
    ///
    /// - Parameter bound: the most that there are to be.
    func missing(atMost bound: Int) -> Range<Int> {
        guard let screen, !screen.items.isEmpty else { return 0..<0 }
        let first = screen.status.placeholdersBefore + screen.items.count
        return first..<first + min(max(0, bound), screen.status.placeholdersAfter)
    }

    func didAppear(missing number: Int, in list: PaginatorList<T, ID>) {
        visibleMissing.insert(number)
        loadMissing(of: list)
    }

    func didDisappear(missing number: Int) { visibleMissing.remove(number) }

    /// Loads on while a missing row is on the screen; a load that failed waits for a retry.
    func loadMissing(of list: PaginatorList<T, ID>) {
        guard let status = screen?.status, !status.refresh.isLoading, case .idle = status.next else { return }
        let first = missing(atMost: 0).lowerBound
        // A framework that takes a row away does not always say that it disappeared.
        visibleMissing = visibleMissing.filter { $0 >= first }
        if !visibleMissing.isEmpty { list.loadNext() }
    }

    /// Fills a gap that came on the screen from the end that somebody scrolls to it from.
    func fillGap(at position: Int, of list: PaginatorList<T, ID>) {
        list.fillGap(at: position, fromEnd: screen?.fillsFromEnd(at: position) ?? false)
    }

    /// - Returns: whether the start of the list is loaded; ``scroll`` says when it is.
    func goToStart(of list: PaginatorList<T, ID>) -> Bool { screen?.goToStart(of: list) ?? false }

    /// Brings the sections up to date, which are made at the first call.
    ///
    /// - Parameters:
    ///   - update: what the list told last.
    ///   - count: how often it has told anything; the same update is followed once.
    func follow(
        _ update: PaginatorListUpdate<T, ID>?, _ count: Int, in sections: PaginatorListSections<T, ID, AnySectionKey>?
    ) {
        if self.sections == nil { self.sections = sections }
        guard let update else {
            // A model that is none of this package's tells no updates, and one of them none at first.
            if let items = screen?.items { self.sections?.show(items) }
            return
        }
        guard count != followed else { return }
        _ = self.sections?.apply(update)
        followed = count
    }

    private func look(_ visible: Range<Int>?, in list: PaginatorList<T, ID>) {
        guard let visible else { return }
        list.hint(visible: visible)
        screen?.loadEnds(of: list)
    }
}

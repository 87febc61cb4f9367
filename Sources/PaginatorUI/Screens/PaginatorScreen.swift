import PaginatorCore
import PaginatorLists

/// What a view remembers of a list between two updates: what is on the screen, and what came above it unseen.
struct PaginatorScreen<T: Sendable, ID: Hashable & Sendable> {
    /// What a view that shows new items does about its scroll position.
    enum Scroll: Hashable {
        /// What is on the screen stays there by itself, or is gone.
        case stay
        /// This item is to be where it was on the screen.
        case keep(ID, from: Int, to: Int)
        /// The first rows were on the screen, and are to be: they are new ones.
        case showNew
        /// Somebody asked for the first rows, which are there now.
        case goToStart
    }

    private(set) var items: PaginatorListSnapshot<T, ID>
    private(set) var status: PaginatorListStatus
    /// The positions on the screen; `nil` when there are none.
    private(set) var visible: Range<Int>?
    // What the list was told of that; `nil` when these are other rows by now.
    private var told: Range<Int>?
    private var appeared = VisibleItems<ID>()
    // How many rows came above the screen that nobody has scrolled to.
    private var unseen = 0
    // Whether somebody asked for the start, and it is still loading.
    private var awaitsStart = false
    // What was done while there are no rows and may be some behind pages without items.
    private var search = Search.none

    private enum Search { case none, begun, over }

    init(_ items: PaginatorListSnapshot<T, ID>, _ status: PaginatorListStatus) {
        self.items = items
        self.status = status
    }

    /// How many new items there are above what is visible.
    var newAbove: Int { status.newAbove + unseen }

    /// What a view shows as a whole.
    var state: PaginatorScreenState {
        let state = PaginatorScreenState(status, isEmpty: items.isEmpty)
        if case .empty = state, status.hasNext, search != .over { return .placeholder }
        return state
    }

    /// Whether nothing is shown, and there may be more that nobody loads.
    var isToSearch: Bool {
        guard items.isEmpty, status.hasNext, case .idle = status.next, case .idle = status.refresh else { return false }
        return search == .none
    }

    /// Loads on where no page had an item yet, once as far as a list follows such pages: more may be there in vain.
    mutating func searchItems(of list: PaginatorList<T, ID>) {
        guard isToSearch else { return }
        search = .begun
        list.loadAll(limit: 1)
    }

    /// Loads what is beyond an end that is visible; a load that failed waits for a retry.
    func loadEnds(of list: PaginatorList<T, ID>) {
        guard let visible, !status.refresh.isLoading else { return }
        if case .idle = status.next, visible.upperBound == items.count { list.loadNext() }
        if case .idle = status.previous, visible.lowerBound == 0 { list.loadPrevious() }
    }

    /// Fills the gaps that are visible, for a view without rows for them; one that failed waits for a retry.
    func fillGaps(of list: PaginatorList<T, ID>) {
        guard let visible, !status.refresh.isLoading else { return }
        for gap in items.gaps where visible.lowerBound <= gap && gap <= visible.upperBound && status.gaps[gap] == nil {
            list.fillGap(at: gap, fromEnd: fillsFromEnd(at: gap))
        }
    }

    /// Goes to the start of a list.
    ///
    /// - Returns: whether it is loaded; ``follow(_:_:anchor:)`` says when it is.
    mutating func goToStart(of list: PaginatorList<T, ID>) -> Bool {
        awaitsStart = status.newAbove > 0 || status.hasPrevious
        if awaitsStart { list.jump(to: list.firstKey, placement: .start) }
        return !awaitsStart
    }

    /// Whether a gap that comes on the screen is filled from its end: somebody scrolls up to it.
    func fillsFromEnd(at position: Int) -> Bool { visible.map { position <= $0.lowerBound } ?? false }

    /// - Returns: the positions on the screen when they changed, for a hint.
    mutating func didAppear(_ id: ID) -> Range<Int>? {
        appeared.didAppear(id)
        return look()
    }

    mutating func didDisappear(_ id: ID) -> Range<Int>? {
        appeared.didDisappear(id)
        return look()
    }

    /// - Returns: the positions when they changed, for a hint.
    mutating func show(_ range: Range<Int>?) -> Range<Int>? {
        unseen = min(unseen, range?.lowerBound ?? unseen)
        visible = range
        guard range != told else { return nil }
        told = range
        return range
    }

    /// Tells a list what is visible, and loads what is missing there.
    mutating func look(at range: Range<Int>?, in list: PaginatorList<T, ID>) {
        searchItems(of: list)
        guard let visible = show(range) else { return }
        list.hint(visible: visible)
        loadEnds(of: list)
        fillGaps(of: list)
    }

    /// Goes on to what the list shows now, and to where it says that somebody looks.
    mutating func follow(
        _ items: PaginatorListSnapshot<T, ID>, _ status: PaginatorListStatus, anchor: Int?
    ) -> Scroll {
        var isStartLoaded: Bool { if case .endReached = self.status.previous { true } else { false } }
        // Also before its first page a server may say that there is more.
        let isStart = !status.hasPrevious || anchor == 0 && !status.refresh.isLoading
        let isSought = awaitsStart && status.newAbove == 0 && isStart
        awaitsStart = awaitsStart && !isSought && status.refresh.error == nil
        let scroll =
            isSought ? .goToStart : scroll(to: items, isAtStart: isStartLoaded && visible?.lowerBound == 0)
        if case .keep(_, let from, let to) = scroll {
            // Above a start that was loaded there is only what is new. Else they are earlier pages.
            if isStartLoaded { unseen += max(0, to - from) }
            visible = visible.map { range in
                let first = max(0, range.lowerBound + to - from)
                return first..<first + range.count
            }
        }
        unseen = items.isEmpty ? 0 : min(unseen, items.count)
        // The list got the positions while it may have had other rows already.
        if let range = told, items.count != self.items.count || !items.hasSameEnds(as: self.items, of: range) {
            told = nil
        }
        let isRefreshed = self.status.refresh.isLoading && !status.refresh.isLoading
        if !items.isEmpty || !status.hasNext || status.next.error != nil || isRefreshed {
            search = .none
        } else if search == .begun, status.next == .idle, status != self.status {
            search = .over
        }
        (self.items, self.status) = (items, status)
        visible = visible?.clamped(to: 0..<items.count)
        return scroll
    }

    mutating func look() -> Range<Int>? { show(appeared.range { items.position(of: $0) }) }

    private func scroll(to new: PaginatorListSnapshot<T, ID>, isAtStart: Bool) -> Scroll {
        if isAtStart, !new.isEmpty { return items.id(at: 0) == new.id(at: 0) ? .stay : .showNew }
        let kept = (visible ?? 0..<0).compactMap { old in new.position(of: items.id(at: old)).map { (old, $0) } }
        // The rows above push most rows down by as much; one that moved by itself is no measure.
        var votes: [Int: Int] = [:]
        for (old, new) in kept { votes[new - old, default: 0] += 1 }
        let most = votes.values.max()
        guard let (old, position) = kept.first(where: { votes[$1 - $0] == most }) else { return .stay }
        return .keep(items.id(at: old), from: old, to: position)
    }
}

extension PaginatorListSnapshot {
    fileprivate func hasSameEnds(as other: Self, of range: Range<Int>) -> Bool {
        range.clamped(to: 0..<count) == range
            && id(at: range.lowerBound) == other.id(at: range.lowerBound)
            && id(at: range.upperBound - 1) == other.id(at: range.upperBound - 1)
    }
}

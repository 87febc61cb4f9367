import PaginatorCore
import PaginatorLists

/// The state of a view between updates of a list: the visible rows, and the unseen rows above them.
struct PaginatorScreen<T: Sendable, ID: Hashable & Sendable> {
    /// How a view scrolls when it shows new items.
    enum Scroll: Hashable {
        /// The visible rows stay by themselves, or are gone.
        case stay
        /// Keep this item at its place on the screen.
        case keep(ID, from: Int, to: Int)
        /// The first rows were visible, and so are the new first rows.
        case showNew
        /// A requested start has been loaded, or there are other rows: scroll to the first one.
        case goToStart
        /// A jump or a restored position has been loaded: scroll to this item.
        case goTo(ID, at: Int)
    }

    private(set) var items: PaginatorListSnapshot<T, ID>
    private(set) var status: PaginatorListStatus
    /// The visible positions; `nil` if there are none.
    private(set) var visible: Range<Int>?
    // What it was when a row last appeared or the list last changed: rows that disappeared since may only be covered.
    private var lastVisible: Range<Int>?
    // The last hint; `nil` once the rows at these positions have changed.
    private var told: Range<Int>?
    /// How often in a row ``told`` was forgotten because the list changed, but none of its rows.
    private(set) var repeats = 0
    private var appeared = VisibleItems<ID>()
    // The number of rows inserted above the screen that were never visible.
    private var unseen = 0
    // Whether the start was requested and is still loading.
    private var awaitsStart = false
    /// Whether a load or a failure before the first row is shown by a view that does not keep its place: from when the
    /// first row is visible, because further down it would move the rows.
    private(set) var showsHeader = true
    // The number of the last jump. Each scrolls once, since the user may scroll away before the list is told so.
    private var jumped: Int?
    // Whether the start that was requested has failed to load. A retry does not move who has gone on with other rows.
    private var hasGivenUp = false
    // Whether the view is about to scroll away from the rows that have appeared.
    private var isLeaving = false
    // The search for items behind empty pages while there are no rows.
    private var search = Search.none

    private enum Search { case none, begun, over }

    // The default of `PaginatorListConfig.maxEmptyPages`.
    private static var maxRepeats: Int { 16 }

    init(_ items: PaginatorListSnapshot<T, ID>, _ status: PaginatorListStatus) {
        self.items = items
        self.status = status
    }

    /// The number of new items above the visible ones.
    var newAbove: Int { status.newAbove + unseen }

    /// What the view shows as a whole.
    var state: PaginatorScreenState {
        let state = PaginatorScreenState(status, isEmpty: items.isEmpty)
        if case .empty = state, status.hasNext, search != .over { return .placeholder }
        return state
    }

    /// Whether nothing is shown, there may be more, and nothing is being loaded.
    var isToSearch: Bool {
        guard items.isEmpty, status.hasNext, case .idle = status.next, case .idle = status.refresh else { return false }
        return search == .none
    }

    /// Continues loading behind empty pages once, as far as a list follows them.
    mutating func searchItems(of list: PaginatorList<T, ID>) {
        guard isToSearch else { return }
        search = .begun
        list.loadAll(limit: 1)
    }

    /// Loads beyond a visible end. A failed load waits for a retry.
    private func loadEnds(of list: PaginatorList<T, ID>) {
        guard let visible, !status.refresh.isLoading else { return }
        if case .idle = status.next, visible.upperBound == items.count { list.loadNext() }
        if case .idle = status.previous, visible.lowerBound == 0 { list.loadPrevious() }
    }

    /// Fills the gaps beside the visible rows. A failed load waits for a retry.
    private func fillGaps(of list: PaginatorList<T, ID>) {
        guard let visible, !status.refresh.isLoading else { return }
        for gap in items.gaps where visible.lowerBound <= gap && gap <= visible.upperBound && status.gaps[gap] == nil {
            list.fillGap(at: gap, fromEnd: fillsFromEnd(at: gap))
        }
    }

    /// Goes to the start of a list.
    ///
    /// - Returns: whether it is loaded; otherwise ``follow(_:_:anchor:)`` tells when it is.
    mutating func goToStart(of list: PaginatorList<T, ID>) -> Bool {
        awaitsStart = status.newAbove > 0 || status.hasPrevious
        if awaitsStart { list.jump(to: list.firstKey, placement: .start) }
        return !awaitsStart
    }

    /// Whether a gap that becomes visible is filled from its end, because the user scrolls up.
    func fillsFromEnd(at position: Int) -> Bool { visible.map { position <= $0.lowerBound } ?? false }

    /// - Returns: the visible positions if they changed, for a hint.
    mutating func didAppear(_ id: ID) -> Range<Int>? {
        appeared.didAppear(id)
        isLeaving = false
        defer { lastVisible = visible }
        return look()
    }

    mutating func didDisappear(_ id: ID) -> Range<Int>? {
        appeared.didDisappear(id)
        return look()
    }

    /// - Returns: the positions if they changed, for a hint.
    mutating func show(_ range: Range<Int>?) -> Range<Int>? {
        // A view may have rows of its own after the list's, or still show those of an older list.
        let range = range?.clamped(to: 0..<items.count).nonEmpty
        unseen = min(unseen, range?.lowerBound ?? unseen)
        visible = range
        showsHeader = showsHeader || isStartVisible
        guard range != told else { return nil }
        if told != nil { repeats = 0 }
        told = range
        return range
    }

    /// Reports the visible positions to a list, and loads what is missing there.
    mutating func look(at range: Range<Int>?, in list: PaginatorList<T, ID>) {
        searchItems(of: list)
        if let visible = show(range) { tell(visible, to: list) }
    }

    /// Reports visible positions that have changed, and loads what is missing there.
    mutating func tell(_ visible: Range<Int>, to list: PaginatorList<T, ID>) {
        // A hint would end a jump of which the next update tells.
        if let jump = list.status.jump, jump != jumped {
            told = nil
            return
        }
        list.hint(visible: visible)
        loadEnds(of: list)
        fillGaps(of: list)
    }

    /// Takes in the list's new rows and anchor.
    mutating func follow(
        _ items: PaginatorListSnapshot<T, ID>, _ status: PaginatorListStatus, anchor: Int?
    ) -> Scroll {
        var isStartLoaded: Bool { if case .endReached = self.status.previous { true } else { false } }
        let isJump = status.jump != nil && status.jump != jumped
        // Some servers say before the first page that there is more.
        let isStart = !status.hasPrevious || isJump && anchor == 0
        // The jump to the start has been made. Rows above it that are still to come show there.
        let isSought = awaitsStart && isStart && (isJump || status.newAbove == 0)
        // In a chat the first page is not the start, and whoever asked for it goes to that page.
        let isFollowed = isJump && !(hasGivenUp && isStart)
        let goal: Scroll? = isSought ? .goToStart : jump(to: isFollowed ? anchor : nil, in: items)
        let isOtherScope = !status.scope.hasSameBytes(as: self.status.scope)
        // Another load may have failed before.
        let isNewError = status.refresh.error != nil && status.refresh != self.status.refresh
        let hasFailed = awaitsStart && !isSought && isNewError
        awaitsStart = awaitsStart && !isSought && !hasFailed && !isJump
        hasGivenUp = hasFailed || hasGivenUp && !isJump && status.hasPrevious
        jumped = status.jump ?? jumped
        // What is shown there stays until it ends, since its end would move the rows, too. A new load does not begin so.
        let header = self.status.header
        let isHeaderShown = showsHeader && (header.isLoading || header.error != nil)
        let isAtStart = isStartLoaded && visible?.lowerBound == 0
        let scroll = goal ?? self.scroll(to: items, isAtStart: isAtStart, isOtherScope: isOtherScope)
        isLeaving = scroll.target != nil
        // The rows that were on the screen are no longer told to the list, also before the view has scrolled.
        if let target = scroll.target { visible = target..<target + 1 }
        if case .keep(_, let from, let to) = scroll {
            // Before the first row of a loaded start there are only new rows. Others are earlier pages, or fill a gap.
            if isStartLoaded { unseen += max(0, min(to - from, items.position(of: self.items.id(at: 0)) ?? to)) }
            visible = visible.map { range in
                let first = max(0, range.lowerBound + to - from)
                return first..<first + range.count
            }
        }
        unseen = items.isEmpty ? 0 : min(unseen, items.count)
        // The list may have had other rows already when it got the positions.
        let isSame = told.map { items.hasSameEnds(as: self.items, of: $0) } ?? true
        if items.count != self.items.count || !isSame {
            (told, repeats) = (nil, 0)
        } else if repeats < Self.maxRepeats, !items.isSame(as: self.items) {
            // A page may have come that has only known rows: who sees the end still waits for the page behind it.
            (told, repeats) = (nil, repeats + 1)
        }
        let isRefreshed = self.status.refresh.isLoading && !status.refresh.isLoading
        // Whoever scrolled to an end or a gap meanwhile still waits for its rows.
        if isRefreshed || isJump { told = nil }
        if !items.isEmpty || !status.hasNext || status.next.error != nil || isRefreshed {
            search = .none
        } else if search == .begun, status.next == .idle, status != self.status {
            search = .over
        }
        (self.items, self.status) = (items, status)
        visible = items.isEmpty ? nil : visible?.clamped(to: 0..<items.count)
        lastVisible = visible
        showsHeader = isHeaderShown || isStartVisible
        return scroll
    }

    mutating func look() -> Range<Int>? {
        guard !isLeaving else { return nil }
        if let range = appeared.range(position: { items.position(of: $0) }) { return show(range) }
        // Another screen covers this one: the rows keep their place.
        return told == nil ? nil : show(lastVisible)
    }

    private var isStartVisible: Bool { visible.map { $0.lowerBound == 0 } ?? true }

    // Whether all of an item is on the screen, among the rows so far. The first and the last row may be cut off.
    private func isVisible(_ id: ID) -> Bool {
        guard let visible, let position = items.position(of: id) else { return false }
        return visible.lowerBound < position && position < visible.upperBound - 1
    }

    private func jump(to position: Int?, in new: PaginatorListSnapshot<T, ID>) -> Scroll? {
        guard let position, let id = new.id(ifAt: position), !isVisible(id) else { return nil }
        return position == 0 ? .goToStart : .goTo(id, at: position)
    }

    private func scroll(to new: PaginatorListSnapshot<T, ID>, isAtStart: Bool, isOtherScope: Bool) -> Scroll {
        if isAtStart, !new.isEmpty { return items.id(at: 0) == new.id(at: 0) ? .stay : .showNew }
        let kept = (visible ?? 0..<0).compactMap { old in new.position(of: items.id(at: old)).map { (old, $0) } }
        // Rows inserted above move most rows by the same distance; a row that moved itself does not count.
        var votes: [Int: Int] = [:]
        for (old, new) in kept { votes[new - old, default: 0] += 1 }
        let most = votes.values.max()
        guard let (old, position) = kept.first(where: { votes[$1 - $0] == most }) else {
            return isOtherScope ? .goToStart : .stay
        }
        return .keep(items.id(at: old), from: old, to: position)
    }
}

extension PaginatorScreen.Scroll {
    /// The position that the view goes to.
    fileprivate var target: Int? {
        switch self {
        case .goToStart: 0
        case .goTo(_, let position): position
        case .stay, .keep, .showNew: nil
        }
    }
}

extension Range {
    fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}

extension PaginatorListSnapshot {
    var firstID: ID? { id(ifAt: 0) }

    fileprivate func id(ifAt position: Int) -> ID? { indices.contains(position) ? id(at: position) : nil }

    fileprivate func hasSameEnds(as other: Self, of range: Range<Int>) -> Bool {
        range.clamped(to: 0..<count) == range
            && id(at: range.lowerBound) == other.id(at: range.lowerBound)
            && id(at: range.upperBound - 1) == other.id(at: range.upperBound - 1)
    }
}

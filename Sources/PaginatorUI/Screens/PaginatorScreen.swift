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
        /// The list opens or stays at its end, or a requested end has been loaded: scroll to the last row.
        case goToEnd
        /// A jump or a restored position has been loaded: scroll to this item.
        case goTo(ID, at: Int)
    }

    /// Whether the view opens at the last row, and stays there while rows come.
    var followsEnd = false
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
    // The same below the screen, while the end is shown.
    private var unseenBelow = 0
    // The end that was requested and is still loading.
    private var awaited: ScreenEdge?
    // Whether there are rows; `nil` before the first ones, with which the view opens.
    private var isOpen: Bool?
    // The way to an end behind the last row, which is visible; `nil` if the view is not on it.
    private var wayToEnd: WayToEnd?
    /// Whether a load or a failure before the first row is shown by a view that does not keep its place: from when the
    /// first row is visible, because further down it would move the rows.
    private(set) var showsHeader = true
    /// The number of the last jump. Each scrolls once, since the user may scroll away before the list is told so.
    private(set) var jumped: Int?
    // The end that was requested and has failed to load, or was left for another row: nobody is taken there later.
    private var givenUp: ScreenEdge?
    // Whether the view is about to scroll away from the rows that have appeared.
    private var isLeaving = false
    // The end at which items are searched behind empty pages while there are no rows, and the ends without any.
    private var search: ScreenEdge?
    private var searched: Set<ScreenEdge> = []

    private struct WayToEnd {
        /// Whether the view opened at a part of a page. It goes no further if the whole page leads on.
        var beganAtPart: Bool
        /// Whether the last row has disappeared since the list last changed: it was left, unless the screen is covered.
        var hasLeft = false
    }

    // The default of `PaginatorListConfig.maxEmptyPages`.
    private static var maxRepeats: Int { 16 }

    init(_ items: PaginatorListSnapshot<T, ID>, _ status: PaginatorListStatus) {
        self.items = items
        self.status = status
    }

    /// The number of new items above the visible ones.
    var newAbove: Int { status.newAbove + unseen }

    /// The number of new items below the visible ones.
    var newBelow: Int { status.newBelow + unseenBelow }

    /// What the view shows as a whole.
    var state: PaginatorScreenState {
        let state = PaginatorScreenState(status, isEmpty: items.isEmpty)
        if case .empty = state, search != nil || mayHaveItems(at: .end) || mayHaveItems(at: .start) {
            return .placeholder
        }
        return state
    }

    /// The end at which there may be items, if nothing is shown, is being loaded or has failed.
    var endToSearch: ScreenEdge? {
        guard items.isEmpty, search == nil else { return nil }
        let loads = [status.refresh, status.next, status.previous]
        guard loads.allSatisfy({ !$0.isLoading && $0.error == nil }) else { return nil }
        return mayHaveItems(at: .end) ? .end : mayHaveItems(at: .start) ? .start : nil
    }

    private func mayHaveItems(at edge: ScreenEdge) -> Bool {
        status.hasLoaded && status.load(at: edge) != .endReached && !searched.contains(edge)
    }

    /// Continues loading behind empty pages once at each end, as far as a list follows them.
    mutating func searchItems(of list: PaginatorList<T, ID>) {
        guard let edge = endToSearch else { return }
        search = edge
        if edge == .start { list.loadPrevious() } else { list.loadAll(limit: 1) }
    }

    /// Loads beyond a visible end, and fills the gaps beside the visible rows. A failed load waits for a retry.
    private func loadMissing(of list: PaginatorList<T, ID>) {
        guard let visible, !status.refresh.isLoading else { return }
        if case .idle = status.next, visible.upperBound == items.count { list.loadNext() }
        if case .idle = status.previous, visible.lowerBound == 0 { list.loadPrevious() }
        for gap in items.gaps where visible.lowerBound <= gap && gap <= visible.upperBound && status.gaps[gap] == nil {
            list.fillGap(at: gap, fromEnd: fillsFromEnd(at: gap))
        }
    }

    /// Goes to the start or the end of a list.
    ///
    /// - Parameter lastKey: the key of the source's last page; `nil` if that is the first one.
    /// - Returns: whether it is loaded; otherwise ``follow(_:_:anchor:isAtEnd:)`` tells when it is.
    mutating func go(to edge: ScreenEdge, of list: PaginatorList<T, ID>, lastKey: String? = nil) -> Bool {
        let waiting = edge == .start ? status.newAbove : status.newBelow
        let isLoaded = waiting == 0 && !(edge == .start ? status.hasPrevious : status.hasNext)
        (awaited, wayToEnd) = (isLoaded ? nil : edge, nil)
        // With these rows it need not open at its end.
        if isLoaded, !items.isEmpty { isOpen = true }
        // Whether the first page is at the start or at the end, the list knows.
        let placement: PaginatorListPlacement = edge == .start ? .start : lastKey == nil ? .automatic : .end
        if !isLoaded { list.jump(to: lastKey ?? list.firstKey, placement: placement) }
        return isLoaded
    }

    /// Goes to a row.
    ///
    /// - Returns: how the view scrolls; `nil` if the list does not have it.
    mutating func goTo(_ id: ID) -> Scroll? {
        guard let position = items.position(of: id) else { return nil }
        (givenUp, awaited, wayToEnd) = (awaited ?? givenUp, nil, nil)
        isOpen = true
        return isVisible(id) ? .stay : .goTo(id, at: position)
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
        // The other rows come and go one by one, also while the view scrolls to the last one.
        if id == items.lastID { wayToEnd?.hasLeft = true }
        return look()
    }

    /// - Returns: the positions if they changed, for a hint.
    mutating func show(_ range: Range<Int>?) -> Range<Int>? {
        // A view may have rows of its own after the list's, or still show those of an older list.
        let range = range?.clamped(to: 0..<items.count).nonEmpty
        unseen = min(unseen, range?.lowerBound ?? unseen)
        unseenBelow = min(unseenBelow, range.map { items.count - $0.upperBound } ?? unseenBelow)
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
        if let range, range.upperBound < items.count { wayToEnd = nil }
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
        loadMissing(of: list)
    }

    /// Takes in the list's new rows and anchor.
    ///
    /// - Parameter isAtEnd: whether the view shows all of the last row so far.
    mutating func follow(
        _ items: PaginatorListSnapshot<T, ID>, _ status: PaginatorListStatus, anchor: Int?, isAtEnd: Bool = false
    ) -> Scroll {
        let (isStartLoaded, wasEndShown) = (self.status.previous == .endReached, self.status.showsEnd)
        let isJump = status.jump != nil && status.jump != jumped
        // Some servers say before the first page that there is more.
        let isStart = !status.hasPrevious || isJump && anchor == 0
        let isEnd = !status.hasNext
        // Another jump may come before it.
        let isEndJump = isJump && anchor.map { position in !items.gaps.contains { $0 > position } } ?? false
        // The jump has been made. Rows beyond its page that are still to come show there.
        let isStartSought = awaited == .start && isStart && (isJump || status.newAbove == 0)
        let isEndSought = awaited == .end && (isEndJump || isEnd && status.newBelow == 0)
        let isSought = isStartSought || isEndSought
        // In a chat the first page is not the start, and whoever asked for it goes to that page.
        let isFollowed = isJump && !(givenUp == .start && isStart) && !(givenUp == .end && isEndJump)
        let goal: Scroll? =
            isStartSought ? .goToStart : isEndSought ? .goToEnd : jump(to: isFollowed ? anchor : nil, in: items)
        // Among other rows the offset of a view has no meaning.
        let isOther =
            !status.scope.hasSameBytes(as: self.status.scope) || isOpen == false && !items.isEmpty
            || self.status.refresh.isLoading && isReplaced(by: items)
        // Another load may have failed before.
        let isNewError = status.refresh.error != nil && status.refresh != self.status.refresh
        if awaited != nil, !isSought, isNewError {
            givenUp = awaited
        } else if isJump || (givenUp == .end ? isEnd : !status.hasPrevious) {
            givenUp = nil
        }
        if isSought || isNewError || isJump { awaited = nil }
        jumped = status.jump ?? jumped
        // What is shown there stays until it ends, since its end would move the rows, too. No new load begins so.
        let header = self.status.header
        let isHeaderShown = showsHeader && (header.isLoading || header.error != nil)
        let isAtStart = isStartLoaded && visible?.lowerBound == 0
        // A part may be of the last page.
        let mayBeEnd = status.showsEnd || status.isPartial
        let isCovered =
            lastVisible?.upperBound == self.items.count
            && appeared.range(position: { self.items.position(of: $0) }) == nil
        if let way = wayToEnd, way.hasLeft && !isCovered || way.beganAtPart && !mayBeEnd { wayToEnd = nil }
        let opens = goal == nil && followsEnd && mayBeEnd && !items.isEmpty && (isOpen == nil || isOther)
        let stays =
            goal == nil && !opens && !isOther && (followsEnd && wasEndShown || wayToEnd != nil)
            && staysAtEnd(in: items, isAtEnd: isAtEnd)
        let scroll =
            goal ?? (opens || stays ? .goToEnd : self.scroll(to: items, isAtStart: isAtStart, isOther: isOther))
        isOpen = items.isEmpty ? isOpen.map { _ in false } : true
        if isEnd || !isEndSought && !opens && (goal != nil || isOther) {
            wayToEnd = nil
        } else if isEndSought || opens || wayToEnd != nil {
            let beganAtPart = opens || wayToEnd?.beganAtPart ?? false && !isEndSought
            wayToEnd = WayToEnd(beganAtPart: beganAtPart && !status.showsEnd)
        }
        let target = stays ? nil : scroll.target(in: items)
        isLeaving = target != nil
        // The rows that were on the screen are no longer told to the list, also before the view has scrolled.
        if let target { visible = target..<target + 1 }
        if stays { visible = visible.map { max(0, items.count - $0.count)..<items.count } }
        if scroll == .goToEnd || !status.showsEnd {
            // Of rows that wait for the end the status tells.
            unseenBelow = 0
        } else if wasEndShown, let last = self.items.lastID.flatMap({ items.position(of: $0) }) {
            unseenBelow += (last + 1..<items.count).filter { !self.items.contains(id: items.id(at: $0)) }.count
        }
        if case .keep(_, let from, let to) = scroll {
            // Before the first row of a loaded start there are only new rows. Others are earlier pages, or fill a gap.
            if isStartLoaded { unseen += max(0, min(to - from, items.position(of: self.items.id(at: 0)) ?? to)) }
            visible = visible.map { range in
                let first = max(0, range.lowerBound + to - from)
                return first..<first + range.count
            }
        }
        unseen = items.isEmpty ? 0 : min(unseen, items.count)
        unseenBelow = min(unseenBelow, items.count)
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
        let hasFailed = status.next.error != nil || status.previous.error != nil
        if !items.isEmpty || !status.hasLoaded || hasFailed || isRefreshed {
            (search, searched) = (nil, [])
        } else if let edge = search, !status.load(at: edge).isLoading, status != self.status {
            searched.insert(edge)
            search = nil
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

    // Whether new rows are shown from the end, because the last row so far is visible.
    private func staysAtEnd(in new: PaginatorListSnapshot<T, ID>, isAtEnd: Bool) -> Bool {
        guard visible?.upperBound == items.count, !new.isEmpty, !new.isSame(as: items) else { return false }
        return isAtEnd || new.lastID != items.lastID
    }

    // Whether a refresh of everything has left none of the visible rows: it leaves at most those of the first page.
    private func isReplaced(by new: PaginatorListSnapshot<T, ID>) -> Bool {
        guard let visible, !visible.contains(where: { new.contains(id: items.id(at: $0)) }) else { return false }
        let ids = Set(new.ids)
        return items.ids.filter(ids.contains).count * 2 < items.count
    }

    private func scroll(to new: PaginatorListSnapshot<T, ID>, isAtStart: Bool, isOther: Bool) -> Scroll {
        if isAtStart, !new.isEmpty { return items.id(at: 0) == new.id(at: 0) ? .stay : .showNew }
        let kept = (visible ?? 0..<0).compactMap { old in new.position(of: items.id(at: old)).map { (old, $0) } }
        // Rows inserted above move most rows by the same distance; a row that moved itself does not count.
        var votes: [Int: Int] = [:]
        for (old, new) in kept { votes[new - old, default: 0] += 1 }
        let most = votes.values.max()
        guard let (old, position) = kept.first(where: { votes[$1 - $0] == most }) else {
            return isOther ? .goToStart : .stay
        }
        return .keep(items.id(at: old), from: old, to: position)
    }
}

/// The start or the end of a list.
enum ScreenEdge {
    case start, end
}

extension PaginatorListStatus {
    /// Whether the last row is the end of the list, as far as is known.
    var showsEnd: Bool { next == .endReached || isEndShown }

    fileprivate func load(at edge: ScreenEdge) -> PaginatorLoadState { edge == .start ? previous : next }
}

extension PaginatorScreen.Scroll {
    /// The position that the view goes to.
    fileprivate func target(in items: PaginatorListSnapshot<T, ID>) -> Int? {
        switch self {
        case .goToStart: 0
        case .goToEnd: items.indices.last
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

    var lastID: ID? { id(ifAt: count - 1) }

    fileprivate func id(ifAt position: Int) -> ID? { indices.contains(position) ? id(at: position) : nil }

    fileprivate func hasSameEnds(as other: Self, of range: Range<Int>) -> Bool {
        range.clamped(to: 0..<count) == range
            && id(at: range.lowerBound) == other.id(at: range.lowerBound)
            && id(at: range.upperBound - 1) == other.id(at: range.upperBound - 1)
    }
}

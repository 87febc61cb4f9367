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
    // The numbers of rows that wait beyond an end although they were shown, as the window has no room for them.
    private var seenAbove = 0
    private var seenBelow = 0
    // The end that was requested last and is still loading, and those that have failed to load or were left for another
    // place: their jumps may still come, and then do not scroll.
    private var wantedEdge: ScreenEdge?
    private var abandonedEdges: Set<ScreenEdge> = []
    private enum Rows { case awaited, present, gone }
    // The view opens with the first ones.
    private var rows = Rows.awaited
    // The way to an end behind the last row, which is visible; `nil` if the view is not on it.
    private var wayToEnd: WayToEnd?
    /// Whether a load or a failure before the first row is shown by a view that does not keep its place: from when the
    /// first row is visible, because further down it would move the rows.
    private(set) var showsHeader = true
    /// The number of the last jump. Each scrolls once, since the user may scroll away before the list is told so.
    private(set) var jumped: Int?
    // Whether the view is about to scroll away from the rows that have appeared.
    private var isLeaving = false
    // The end at which items are searched behind empty pages while there are no rows, and the ends without any.
    private var search: ScreenEdge?
    private var searched: Set<ScreenEdge> = []

    // The default of `PaginatorListConfig.maxEmptyPages`.
    private static var maxRepeats: Int { 16 }

    init(_ items: PaginatorListSnapshot<T, ID>, _ status: PaginatorListStatus) {
        self.items = items
        self.status = status
    }

    /// The number of new items above the visible ones; zero before the first page, while rows from before it may wait.
    var newAbove: Int { status.hasLoaded ? status.newAbove - seenAbove + unseen : 0 }

    /// The number of new items below the visible ones; zero before the first page.
    var newBelow: Int { status.hasLoaded ? status.newBelow - seenBelow + unseenBelow : 0 }

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
        // If it ends at once, no update tells that it was running.
        if edge == .start {
            status.previous = .loading
            list.loadPrevious()
        } else {
            status.next = .loading
            list.loadAll(limit: 1)
        }
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
        let isLoaded = status.hasLoaded && waiting == 0 && !(edge == .start ? status.hasPrevious : status.hasNext)
        abandonWish()
        abandonedEdges.remove(edge)
        wantedEdge = isLoaded ? nil : edge
        // With these rows it need not open at its end.
        if isLoaded, !items.isEmpty { rows = .present }
        // Whether the first page is at the start or at the end, the list knows.
        let placement: PaginatorListPlacement = edge == .start ? .start : lastKey == nil ? .automatic : .end
        // If the jump fails at once with the same error as before, that is a new one.
        if !isLoaded, status.refresh.error != nil { status.refresh = .idle }
        if !isLoaded { list.jump(to: lastKey ?? list.firstKey, placement: placement) }
        return isLoaded
    }

    /// Goes to a row.
    ///
    /// - Returns: how the view scrolls; `nil` if the list does not have it.
    mutating func goTo(_ id: ID) -> Scroll? {
        guard let position = items.position(of: id) else { return nil }
        abandonWish()
        rows = .present
        return isVisible(id) ? .stay : .goTo(id, at: position)
    }

    private mutating func abandonWish() {
        if let wantedEdge { abandonedEdges.insert(wantedEdge) }
        (wantedEdge, wayToEnd) = (nil, nil)
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
        let change = Change(
            items: items, old: self.status, new: status, anchor: anchor,
            isJump: status.jump != nil && status.jump != jumped, isOther: isOther(items, status))
        let reached = edgeReached(by: change)
        let abandoned = reached == nil ? change.jumpedEdge(of: abandonedEdges) : nil
        let followsJump = change.isJump && abandoned == nil
        let goal = goal(of: change, reached, followsJump: followsJump)
        endWishes(change, reached, abandoned, followsJump: followsJump)
        leaveWay(change)
        let opens =
            goal == nil && followsEnd && change.mayBeEnd && !items.isEmpty && (rows == .awaited || change.isOther)
        let stays = goal == nil && !opens && staysAtEnd(change, isAtEnd: isAtEnd)
        let scroll = goal ?? (opens || stays ? .goToEnd : self.scroll(to: change))
        if !items.isEmpty { rows = .present } else if rows == .present { rows = .gone }
        followWay(change, reached, opens: opens, hasGoal: goal != nil)
        keepVisible(scroll, stays: stays, in: items)
        countSeen(change)
        countUnseen(change, scroll)
        forgetHint(change)
        endSearch(change)
        (self.items, self.status) = (items, status)
        // What is shown there stays until it ends, since its end would move the rows, too. No new load begins so.
        let header = change.old.header
        showsHeader = showsHeader && (header.isLoading || header.error != nil) || isStartVisible
        return scroll
    }

    mutating func look() -> Range<Int>? {
        guard !isLeaving else { return nil }
        if let range = appeared.range(position: { items.position(of: $0) }) { return show(range) }
        // Another screen covers this one: the rows keep their place.
        return told == nil ? nil : show(lastVisible)
    }

    private var isStartVisible: Bool { visible.map { $0.lowerBound == 0 } ?? true }

    // Whether an item's row is between two visible ones. The first and the last of these may be cut off.
    private func isVisible(_ id: ID) -> Bool {
        guard let visible, let position = items.position(of: id) else { return false }
        return visible.lowerBound < position && position < visible.upperBound - 1
    }

    // The end that was requested, if it is there. Rows beyond the page of its jump that are still to come show there.
    private func edgeReached(by change: Change) -> ScreenEdge? {
        guard change.new.hasLoaded else { return nil }
        let isReached =
            switch wantedEdge {
            case .start: change.isStart && (change.isJump || change.new.newAbove == 0)
            case .end:
                change.isEndJump && change.jumpedEdge(of: abandonedEdges) != .start
                    || change.isEnd && change.new.newBelow == 0
            case nil: false
            }
        return isReached ? wantedEdge : nil
    }

    private func goal(of change: Change, _ reached: ScreenEdge?, followsJump: Bool) -> Scroll? {
        switch reached {
        case .start: return .goToStart
        case .end: return .goToEnd
        case nil:
            guard followsJump, let position = change.anchor, let id = change.items.id(ifAt: position),
                !isVisible(id)
            else { return nil }
            return position == 0 ? .goToStart : .goTo(id, at: position)
        }
    }

    private mutating func endWishes(
        _ change: Change, _ reached: ScreenEdge?, _ abandoned: ScreenEdge?, followsJump: Bool
    ) {
        if let wantedEdge, reached == nil, change.isNewError {
            abandonedEdges.insert(wantedEdge)
        } else {
            // These jumps are not still on their way.
            if change.isJump, !change.new.refresh.isLoading { abandonedEdges = [] }
            if let abandoned { abandonedEdges.remove(abandoned) }
            if change.isEnd { abandonedEdges.remove(.end) }
            if !change.new.hasPrevious { abandonedEdges.remove(.start) }
        }
        if reached != nil || change.isNewError || followsJump { wantedEdge = nil }
        jumped = change.new.jump ?? jumped
    }

    private mutating func leaveWay(_ change: Change) {
        let isCovered =
            lastVisible?.upperBound == items.count && appeared.range(position: { items.position(of: $0) }) == nil
        if let way = wayToEnd, way.hasLeft && !isCovered || way.beganAtPart && !change.mayBeEnd { wayToEnd = nil }
    }

    private mutating func followWay(_ change: Change, _ reached: ScreenEdge?, opens: Bool, hasGoal: Bool) {
        if change.isEnd || reached != .end && !opens && (hasGoal || change.isOther) {
            wayToEnd = nil
        } else if reached == .end || opens || wayToEnd != nil {
            let beganAtPart = opens || wayToEnd?.beganAtPart ?? false && reached != .end
            wayToEnd = WayToEnd(beganAtPart: beganAtPart && !change.new.showsEnd)
        }
    }

    // Whether new rows are shown from the end, because the last row so far is visible.
    private func staysAtEnd(_ change: Change, isAtEnd: Bool) -> Bool {
        guard !change.isOther, followsEnd && change.old.showsEnd || wayToEnd != nil,
            visible?.upperBound == items.count, !change.items.isEmpty, !change.items.isSame(as: items)
        else { return false }
        return isAtEnd || change.items.lastID != items.lastID
    }

    private mutating func keepVisible(_ scroll: Scroll, stays: Bool, in new: PaginatorListSnapshot<T, ID>) {
        let target = stays ? nil : scroll.target(in: new)
        // Rows that have appeared around it before the view scrolls there do not appear once more.
        let around = target == nil ? nil : appeared.range { new.position(of: $0) }
        isLeaving = target.map { around?.contains($0) != true || around?.count != appeared.count } ?? false
        // The rows that were on the screen are no longer told to the list, also before the view has scrolled.
        if let target { visible = target..<target + 1 }
        if stays { visible = visible.map { max(0, new.count - $0.count)..<new.count } }
        if case .keep(_, let from, let to) = scroll {
            visible = visible.map { range in
                let first = max(0, range.lowerBound + to - from)
                return first..<first + range.count
            }
        }
        visible = new.isEmpty ? nil : visible?.clamped(to: 0..<new.count)
        lastVisible = visible
    }

    // Counts rows that were shown and wait again. The outermost ones may never have been visible.
    private mutating func countSeen(_ change: Change) {
        func seen(_ seen: Int, waiting old: Int, _ new: Int, gone: Int) -> Int {
            max(0, min(seen + min(new - old, max(0, gone)), new))
        }
        let (old, new) = (change.old, change.new)
        let above = change.items.firstID.flatMap { items.position(of: $0) } ?? 0
        let below = change.items.lastID.flatMap { items.position(of: $0) }.map { items.count - 1 - $0 } ?? 0
        seenAbove = seen(seenAbove, waiting: old.newAbove, new.newAbove, gone: above - unseen)
        seenBelow = seen(seenBelow, waiting: old.newBelow, new.newBelow, gone: below - unseenBelow)
        unseen -= max(0, min(unseen, above, new.newAbove - old.newAbove))
    }

    private mutating func countUnseen(_ change: Change, _ scroll: Scroll) {
        let (old, new) = (items, change.items)
        // Between the first and the last of the old rows, the others fill gaps.
        func firstKept(_ positions: some Collection<Int>) -> (old: Int, new: Int)? {
            positions.lazy.compactMap { at in new.position(of: old.id(at: at)).map { (at, $0) } }.first
        }
        if scroll == .goToEnd || change.isOther || !change.new.showsEnd {
            // Of rows that wait for the end the status tells.
            unseenBelow = 0
        } else if change.old.showsEnd, let last = firstKept(old.indices.reversed()) {
            unseenBelow += change.countNew(last.new + 1..<new.count, inPlaceOf: last.old + 1..<old.count, of: old)
        }
        // Before a start that was not loaded, they are earlier pages.
        if change.wasStartLoaded, case .keep(_, let from, let to) = scroll {
            let first = firstKept(old.indices) ?? (from, to)
            unseen += change.countNew(0..<min(first.new, to), inPlaceOf: 0..<first.old, of: old)
        }
        (unseen, unseenBelow) = (min(unseen, new.count), min(unseenBelow, new.count))
    }

    private mutating func forgetHint(_ change: Change) {
        // The list may have had other rows already when it got the positions.
        let isSame = told.map { change.items.hasSameEnds(as: items, of: $0) } ?? true
        if change.items.count != items.count || !isSame {
            (told, repeats) = (nil, 0)
        } else if repeats < Self.maxRepeats, !change.items.isSame(as: items) {
            // A page may have come that has only known rows: who sees the end still waits for the page behind it.
            (told, repeats) = (nil, repeats + 1)
        }
        // Whoever scrolled to an end or a gap meanwhile still waits for its rows.
        if change.isRefreshed || change.isJump { told = nil }
    }

    private mutating func endSearch(_ change: Change) {
        let status = change.new
        let hasFailed = status.next.error != nil || status.previous.error != nil
        if !change.items.isEmpty || !status.hasLoaded || hasFailed || change.isRefreshed {
            (search, searched) = (nil, [])
        } else if let edge = search, !status.load(at: edge).isLoading, status != change.old {
            searched.insert(edge)
            search = nil
        }
    }

    // Whether there are other rows, among which the offset of a view has no meaning.
    private func isOther(_ new: PaginatorListSnapshot<T, ID>, _ status: PaginatorListStatus) -> Bool {
        guard status.scope.hasSameBytes(as: self.status.scope), rows != .gone || new.isEmpty else { return true }
        guard let visible, status.replacements != self.status.replacements else { return false }
        return !visible.contains { new.contains(id: items.id(at: $0)) }
    }
}

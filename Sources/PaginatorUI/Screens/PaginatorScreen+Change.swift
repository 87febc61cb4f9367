import PaginatorLists

extension PaginatorScreen {
    /// An update of the list, and what it tells that the one before did not.
    struct Change {
        let items: PaginatorListSnapshot<T, ID>
        let old: PaginatorListStatus
        let new: PaginatorListStatus
        let anchor: Int?
        let isJump: Bool
        /// Whether there are other rows.
        let isOther: Bool

        // Some servers say before the first page that there is more.
        var isStart: Bool { !new.hasPrevious || isJump && anchor == 0 }

        var isEnd: Bool { !new.hasNext }

        // Another jump may come before it.
        var isEndJump: Bool {
            isJump && anchor.map { position in !items.gaps.contains { $0 > position } } ?? false
        }

        // The end to which a jump leads, among some. In a chat the first page is not the start. In a list without gaps
        // the jump to the start looks like one to the end, too.
        func jumpedEdge(of edges: Set<ScreenEdge>) -> ScreenEdge? {
            guard isJump else { return nil }
            if isStart, edges.contains(.start) { return .start }
            return isEndJump && edges.contains(.end) ? .end : nil
        }

        // A part may be of the last page.
        var mayBeEnd: Bool { new.showsEnd || new.isPartial }

        var wasStartLoaded: Bool { old.previous == .endReached }

        // Another load may have failed before.
        var isNewError: Bool { new.refresh.error != nil && new.refresh != old.refresh }

        var isRefreshed: Bool { old.refresh.isLoading && !new.refresh.isLoading }

        // The number of new rows. The row of an edit that is committed under another identity is not new.
        func countNew(
            _ range: Range<Int>, inPlaceOf gone: Range<Int>, of old: PaginatorListSnapshot<T, ID>
        ) -> Int {
            let added = range.filter { !old.contains(id: items.id(at: $0)) }.count
            return max(0, added - gone.filter(old.isPending).count)
        }
    }

    /// The way to an end behind the last row.
    struct WayToEnd {
        /// Whether the view opened at a part of a page. It goes no further if the whole page leads on.
        var beganAtPart: Bool
        /// Whether the last row has disappeared since the list last changed: it was left, unless the screen is covered.
        var hasLeft = false
    }
}

extension PaginatorScreen {
    /// How the view scrolls if nobody asked for a place.
    ///
    /// The first visible row keeps its place on the screen, unless its order among the rows on and near the screen has
    /// changed: then the next one whose order has not. At an end that the view follows, it is the last one.
    func scroll(to change: Change) -> Scroll {
        let new = change.items
        if change.wasStartLoaded, visible?.lowerBound == 0, !new.isEmpty {
            return items.id(at: 0) == new.id(at: 0) ? .stay : .showNew
        }
        guard !change.isOther else { return .goToStart }
        guard let visible else { return .stay }
        // A row that left the screen alone has changed its order among rows near the screen, if not on it.
        let near = visible.lowerBound - visible.count..<visible.upperBound + visible.count
        let kept = near.clamped(to: 0..<items.count).compactMap { old in
            new.position(of: items.id(at: old)).map { (old: old, new: $0) }
        }
        let ordered = kept.map(\.new).indicesInOrder
        let shown = kept.indices.filter { visible.contains(kept[$0].old) }
        let isAtEnd = followsEnd && change.old.showsEnd && visible.upperBound == items.count
        let candidates = isAtEnd ? shown.reversed() : shown
        // A page with more rows than the screen that comes in a gap there moves the smaller part of it.
        let staying = candidates.filter(ordered.contains)
        func moved(_ row: Int) -> Int { kept[row].new - kept[row].old }
        func isWithMost(_ row: Int) -> Bool {
            abs(moved(row) - moved(staying[(staying.count - 1) / 2])) <= visible.count
        }
        guard let row = (isAtEnd ? staying.first : staying.first(where: isWithMost)) ?? candidates.first else {
            return .stay
        }
        return .keep(items.id(at: kept[row].old), from: kept[row].old, to: kept[row].new)
    }
}

extension [Int] {
    /// The indices of the numbers in each longest ascent: of two that changed places, neither.
    fileprivate var indicesInOrder: Set<Int> {
        let fromEnd = longestAscent(reversed().map { -$0 }).map { count - 1 - $0 }
        return Set(longestAscent(self)).intersection(fromEnd)
    }
}

extension PaginatorScreen.Scroll {
    /// The position that the view goes to.
    func target(in items: PaginatorListSnapshot<T, ID>) -> Int? {
        switch self {
        case .goToStart: 0
        case .goToEnd: items.indices.last
        case .goTo(_, let position): position
        case .stay, .keep, .showNew: nil
        }
    }
}

/// The start or the end of a list.
enum ScreenEdge {
    case start, end
}

extension PaginatorListStatus {
    /// Whether the last row is the end of the list, as far as is known.
    var showsEnd: Bool { next == .endReached || isEndShown }

    func load(at edge: ScreenEdge) -> PaginatorLoadState { edge == .start ? previous : next }
}

extension Range {
    var nonEmpty: Self? { isEmpty ? nil : self }
}

extension PaginatorListSnapshot {
    var firstID: ID? { id(ifAt: 0) }

    var lastID: ID? { id(ifAt: count - 1) }

    func id(ifAt position: Int) -> ID? { indices.contains(position) ? id(at: position) : nil }

    func hasSameEnds(as other: Self, of range: Range<Int>) -> Bool {
        range.clamped(to: 0..<count) == range
            && id(at: range.lowerBound) == other.id(at: range.lowerBound)
            && id(at: range.upperBound - 1) == other.id(at: range.upperBound - 1)
    }
}

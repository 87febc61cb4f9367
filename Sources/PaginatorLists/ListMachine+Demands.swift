import PaginatorCore

// The demand on pages: the time after which they must have been requested.
extension ListMachine {
    // Returns the demand on a load's page, so that the page joins its neighbors.
    func demand(on load: Load) -> PaginatorInstant? {
        if load.isRefresh { return load.notBefore }
        // The demand between two pages is the newer of their refreshes.
        func demand(_ left: Int?, _ right: Int?) -> PaginatorInstant? {
            Self.later(left.flatMap(self.demand(beside:)), right.flatMap(self.demand(beside:)))
        }
        switch load.purpose {
        case .page: return load.notBefore
        case .first: return refreshedAt
        case .jump:
            // Its place is not known yet.
            return running.values.reduce(refreshedAt) { $1.isRefresh ? Self.later($0, $1.notBefore) : $0 }
        case .next, .previous, .gap: break
        }
        if load.isPreviewed, let rank = ranks[load.identity] {
            // Its preview already has the place.
            return demand(pageRank(before: rank), pageRank(after: rank))
        }
        switch load.purpose {
        case .next: return Self.later(demand(lastPage, nil), droppedAfter.last?.notBefore)
        case .previous: return Self.later(demand(firstPage, nil), droppedBefore.last?.notBefore)
        case .gap(let anchor, let side):
            guard let rank = ranks[anchor] else { return nil }
            return demand(rank, side == .end ? pageRank(after: rank) : pageRank(before: rank))
        case .first, .jump, .page: return nil
        }
    }

    // Returns a page's demand on its neighbors, its running refresh included.
    func demand(beside rank: Int) -> PaginatorInstant? {
        guard let seat = seats[rank] else { return nil }
        let load = running[.page(seat.identity)]
        return Self.later(seat.notBefore, Self.later(load?.notBefore, load?.newer?.time))
    }

    // Returns the request time of the page that a load continues, or the start of the call that requested it. Rows that
    // were inserted since may have shifted others into the next page, and an older cached page lacks them.
    func timeBefore(_ load: Load) -> PaginatorInstant? {
        if load.isPreviewed, let rank = ranks[load.identity] {
            return pageRank(before: rank).flatMap { seats[$0]?.calledAt }
        }
        // What the window dropped after that page is loaded as it was.
        if case .next = load.purpose, let page = droppedAfter.last, page.identity == load.identity,
            let left = lastSeat, page.wasBeside(left)
        {
            return nil
        }
        return switch load.purpose {
        case .next: lastSeat?.calledAt
        case .gap(let anchor, let side):
            pageBeforeGap(at: side, of: anchor).flatMap { seats[$0]?.calledAt }
        case .jump:
            // Its place is known if a page leads to it.
            seats.filter { effectiveNext(of: $1, at: $0)?.hasSameBytes(as: load.identity.key) ?? false }
                .map(\.value.calledAt).max()
        case .first, .previous, .page: nil
        }
    }

    // Pages that are loaded upward, one after the other, count as pages of one call, unless rows have moved meanwhile.
    func callTime(of purpose: Purpose) -> PaginatorInstant? {
        func time(_ rank: Int) -> PaginatorInstant? { hasMovedDown(rank) ? nil : seats[rank]?.calledAt }
        return switch purpose {
        case .previous: firstPage.flatMap(time)
        case .gap(let anchor, at: .start): ranks[anchor].flatMap(time)
        case .jump(let identity):
            // It is loaded upward if a page names it as the one before.
            seats.filter { effectivePrevious(of: $1, at: $0)?.hasSameBytes(as: identity.key) ?? false }
                .compactMap { time($0.key) }.max()
        case .first, .next, .gap, .page: nil
        }
    }

    static func later(_ left: PaginatorInstant?, _ right: PaginatorInstant?) -> PaginatorInstant? {
        guard let left, let right else { return left ?? right }
        return max(left, right)
    }
}

import PaginatorCore

// How new pages have to be.
extension ListMachine {
    // Since when the source must have been asked for what a load brings, to join what it is loaded beside.
    func demand(on load: Load) -> PaginatorInstant? {
        if load.isRefresh { return load.notBefore }
        // Where it lies between two pages, the newer one's refresh counts.
        func demand(_ left: Int?, _ right: Int?) -> PaginatorInstant? {
            Self.later(left.flatMap(self.demand(beside:)), right.flatMap(self.demand(beside:)))
        }
        switch load.purpose {
        case .page: return load.notBefore
        case .first: return refreshedAt
        case .jump:
            // Wherever it lands.
            return running.values.reduce(refreshedAt) { $1.isRefresh ? Self.later($0, $1.notBefore) : $0 }
        case .next, .previous, .gap: break
        }
        if load.isPreviewed, let rank = ranks[load.identity] {
            // Its place is that of its preview.
            return demand(pageRank(before: rank), pageRank(after: rank))
        }
        switch load.purpose {
        case .next: return Self.later(demand(lastPage, nil), droppedAfter.last?.notBefore)
        case .previous: return Self.later(demand(firstPage, nil), droppedBefore.last?.notBefore)
        case .gap(let anchor, let fromStart):
            guard let rank = ranks[anchor] else { return nil }
            return demand(rank, fromStart ? pageRank(after: rank) : pageRank(before: rank))
        case .first, .jump, .page: return nil
        }
    }

    // What a page asks of those that join it, also by its refresh that is under way.
    func demand(beside rank: Int) -> PaginatorInstant? {
        guard let seat = seats[rank] else { return nil }
        let load = running[.page(seat.identity)]
        return Self.later(seat.notBefore, Self.later(load?.notBefore, load?.newer))
    }

    // When the source was asked for the page that a load goes on from. A row that came since may have moved others on to
    // what follows; a cached page that is older lacks them.
    func timeBefore(_ load: Load) -> PaginatorInstant? {
        if load.isPreviewed, let rank = ranks[load.identity] {
            return pageRank(before: rank).flatMap { seats[$0]?.stamp.time }
        }
        // What the window dropped behind that page comes back as it was.
        if case .next = load.purpose, let page = droppedAfter.last, page.identity == load.identity,
            let left = lastPage.flatMap({ seats[$0] }), page.stoodBehind(left)
        {
            return nil
        }
        return switch load.purpose {
        case .next: lastPage.flatMap { seats[$0]?.stamp.time }
        case .gap(let anchor, let fromStart):
            ranks[anchor].flatMap { fromStart ? $0 : pageRank(before: $0) }.flatMap { seats[$0]?.stamp.time }
        case .first, .previous, .jump, .page: nil
        }
    }

    static func later(_ left: PaginatorInstant?, _ right: PaginatorInstant?) -> PaginatorInstant? {
        guard let left, let right else { return left ?? right }
        return max(left, right)
    }
}

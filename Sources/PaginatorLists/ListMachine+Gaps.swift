import PaginatorCore

// Filling gaps.
extension ListMachine {
    mutating func fillGap(at position: Int, fromStart: Bool) {
        if let rank = rankWithGap(at: position) { fillGap(behind: rank, fromStart: fromStart) }
    }

    mutating func fillGap(behind rank: Int, fromStart: Bool) {
        guard let rank = takeOutRepeated(behind: rank), let seat = seats[rank],
            let following = pageRank(after: rank), let right = seats[following]
        else { return }
        guard !seat.isPartial else {
            // The rest of the page is missing first. It may be on its way already.
            guard mayCallSource, !isLoading(seat.identity) else { return }
            refreshPage(at: rank, number: refreshNumber(of: following), gap: .end)
            return
        }
        let (leftKey, rightKey) = (effectiveKey(of: seat, at: rank), effectiveKey(of: right, at: following))
        let (next, previous) = (effectiveNext(of: seat, at: rank), effectivePrevious(of: right, at: following))
        // Returns whether a key leads to one of both pages, or past it, so that no load can fill the gap between them.
        func leadsPast(_ key: String?) -> Bool {
            guard let key else { return false }
            if key.hasSameBytes(as: leftKey) || key.hasSameBytes(as: rightKey) { return true }
            guard config.addressing == .offset, let number = Int(key), let lower = Int(leftKey),
                let upper = Int(rightKey), lower <= upper
            else { return false }
            return number <= lower || number >= upper
        }
        func start(_ key: String?, fromStart: Bool) -> Bool {
            guard let key, !leadsPast(next), !leadsPast(key), !isLoaded(key),
                // Read now, because `isLoaded` may have changed it.
                let anchor = seats[fromStart ? rank : following]?.identity
            else { return false }
            let purpose = Purpose.gap(anchor, at: fromStart ? .end : .start)
            if running[purpose] == nil { self.start(Load(id: makeNumber(), purpose: purpose, identity: identity(key))) }
            return true
        }
        if start(fromStart ? next : previous, fromStart: fromStart) { return }
        if start(fromStart ? previous : next, fromStart: !fromStart) { return }
        // Between pages of one refresh, another one changes nothing.
        if !seat.isOfOneRefresh(with: right), leadsPast(next) || leadsPast(previous) {
            // The older page is outdated, unless the other one is in doubt. It may be a preview of one on its way.
            let isLeft = seat.stamp < right.stamp && !isInDoubt(right.identity)
            let old = isLeft ? seat.identity : right.identity
            let isPreview = running.values.contains { $0.isPreviewed && $0.identity == old }
            guard mayCallSource, !isPreview else { return }
            let number = refreshNumber(of: isLeft ? following : rank)
            refreshPage(at: isLeft ? rank : following, number: number, gap: isLeft ? .end : .start)
        } else if let repeated = fromStart ? next ?? previous : previous ?? next, seat.reportedGap != right.stamp {
            // Reported once, because an observer may fill the gap in response.
            seats[rank]?.reportedGap = right.stamp
            notices.append(.repeatedKey(repeated))
        }
    }

    // Removes outdated pages, whose rows are all on other pages, because the missing rows are not next to them. Returns
    // the page before the gap.
    private mutating func takeOutRepeated(behind rank: Int) -> Int? {
        var left = rank
        while let first = seats[left], !first.isLinkedToNext, let right = pageRank(after: left),
            let second = seats[right]
        {
            let (old, new) = first.stamp < second.stamp ? (left, second) : (right, first)
            let isRepeated = isContained(old, in: new) || hasNewerTwin(old)
            guard let repeated = isRepeated ? old : showsNothing(right) ? right : nil else {
                return left
            }
            let before = pageRank(before: repeated)
            takeOut(repeated)
            guard let before, let after = pageRank(after: before) else { return nil }
            left = before
            relink(before, after, .new)
        }
        return nil
    }

    private func isContained(_ rank: Int, in other: ListSeat) -> Bool {
        guard let seat = seats[rank], !seat.ids.isEmpty else { return false }
        return seat.ids.allSatisfy(other.ids.contains)
    }

    // Returns whether a newer page has the current key of a page, so that no answer could replace the latter.
    private func hasNewerTwin(_ rank: Int) -> Bool {
        guard let seat = seats[rank], let other = ranks[identity(effectiveKey(of: seat, at: rank))], other != rank
        else { return false }
        return seats[other].map { seat.stamp < $0.stamp } ?? false
    }

    private func showsNothing(_ rank: Int) -> Bool {
        guard let seat = seats[rank], !seat.ids.isEmpty else { return false }
        return seat.ids.allSatisfy { entries[$0]?.holders.first != rank || entries[$0]?.base == nil }
    }

    private func rankWithGap(at position: Int) -> Int? {
        var rank = position > 0 ? tree.place(ofRow: position - 1)?.rank : tree.first
        while let current = rank, let place = tree.place(of: current) {
            guard place.before.rows + place.payload.rows.count == position else { return nil }
            if place.payload.isFollowedByGap { return current }
            rank = tree.rank(after: current)
        }
        return nil
    }
}

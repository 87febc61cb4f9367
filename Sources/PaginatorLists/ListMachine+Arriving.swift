import PaginatorCore

// The handling of pages that arrive.
extension ListMachine {
    mutating func arrived(_ id: UInt64, _ page: ListPage, isFinal: Bool) {
        guard let purpose = purposes[id], var load = running[purpose] else { return }
        // What conditions hold back is parked, an expired page of the caches included: nothing would renew it.
        if load.isAhead, !isFinal, isLoadingAheadHeldBack { return }
        if load.isAhead, let error = page.refreshError, error.code == .heldBack {
            return load.isPreviewed ? askAgain(load, isSecond: false) : failed(id, error)
        }
        // The caches alone were read; without a shift, the source would have been called.
        let lacksSource = load.readsOldKey && page.isStale && mayCallSource
        if lacksSource, load.isAhead, blocking.isEmpty {
            end(id, with: nil)
            return askForShifted(load)
        }
        var page = page
        page.isPreview = !isFinal
        let isTooOld = load.wantedSince.map { page.fetchedAt < $0 } ?? false
        if isTooOld || lacksSource && blocking.contains(.offline), page.refreshError == nil {
            page.refreshError = PaginatorError(.offline, "There is no connection to load \(load.identity).")
        }
        if !isFinal, page.isPartial, !showsPart(page, of: load) { return }
        if let time = page.loadTime { distance.loaded(in: time) }
        if isOutdated(load, page) {
            guard isFinal else { return }
            leaveOldKey(of: load.identity, at: page.fetchedAt)
            return askAgain(load)
        }
        if let time = shownAt(load.identity), page.fetchedAt < time {
            // An older cached page in place of a failed load, while the list already has a newer one.
            guard isFinal else { return }
            if let error = page.refreshError { return failed(id, error) }
        }
        // Its neighbors may have been refreshed since it was requested.
        load.notBefore = demand(on: load)
        let next = load.newer.map { page.fetchedAt < $0.time } ?? false ? makeNumber() : nil
        // A page that is new enough for the refresh that began meanwhile belongs to it.
        if let newer = load.newer, next == nil { load.refreshNumber = newer.refreshNumber }
        if isFinal {
            // Whoever waits for a page that may have been invalidated waits until `refreshTaken`.
            end(id, with: nil, continuedBy: next ?? (load.reloadsIfStale ? id : nil), servedUntil: page.fetchedAt)
        } else {
            running[purpose]?.isPreviewed = true
        }
        load.purpose = currentPurpose(of: load)
        noteOutcome(of: load, purpose, page)
        if isFinal, purpose == .next || purpose == .previous { emptyPages += 1 }
        take(page, load)
        if seats.count + dropped.count > restartedWith ?? .max { restartedWith = nil }
        // In this order: the visible rows are found among the rows shown now, prefetching starts from them, and local
        // rows come last, when the links are known.
        hideFarRows()
        takeRememberedHint()
        rebuildDirty()
        refreshTaken(load, page, as: next, lacksSource: lacksSource)
        prefetch()
        if isFinal { follow(page, purpose) }
        // Before old rows are removed, because this may find the end.
        continueLoadAll()
        forgetOldRows(hasLinks: true)
        startWaitingJumps()
        if isFinal, let error = page.refreshError { retryInterrupted(id, error) }
    }

    // Returns whether a part of a page is shown before the rest: only at the end, or in place of fewer rows. Elsewhere
    // it would open a gap or remove rows.
    private func showsPart(_ page: ListPage, of load: Load) -> Bool {
        if let rank = ranks[load.identity], let seat = seats[rank] {
            return seat.isPartial && seat.ids.count < page.items.count
        }
        return switch load.purpose {
        case .first: seats.isEmpty
        case .next: droppedAfter.isEmpty
        case .previous, .gap, .jump, .page: false
        }
    }

    // Returns whether a page was requested too early: an item before its place was deleted since, or its place was
    // refreshed. With continuous refreshes a gap opens instead of endless requests. If there are more items that it may
    // count or not than it has, its place among the other pages is unknown.
    func isOutdated(_ load: Load, _ page: ListPage) -> Bool {
        guard !load.isOutdated else { return true }
        if load.unknownItems > page.items.count, !page.items.isEmpty { return true }
        guard !load.isSecond, let time = demand(on: load), time > load.notBefore ?? .zero else { return false }
        return page.fetchedAt < time
    }

    // Has a dropped page requested by its current key, if the caches have a newer page than it under the key that it
    // was dropped with: that one has other rows.
    private mutating func leaveOldKey(of page: PageIdentity, at time: PaginatorInstant) {
        for end in ListEnd.allCases {
            guard let index = self[dropped: end].lastIndex(where: { $0.identity == page && $0.fetchedAt < time })
            else { continue }
            self[dropped: end][index].isOutdated = true
        }
    }

    // Returns the request time of the page of an identity, loaded or dropped.
    private func shownAt(_ identity: PageIdentity) -> PaginatorInstant? {
        if let rank = ranks[identity] { return seats[rank]?.stamp.time }
        return [droppedBefore.last, droppedAfter.last].first { $0?.identity == identity }??.fetchedAt
    }

    // Returns the purpose by which its page is placed: the list may have the page by now, or others that came first.
    private mutating func currentPurpose(of load: Load) -> Purpose {
        // It is found by its identity at the start of the load.
        if case .page = load.purpose { return load.purpose }
        if replacesEverything(load) { return load.purpose }
        // A dropped page may have come back meanwhile under the key that it had before a shift.
        let isThere = load.isJump && !load.isPreviewed ? isLoaded(load.identity.key) : ranks[load.identity] != nil
        if isThere { return .page(load.identity) }
        // The page of a jump arrived before the first page.
        return load.purpose == .first ? .jump(load.identity) : load.purpose
    }

    // Returns whether a load's page replaces all others. After a preview it already has.
    private func replacesEverything(_ load: Load) -> Bool {
        guard load.purpose == .first, seats.isEmpty || load.isRefresh || load.bookmark != nil else { return false }
        return !(load.isPreviewed && ranks[load.identity] != nil)
    }

    // After an older page in place of a failed load, its end is held back, so that the source is not called again at
    // once. The last page counts there too, because loading more requests it again while the end is uncertain.
    private mutating func noteOutcome(of load: Load, _ purpose: Purpose, _ page: ListPage) {
        let isLast =
            if case .page(let identity) = purpose, let rank = ranks[identity] { rank == lastPage } else { false }
        guard let end = isLast ? ListEnd.end : purpose.end else { return }
        // Offline, the source is not called at all, so hints continue through the cached pages.
        let isNew = ranks[load.identity] == nil || load.isPreviewed
        let isFreeOfCost = page.refreshError?.code == .offline && isNew
        if let error = page.refreshError, !isFreeOfCost {
            noteSetback(at: end, after: error)
        } else {
            setbacks[end] = nil
        }
    }

    private mutating func take(_ page: ListPage, _ load: Load) {
        switch load.purpose {
        case .first:
            replaceEverything(with: page, load)
        case .next:
            place(page, load, at: newRank(at: .end), dropped: takeDropped(at: .end))
            dropFarPages(at: .start)
        case .previous:
            place(page, load, at: newRank(at: .start), dropped: takeDropped(at: .start))
            dropFarPages(at: .end)
        case .gap(let anchor, let side):
            guard let rank = rankInGap(beside: anchor, at: side) else { break }
            place(page, load, at: rank, dropped: nil)
            dropFarPages(at: nil)
        case .jump:
            let (rank, replaced) = placeForJump(load, page)
            place(page, load, at: rank, dropped: replaced)
            rebuildDirty()
            if load.isJump, let rank = ranks[load.identity] { go(toPage: rank) }
            dropFarPages(at: nil)
        case .page(let identity):
            if let rank = ranks[identity] { replace(at: rank, with: page, load) }
            if let bookmark = load.bookmark { goAgain(to: bookmark, on: page) }
            // Another load of the page was faster than the jump.
            if load.isJump, !load.isPreviewed, let rank = ranks[load.identity] { go(toPage: rank) }
        }
    }

    private mutating func rankInGap(beside anchor: PageIdentity, at side: ListEnd) -> Int? {
        guard let left = pageBeforeGap(at: side, of: anchor), let right = pageRank(after: left),
            seats[left]?.isLinkedToNext == false
        else { return nil }
        return rankBetween(left, right, near: side == .end)
    }

    // Requests a page again that was refreshed meanwhile, is invalidated, or came without a call of the source.
    private mutating func refreshTaken(_ load: Load, _ page: ListPage, as next: UInt64?, lacksSource: Bool) {
        if !page.isPreview, let next { refreshAgain(load, as: next) }
        var reload: UInt64?
        // Not again if it is an older page, because the source failed.
        if !page.isPreview, next == nil, load.reloadsIfStale, page.refreshError == nil, let rank = ranks[load.identity],
            seats[rank]?.staleFrom == .zero
        {
            reload = refreshPage(at: rank, number: makeNumber())
        }
        if !page.isPreview {
            endAwaited(load.id, with: nil, continuedBy: reload)
            readAgain(behind: load, page)
        }
        if lacksSource, !load.isAhead, page.refreshError == nil, let rank = ranks[load.identity] {
            reloadPage(at: rank, number: makeNumber())
        }
    }

    // Has pages of the same refresh read again that a local source read before this page was saved there.
    private mutating func readAgain(behind load: Load, _ page: ListPage) {
        guard load.refreshNumber != 0, let time = page.calledAt, page.fetchedAt < time, let place = ranks[load.identity]
        else { return }
        for rank in seats.keys.filter({ $0 > place }).sorted() {
            guard let seat = seats[rank] else { continue }
            if let other = running[.page(seat.identity)] {
                running[.page(seat.identity)]?.newer = (
                    max(time, other.newer?.time ?? time), other.newer?.refreshNumber ?? other.refreshNumber
                )
            } else if seat.refreshNumber == load.refreshNumber, !seat.isAsNew(as: time) {
                refreshPage(at: rank, number: load.refreshNumber, notBefore: time, calledAt: time)
            }
        }
    }

    // Continues after an empty page if a call requested rows. While the list has none, it then turns to the other end.
    private mutating func follow(_ page: ListPage, _ purpose: Purpose) {
        let isWanted = purpose == .first || purpose.end.map { asked.contains($0) } ?? false
        let mayContinue = page.items.isEmpty && page.refreshError == nil && emptyPages <= config.maxEmptyPages
        // In a fixed order, unlike that of a set, so that a simulated run is reproducible.
        for end in [ListEnd.end, .start] where asked.contains(end) && (purpose == end.purpose || purpose == .first) {
            let continues = mayContinue && (end == .start ? !isStartLoaded : page.next != nil)
            if continues { load(at: end) }
            if !continues || running[end.purpose] == nil { asked.remove(end) }
        }
        guard isWanted, page.items.isEmpty, page.refreshError == nil, seats.values.allSatisfy(\.ids.isEmpty) else {
            return
        }
        // Behind the end, the bookmark's later pages have none either.
        if purpose == .first, lastSeat?.next == nil { forgetDropped(at: .end) }
        for end in [ListEnd.end, .start] where mayContinue && asked.isEmpty {
            load(at: end)
            if running[end.purpose] != nil { asked = [end] }
        }
        // The source may have become so short that no rows are near the place of a bookmark or a jump.
        let beginnings = [firstKey, config.initialKey ?? firstKey]
        let isNothingNear = isEndLoaded || !mayContinue && !droppedBefore.isEmpty
        guard asked.isEmpty, isNothingNear, mayCallSource, beginnings.allSatisfy({ ranks[identity($0)] == nil })
        else { return }
        restart()
        // No key has expired.
        restartedWith = nil
    }
}

import PaginatorCore
import PaginatorLists
import PaginatorStorage
import PaginatorTesting

// What happens from outside, and what users do to lists.
extension World {
    func perform(_ event: WorldEvent) {
        random = SeededRandom(seed: event.seed)
        trace.note(6, UInt64(event.kind.rawValue), UInt64(timeline.nanoseconds))
        note("\(event.kind)")
        let place = places[random.number(in: 0..<places.count)]
        let table = random.number(in: 0..<place.tables.count)
        guard place.paginator != nil || event.kind.rawValue >= EventKind.serverInserts.rawValue else { return }
        switch event.kind {
        case .scroll, .fling, .loadNext, .loadPrevious, .refresh, .retry, .jump, .fillGap, .resetList, .cancelLoads,
            .pausePrefetch, .bookmark, .restore, .live:
            guard !place.lists.isEmpty else { return }
            let list = place.lists[random.number(in: 0..<place.lists.count)]
            gesture(event.kind, list, place)
        case .edit: beginEdit(place)
        case .insert: beginInsert(place, table)
        case .fetch: fetchSomething(place, table, isSearch: false)
        case .search: fetchSomething(place, table, isSearch: true)
        case .cancel: cancelSomething()
        case .fetchAround: fetchAroundSomething(place, table)
        case .refreshPage: refreshSomething(place, table)
        case .prefetch: prefetchSomething(place, table)
        case .put: putSomething(place, table)
        case .clear: clearSomething(place, table)
        case .invalidate: invalidateSomething(place, table)
        case .recall: recallSomething(place, table)
        case .look: look(place, table)
        case .trim: call { place.paginator?.trim(toFraction: 0.5) }
        case .suspend: suspend()
        case .flush: flush(place)
        case .clearWhileReading: clearWhileReading(place)
        case .readBehind: readBehind(place, table)
        case .release: release(place)
        case .serverInserts:
            _ = place.tables[table].insert(at: random.chance(0.6) ? 0 : random.number(in: 0..<1_000))
        case .serverRemoves:
            let rows = place.tables[table].rows.count
            guard rows > 0 else { return }
            removed(place.tables[table].remove(at: random.number(in: 0..<rows)), place)
        case .serverRevises:
            let rows = place.tables[table].rows.count
            if rows > 0 { place.tables[table].revise(random.number(in: 0..<rows)) }
        case .connectivity: changeConnectivity()
        case .wallClock:
            lastJump = count
            timeline.jumpWallTime(by: Double(random.number(in: -200_000..<200_000)))
        case .outage:
            outageEnd = timeline.nanoseconds + Int64(random.number(in: 1..<40)) * 1_000_000_000
        case .diskTrouble: troubleDisk()
        case .diskDamage:
            if random.chance(0.15) { disk?.loseFile() } else { disk?.damage(using: &random) }
        case .processDies: die(losesPower: random.chance(0.5))
        case .sleep: timeline.sleep(Int64([2, 15, 100, 4_000][random.number(in: 0..<4)]) * 1_000_000_000)
        }
    }

    private func removed(_ id: Int, _ place: Place) {
        // Somebody else removed it: nobody on the device knows, so nothing is expected of it.
        place.items[id]?.forgetExpectations()
    }

    private func changeConnectivity() {
        let choices: [PaginatorConditions] = [.offline, .weakLink, .lowPower, .background]
        lastConnectivity = timeline.awake
        if !connectivity.conditions.isEmpty { return restoreConnectivity() }
        connectivity.set(choices[random.number(in: 0..<choices.count)])
        // People come back from tunnels.
        timeline.add(at: timeline.nanoseconds + Int64(random.number(in: 1..<30)) * 1_000_000_000) { [unowned self] in
            restoreConnectivity()
        }
    }

    private func restoreConnectivity() {
        connectivity.set([])
        // What could not be refreshed is tried again, each page in an epoch of its own, as after a gesture.
        for place in places {
            for list in place.lists {
                let status = list.list.status
                if status.refresh.isLoading || status.refresh.error != nil || status.staleError != nil {
                    beginEpochs(of: list, in: place)
                }
            }
        }
    }

    private func troubleDisk() {
        let kinds: [StoreFailure.Kind] = [.full, .busy, .readOnly, .inputOutput, .unavailable]
        let kind = kinds[random.number(in: 0..<kinds.count)]
        disk?.fail(kind, for: .milliseconds(random.number(in: 10..<8_000)))
    }

    private func suspend() {
        isSuspended.toggle()
        call {
            for place in places { isSuspended ? place.paginator?.suspend() : place.paginator?.resume() }
        }
    }

    // MARK: - Lists

    func beginEpochs(of list: WorldList, in place: Place) {
        place.beginEpoch(.scope(place.tables[list.table].scope), at: timeline.awake)
    }

    private func gesture(_ kind: EventKind, _ list: WorldList, _ place: Place) {
        let paged = list.list
        let total = paged.snapshot.count
        let size = config.pageSize
        // What may refresh pages begins epochs that only the list knows.
        if kind != .scroll, kind != .fling, kind != .bookmark { beginEpochs(of: list, in: place) }
        call {
            switch kind {
            case .scroll: scroll(list, by: random.number(in: -2..<4))
            case .fling: scroll(list, by: random.number(in: -6 * size..<9 * size))
            case .loadNext:
                list.wantsFirst = true
                paged.loadNext()
            case .loadPrevious: paged.loadPrevious()
            case .refresh: refresh(list, place)
            case .retry: paged.retry()
            case .jump:
                paged.jump(
                    to: key(place, list.table), placement: [.automatic, .start, .end][random.number(in: 0..<3)])
            case .fillGap:
                let gaps = paged.snapshot.gaps
                let position = gaps.isEmpty ? total / 2 : gaps[random.number(in: 0..<gaps.count)]
                paged.fillGap(at: position, fromEnd: !random.chance(0.5))
            case .resetList:
                list.wantsFirst = false
                paged.reset()
            case .cancelLoads:
                list.wantsFirst = false
                paged.cancelLoads()
            case .pausePrefetch:
                list.isPaused ? paged.setPrefetchPaused(false) : paged.setPrefetchPaused(true)
                list.isPaused.toggle()
            case .bookmark: paged.bookmark { bookmark in list.bookmark = bookmark ?? list.bookmark }
            case .restore: if let bookmark = list.bookmark { restore(list, bookmark) }
            case .live:
                let id = place.tables[list.table].insert(at: 0)
                if let item = place.tables[list.table].item(id) { paged.insertLive([item]) }
            default: break
            }
        }
    }

    private func scroll(_ list: WorldList, by rows: Int) {
        let total = list.list.snapshot.count
        list.position = min(max(0, list.position + rows), max(0, total - 8))
        if total == 0 { list.list.loadNext() }
        list.list.hint(visible: list.position..<list.position + 8)
    }

    private func refresh(_ list: WorldList, _ place: Place) {
        let kinds: [PaginatorListRefresh] = [
            .all, .firstPage, .stalePages, .keepingPlace, .page(key(place, list.table)),
        ]
        list.list.refresh(kinds[random.number(in: 0..<kinds.count)])
    }

    func restore(_ list: WorldList, _ bookmark: PaginatorListBookmark) {
        do throws(PaginatorError) {
            try list.list.restore(bookmark)
        } catch {
            fail("a list refused its own bookmark: \(error)")
        }
    }

    /// The key of one of the first pages, seldom one that names nothing.
    func key(_ place: Place, _ table: Int) -> String {
        if random.chance(0.01) { return "nowhere" }
        let page = random.number(in: 0..<6)
        let rows = place.tables[table].rows.count
        guard place.style != .cursor || page * config.pageSize < rows else { return "start" }
        return place.tables[table].key(at: page * config.pageSize, config.pageSize)
    }
}

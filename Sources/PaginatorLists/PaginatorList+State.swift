package import PaginatorCore

extension PaginatorList {
    /// Passes the list's state to `take` for the inspector, after the messages that came before.
    package func readState(_ take: @escaping @Sendable (StateValue) -> Void) {
        engine.post { list in
            let now = list.host.clock.now
            take(list.machine.state(at: now, wakesAt: list.wakesAt.flatMap { $0 > now ? $0 : nil }))
        }
    }
}

extension ListMachine {
    func state(at now: PaginatorInstant, wakesAt: PaginatorInstant? = nil) -> StateValue {
        let (status, shown) = (status(at: now), kept.first ?? self)
        let (pages, edits) = (shown.shownPages, editStates)
        return StateValue([
            "scope": .text(status.scope), "rows": .count(shown.tree.count), "total": status.total.map(StateValue.count),
            "visible": shown.visiblePositions().map { .list([.count($0.first), .count($0.last)]) },
            "windowItems": config.windowItems.map(StateValue.count), "next": .text(status.next.name),
            "previous": .text(status.previous.name), "refresh": .text(status.refresh.name),
            "pendingEdits": .count(pending.count), "prefetchDistance": .count(prefetchDistance(at: .end)),
            "newAbove": .count(status.newAbove), "newBelow": .count(status.newBelow),
            "gaps": .list(
                shown.tree.gaps.prefix(StateValue.mostShown).map { row in
                    StateValue(["row": .count(row), "state": .text((status.gaps[row] ?? .idle).name)])
                }),
            "slots": .list(shown.pageStates(pages.shown, at: now)), "slotsBefore": .some(pages.before),
            "slotsAfter": .some(pages.after), "edits": .list(Array(edits.prefix(StateValue.mostShown))),
            "editsLeftOut": .some(edits.count - StateValue.mostShown),
            "timers": .list(
                wakesAt.map { due in
                    let isStaleTime = shown.visibleState(at: now).staleTime == due
                    let purpose = isStaleTime ? "a page becomes stale" : "what failed is tried again"
                    return [StateValue(["purpose": .text(purpose), "due": .instant(due)])]
                } ?? []),
        ])
    }

    // Pending edits in the order in which they began. Only called while a message of the list is handled, because the
    // text of an identity is user code.
    private var editStates: [StateValue] {
        pending.flatMap { id, edits in edits.map { (id: id, edit: $0) } }.sorted { $0.edit.token < $1.edit.token }
            .map { id, edit in
                let change = edit.insert != nil ? "inserted" : edit.removes ? "removed" : "changed"
                return StateValue(["item": .text(id.text), "change": .text(change)])
            }
    }

    private enum Page {
        case dropped(DroppedPage)
        case loaded(Int)
    }

    // The pages in order, with those that the window dropped at both ends. If there are too many, those around the
    // visible one.
    private var shownPages: (shown: ArraySlice<Page>, before: Int, after: Int) {
        let ranks = seats.keys.sorted()
        let all = droppedBefore.map(Page.dropped) + ranks.map(Page.loaded) + droppedAfter.reversed().map(Page.dropped)
        guard all.count > StateValue.mostShown else { return (all[...], 0, 0) }
        let row = visiblePositions()?.first ?? 0
        let place = ranks.lastIndex { (tree.place(of: $0)?.before.rows ?? .max) <= row } ?? 0
        let first = min(
            max(0, droppedBefore.count + place - StateValue.mostShown / 2), all.count - StateValue.mostShown)
        return (all[first..<first + StateValue.mostShown], first, all.count - first - StateValue.mostShown)
    }

    private func pageStates(_ pages: ArraySlice<Page>, at now: PaginatorInstant) -> [StateValue] {
        let loading = Set(running.values.map(\.identity))
        let failed = Set(failures.map(\.load.identity))
        func dropped(_ page: DroppedPage) -> StateValue {
            StateValue([
                "page": .page(page.identity), "count": page.ids.map { .count($0.count) },
                "state": .text(loading.contains(page.identity) ? "loading" : "dropped"),
            ])
        }
        func loaded(_ rank: Int) -> StateValue? {
            guard let seat = seats[rank] else { return nil }
            let (place, isStale) = (tree.place(of: rank), seat.staleFrom.map { $0 <= now } ?? false)
            let state =
                loading.contains(seat.identity)
                ? "loading"
                : failed.contains(seat.identity) || seat.refreshError != nil ? "failed" : isStale ? "stale" : "fresh"
            return StateValue([
                "page": .page(seat.identity), "first": place.map { .count($0.before.rows) },
                "count": .count(place?.payload.rows.count ?? 0), "state": .text(state),
                "pinned": .flag(config.windowItems != nil),
                "since": .instant(seat.stamp.time), "partial": .flag(seat.isPartial),
            ])
        }
        return pages.compactMap { page in
            switch page {
            case .dropped(let page): dropped(page)
            case .loaded(let rank): loaded(rank)
            }
        }
    }
}

extension PaginatorLoadState {
    fileprivate var name: String {
        switch self {
        case .idle: "idle"
        case .loading: "loading"
        case .failed(let error): "failed: \(error.code.rawValue)"
        case .endReached: "endReached"
        }
    }
}

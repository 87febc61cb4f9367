import PaginatorCore
import PaginatorLists
import PaginatorStorage
import PaginatorTesting

// The end of a world: everything is healed, and nothing may be left waiting.
extension World {
    func finish() {
        note("everything is healed")
        isHealed = true
        disk?.heal()
        connectivity.set([])
        if isSuspended { resume() }
        settle()
        guard failures.isEmpty else { return }
        checkRest()
        guard failures.isEmpty else { return }
        reloadLists()
        guard failures.isEmpty else { return }
        checkRest()
        for place in places { flush(place) }
        settle()
        end()
    }

    private func resume() {
        isSuspended = false
        call { for place in places { place.paginator?.resume() } }
    }

    /// Lets everything run that still wants to; it has to come to an end.
    private func settle() {
        let start = timeline.nanoseconds
        let bound = start + Duration.minutes(30).wholeNanoseconds
        while failures.isEmpty, let next = timeline.next, next < bound {
            step()
            checkStep()
        }
        // A list may still wait for the time when its pages become stale, which a jump of the wall clock puts off by days.
        // That comes to an end: nothing sets the timer again and again.
        var steps = 0
        while failures.isEmpty, timeline.next != nil {
            step()
            checkStep()
            steps += 1
            if steps == 2_000 { fail("after half an hour something still runs") }
        }
    }

    /// Nobody was forgotten, and nothing is held.
    private func checkRest() {
        for number in openFetches.sorted() {
            fail("fetch \(number) of \(fetches[number].request.identity) never ended")
        }
        for number in openArounds.sorted() { fail("fetch around a page \(number) never ended") }
        for number in openPrefetches.sorted() { fail("prefetch \(number) never ended") }
        for (number, fetch) in fetches.enumerated() where fetch.ends > 1 {
            fail("fetch \(number) ended \(fetch.ends) times")
        }
        if let scheduler, scheduler.runningAttempts != 0 || scheduler.queuedTasks != 0 {
            fail(
                "the scheduler still has work: \(scheduler.runningAttempts) run, \(scheduler.queuedTasks) wait or back off"
            )
        }
        for place in places {
            guard let engine = place.paginator?.engine else { continue }
            for problem in engine.invariantViolations() { fail(problem) }
            if !engine.isIdle { fail("the machine still has work: \(place.paginator?.dump() ?? "")") }
            for list in place.lists {
                check(list, in: place, isWhole: true)
                let status = list.list.status
                if list.wantsFirst, !status.hasLoaded, status.refresh.error == nil {
                    fail("a list forgot that its first page did not come")
                }
                if status.next.isLoading || status.refresh.isLoading {
                    fail("a list still loads though nothing runs")
                }
            }
            if !place.openEdits.isEmpty { fail("an edit was never settled") }
        }
        checkDisk()
        if openFlushes != 0 { fail("\(openFlushes) flushes were not answered") }
        if let store, store.pendingChanges > 0 { fail("\(store.pendingChanges) changes are not in the file") }
    }

    /// With all caches marked stale, every list loads what the server has, to its end.
    private func reloadLists() {
        // What the scheduler holds against the source is forgotten by then; else stale pages would serve as fallback.
        timeline.wait(until: timeline.nanoseconds + Duration.minutes(3).wholeNanoseconds)
        for place in places {
            invalidate(.all, place)
            call {
                for list in place.lists {
                    list.list.reset()
                    if list.isPaused { list.list.setPrefetchPaused(false) }
                }
            }
        }
        var waiting = places.flatMap { place in place.lists.map { (place, $0) } }
        for _ in 0..<600 where failures.isEmpty && !waiting.isEmpty {
            call {
                for (_, list) in waiting {
                    let status = list.list.status
                    if status.next.error != nil || status.refresh.error != nil {
                        list.list.retry()
                    } else {
                        list.list.loadNext()
                    }
                }
            }
            settle()
            waiting.removeAll { $0.1.list.status.next == .endReached }
        }
        for (place, list) in waiting {
            fail("a list of \(place.style) pages never reached its end: \(list.list.status)")
        }
        for place in places { for list in place.lists { checkComplete(list, place) } }
    }

    /// A list shows exactly what the server has.
    private func checkComplete(_ list: WorldList, _ place: Place) {
        let table = place.tables[list.table]
        var expected = table.ids
        if place.style == .named { expected = Array(expected.prefix(ServerTable.names.count * config.pageSize)) }
        let shown = list.list.snapshot
        // A window shows the end of the list alone.
        let visible = list.hasWindow ? Array(expected.suffix(shown.count)) : expected
        // By its iterator: a position is looked for from the root.
        guard shown.elementsEqual(visible, by: { $0.id == $1 }) else {
            fail(
                "a list of \(place.style) pages shows \(shown.count) rows, not the server's \(visible.count): "
                    + "\(shown.map(\.id).prefix(30)), not \(visible.prefix(30))")
            return
        }
        for item in shown {
            guard let now = table.item(item.id) else { continue }
            if now.revision != item.revision || now.edits != item.edits {
                fail("item \(item.id) shows revision \(item.revision) and edits \(item.edits), the server has \(now)")
            }
        }
    }

    /// Lets go of everything; nothing may stay.
    private func end() {
        guard failures.isEmpty else { return }
        for place in places {
            let gone = WeakPaginator(place.paginator)
            call { leave(place) }
            released.append(gone)
        }
        scheduler = nil
        store = nil
        settle()
        fetches = []
        arounds = []
        prefetches = []
        process?.die()
        if released.contains(where: { $0.paginator != nil }) { fail("a paginator leaked") }
    }
}

/// A paginator that ought to be gone.
struct WeakPaginator {
    weak var paginator: CallbackPaginator<SimulatedItem>?

    init(_ paginator: CallbackPaginator<SimulatedItem>?) { self.paginator = paginator }
}

import PaginatorCore
import PaginatorLists
import PaginatorTesting

// What must hold between any two steps.
extension World {
    /// Checks one place after another: what is cheap after each step, the whole state now and then.
    func checkStep() {
        rotation += 1
        let place = places[rotation % places.count]
        guard let paginator = place.paginator else { return }
        if rotation % config.deepCheckInterval == 0 {
            checkDeeply(place, paginator)
        } else if rotation % 4 == 0 {
            checkLimits(place, paginator)
        }
    }

    private func checkLimits(_ place: Place, _ paginator: CallbackPaginator<SimulatedItem>) {
        let usage = paginator.engine.memoryUsage
        let pages = usage.all.pages
        if pages > config.memoryPages, pages > max(config.memoryPages, usage.pinned.pages + 1) {
            fail("\(pages) pages in memory")
        }
        if let running = scheduler?.runningAttempts, running > config.maxParallelCalls {
            fail("\(running) attempts at once")
        }
    }

    private func checkDeeply(_ place: Place, _ paginator: CallbackPaginator<SimulatedItem>) {
        checkLimits(place, paginator)
        for problem in paginator.engine.invariantViolations() { fail(problem) }
        for problem in scheduler?.invariantViolations() ?? [] { fail(problem) }
        for list in place.lists { check(list, in: place, isWhole: false) }
    }

    /// An observer of a list was told something.
    func updated(
        place number: Int, generation: Int, list index: Int, _ update: PaginatorListUpdate<SimulatedItem, Int>
    ) {
        count += 1
        if callDepth > 0 { fail("a callback ran inside a call") }
        let place = places[number]
        guard place.generation == generation, place.lists.indices.contains(index) else { return }
        let list = place.lists[index]
        trace.note(13, UInt64(list.number), UInt64(update.snapshot.count))
        update.difference.apply(to: &list.shown)
        if list.shown.count != update.snapshot.count {
            fail("a difference gives \(list.shown.count) rows, the snapshot has \(update.snapshot.count)")
            return
        }
        guard config.deepCheckInterval < 32 || random.chance(0.02) else { return }
        if !list.shown.elementsEqual(update.snapshot) { fail("a difference gives other rows than the snapshot has") }
        check(list, in: place, isWhole: true)
    }

    /// A list shows each item once, with the edits that it must have.
    func check(_ list: WorldList, in place: Place, isWhole: Bool) {
        if isWhole || config.deepCheckInterval < 32 {
            list.list.checkInvariants { [unowned self] problems in
                for problem in problems { fail(problem) }
            }
        }
        let rows = list.list.snapshot
        if isWhole {
            var ids = Set<Int>(minimumCapacity: rows.count)
            for item in rows {
                if !ids.insert(item.id).inserted { fail("item \(item.id) is shown twice") }
                check(item, in: place)
            }
        } else if !rows.isEmpty {
            check(rows[Int(trace.value % UInt64(rows.count))], in: place)
        }
    }
}

import PaginatorCore
import PaginatorLists
import PaginatorStorage
import PaginatorTesting

// What must hold of every answer.
extension World {
    func previewed(_ number: Int, _ page: FetchedPage<SimulatedItem>) {
        enterCallback()
        let fetch = fetches[number]
        fetches[number].previews += 1
        if fetch.ends > 0 { fail("a preview came after the answer") }
        if fetch.isCancelled { fail("a preview came after cancel returned") }
        if fetch.previews > 0 { fail("a second preview came") }
        if fetch.request.policy != .staleWhileRevalidate { fail("a preview came under another policy") }
        if !page.isStale { fail("a fresh page came as a preview") }
        check(page, is: fetch.request.identity, in: places[fetch.place])
        actInside(places[fetch.place])
    }

    func ended(_ number: Int, _ result: Result<FetchedPage<SimulatedItem>, PaginatorError>) {
        enterCallback()
        let fetch = fetches[number]
        let place = places[fetch.place]
        fetches[number].ends += 1
        fetches[number].execution = nil
        openFetches.remove(number)
        if fetch.ends > 0 { fail("fetch \(number) ended twice") }
        // A timer may be of use to several who wait, and stands still while the device sleeps.
        let latest = config.fetchTimeout.wholeNanoseconds + 8 * config.longDelay.wholeNanoseconds
        if timeline.awake - fetch.awake > latest { fail("fetch \(number) ended long after its deadline") }
        switch result {
        case .success(let page):
            trace.note(9, UInt64(number), UInt64(page.page.content.count))
            note("fetch \(number) of \(fetch.request.identity): \(page.origin)")
            if fetch.isCancelled { fail("a page came after cancel returned") }
            if fetch.request.key == "" { fail("a page came for the empty key") }
            // An answer that was decided before the release may come after it.
            guard fetch.generation == place.generation else { return }
            check(page, is: fetch.request.identity, in: place)
            check(page, answers: fetch, in: place)
        case .failure(let error):
            trace.note(10, UInt64(number), UInt64(truncatingIfNeeded: error.attempts))
            note("fetch \(number) of \(fetch.request.identity): \(error.code)")
            check(error, answers: fetch, in: place)
        }
        actInside(place)
    }

    private func check(_ error: PaginatorError, answers fetch: DirectFetch, in place: Place) {
        if (error.code == .cancelled) != fetch.isCancelled { fail("a fetch ended with \(error.code)") }
        if error.code == .notInCache, fetch.request.policy != .cacheOnly { fail("not in cache under another policy") }
        if error.code == .superseded, fetch.request.debounce == nil { fail("superseded without a debounce key") }
        if error.code == .released, fetch.generation == place.generation, place.paginator != nil {
            fail("released while the paginator lives")
        }
        guard let survivor = fetch.survivor, error.code == .notInCache, isStoreTrusted,
            survivor >= Place.last(place.recalls, fetch.request.identity) ?? 0, disk?.failedReads == fetch.failedReads,
            fetch.clearedAt == 0,
            // With a paginator that was released, what it has cleared is forgotten here.
            fetch.generation == place.generation, place.paginator != nil,
            // A store has five seconds for a read, and those that the device sleeps count.
            timeline.asleep - fetch.asleep < 2_500_000_000,
            Place.last(place.clears, fetch.request.identity) ?? 0 < fetch.startedAt,
            !isClearedElsewhere(fetch.request.identity, from: place)
        else { return }
        fail("the page \(fetch.request.identity) that the store was given is gone")
    }

    func aroundDelivered(_ number: Int, _ page: FetchedPage<SimulatedItem>, _ distance: Int) {
        enterCallback()
        let around = arounds[number]
        if around.isCancelled { fail("a neighbor came after cancel returned") }
        if around.ends > 0 { fail("a neighbor came after the end") }
        if around.distances.isEmpty != (distance == 0) { fail("the asked page did not come first") }
        func rank(_ distance: Int) -> Int { distance > 0 ? 2 * distance - 1 : -2 * distance }
        if let last = around.distances.last, rank(last) >= rank(distance) { fail("\(distance) came after \(last)") }
        arounds[number].distances.append(distance)
        if around.keys.contains(where: { $0.hasSameBytes(as: page.page.key) }) { fail("a key came twice") }
        arounds[number].keys.append(page.page.key)
        let asked = around.request.page.identity
        let identity =
            distance == 0 ? asked : PageIdentity(key: page.page.key, pageSize: asked.pageSize, scope: asked.scope)
        guard around.generation == places[around.place].generation else { return }
        check(page, is: identity, in: places[around.place])
        actInside(places[around.place])
    }

    func aroundEnded(_ number: Int, _ result: Result<AroundSummary, PaginatorError>) {
        enterCallback()
        let around = arounds[number]
        if around.ends > 0 { fail("a fetch around a page ended twice") }
        arounds[number].ends += 1
        arounds[number].execution = nil
        openArounds.remove(number)
        switch result {
        case .success(let summary):
            trace.note(11, UInt64(number), UInt64(summary.delivered.count))
            if around.isCancelled { fail("a cancelled fetch around a page succeeded") }
            if summary.delivered != around.distances { fail("the summary does not tell what came") }
        case .failure(let error):
            trace.note(12, UInt64(number))
            if (error.code == .cancelled) != around.isCancelled {
                fail("a fetch around a page ended with \(error.code)")
            }
        }
        actInside(places[around.place])
    }

    func prefetchEnded(_ number: Int, _ summary: PrefetchSummary) {
        enterCallback()
        let prefetch = prefetches[number]
        if prefetch.ends > 0 { fail("a prefetch ended twice") }
        prefetches[number].ends += 1
        prefetches[number].execution = nil
        openPrefetches.remove(number)
        trace.note(13, UInt64(number), UInt64(summary.loaded.count))
        let told = summary.loaded + summary.fresh + summary.unfinished
        let failed = Set(summary.failed.keys)
        if Set(told).count != told.count { fail("a prefetch tells of a page twice") }
        if Set(told).union(failed).count > prefetch.pages { fail("a prefetch tells of too many pages") }
        if !prefetch.asked.isSubset(of: failed.union(told)) { fail("a prefetch does not tell of a page") }
        // The two are beside each other only where a walk cannot go on from a page.
        let named = summary.failed.filter { told.contains($0.key) }
        if named.values.contains(where: { !prefetch.isWalk || ($0.code != .repeatedKey && $0.code != .invalidKey) }) {
            fail("a page has come and failed")
        }
        let place = places[prefetch.place]
        guard prefetch.generation == place.generation, place.paginator != nil else { return }
        for page in summary.unfinished where prefetch.isUnlimited && !prefetch.isCancelled {
            let cleared = Place.last(place.clears, page) ?? -1
            if cleared < prefetch.startedAt { fail("a prefetch gave up \(page) for no reason") }
        }
        actInside(place)
    }

    private func enterCallback() {
        count += 1
        if callDepth > 0 { fail("a callback ran inside a call") }
    }

    /// Calls the paginator from inside a callback now and then.
    private func actInside(_ place: Place) {
        guard reentrantCalls == 0, random.chance(config.callsFromCallbacks), let paginator = place.paginator else {
            return
        }
        reentrantCalls += 1
        defer { reentrantCalls -= 1 }
        switch random.number(in: 0..<4) {
        case 0: fetchSomething(place, 0, isSearch: false)
        case 1: if let number = openFetches.max() { cancel(number) }
        case 2: if let list = place.lists.first { call { list.list.loadNext() } }
        default: _ = call { paginator.peek(key: key(place, 0), pageSize: config.pageSize) }
        }
    }

    /// A page is of the identity that was asked for, good, and has the edits it must have.
    func check(_ page: FetchedPage<SimulatedItem>, is identity: PageIdentity, in place: Place) {
        if !page.page.key.hasSameBytes(as: identity.key) { fail("asked for \(identity), got \(page.page.key)") }
        for item in page.page.content {
            if item.page != 0, item.page != identity.stableHash { fail("asked for \(identity), got another page") }
            if !item.verdict.isGood { fail("a page came that the validator refuses") }
            if !place.items.isEmpty { check(item, in: place) }
        }
    }

    /// A page is one that the fetch may be answered with.
    private func check(_ page: FetchedPage<SimulatedItem>, answers fetch: DirectFetch, in place: Place) {
        let identity = fetch.request.identity
        switch fetch.request.policy {
        case .cacheOnly? where page.origin == .source: fail("cache-only was answered by the source")
        case .networkOnly? where page.origin != .source: fail("network-only was answered by a cache")
        default: break
        }
        if page.isStale, page.origin != .source, page.refreshError == nil {
            switch fetch.request.policy {
            case nil, .cacheFirst?, .staleWhileRevalidate?: fail("a stale page came as the answer")
            default: break
            }
        }
        guard let made = PageFactsRead(page.page)?.made else { return }
        let cleared = Place.last(place.clears, identity) ?? 0
        if cleared < fetch.startedAt, made < cleared {
            fail("a page from before a clear answered a later fetch of \(identity) (\(page.origin))")
        }
        let invalidated = Place.last(place.invalidations, identity) ?? 0
        if invalidated < fetch.startedAt, made < invalidated, !page.isStale {
            fail("an invalidated page came as fresh for \(identity) (\(page.origin))")
        }
        if page.origin != .source {
            let put = Place.last(place.puts, identity) ?? 0
            if put < fetch.startedAt, made < put { fail("a page from before a put answered a later fetch") }
            let recalled = Place.last(place.recallTimes, identity) ?? 0
            if made < Place.last(place.recalls, identity) ?? 0,
                recalled + 2 * config.fetchTimeout.wholeNanoseconds < timeline.awake
            {
                fail("a page came from a cache that the validator refuses by now (\(page.origin), made \(made))")
            }
        }
        if page.origin != .source, made < fetch.clearedAt { fail("a cleared page answered a fetch that waited") }
        if fetch.isRefresh, made < fetch.startedAt { fail("a refresh was answered with an older page") }
        if let survivor = fetch.survivor, made < survivor { fail("the store has an older page than it was given") }
        if page.origin != .source, !page.isStale, made > lastJump, let expiration = page.page.expirationTime,
            // What was judged before the device slept may be told after.
            expiration.timeIntervalSinceReferenceDate + config.fetchTimeout.inSeconds
                + Double(timeline.asleep - fetch.asleep) * 1e-9 < timeline.wallSeconds
        {
            fail("an expired page came as fresh")
        }
    }

    /// What is written to disk is good, and written under its own name.
    func checkSaved(_ record: PageRecord) {
        for item in items(of: record) where item.page != 0 {
            if !item.verdict.isGood { fail("a bad page was written to disk") }
            if item.page != record.identity.stableHash { fail("a page was written under another identity") }
            return
        }
    }

    /// What is left on disk in the end was not cleared since, is marked stale if it was, and has every edit.
    func checkDisk() {
        for record in disk?.records() ?? [] where record.isIntact {
            guard let place = places.first(where: { record.identity.scope.hasPrefix("p\($0.number)/") }) else {
                fail("a page of an unknown scope is on disk")
                return
            }
            let items = items(of: record)
            for item in items { check(item, in: place, isBare: true) }
            guard let made = items.first(where: { $0.page != 0 })?.made else { continue }
            if made < Place.last(place.clears, record.identity) ?? 0 { fail("a cleared page is left on disk") }
            if made < Place.last(place.invalidations, record.identity) ?? 0, !record.isInvalidated {
                fail("an invalidated page is fresh on disk")
            }
        }
    }

    private func items(of record: PageRecord) -> [SimulatedItem] {
        do {
            return try SimulatedCodec().decode(record.content)
        } catch {
            fail("what was written cannot be read")
            return []
        }
    }

    /// Whether another place has cleared the page from the store that both share.
    func isClearedElsewhere(_ identity: PageIdentity, from place: Place) -> Bool {
        storeClears.contains { $0.place != place.number && $0.selection.contains(identity) }
    }

    /// A flush has succeeded: what had been committed when it was asked for outlives a loss of power.
    func checkDurable(_ commits: Int) {
        guard let disk, disk.durableCommits < commits else { return }
        fail("a flush was answered before what was written is on disk for good")
    }

    /// A flush has succeeded: what memory had when it was asked for is on disk for good.
    func checkFlushed(_ pages: [(identity: PageIdentity, made: Int)], since count: Int, in place: Place) {
        guard isStoreTrusted, let disk else { return }
        for (identity, made) in pages where Place.last(place.clears, identity) ?? 0 < count {
            guard !isClearedElsewhere(identity, from: place) else { continue }
            // The validator may have it removed at any time.
            guard made >= Place.last(place.recalls, identity) ?? 0 else { continue }
            guard let record = disk.lookDurable(identity), record.isIntact else {
                fail("the page \(identity) is not on disk for good after a flush")
                return
            }
            if let written = items(of: record).first(where: { $0.page != 0 })?.made, written < made {
                fail("an older page of \(identity) is on disk for good after a flush")
            }
            place.survivors.removeAll { $0.identity == identity }
            place.survivors.append((identity, made))
            if place.survivors.count > 20 { place.survivors.removeFirst() }
        }
    }
}

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

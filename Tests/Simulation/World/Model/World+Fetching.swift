import PaginatorCore
import PaginatorTesting

// What the world does to paginators.
extension World {
    func request(_ place: Place, _ table: Int) -> PageRequest {
        let size = random.chance(0.1) ? 2 * config.pageSize : config.pageSize
        var request = PageRequest(key: key(place, table), pageSize: size, scope: place.tables[table].scope)
        request.priority = FetchPriority.allCases[random.number(in: 0..<3)]
        let policies: [FetchPolicy?] = [
            nil, .cacheFirst, .cacheOnly, .networkOnly, .networkFirst, .networkFirst(fallbackAfter: .seconds(2)),
            .staleWhileRevalidate,
        ]
        request.policy = policies[random.number(in: 0..<policies.count)]
        if random.chance(0.1) { request.timeout = .seconds(random.number(in: 1..<4)) }
        return request
    }

    /// Starts a fetch, and returns its number.
    @discardableResult
    func begin(_ place: Place, _ request: PageRequest, isRefresh: Bool) -> Int {
        let number = fetches.count
        fetches.append(
            DirectFetch(
                place: place.number, generation: place.generation, request: request, startedAt: count,
                isRefresh: isRefresh, awake: timeline.awake, asleep: timeline.asleep))
        openFetches.insert(number)
        note("fetch \(number) of \(request.identity) under \(request.policy.map { "\($0)" } ?? "no policy")")
        let listener = WorldListener(self, number)
        if isRefresh { place.beginEpoch(.identity(request.identity), at: timeline.awake) }
        fetches[number].execution = call {
            isRefresh
                ? place.paginator?.refresh(request, listener: listener)
                : place.paginator?.fetch(request, listener: listener)
        }
        return number
    }

    func fetchSomething(_ place: Place, _ table: Int, isSearch: Bool) {
        var request = request(place, table)
        if isSearch { request.debounce = DebounceKey("search", delay: .milliseconds(300)) }
        begin(place, request, isRefresh: false)
    }

    func refreshSomething(_ place: Place, _ table: Int) {
        var request = request(place, table)
        request.policy = .networkOnly
        begin(place, request, isRefresh: true)
    }

    func fetchAroundSomething(_ place: Place, _ table: Int) {
        let number = arounds.count
        let request = AroundRequest(
            page: request(place, table), depthLevel: random.number(in: 0..<4),
            direction: PageFetchDirection.allCases[random.number(in: 0..<3)])
        arounds.append(AroundFetch(place: place.number, generation: place.generation, request: request))
        openArounds.insert(number)
        arounds[number].execution = call {
            place.paginator?.fetchAround(request, listener: WorldAroundListener(self, number))
        }
    }

    func cancelSomething() {
        if random.chance(0.2), let number = openArounds.sorted().last {
            if call({ arounds[number].execution?.cancel() ?? false }) { arounds[number].isCancelled = true }
        } else if random.chance(0.2), let number = openPrefetches.sorted().last {
            if call({ prefetches[number].execution?.cancel() ?? false }) { prefetches[number].isCancelled = true }
        } else if !openFetches.isEmpty {
            let open = openFetches.sorted()
            cancel(open[random.number(in: 0..<open.count)])
        }
    }

    func cancel(_ number: Int) {
        if call({ fetches[number].execution?.cancel() ?? false }) { fetches[number].isCancelled = true }
    }

    /// Pages, or a walk, under conditions that come back, with limits or without.
    func prefetchSomething(_ place: Place, _ table: Int) {
        let (scope, size) = (place.tables[table].scope, config.pageSize)
        let isWalk = random.chance(0.4)
        let keys = isWalk ? [key(place, table)] : [key(place, table), key(place, table), ""]
        let pages = isWalk ? random.number(in: 1..<5) : keys.count
        var request =
            isWalk
            ? PrefetchRequest(
                from: keys[0], pages: pages, pageSize: size,
                direction: PageFetchDirection.allCases[random.number(in: 0..<3)], scope: scope)
            : PrefetchRequest(keys: keys, pageSize: size, scope: scope)
        for condition in [PaginatorConditions.background, .weakLink, .lowPower] where random.chance(0.3) {
            request.allows.insert(condition)
        }
        if random.chance(0.3) { request.requires = .idle }
        if random.chance(0.2) { request.maxBytes = random.number(in: 0..<2_000) }
        if random.chance(0.2) { request.timeout = .seconds(random.number(in: 0..<20)) }
        let number = prefetches.count
        let asked = Set(keys.map { PageIdentity(key: $0, pageSize: size, scope: scope) })
        prefetches.append(
            DirectPrefetch(
                place: place.number, generation: place.generation, asked: asked, pages: pages, isWalk: isWalk,
                isUnlimited: request.maxBytes == nil && request.timeout == nil, startedAt: count))
        openPrefetches.insert(number)
        // All of the world runs on one thread.
        nonisolated(unsafe) let told: (PrefetchSummary) -> Void = { [unowned self] in prefetchEnded(number, $0) }
        let made = call { [request] in place.paginator?.prefetch(request) { told($0) } }
        prefetches[number].execution = prefetches[number].ends == 0 ? made : nil
        if made == nil { openPrefetches.remove(number) }
    }

    func putSomething(_ place: Place, _ table: Int) {
        let identity = request(place, table).identity
        let verdicts: [SimulatedItem.Verdict] = [.accept, .accept, .useButRefresh, .dropAndReload, .fail]
        let verdict = verdicts[random.number(in: 0..<verdicts.count)]
        guard
            let page = place.tables[table].page(identity, made: count, verdict: verdict, expiresAt: nil),
            let paginator = place.paginator
        else { return }
        let isGood = page.content.isEmpty || verdict.isGood
        if isGood { place.beginEpoch(.identity(identity), at: timeline.awake) }
        let wasPut: Bool = call {
            do throws(PaginatorError) {
                try paginator.prime(page, pageSize: identity.pageSize, scope: identity.scope)
                return true
            } catch {
                return false
            }
        }
        if isGood { place.puts[.identity(identity)] = count }
        if wasPut != isGood { fail("put of a page judged \(verdict) returned \(wasPut)") }
    }

    func clearSomething(_ place: Place, _ table: Int) {
        clear(selection(around: request(place, table).identity), place)
    }

    /// What a clear of a page names: mostly its key, seldom more.
    func selection(around identity: PageIdentity) -> PageSelection {
        switch random.number(in: 0..<6) {
        case 0: .all
        case 1: .scope(identity.scope)
        default: .key(identity.key)
        }
    }

    func clear(_ selection: PageSelection, _ place: Place) {
        guard let paginator = place.paginator else { return }
        place.clears[selection] = count
        place.beginEpoch(selection, at: timeline.awake)
        storeClears.append((place.number, selection))
        for place in places { place.survivors.removeAll { selection.contains($0.identity) } }
        call {
            switch selection {
            case .all: paginator.clearAll()
            case .scope(let scope): paginator.clear(scope: scope)
            case .key(let key): paginator.clear(key: key)
            case .identity: break
            }
        }
        endEdits(place, clearedBy: selection)
        for cached in paginator.engine.cachedPages(in: selection) {
            fail("the cleared page \(cached) is in memory after the call")
        }
        let waiting = paginator.engine.waitingTickets
        for number in openFetches.sorted() where fetches[number].place == place.number {
            guard let ticket = fetches[number].execution as? FetchTicket, waiting.contains(ticket.id) else { continue }
            if selection.contains(fetches[number].request.identity) { fetches[number].clearedAt = count }
        }
    }

    func invalidateSomething(_ place: Place, _ table: Int) {
        let identity = request(place, table).identity
        invalidate(random.chance(0.5) ? .identity(identity) : .key(identity.key), place)
    }

    func invalidate(_ selection: PageSelection, _ place: Place) {
        place.invalidations[selection] = count
        place.beginEpoch(selection, at: timeline.awake)
        call { place.paginator?.invalidate(selection) }
    }

    /// From now on the validator refuses cached pages that are older.
    func recallSomething(_ place: Place, _ table: Int) {
        let selection = PageSelection.key(request(place, table).key)
        note("recall of \(selection) at \(place.number), count \(count)")
        place.recalls[selection] = count
        place.recallTimes[selection] = timeline.awake
        place.survivors.removeAll { selection.contains($0.identity) }
    }

    func look(_ place: Place, _ table: Int) {
        guard let paginator = place.paginator else { return }
        let identity = request(place, table).identity
        call {
            if let page = paginator.peek(key: identity.key, pageSize: identity.pageSize, scope: identity.scope) {
                check(page, is: identity, in: place)
                let made = PageFactsRead(page.page)?.made
                if let made, made < Place.last(place.clears, identity) ?? 0 {
                    fail("a page from before a clear is cached")
                }
                // Exactly, also right after the device slept.
                if !page.isStale, let made, made > lastJump, let expiration = page.page.expirationTime,
                    expiration < timeline.wallTime
                {
                    fail("an expired page is shown as fresh")
                }
            }
            paginator.withPage(key: identity.key, pageSize: identity.pageSize, scope: identity.scope) { page in
                guard let facts = PageFactsRead(page) else { return }
                if !facts.verdict.isGood { fail("a bad page was lent") }
                if facts.made < Place.last(place.recalls, identity) ?? 0 {
                    fail("a page was lent that the validator refuses by now")
                }
            }
            _ = paginator.state(of: identity)
        }
    }

    /// Asks for a flush, and remembers what it covers.
    func flush(_ place: Place) {
        guard let paginator = place.paginator else { return }
        let mark = FlushMark(count: count, items: place.items)
        var expected: [(identity: PageIdentity, made: Int)] = []
        if isStoreTrusted {
            for identity in paginator.engine.cachedPages(in: .all).prefix(8) {
                let page = paginator.peek(key: identity.key, pageSize: identity.pageSize, scope: identity.scope)
                guard let page, let facts = PageFactsRead(page.page) else { continue }
                guard !isClearedElsewhere(identity, from: place) else { continue }
                expected.append((identity, facts.made))
            }
        }
        let (generation, pages) = (place.generation, expected)
        let commits = disk?.commits ?? 0
        call {
            openFlushes += 1
            let process = timeline.livingProcess
            paginator.flush { [unowned self, unowned place] result in
                if process == timeline.livingProcess { openFlushes -= 1 }
                // What a paginator has cleared is forgotten here with its release.
                guard case .success = result, place.generation == generation, place.paginator != nil else { return }
                checkDurable(commits)
                if mark.count > place.flushed.count { place.flushed = mark }
                checkFlushed(pages, since: mark.count, in: place)
            }
        }
    }
}

/// Hands what a fetch delivers to the world.
///
/// `@unchecked Sendable`: everything runs on the thread of the world.
final class WorldListener: PaginatorFetchListener<SimulatedItem>, @unchecked Sendable {
    private unowned let world: World
    private let number: Int

    init(_ world: World, _ number: Int) {
        self.world = world
        self.number = number
    }

    override func fetchDidPreview(_ page: FetchedPage<SimulatedItem>) { world.previewed(number, page) }

    override func fetchDidEnd(_ result: Result<FetchedPage<SimulatedItem>, PaginatorError>) {
        world.ended(number, result)
    }
}

/// Hands what a fetch around a page delivers to the world.
///
/// `@unchecked Sendable`: everything runs on the thread of the world.
final class WorldAroundListener: PaginatorFetchAroundListener<SimulatedItem>, @unchecked Sendable {
    private unowned let world: World
    private let number: Int

    init(_ world: World, _ number: Int) {
        self.world = world
        self.number = number
    }

    override func fetchAroundDidDeliver(_ page: FetchedPage<SimulatedItem>, at distance: Int) {
        world.aroundDelivered(number, page, distance)
    }

    override func fetchAroundDidEnd(_ result: Result<AroundSummary, PaginatorError>) {
        world.aroundEnded(number, result)
    }
}

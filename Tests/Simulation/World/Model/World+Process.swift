import PaginatorCore
import PaginatorLists
import PaginatorStorage
import PaginatorTesting

// Processes: how they start, and how they die.
extension World {
    func startProcess() {
        let process = SimulatedProcess(timeline)
        self.process = process
        var scheduling = PaginatorSchedulerConfig()
        scheduling.maxParallelCalls = config.maxParallelCalls
        scheduling.waitsForConnectivity = seed % 2 != 0
        if seed % 9 == 4 { scheduling.rateLimit = .init(permits: 20, per: .seconds(1), burst: 5) }
        scheduler = PaginatorScheduler(
            config: scheduling, connectivity: connectivity, clock: timeline,
            randomSeed: seed &+ UInt64(process.number), executor: process)
        isSuspended = false
        openFlushes = 0
        if let disk, let limit = config.storePages {
            var behind = WriteBehindConfig()
            behind.executor = process
            behind.linger = config.linger
            if config.hasTightStore {
                behind.maxBatchChanges = 3
                behind.maxPendingChanges = 6
                behind.leastChangeLimit = 96
            }
            store = PageFileStore(
                file: disk, codec: SimulatedCodec(), evictionStrategy: .lru(maxPages: limit), config: behind)
        }
        storeClears = []
        if let scheduler { recorder?.started(process: process.number, scheduler, store) }
        for place in places { start(place) }
    }

    /// Makes a place's paginator and its lists.
    func start(_ place: Place) {
        guard let process else { return }
        place.generation += 1
        var paging = DefaultPaginatorConfig()
        paging.clock = timeline
        paging.executor = process
        paging.callbackExecutor = process
        paging.scheduler = scheduler
        paging.randomSeed = seed &+ UInt64(place.number)
        let limit: EvictionStrategy =
            place.number % 2 == 0 ? .lru(maxPages: config.memoryPages) : .adaptive(maxPages: config.memoryPages)
        paging.inMemoryEvictionStrategy = config.memoryLifetime.map { limit.and(.timeToLive($0)) } ?? limit
        paging.attemptTimeout = config.attemptTimeout
        paging.fetchTimeout = config.fetchTimeout
        paging.errorStrategy = seed / 2 % 2 == 0 ? .standard : .neverServeCached
        let source = SimulatedSource(
            firstKey: ServerTable.firstKey(place.style), place: place.number, world: self)
        let paginator = CallbackPaginator<SimulatedItem>(
            dataSource: source,
            validator: .closure { [unowned self, unowned place] page, context in
                verdict(page, context, in: place)
            },
            store: store, config: paging)
        place.paginator = paginator
        place.edits = paginator.edits { $0.id }
        for table in place.tables.indices {
            for turn in 0..<config.listsPerScope {
                let number = place.lists.count
                place.lists.append(makeList(place, paginator, table: table, turn: turn, number: number))
            }
        }
        recorder?.started(place)
    }

    private func verdict(
        _ page: PaginatorPage<SimulatedItem>, _ context: ValidationContext, in place: Place
    ) -> PageVerdict {
        guard let facts = PageFactsRead(page) else { return .accept }
        if context.origin != .source, facts.made < Place.last(place.recalls, context.identity) ?? 0 {
            return .dropAndReload
        }
        return facts.verdict.pageVerdict
    }

    private func makeList(
        _ place: Place, _ paginator: CallbackPaginator<SimulatedItem>, table: Int, turn: Int, number: Int
    ) -> WorldList {
        var paging = PaginatorListConfig()
        paging.pageSize = config.pageSize
        paging.scope = place.tables[table].scope
        paging.addressing = place.style == .offset ? .offset : .opaque
        paging.windowItems = (number + Int(seed % 3)) % 3 == 0 ? 5 * config.pageSize : nil
        paging.prefetchDistance = config.pageSize
        let list = PaginatorList(paginator, id: { $0.id }, config: paging)
        let (index, generation) = (place.number, place.generation)
        let observation = list.observe { [unowned self] update in
            updated(place: index, generation: generation, list: number, update)
        }
        return WorldList(
            list, observation, table: table, number: number, generation: generation,
            hasWindow: paging.windowItems != nil)
    }

    /// Kills the process: what it had not written is lost, and with the power everything since the last flush.
    func die(losesPower: Bool) {
        note("the process dies\(losesPower ? " with the power" : "")")
        trace.note(5, losesPower ? 1 : 0)
        process?.die()
        let bookmarks = places.map { place in place.lists.map(\.bookmark) }
        let isTrusted = isStoreTrusted
        for place in places { leave(place) }
        calls = [:]
        openFetches = []
        openArounds = []
        openPrefetches = []
        scheduler = nil
        store = nil
        process = nil
        if losesPower { disk?.losePower() }
        startProcess()
        for (place, bookmarks) in zip(places, bookmarks) {
            for (list, bookmark) in zip(place.lists, bookmarks) where bookmark != nil {
                if let bookmark { restore(list, bookmark) }
            }
            guard isTrusted else {
                place.survivors = []
                continue
            }
            for survivor in place.survivors.prefix(3) { fetchSurvivor(place, survivor.identity, survivor.made) }
        }
    }

    /// Lets go of a place's paginator and of what depends on it; the model forgets what was not flushed.
    func leave(_ place: Place) {
        place.lists = []
        place.edits = nil
        place.paginator = nil
        place.openEdits = []
        place.openInserts = [:]
        let mark = place.flushed
        place.clears = place.clears.filter { $0.value <= mark.count }
        place.invalidations = place.invalidations.filter { $0.value <= mark.count }
        place.puts = place.puts.filter { $0.value <= mark.count }
        for (id, model) in place.items {
            var model = model
            let durable = mark.items[id]
            model.forgetExpectations()
            model.committed = durable?.committed ?? 0
            model.isRemoved = durable?.isRemoved ?? false
            place.items[id] = model
        }
        place.beginEpoch(.all, at: timeline.awake)
    }

    /// Releases a paginator in the middle of everything, and makes another one.
    func release(_ place: Place) {
        call { leave(place) }
        place.survivors = []
        // What the old one has handed to the store gets there first; between two paginators no order is promised.
        let later = timeline.nanoseconds + 3 * config.longDelay.wholeNanoseconds
        timeline.add(at: later, process: timeline.livingProcess) { [unowned self, unowned place] in
            if place.paginator == nil { start(place) }
        }
    }

    /// Whether nothing has happened to the store that lets it lose pages.
    var isStoreTrusted: Bool {
        guard let store, let disk else { return false }
        return disk.losses == 0 && store.statistics.evictions == 0
            && store.statistics.replacedFiles == 0 && !config.hasTightStore
    }

    func fetchSurvivor(_ place: Place, _ identity: PageIdentity, _ made: Int) {
        var request = PageRequest(key: identity.key, pageSize: identity.pageSize, scope: identity.scope)
        request.policy = .cacheOnly
        let number = begin(place, request, isRefresh: false)
        fetches[number].survivor = made
        fetches[number].failedReads = disk?.failedReads ?? 0
    }
}

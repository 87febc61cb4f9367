// Fetches around a page: the machine's side of `AroundProgress`.
extension FetchMachine {
    /// One fetch around a page.
    struct Around: Sendable {
        let ticket: FetchTicket
        let request: AroundRequest
        let startedAt: PaginatorInstant
        var progress: AroundProgress
        /// The waiters by distance.
        var waiters: [Int: UInt64] = [:]
    }

    mutating func fetchAround(_ ticket: FetchTicket, _ request: AroundRequest) {
        report(.fetchStarted, request.page.identity)
        guard !isReleased else {
            report(.fetchEnded, request.page.identity) { $0.error = Self.released }
            return post(ticket, .aroundEnd(.failure(Self.released)))
        }
        let id = ticket.id
        arounds[id] = Around(
            ticket: ticket, request: request, startedAt: now, progress: AroundProgress(request))
        if request.depthLevel > 0 { outbox.unordered.append(.neighborKeys(id, request)) }
        load(request.page, at: 0, of: id)
    }

    mutating func takeNeighborKeys(_ id: UInt64, _ forward: [String], _ backward: [String]) {
        guard let commands = arounds[id]?.progress.computed(forward: forward, backward: backward) else { return }
        perform(commands, of: id)
    }

    mutating func aroundSettled(_ id: UInt64, _ distance: Int, _ outcome: Result<LoadedPage, PaginatorError>) {
        arounds[id]?.waiters[distance] = nil
        guard let commands = arounds[id]?.progress.settled(distance, outcome) else { return }
        perform(commands, of: id)
    }

    mutating func previewAround(_ id: UInt64, _ page: LoadedPage) {
        if let ticket = arounds[id]?.ticket { post(ticket, .preview(page)) }
    }

    private mutating func perform(_ commands: [AroundProgress.Command], of id: UInt64) {
        guard let around = arounds[id] else { return }
        for command in commands {
            switch command {
            case .load:
                continue
            case .abandon(let distance):
                if let waiter = arounds[id]?.waiters.removeValue(forKey: distance) { leave(waiter) }
            case .deliver(let page, let distance):
                post(around.ticket, .neighbor(page, distance: distance))
            case .fail(let error, let distance):
                post(around.ticket, .neighborFailure(error, distance: distance))
            case .reportRepeated(let key, _):
                report(.repeatedKey, around.request.page.identity) { $0.detail = key }
            case .reportRefused(let error):
                report(.refusedKey, around.request.page.identity) { $0.error = error }
            case .end(let result):
                endAround(id, with: result)
            }
        }
        // Last, because a page may come at once, and what it brings must not overtake what is decided already.
        for case .load(let distance, let key) in commands {
            guard arounds[id] != nil else { return }
            var page = around.request.page
            page.key = key
            page.priority = around.request.aroundPriority
            load(page, at: distance, of: id)
        }
    }

    /// Starts to wait for one page of a fetch around a page.
    private mutating func load(_ page: PageRequest, at distance: Int, of id: UInt64) {
        let waiter = add(.around(id, distance: distance), page, page.identity)
        arounds[id]?.waiters[distance] = waiter
        begin(waiter)
    }

    /// Ends a fetch around a page, and everything that still runs for it.
    mutating func endAround(_ id: UInt64, with result: Result<AroundSummary, PaginatorError>) {
        guard let around = arounds.removeValue(forKey: id) else { return }
        let duration = around.startedAt.duration(to: now)
        report(.fetchEnded, around.request.page.identity) { event in
            event.duration = duration
            if case .failure(let error) = result { event.error = error }
        }
        post(around.ticket, .aroundEnd(result))
        for (_, waiter) in around.waiters.sorted(by: { $0.key < $1.key }) { leave(waiter) }
    }

    /// Takes a cancelled fetch around a page away.
    mutating func abandonAround(_ id: UInt64) {
        guard let around = arounds.removeValue(forKey: id) else { return }
        report(.fetchEnded, around.request.page.identity) { $0.error = Self.cancelled }
        for (_, waiter) in around.waiters.sorted(by: { $0.key < $1.key }) { leave(waiter) }
    }
}

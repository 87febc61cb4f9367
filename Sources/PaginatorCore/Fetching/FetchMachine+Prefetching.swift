// Prefetches: which pages they load, how they walk on, and their summary.
extension FetchMachine {
    struct Prefetch: Sendable {
        let ticket: FetchTicket
        let request: PrefetchRequest
        /// The running waiters; the prefetch ends with the last of them.
        var waiters: Set<UInt64> = []
        var seen: Set<PageIdentity> = []
        var queue: [(page: PageRequest, following: PageFetchDirection?)] = []
        var isStarting = false
        var bytes = 0
        var summary: PrefetchSummary

        var isSpent: Bool {
            request.maxBytes.map { bytes >= $0 } ?? false || request.timeout.map { $0 <= .zero } ?? false
        }
    }

    /// Starts a prefetch. `refused` has the pages with an invalid key.
    mutating func prefetch(
        _ ticket: FetchTicket, _ request: PrefetchRequest, refused: [PageIdentity: PaginatorError]
    ) {
        let id = ticket.id
        var request = request
        request.page.calledAt = makeRequestTime()
        prefetches[id] = Prefetch(ticket: ticket, request: request, summary: PrefetchSummary(failed: refused))
        if let timeout = request.timeout { deadlines.set(.prefetch(id), at: now.advanced(by: timeout)) }
        load(request.keys.map { ($0, request.direction) }, for: id)
    }

    private mutating func load(_ pages: [(key: String, following: PageFetchDirection?)], for id: UInt64) {
        let isFirst = prefetches.change(id) { prefetch in
            defer { prefetch.isStarting = true }
            for (key, direction) in pages {
                let page = prefetch.request.page(key)
                if prefetch.seen.insert(page.identity).inserted { prefetch.queue.append((page, direction)) }
            }
            return !prefetch.isStarting
        }
        // A fresh page leads to the next one. A loop, because recursion over a long walk would overflow the stack.
        guard isFirst == true else { return }
        while let prefetch = prefetches[id], !prefetch.queue.isEmpty {
            prefetches.change(id) { $0.queue = [] }
            start(prefetch.queue, for: id)
        }
        prefetches.change(id) { $0.isStarting = false }
        endIfDone(id)
    }

    private mutating func start(_ pages: [(page: PageRequest, following: PageFetchDirection?)], for id: UInt64) {
        var starting: [UInt64] = []
        for (page, direction) in pages {
            guard !isReleased, let prefetch = prefetches[id], !prefetch.isSpent else {
                prefetches.change(id) { $0.summary.unfinished.append(page.identity) }
                continue
            }
            let sink = Waiter.Sink.prefetch(id, following: direction, prefetch.request.conditions)
            let waiter = add(sink, page, page.identity)
            prefetches.change(id) { _ = $0.waiters.insert(waiter) }
            starting.append(waiter)
        }
        // All are stored before the first begins, because the prefetch may end at once.
        for waiter in starting { begin(waiter) }
    }

    /// Handles the outcome of a page; `nil` if it was abandoned.
    mutating func prefetched(
        _ page: PageIdentity, for id: UInt64, waiter: UInt64, following direction: PageFetchDirection?,
        _ outcome: Result<LoadedPage, PaginatorError>?
    ) {
        var following: [(String, PageFetchDirection?)] = []
        let isKnown = prefetches.change(id) { prefetch in
            guard prefetch.waiters.remove(waiter) != nil else { return false }
            switch outcome {
            case .failure(let error)?: prefetch.summary.failed[page] = error
            case .success(let stale)? where stale.refreshError != nil:
                prefetch.summary.failed[page] = stale.refreshError
            case .success(let loaded)?:
                if loaded.origin == .source {
                    prefetch.summary.loaded.append(page)
                    // A source may report any number of bytes.
                    let (bytes, overflow) = prefetch.bytes.addingReportingOverflow(loaded.details.facts.bytes)
                    prefetch.bytes = overflow ? .max : bytes
                } else {
                    prefetch.summary.fresh.append(page)
                }
                following = prefetch.neighbors(of: page, loaded.details, to: direction)
            case nil: prefetch.summary.unfinished.append(page)
            }
            return true
        }
        guard isKnown == true else { return }
        load(following, for: id)
        // Pages that are under way still arrive.
        guard outcome != nil, let prefetch = prefetches[id], prefetch.isSpent else { return }
        for waiter in prefetch.waiters.sorted() where !isUnderWay(waiter) { leave(waiter) }
    }

    private func isUnderWay(_ waiter: UInt64) -> Bool {
        switch waiters[waiter]?.load.flatMap({ loads[$0]?.source }) {
        case .attempting, .judging, .deciding, .failed: true
        case .unneeded, .suspended, .queued, nil: false
        }
    }

    /// Abandons the remaining pages. The last one ends the prefetch.
    mutating func endPrefetch(_ id: UInt64) {
        for waiter in prefetches[id]?.waiters.sorted() ?? [] { leave(waiter) }
    }

    private mutating func endIfDone(_ id: UInt64) {
        guard let prefetch = prefetches[id], prefetch.waiters.isEmpty, !prefetch.isStarting else { return }
        prefetches[id] = nil
        deadlines.remove(.prefetch(id))
        post(prefetch.ticket, .prefetchEnd(prefetch.summary))
    }
}

extension FetchMachine.Prefetch {
    /// Returns the pages with which a walk continues after a page.
    fileprivate mutating func neighbors(
        of page: PageIdentity, _ details: LoadedPage.Details, to direction: PageFetchDirection?
    ) -> [(String, PageFetchDirection?)] {
        var following: [(String, PageFetchDirection?)] = []
        for side in [PageFetchDirection.forward, .backward] where direction == side || direction == .all {
            guard seen.count + following.count < request.pages else { break }
            switch side == .forward ? details.next : details.previous {
            case .success(let key)? where seen.contains(request.page(key).identity):
                summary.failed[page] = PaginatorError(
                    .repeatedKey, "The page \(page) names \(key.prefix(80).debugDescription), which came before.")
            case .success(let key)?: following.append((key, side))
            case .failure(let refusal)?: summary.failed[page] = refusal
            case nil: break
            }
        }
        return following
    }
}

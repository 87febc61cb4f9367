// Fetches around a page: which neighbors to load, and in which order to deliver them.
extension FetchMachine {
    /// One fetch around a page.
    ///
    /// The requested page is delivered first, then the pages at +1, -1, +2, -2 and so on. A page that arrives early is
    /// held. A side ends at the requested depth, at a page without a further key, at a failure, at an invalid key, or
    /// at a page that was already part of the fetch.
    struct Around: Sendable {
        enum Step: Sendable {
            case loading(waiter: UInt64)
            case loaded(LoadedPage)
            case failed(PaginatorError)

            var waiter: UInt64? {
                if case .loading(let waiter) = self { waiter } else { nil }
            }

            var page: LoadedPage? {
                if case .loaded(let page) = self { page } else { nil }
            }
        }

        struct Side: Sendable {
            let sign: Int
            var steps: [(key: String, state: Step)] = []
            var delivered = 0
            var hasEnded: Bool
        }

        let ticket: FetchTicket
        let request: AroundRequest
        let startedAt: PaginatorInstant
        var asked: Step
        var sides: [Side]
        var seen: Set<PageIdentity>
        /// What was cleared since the call.
        var cleared: Set<PageSelection> = []
        var summary = AroundSummary()
        var leaving: [UInt64] = []
        var starting: [UInt64] = []
        var isStarting = false

        init(_ ticket: FetchTicket, _ request: AroundRequest, asked waiter: UInt64, at now: PaginatorInstant) {
            self.ticket = ticket
            self.request = request
            startedAt = now
            asked = .loading(waiter: waiter)
            seen = [request.page.identity]
            sides = [
                Side(sign: 1, hasEnded: request.depthLevel == 0 || request.direction == .backward),
                Side(sign: -1, hasEnded: request.depthLevel == 0 || request.direction == .forward),
            ]
        }

        var waiters: [UInt64] { ([asked] + sides.flatMap { $0.steps.map(\.state) }).compactMap(\.waiter) }

        var nextSide: Int? {
            switch (sides[0].hasEnded, sides[1].hasEnded) {
            case (true, true): nil
            case (false, true): 0
            case (true, false): 1
            case (false, false): sides[1].delivered < sides[0].delivered ? 1 : 0
            }
        }

        func request(_ key: String) -> PageRequest {
            var page = request.page
            page.key = key
            page.priority = request.aroundPriority
            return page
        }

        /// Abandons the pages of a side that are further out than `step`, counted from 1.
        mutating func abandon(_ side: Int, beyond step: Int) {
            while sides[side].steps.count > step {
                let last = sides[side].steps.removeLast()
                // Another page may name it again.
                seen.remove(request(last.key).identity)
                if let waiter = last.state.waiter { leaving.append(waiter) }
            }
        }
    }

    mutating func fetchAround(_ ticket: FetchTicket, _ request: AroundRequest) {
        var request = request
        // A part has no key of the following page, so neighbors are requested whole.
        request.page.part = nil
        request.page.calledAt = makeRequestTime()
        noteFetch(request.page, request.page.identity)
        guard !isReleased else {
            report(.fetchEnded, request.page.identity, error: Self.released)
            return post(ticket, .aroundEnd(.failure(Self.released)))
        }
        let waiter = add(.around(ticket, distance: 0), request.page, request.page.identity)
        arounds[ticket.id] = Around(ticket, request, asked: waiter, at: now)
        begin(waiter, after: request.page.debounce)
    }

    // Takes the keys that the source computed, nearest first, and loads them, unless the page itself has arrived.
    mutating func takeNeighborKeys(_ id: UInt64, _ forward: [String], _ backward: [String]) {
        // A page that has arrived names its neighbors itself.
        guard var around = arounds[id], around.asked.waiter != nil else { return }
        for (side, keys) in [forward, backward].enumerated() where !around.sides[side].hasEnded {
            for key in keys.prefix(around.request.depthLevel) {
                // A key that was already seen would start a cycle.
                guard load(key, on: side, of: &around) else { break }
            }
        }
        update(around)
    }

    mutating func aroundSettled(_ id: UInt64, _ distance: Int, _ outcome: Result<LoadedPage, PaginatorError>) {
        guard var around = arounds[id] else { return }
        let (side, step) = (distance < 0 ? 1 : 0, abs(distance))
        // A waiter of an abandoned step may still exist until it has left.
        guard distance == 0 || around.sides[side].steps.indices.contains(step - 1) else { return }
        switch outcome {
        case .failure(let error) where distance == 0:
            // Without the requested page, its neighbors are unknown.
            return endAround(id, with: .failure(error))
        case .failure(let error):
            around.sides[side].steps[step - 1].state = .failed(error)
            around.abandon(side, beyond: step)
        case .success(let page) where distance == 0:
            around.asked = .loaded(page)
            around.summary.delivered.append(0)
            post(around.ticket, .neighbor(page, distance: 0))
            for side in around.sides.indices where !around.sides[side].hasEnded {
                follow(page, 0, on: side, of: &around)
                // Neighbors that arrived before the requested page are linked now, even if a nearer one is loading.
                var step = 0
                while step < around.sides[side].steps.count {
                    step += 1
                    guard let early = around.sides[side].steps[step - 1].state.page else { continue }
                    follow(early, step, on: side, of: &around)
                }
            }
        case .success(let page):
            around.sides[side].steps[step - 1].state = .loaded(page)
            if around.asked.page != nil { follow(page, step, on: side, of: &around) }
        }
        let hasEnded = deliver(&around)
        update(around)
        if hasEnded { endAround(id, with: .success(around.summary)) }
    }

    // Continues from a page to the next page of its side. The link of the page takes precedence over a computed key.
    private mutating func follow(_ page: LoadedPage, _ step: Int, on side: Int, of around: inout Around) {
        guard step < around.request.depthLevel else { return }
        let neighbor = side == 0 ? page.details.next : page.details.previous
        guard case .success(let next)? = neighbor else {
            around.abandon(side, beyond: step)
            guard case .failure(let refusal)? = neighbor else { return }
            around.sides[side].steps.append(("", .failed(refusal)))
            return report(.refusedKey, around.request.page.identity, error: refusal)
        }
        if around.sides[side].steps.count > step {
            if around.sides[side].steps[step].key.hasSameBytes(as: next) { return }
            around.abandon(side, beyond: step)
        }
        guard !load(next, on: side, of: &around) else { return }
        around.summary.repeatedKeys[around.sides[side].sign * step] = next
        report(.repeatedKey, around.request.page.identity, detail: next)
    }

    private mutating func load(_ key: String, on side: Int, of around: inout Around) -> Bool {
        let request = around.request(key)
        guard around.seen.insert(request.identity).inserted else { return false }
        let distance = around.sides[side].sign * (around.sides[side].steps.count + 1)
        // It begins later, in `update`: a page from memory would arrive before this step is stored.
        let waiter = add(.around(around.ticket, distance: distance), request, request.identity)
        waiters.change(waiter) { $0.isCleared = around.cleared.contains { $0.contains(request.identity) } }
        around.sides[side].steps.append((key, .loading(waiter: waiter)))
        around.starting.append(waiter)
        return true
    }

    /// Delivers all pages that are next in order, and returns whether the fetch is complete.
    private mutating func deliver(_ around: inout Around) -> Bool {
        // Neighbors with computed keys may arrive before the requested page; they are held.
        guard around.asked.page != nil else { return false }
        while let side = around.nextSide {
            let step = around.sides[side].delivered
            let distance = around.sides[side].sign * (step + 1)
            switch step < around.sides[side].steps.count ? around.sides[side].steps[step].state : nil {
            case .loading:
                return false
            case .loaded(let page):
                around.sides[side].delivered += 1
                around.sides[side].hasEnded = step + 1 == around.request.depthLevel
                around.summary.delivered.append(distance)
                post(around.ticket, .neighbor(page, distance: distance))
            case .failed(let error):
                around.sides[side].hasEnded = true
                around.summary.failures[distance] = error
                post(around.ticket, .neighborFailure(error, distance: distance))
            case nil:
                around.sides[side].hasEnded = true
            }
        }
        return true
    }

    // Takes over a changed fetch around a page, then lets its waiters leave and begin. This is last, because a page may
    // arrive at once and must not overtake earlier decisions. A loop, because recursion over many such pages would
    // overflow the stack.
    private mutating func update(_ changed: Around) {
        let id = changed.ticket.id
        arounds[id] = changed
        arounds.change(id) { ($0.leaving, $0.isStarting) = ([], true) }
        for waiter in changed.leaving { leave(waiter) }
        guard !changed.isStarting else { return }
        while let starting = arounds[id]?.starting, !starting.isEmpty {
            arounds.change(id) { $0.starting = [] }
            for waiter in starting { begin(waiter) }
        }
        arounds.change(id) { $0.isStarting = false }
    }

    /// Changes the pages that are not delivered yet.
    mutating func changeUndelivered(_ change: (PageIdentity, inout LoadedPage) -> Void) {
        for (id, around) in arounds {
            for (side, neighbors) in around.sides.enumerated() {
                for step in neighbors.steps.indices.dropFirst(neighbors.delivered) {
                    guard var page = neighbors.steps[step].state.page else { continue }
                    change(around.request(neighbors.steps[step].key).identity, &page)
                    arounds[id]?.sides[side].steps[step].state = .loaded(page)
                }
            }
        }
    }

    /// Ends a fetch around a page, and everything that still runs for it. A cancel posts the end itself.
    mutating func endAround(
        _ id: UInt64, with result: Result<AroundSummary, PaginatorError>, isPosted: Bool = true
    ) {
        guard let around = arounds.removeValue(forKey: id) else { return }
        let (identity, origin) = (around.request.page.identity, around.asked.page?.origin)
        switch result {
        case .success: report(.fetchEnded, identity, since: around.startedAt, origin: origin)
        case .failure(let error): report(.fetchEnded, identity, since: around.startedAt, error: error)
        }
        if isPosted { post(around.ticket, .aroundEnd(result)) }
        for waiter in around.waiters { leave(waiter) }
    }
}

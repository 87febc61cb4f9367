// Pages that come in parts.
//
// A part is a prefix of its page, with a continuation. A load has one at most, in ``Load/part``:
//
//     none -> cached     memory has a fresh part, which is not enough for some waiter
//     none, cached -> streamed -> streamed    the running attempt has shown more items
//     any -> answered    the source answered with a part; it settles the waiters for whom it is enough
//     any -> none        cleared, invalidated or rejected, or the source can no longer continue it
//
// An attempt that continues a part brings the following items, and the engine joins both before the machine sees the
// page. Invariants: in an epoch only a part with more items replaces a part, so loading ends and shown rows stay. After
// each event, every remaining waiter needs more than the part, or must not get it. Memory has a part only while it has
// no whole page. The store never has parts. A whole page of another revision than the part becomes stale, a fallback.
extension FetchMachine {
    struct Part: Sendable {
        enum Source: Sendable {
            case cache
            case stream
            case answer
        }

        var page: LoadedPage
        let source: Source
        /// The number of items that came as an answer. The next answer must have more, or end the page.
        var answeredItems = 0

        /// The greatest age of a part that is continued. Many sources cannot tell whether the page has changed since.
        private static let maxPartAge = Duration.minutes(5)

        /// Whether the source can continue the part.
        func canBeContinued(_ identity: PageIdentity, at now: PaginatorInstant) -> Bool {
            page.details.continuation?.isEmpty == false && !page.isStale(at: now)
                && page.details.facts.items < identity.pageSize && page.age(at: now) <= Self.maxPartAge
        }
    }

    // What an attempt requests: how much, and which part it continues.
    struct CallPlan: Sendable {
        var part: PagePart?
        var base: LoadedPage?
        var calledAt: PaginatorInstant?
    }

    func callPlan(for load: Load) -> CallPlan {
        var plan = CallPlan(base: load.part.flatMap { $0.canBeContinued(load.identity, at: now) ? $0.page : nil })
        var isFirst = true
        for id in load.waiters {
            guard let waiter = waiters[id], waiter.load == load.id, waiter.policy.usesSource else { continue }
            plan.part = isFirst ? waiter.part : PagePart.larger(plan.part, waiter.part)
            isFirst = false
            if let time = waiter.calledAt { plan.calledAt = min(time, plan.calledAt ?? time) }
            if let known = load.part, !waiter.takes(known) { plan.base = nil }
        }
        return plan
    }

    // Handles the first items of the page that the source is loading.
    mutating func streamed(_ task: UInt64, _ page: LoadedPage) {
        guard let id = tasks[task], let load = loads[id], case .attempting(task, let since) = load.source,
            page.details.facts.items > load.part?.page.details.facts.items ?? 0
        else { return }
        var page = page
        load.setTimes(of: &page, elseFrom: since)
        if load.invalidation(of: page) != nil { page.isInvalidated = true }
        load.part = Part(page: page, source: .stream, answeredItems: load.part?.answeredItems ?? 0)
        showPart(of: id)
    }

    // Returns the error of an invalid part: it must have more items than the last part, and fewer than a page.
    func refusal(ofPart page: LoadedPage, for load: Load) -> PaginatorError? {
        let (items, size) = (page.details.facts.items, load.identity.pageSize)
        let text: String
        if items <= load.part?.answeredItems ?? 0 {
            text = "The source says that the page goes on, and gives nothing of it."
        } else if items >= size {
            text =
                "The source says that a page of \(size) items goes on behind \(items); the next page has a key instead."
        } else {
            return nil
        }
        return PaginatorError(.sourceFailed, text, attempts: load.attempts)
    }

    // Handles a partial answer. The attempts for the rest are counted anew.
    mutating func finish(_ load: Load, withPart page: LoadedPage) {
        let id = load.id
        load.part = Part(page: page, source: .answer, answeredItems: page.details.facts.items)
        load.lastError = nil
        load.source = .unneeded
        if load.fillsCaches { cache(page, as: load.identity) }
        settleAll(of: id, where: { $0.policy.usesSource && page.isEnough(for: $0.part) }, .success(page))
        guard loads[id]?.wanted.total == 0 else {
            (load.attempts, load.failedOffline) = (0, 0)
            showPart(of: id)
            return advance(id)
        }
        endAnswered(load)
    }

    // A page may change often, and each part that arrives resets the attempts, so the restarts are limited, too.
    func mayStartOver(_ load: Load, after failure: SourceError) -> Bool {
        if failure.underlying is PageChangedBetweenParts { return load.restarts < max(1, settings.config.maxAttempts) }
        return failure.isKeyExpired && load.restarts == 0
    }

    // Loads the page from its start, because the source can no longer continue the part, or the page has changed since.
    mutating func startOver(_ load: Load) {
        if load.isCurrent, let base = load.call?.base {
            changeMemory(of: .identity(load.identity), by: .dropFromMemory(load.identity, base))
        }
        load.restarts += 1
        load.part = nil
        load.call?.base = nil
        load.source = .unneeded
        advance(load.id)
    }

    // Handles a part in memory: it settles some waiters, and is the start of the page for the others.
    mutating func takePart(_ page: LoadedPage, for id: UInt64) {
        guard let load = loads[id] else { return }
        if load.part == nil, load.restarts == 0 { load.part = Part(page: page, source: .cache) }
        guard !load.cache.isDone else { return }
        for waiter in liveWaiters(of: id) { catchUpWithPart(waiter) }
        if case .reading = load.cache { return advance(id) }
        // For the other waiters the store may have a whole page, at least as a fallback.
        if let load = loads[id] { beginStoreRead(load) }
    }

    // Gives a waiter the load's part, as its answer or as a preview, and returns whether it was the answer.
    @discardableResult
    mutating func catchUpWithPart(_ id: UInt64) -> Bool {
        guard let waiter = waiters[id], let part = waiter.load.flatMap({ loads[$0] })?.part, waiter.takes(part) else {
            return false
        }
        if part.source != .stream, part.page.isEnough(for: waiter.part) {
            settle(id, .success(part.page))
            return true
        }
        guard case .items(let shown) = waiter.shown, shown < part.page.details.facts.items else { return false }
        show(part.page, as: .items(part.page.details.facts.items), to: id)
        return false
    }

    private mutating func showPart(of id: UInt64) {
        for waiter in liveWaiters(of: id) where waiters[waiter]?.policy.usesSource == true { catchUpWithPart(waiter) }
    }
}

extension FetchMachine.Waiter {
    // Whether the waiter may get the part, and have it continued.
    fileprivate func takes(_ part: FetchMachine.Part) -> Bool {
        // A streamed part is not in memory yet, and an invalidated one counts as missing there.
        guard policy.usesSource else { return part.source != .stream && !part.page.isInvalidated }
        // An invalidated part went to those who had asked before; what is streamed is only a preview.
        if part.page.isInvalidated, part.source != .stream { return false }
        return part.page.isAsNew(as: notBefore) && (part.source != .cache || policy.isContentWithFreshCache)
    }
}

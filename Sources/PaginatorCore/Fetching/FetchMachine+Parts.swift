// Pages that come in parts.
//
// A part is a prefix of its page, with a continuation. A load has one at most, in ``Load/part``:
//
//     none -> cached     memory had it, fresh, and it is not enough for somebody
//     none, cached -> streamed -> streamed    the running attempt has shown more items
//     any -> answered    the source answered with a part; whoever it is enough for has it, the others go on
//     any -> none        it was cleared, invalidated or dropped by a validator; or the source no longer knows where it goes on
//
// An attempt that goes on from a part brings what follows it, and the engine joins both before the machine sees the page.
// What holds always: a part has fewer items than what takes its place in the same epoch, so that the work comes to an end and
// nobody sees rows go; whoever waits wants more than the part, or may not have it. Memory has a part as such, and only where
// it has no whole page; the store has none, and what it had under the identity is stale from then on: a fallback.
extension FetchMachine {
    struct Part: Sendable {
        enum Source: Sendable {
            case cache
            case stream
            case answer
        }

        var page: LoadedPage
        let source: Source

        /// The items that came as an answer: the next answer has more, or ends the page.
        var answeredItems: Int { source == .answer ? page.details.facts.items : 0 }

        /// How old a part may be that is gone on from: many a source cannot tell whether its page has changed since.
        private static let longestPause = Duration.minutes(5)

        /// Whether the source can go on from it.
        func goesOn(_ identity: PageIdentity, at now: PaginatorInstant) -> Bool {
            page.details.continuation?.isEmpty == false && !page.isStale(at: now)
                && page.details.facts.items < identity.pageSize && page.age(at: now) <= Self.longestPause
        }
    }

    // What an attempt asks for: how much, and what it goes on from.
    struct Asking: Sendable {
        var part: PagePart?
        var base: LoadedPage?
        var calledAt: PaginatorInstant?
    }

    func asking(for load: Load) -> Asking {
        var asking = Asking(base: load.part.flatMap { $0.goesOn(load.identity, at: now) ? $0.page : nil })
        var isFirst = true
        for id in load.waiters {
            guard let waiter = waiters[id], waiter.load == load.id, waiter.policy.usesSource else { continue }
            asking.part = isFirst ? waiter.part : PagePart.larger(asking.part, waiter.part)
            isFirst = false
            if let time = waiter.calledAt { asking.calledAt = min(time, asking.calledAt ?? time) }
            if let known = load.part, !waiter.takes(known) { asking.base = nil }
        }
        return asking
    }

    // The source has shown the first items of the page that it is working on.
    mutating func streamed(_ task: UInt64, _ page: LoadedPage) {
        guard let id = tasks[task], let load = loads[id], case .attempting(task, let since) = load.source,
            page.details.facts.items > load.part?.page.details.facts.items ?? 0
        else { return }
        var page = page
        page.fetchedAt = load.base?.fetchedAt ?? load.askedAt ?? since
        page.calledAt = load.calledAt
        load.part = Part(page: page, source: .stream)
        showPart(of: id)
    }

    // Why a part that the source has answered with cannot be one: each has more than the one before, and the page an end.
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

    // A part is all that the source has answered with. What is left has attempts of its own.
    mutating func finish(_ id: UInt64, withPart page: LoadedPage) {
        guard let load = loads[id] else { return }
        load.part = Part(page: page, source: .answer)
        load.attempts = 0
        load.lastError = nil
        load.source = .unneeded
        if load.isCurrent { keep(page, as: load.identity) }
        settleAll(of: id, where: { $0.policy.usesSource && page.isEnough(for: $0.part) }, .success(page))
        guard loads[id]?.owners.total == 0 else {
            showPart(of: id)
            return advance(id)
        }
        end(id)
    }

    // The source does not know any more where a part goes on, or the page has changed since: it is loaded from its start.
    mutating func beginAnew(_ id: UInt64) {
        guard let load = loads[id] else { return }
        if load.isCurrent, let base = load.base {
            changeMemory(of: .identity(load.identity), by: .dropFromMemory(load.identity, base))
        }
        load.hasBegunAnew = true
        load.part = nil
        load.base = nil
        load.source = .unneeded
        advance(id)
    }

    // Memory has a part: the answer for some, and the start of what the others wait for.
    mutating func takePart(_ page: LoadedPage, for id: UInt64) {
        guard let load = loads[id] else { return }
        if load.part == nil, !load.hasBegunAnew { load.part = Part(page: page, source: .cache) }
        guard !load.cache.isDone else { return }
        for waiter in liveWaiters(of: id) { catchUpWithPart(waiter) }
        if case .reading = load.cache { return advance(id) }
        // For whom it is not enough, the store may have a whole page, if only as a fallback.
        if let load = loads[id] { beginStoreRead(load) }
    }

    // Gives a waiter the part that its load has, as the answer or to look at meanwhile; says whether it was the answer.
    @discardableResult
    mutating func catchUpWithPart(_ id: UInt64) -> Bool {
        guard let waiter = waiters[id], let part = waiter.load.flatMap({ loads[$0] })?.part, waiter.takes(part) else {
            return false
        }
        if part.source != .stream, part.page.isEnough(for: waiter.part) {
            settle(id, .success(part.page))
            return true
        }
        // Who has a whole page to look at keeps that.
        guard !waiter.isPreviewed, waiter.shownItems < part.page.details.facts.items else { return false }
        waiters.change(id) { $0.shownItems = part.page.details.facts.items }
        switch waiter.sink {
        case .ticket(let ticket): post(ticket, .preview(part.page))
        case .around(let id, distance: 0): if let around = arounds[id] { post(around.ticket, .preview(part.page)) }
        case .around, .prefetch, .background: break
        }
        return false
    }

    private mutating func showPart(of id: UInt64) {
        for waiter in liveWaiters(of: id) where waiters[waiter]?.policy.usesSource == true { catchUpWithPart(waiter) }
    }
}

extension FetchMachine.Waiter {
    // Whether it may have such a part, and have it gone on from.
    fileprivate func takes(_ part: FetchMachine.Part) -> Bool {
        // Memory has it, unless it is just coming.
        guard policy.usesSource else { return part.source != .stream }
        return part.page.isAsNew(as: notBefore) && (part.source != .cache || policy.isContentWithFreshCache)
    }
}

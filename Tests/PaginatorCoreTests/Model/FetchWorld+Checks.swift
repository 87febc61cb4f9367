import PaginatorCore
import PaginatorTesting

// What must always hold.
extension FetchWorld {
    func previewed(_ number: Int, _ page: FetchedPage<SimulatedItem>) {
        enterCallback()
        let fetch = fetches[number]
        fetches[number].previews += 1
        if !fetch.ends.isEmpty { fail("a preview came after the answer") }
        if fetch.isCancelled { fail("a preview came after cancel returned") }
        if fetch.previews > 0 { fail("a second preview came") }
        if fetch.request.policy != .staleWhileRevalidate { fail("a preview came under another policy") }
        if !page.isStale { fail("a fresh page came as a preview") }
        check(page, is: fetch.request.identity)
        actInside()
    }

    func ended(_ number: Int, _ result: Result<FetchedPage<SimulatedItem>, PaginatorError>) {
        enterCallback()
        let fetch = fetches[number]
        fetches[number].ends.append(result)
        if !fetch.ends.isEmpty { fail("fetch \(number) ended twice") }
        switch result {
        case .success(let page):
            if fetch.isCancelled { fail("a page came after cancel returned") }
            check(page, is: fetch.request.identity)
            check(page, answers: fetch)
        case .failure(let error):
            if (error.code == .cancelled) != fetch.isCancelled { fail("fetch \(number) ended with \(error.code)") }
            if error.code == .notInCache, fetch.request.policy != .cacheOnly {
                fail("not in cache under another policy")
            }
            if error.code == .superseded, fetch.request.lane == nil { fail("superseded without a lane") }
            if error.code == .released, paginator != nil { fail("released while the paginator lives") }
        }
        actInside()
    }

    func aroundDelivered(_ number: Int, _ page: FetchedPage<SimulatedItem>, _ distance: Int) {
        enterCallback()
        if arounds[number].isCancelled { fail("a neighbor came after cancel returned") }
        if !arounds[number].ends.isEmpty { fail("a neighbor came after the end") }
        let before = arounds[number].distances
        if before.isEmpty != (distance == 0) { fail("the asked page did not come first") }
        func rank(_ distance: Int) -> Int { distance > 0 ? 2 * distance - 1 : -2 * distance }
        if let last = before.last, rank(last) >= rank(distance) { fail("\(distance) came after \(last)") }
        arounds[number].distances.append(distance)
        if distance == 0 { check(page, is: arounds[number].request.page.identity) }
        actInside()
    }

    func aroundEnded(_ number: Int, _ result: Result<AroundSummary, PaginatorError>) {
        enterCallback()
        if !arounds[number].ends.isEmpty { fail("a fetch around a page ended twice") }
        arounds[number].ends.append(result)
        switch result {
        case .success(let summary):
            if arounds[number].isCancelled { fail("a cancelled fetch around a page succeeded") }
            if summary.delivered != arounds[number].distances { fail("the summary does not tell what came") }
        case .failure(let error):
            if (error.code == .cancelled) != arounds[number].isCancelled {
                fail("a fetch around a page ended with \(error.code)")
            }
        }
        actInside()
    }

    private func enterCallback() {
        step += 1
        if callDepth > 0 { fail("a callback ran inside a call") }
    }

    /// Calls the paginator from inside a callback now and then.
    private func actInside() {
        guard random.chance(0.15), reentrantCalls == 0 else { return }
        reentrantCalls += 1
        // Running other pieces of work from inside a callback would be two callbacks at once.
        let choice = random.number(in: 0..<3)
        if let paginator {
            let identity = identity()
            switch choice {
            case 0:
                let number = fetches.count
                let request = PageRequest(key: identity.key, pageSize: 10)
                fetches.append(Fetch(request: request, startedAt: step, wallTime: clock.wallTime, isRefresh: false))
                let listener = RecordingListener<SimulatedItem>(onEnd: { [unowned self] in ended(number, $0) })
                fetches[number].execution = call { paginator.fetch(request, listener: listener) }
            case 1:
                let unanswered = fetches.indices.filter { fetches[$0].ends.isEmpty }
                if let number = unanswered.last, call({ fetches[number].execution?.cancel() ?? false }) {
                    fetches[number].isCancelled = true
                }
            default:
                _ = call { paginator.peek(key: identity.key, pageSize: 10) }
            }
        }
        reentrantCalls -= 1
    }

    /// A page is of the identity that was asked for.
    func check(_ page: FetchedPage<SimulatedItem>, is identity: PageIdentity) {
        guard let item = page.page.content.first else { return fail("a page without its item") }
        let found = PageIdentity(key: item.key, pageSize: item.pageSize, scope: item.scope)
        if found != identity { fail("asked for \(identity), got \(found)") }
        switch item.verdict.kind {
        case .accept, .useButRefresh: break
        case .dropAndReload, .fail: fail("a page came that the validator refuses")
        }
    }

    /// A page is one that the fetch may be answered with.
    private func check(_ page: FetchedPage<SimulatedItem>, answers fetch: Fetch) {
        let identity = fetch.request.identity
        let made = page.page.content.first?.made ?? 0
        if let cleared = cleared[identity], cleared < fetch.startedAt, made < cleared {
            fail("a page from before a clear answered a later fetch of \(identity) (\(page.origin))")
        }
        if let invalidated = invalidated[identity], invalidated < fetch.startedAt, made < invalidated,
            !page.isStale
        {
            fail("an invalidated page came as fresh for \(identity) (\(page.origin))")
        }
        if page.origin != .source, made < fetch.clearedAt { fail("a cleared page answered a fetch that waited") }
        if fetch.isRefresh, made < fetch.startedAt { fail("a refresh was answered with an older page") }
        switch fetch.request.policy {
        case .cacheOnly? where page.origin == .source: fail("cache-only was answered by the source")
        case .networkOnly? where page.origin != .source: fail("network-only was answered by a cache")
        default: break
        }
        if page.origin != .source, !page.isStale, let expiration = page.page.expirationTime,
            expiration.addingTimeInterval(0.001) < fetch.wallTime
        {
            fail("an expired page came as fresh")
        }
    }

    /// A page in memory may be there.
    func checkCached(_ page: PaginatorPage<SimulatedItem>, _ identity: PageIdentity) {
        guard let item = page.content.first else { return }
        if let cleared = cleared[identity], item.made < cleared { fail("a page from before a clear is cached") }
    }

    /// What holds after every step.
    func checkInvariants() {
        guard let paginator else { return }
        let usage = paginator.engine.memory.usage
        if usage.pages > Self.pageLimit { fail("\(usage.pages) pages in memory") }
        let statistics = paginator.engine.scheduler.statistics
        if statistics.running > 2 { fail("\(statistics.running) attempts at once") }
        let busy = paginator.engine.inspect { $0.loadedIdentities }
        for identity in Self.identities where !busy.contains(identity) { quiet[identity] = step }
        for problem in paginator.engine.inspect({ $0.invariantViolations() }) { fail(problem) }
    }

    /// Lets everything come to rest, and checks that nobody was forgotten.
    func finish() {
        connectivity.set([])
        if isSuspended, let paginator {
            paginator.resume()
            isSuspended = false
        }
        settle()
        if let paginator {
            checkInvariants()
            let statistics = paginator.engine.scheduler.statistics
            if statistics.running != 0 || statistics.backingOff != 0
                || statistics.waiting.values.contains(where: { $0 > 0 })
            {
                fail("the scheduler still has work: \(statistics)")
            }
            if !paginator.engine.inspect(\.isIdle) { fail("the machine still has work: \(paginator.dump())") }
            if let store { checkStore(store) }
        }
        paginator = nil
        settle()
        if weakPaginator != nil { fail("the paginator leaked") }
        for (number, fetch) in fetches.enumerated() where fetch.ends.count != 1 {
            fail("fetch \(number) of \(fetch.request.identity) ended \(fetch.ends.count) times")
        }
        for (number, around) in arounds.enumerated() where around.ends.count != 1 {
            fail("fetch around a page \(number) ended \(around.ends.count) times")
        }
    }

    /// A save decided before a clear never lands after it.
    private func checkStore(_ store: SimulatedStore) {
        for (identity, stored) in store.pages {
            guard let item = stored.page.content.first else { continue }
            if let cleared = cleared[identity], item.made < cleared { fail("the store kept a cleared page") }
            if [.dropAndReload, .fail(reason: "bad")].contains(item.verdict.kind) { fail("the store has a bad page") }
        }
    }

    private func settle() {
        for _ in 0..<40 {
            while runSomething() {}
            for number in calls.indices where !calls[number].isAnswered { answer(number) }
            while runSomething() {}
            advance(.seconds(3))
        }
    }
}

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

import PaginatorCore
import PaginatorTesting

// What the world does.
extension FetchWorld {
    /// Does one random thing.
    func act(allowsReentry: Bool = true) {
        step += 1
        guard let paginator else {
            runSomething()
            return
        }
        switch random.number(in: 0..<100) {
        case 0..<24: startFetch(paginator)
        case 24..<50: runSomething()
        case 50..<66: answerSomething()
        case 66..<72: advance(.milliseconds(random.number(in: 1..<1_500)))
        case 72..<74: advance(.seconds(random.number(in: 2..<12)))
        case 74..<79: cancelSomething()
        case 79..<82: clearSomething(paginator)
        case 82..<85: invalidateSomething(paginator)
        case 85..<88: startRefresh(paginator)
        case 88..<91: putSomething(paginator)
        case 91..<93: startAround(paginator)
        case 93..<95: prefetchSomething(paginator)
        case 95: toggleSuspension(paginator)
        case 96: connectivity.set(random.chance(0.5) ? .offline : [])
        case 97: call { paginator.trim(toFraction: 0.5) }
        default: look(paginator)
        }
    }

    private func startFetch(_ paginator: CallbackPaginator<SimulatedItem>) {
        let request = request()
        let number = fetches.count
        fetches.append(Fetch(request: request, startedAt: step, wallTime: clock.wallTime, isRefresh: false))
        let execution = call { paginator.fetch(request, listener: listener(number)) }
        fetches[number].execution = execution
    }

    private func startRefresh(_ paginator: CallbackPaginator<SimulatedItem>) {
        var request = request()
        request.lane = nil
        request.policy = .networkOnly
        let number = fetches.count
        fetches.append(Fetch(request: request, startedAt: step, wallTime: clock.wallTime, isRefresh: true))
        epochs[request.identity] = step
        let execution = call { paginator.refresh(request, listener: listener(number)) }
        fetches[number].execution = execution
    }

    private func listener(_ number: Int) -> RecordingListener<SimulatedItem> {
        RecordingListener(
            onPreview: { [unowned self] page in previewed(number, page) },
            onEnd: { [unowned self] result in ended(number, result) })
    }

    private func startAround(_ paginator: CallbackPaginator<SimulatedItem>) {
        let number = arounds.count
        var page = request()
        page.lane = nil
        let directions = PageFetchDirection.allCases
        let request = AroundRequest(
            page: page, depthLevel: random.number(in: 0..<4), direction: directions[random.number(in: 0..<3)])
        arounds.append(AroundFetch(request: request))
        let listener = RecordingAroundListener<SimulatedItem>(
            onDelivery: { [unowned self] delivery in aroundDelivered(number, delivery.fetched, delivery.distance) },
            onEnd: { [unowned self] result in aroundEnded(number, result) })
        let execution = call { paginator.fetchAround(request, listener: listener) }
        arounds[number].execution = execution
    }

    @discardableResult
    func runSomething() -> Bool {
        executor.runOne { random.number(in: 0..<$0) }
    }

    private func answerSomething() {
        let open = calls.indices.filter { !calls[$0].isAnswered }
        guard !open.isEmpty else { return }
        answer(open[random.number(in: 0..<open.count)])
    }

    func advance(_ duration: Duration) {
        clock.advance(by: duration)
    }

    private func cancelSomething() {
        if random.chance(0.2), !arounds.isEmpty {
            let number = random.number(in: 0..<arounds.count)
            if call({ arounds[number].execution?.cancel() ?? false }) { arounds[number].isCancelled = true }
            return
        }
        if random.chance(0.1), !executions.isEmpty {
            _ = call { executions[random.number(in: 0..<executions.count)].cancel() }
            return
        }
        guard !fetches.isEmpty else { return }
        let recent = max(0, fetches.count - 12)
        let number = random.number(in: recent..<fetches.count)
        if call({ fetches[number].execution?.cancel() ?? false }) { fetches[number].isCancelled = true }
    }

    private func mark(_ selection: PageSelection, _ table: inout [PageIdentity: Int]) {
        for identity in Self.identities where selection.contains(identity) { table[identity] = step }
    }

    private func clearSomething(_ paginator: CallbackPaginator<SimulatedItem>) {
        let key = identity().key
        switch random.number(in: 0..<6) {
        case 0:
            note(.all)
            call { paginator.clearAll() }
        case 1:
            note(.scope("other"))
            call { paginator.clear(scope: "other") }
        default:
            note(.key(key))
            call { paginator.clear(key: key) }
            for size in [10, 20] where paginator.peek(key: key, pageSize: size) != nil {
                fail("a cleared page is in memory after the call")
            }
        }
        let waiting = paginator.engine.inspect { $0.waitingTickets }
        for number in fetches.indices where fetches[number].ends.isEmpty {
            guard let ticket = fetches[number].execution as? FetchTicket, waiting.contains(ticket.id) else { continue }
            if cleared[fetches[number].request.identity] == step { fetches[number].clearedAt = step }
        }
        func note(_ selection: PageSelection) {
            mark(selection, &cleared)
            mark(selection, &epochs)
        }
    }

    private func invalidateSomething(_ paginator: CallbackPaginator<SimulatedItem>) {
        let selection: PageSelection = random.chance(0.5) ? .identity(identity()) : .key(identity().key)
        mark(selection, &invalidated)
        mark(selection, &epochs)
        call { paginator.invalidate(selection) }
    }

    private func putSomething(_ paginator: CallbackPaginator<SimulatedItem>) {
        let identity = identity()
        let page = page(identity, made: step)
        let isGood = page.content.first.map { $0.verdict == .accept || $0.verdict == .useButRefresh } ?? true
        if isGood { epochs[identity] = step }
        let wasPut: Bool = call {
            do {
                try paginator.put(page, pageSize: identity.pageSize, scope: identity.scope)
                return true
            } catch {
                return false
            }
        }
        if wasPut != isGood { fail("put of a page judged \(page.content[0].verdict) returned \(wasPut)") }
    }

    private func prefetchSomething(_ paginator: CallbackPaginator<SimulatedItem>) {
        let keys = [identity().key, identity().key, ""]
        executions.append(call { paginator.prefetch(keys: keys, pageSize: 10) })
    }

    private func toggleSuspension(_ paginator: CallbackPaginator<SimulatedItem>) {
        call { isSuspended ? paginator.resume() : paginator.suspend() }
        isSuspended.toggle()
    }

    private func look(_ paginator: CallbackPaginator<SimulatedItem>) {
        let identity = identity()
        call {
            if let page = paginator.peek(key: identity.key, pageSize: identity.pageSize, scope: identity.scope) {
                check(page, is: identity)
                checkCached(page.page, identity)
            }
            paginator.withPage(key: identity.key, pageSize: identity.pageSize, scope: identity.scope) { page in
                if page.content.first?.verdict.kind != .accept, page.content.first?.verdict.kind != .useButRefresh {
                    fail("a bad page was lent")
                }
            }
            _ = paginator.state(of: identity)
        }
    }
}

// Calls of the source, and what they bring.
extension FetchEngine {
    func callSource(_ task: UInt64, _ request: SourceRequest) {
        let call = AttemptCall(task, request.identity, edits: edits.count, engine: reference)
        // Registered first, so that a stop from here on finds the call.
        calls.withLock { $0[task] = call }
        let now = clock.now
        guard let plan = driver.withMachine({ $0.planCall(task, at: now) }) else { return stop(task) }
        call.base = plan.base
        var request = request
        request.part = plan.part
        request.continuation = plan.base?.details.continuation
        request.context.page = plan.base == nil ? offeredPage(request) : nil
        request.context.caller = call
        // The source may answer, or the call may be stopped, before the handle is returned.
        call.made(operations.callSource(request) { call.answer($0) })
    }

    func stop(_ task: UInt64) {
        calls.withLock { $0.removeValue(forKey: task) }?.stop()
    }

    func take(_ result: Result<LoadedPage, SourceError>, of call: AttemptCall) {
        _ = calls.withLock { $0.removeValue(forKey: call.task) }
        feed(.answered(call.task, call.identity, result.flatMap { joined($0, of: call) }))
    }

    // Joins the page of a call to the part that it continues, and applies all committed edits.
    private func joined(_ page: LoadedPage, of call: AttemptCall) -> Result<LoadedPage, SourceError> {
        var page = edits.current(page)
        if let base = call.base {
            var head = edits.current(base)
            // An edit may be committed between the two reads.
            while head.editCount != page.editCount { (head, page) = (edits.current(head), edits.current(page)) }
            guard var whole = operations.join(head, page, call.identity) else {
                return .failure(.fatal(PageChangedBetweenParts()))
            }
            (whole.editCount, whole.refreshError) = (page.editCount, page.refreshError)
            whole.isInParts = true
            page = whole
        }
        return check.refusal(ofTags: page.details.tags).map { .failure(.fatal($0)) } ?? .success(check.checked(page))
    }

    // Shows the first items of a page if the validator accepts them.
    func show(_ page: LoadedPage, of call: AttemptCall) {
        guard page.isPartial, operations.isPage(page.object), case .success(let page) = joined(page, of: call) else {
            return
        }
        operations.judgeFetched(page.object, context(call.identity, page, .source, at: clock.now)) {
            [reference] verdict in
            if verdict == .accept { reference.engine?.feed(.streamed(call.task, page)) }
        }
    }

    // Returns the cached page that the source may revalidate, with all committed edits; the load's copy is older.
    private func offeredPage(_ request: SourceRequest) -> LoadedPage? {
        guard request.context.offersPage else { return nil }
        let page = inMemory(request.identity, touching: false) ?? request.context.page
        return page.flatMap { $0.isPartial ? nil : edits.current($0) }
    }

    // Extends the pause of one of several sources, or without one that of the whole paginator.
    func pauseSource(_ own: SourcePause?, for delay: Duration, because cause: (any Error)?) {
        let now = clock.now
        (own ?? pause).extend(to: now.advanced(by: min(delay, scheduler.sourcePauseCap)), because: cause)
        var event = PaginatorEvent(.sourcePaused, at: now)
        event.duration = delay
        report(event)
        if own == nil { scheduler.feed(.pause(client: client, delay)) }
    }

    func judge(_ task: UInt64, _ identity: PageIdentity, _ page: LoadedPage) {
        operations.judgeFetched(page.object, context(identity, page, .source, at: clock.now)) { [reference] verdict in
            reference.engine?.feed(.judged(task, verdict))
        }
    }
}

// The second part of a page does not continue the first, because the page has changed between them.
struct PageChangedBetweenParts: Error {}

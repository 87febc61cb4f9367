#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension MediatorDataSource {
    /// Continues a call after the load that it waited for has ended.
    typealias Resume = @Sendable (Outcome, RemoteLoad?) -> Void
    typealias Boundary = RemoteBoundary<Resume>
    typealias Purpose = RemoteLoad.Purpose

    struct Visit: Sendable {
        let request: SourceRequest
        let call: RelayedCall<T>
        /// By the logical clock.
        let calledAt: Int
        var loads = 0
        var hasLoaded = false

        var scope: ExactText { ExactText(request.scope) }
    }

    enum Outcome: Sendable {
        case saved
        case dropped
        case failed(SourceError)
    }

    struct State: Sendable {
        /// The number of scopes whose next remote key is remembered; those used longest ago are forgotten.
        private static var rememberedScopes: Int { 1_024 }

        var boundaries: [ExactText: Boundary] = [:]
        /// A logical clock: one tick for each use of a boundary.
        private(set) var time = 0

        mutating func use<R>(_ scope: ExactText, _ body: (inout Boundary) -> R) -> R {
            if boundaries.count >= 2 * Self.rememberedScopes, boundaries[scope] == nil { forgetScopes() }
            time += 1
            boundaries[scope, default: Boundary()].lastUse = time
            return body(&boundaries[scope, default: Boundary()])
        }

        private mutating func forgetScopes() {
            // As many at once as are remembered, which amortizes the sort.
            let old = boundaries.sorted { $0.value.lastUse < $1.value.lastUse }.dropLast(Self.rememberedScopes)
            for (scope, boundary) in old where boundary.isIdle { boundaries[scope] = nil }
        }
    }

    /// Reads the local source, behind a refresh that is under way: it replaces what would be read.
    func readLocalAfterRefresh(_ visit: Visit) {
        // Asked first, because the first part of a call runs on the thread of the caller.
        guard state.withLock({ $0.boundaries[visit.scope]?.isRefreshing ?? false }), let part = visit.call.begin()
        else { return readLocal(visit) }
        // Once, however the refresh ends: a list reads a page again that is older than the refreshed one.
        let resume: Resume = { [self] outcome, load in
            // A waiter that has left is not answered.
            guard part.end() else { return }
            note(outcome, of: load, for: visit)
            readLocal(visit)
        }
        guard let waiter = state.withLock({ $0.boundaries[visit.scope]?.awaitRefresh(resume) }) else {
            return resume(.dropped, nil)
        }
        part.setHandle(SourceCancellation { self.leave(waiter, visit.scope) })
        // So that time is left to read the page as it is.
        part.limit(to: visit.request.halfOfTimeLeft, of: visit.request) { [self] _ in readLocal(visit) }
    }

    func readLocal(_ visit: Visit) {
        let version = state.withLock { $0.boundaries[visit.scope]?.version ?? 0 }
        visit.call.run(local, visit.request) { [self] result in
            // An empty page with a next key starts a remote load once; after that the local source is trusted.
            guard case .success(let page) = result,
                page.nextKey == nil || (page.content.isEmpty && !visit.hasLoaded)
            else { return visit.call.end(result) }
            if visit.loads < maxRemoteLoads { return awaitRemote(.append, visit, version: version, page: page) }
            if state.withLock({ $0.boundaries[visit.scope]?.isAtEnd ?? false }) { return visit.call.end(result) }
            serveLocal(visit, after: .fatal(RemoteLoadsExhausted(loads: visit.loads)), page: page)
        }
    }

    /// Joins or starts the scope's remote load. `version` is that of the boundary before the local source was read,
    /// `page` the local page.
    func awaitRemote(_ purpose: Purpose, _ visit: Visit, version: Int = 0, page: PaginatorPage<T>? = nil) {
        guard let part = visit.call.begin() else { return }
        // Without the lock, because `resumeKey` is user code.
        let (start, isOwn) = (startKey(purpose, visit, page), OnceFlag())
        let resume: Resume = { [self] outcome, load in
            // A waiter that has left is not answered.
            guard part.end() else { return }
            // It was the load of another call: an append, or a refresh that began before this call.
            if purpose == .refresh, let load, load.purpose == .append || load.startedAt <= visit.calledAt {
                return awaitRemote(.refresh, visit)
            }
            note(outcome, of: load, for: visit, isRefresh: purpose == .refresh)
            var visit = visit
            if case .saved = outcome {
                visit.hasLoaded = true
                // Not those of other calls: a list that refreshes many pages waits for the loads of them all.
                if isOwn.isTaken { visit.loads += 1 }
            }
            goOn(visit, after: outcome, wanting: purpose, page: page)
        }
        let joined = state.withLock { state in
            state.use(visit.scope) { $0.join(resume, for: purpose, since: version, unknown: start) }
        }
        switch joined {
        case .endReached:
            if part.end(), let page { visit.call.end(.success(page)) }
        case .refused:
            let text = "The key of the next remote page is none that a source can be asked for."
            resume(.failed(.fatal(PaginatorError(.invalidKey, text))), nil)
        case .readAgain:
            if part.end() { readLocal(visit) }
        case .wait(let waiter), .start(_, let waiter):
            part.setHandle(SourceCancellation { self.leave(waiter, visit.scope) })
            if servesLocalOnFailure {
                // Answers with the local page after half of the time if the remote source hangs.
                part.limit(to: visit.request.halfOfTimeLeft, of: visit.request) { [self] error in
                    goOn(visit, after: .failed(error), wanting: purpose, page: page)
                }
            }
            if case .start(let load, _) = joined {
                _ = isOwn.take()
                fetchRemote(load, for: visit)
            }
        }
    }

    // `nil` if nothing follows.
    private func startKey(_ purpose: Purpose, _ visit: Visit, _ page: PaginatorPage<T>?) -> String? {
        guard purpose == .append, let resumeKey, let page else { return remote.firstKey }
        let isKnown = state.withLock { $0.boundaries[visit.scope]?.knowsNext ?? false }
        guard !isKnown, let key = resumeKey(visit.request.scope, page) else { return remote.firstKey }
        return key.isEmpty ? nil : key
    }

    // Pages that were read before a refresh was saved must not follow what is read now.
    private func note(_ outcome: Outcome, of load: RemoteLoad?, for visit: Visit, isRefresh: Bool = false) {
        guard case .saved = outcome, let time = load?.savedAt else { return }
        visit.request.context.caller?.answerIsRead(afterRefreshAt: time, isRefresh: isRefresh)
    }

    private func goOn(_ visit: Visit, after outcome: Outcome, wanting purpose: Purpose, page: PaginatorPage<T>?) {
        switch outcome {
        case .saved: readLocal(visit)
        case .dropped:
            if purpose == .refresh { awaitRemote(.refresh, visit) } else { readLocal(visit) }
        case .failed(let error):
            guard servesLocalOnFailure else { return visit.call.end(.failure(error)) }
            serveLocal(visit, after: error, page: page)
        }
    }

    private func serveLocal(_ visit: Visit, after error: SourceError, page: PaginatorPage<T>?) {
        @Sendable func serve(_ page: PaginatorPage<T>) {
            guard !page.content.isEmpty else { return visit.call.end(.failure(error)) }
            visit.request.context.caller?.answerIsFallback(for: error)
            visit.call.end(.success(page.expired))
        }
        if let page { return serve(page) }
        visit.call.run(local, visit.request) { result in
            if case .success(let page) = result { serve(page) } else { visit.call.end(.failure(error)) }
        }
    }
}

// Work on behalf of all waiters.
extension MediatorDataSource {
    private func fetchRemote(_ load: RemoteLoad, for visit: Visit) {
        var request = servesLocalOnFailure ? visit.request.limited(to: visit.request.halfOfTimeLeft) : visit.request
        request.identity = PageIdentity(key: load.key, pageSize: request.pageSize, scope: request.scope)
        request.isFirst = load.key.hasSameBytes(as: remote.firstKey)
        // The context's page comes from the local source, which the remote source does not know.
        request.context.page = nil
        // Calls that join later would keep a remote source that hangs from ever being called again.
        load.call.limit(to: request.timeLeft, of: request) { [self] in end(load, .failed($0), in: visit.scope) }
        load.call.run(remote, request) { [self, isFirst = request.isFirst] result in
            switch result {
            case .success(let page): take(page, of: load, in: visit)
            case .failure(let error) where error.isKeyExpired && load.purpose == .append && !isFirst:
                let first = remote.firstKey
                guard let waiters = state.withLock({ $0.use(visit.scope) { $0.expired(load, first: first) } }) else {
                    return end(load, .failed(error), in: visit.scope)
                }
                for resume in waiters { resume(.dropped, load) }
            case .failure(let error): end(load, .failed(error), in: visit.scope)
            }
        }
    }

    private func take(_ page: PaginatorPage<Remote>, of load: RemoteLoad, in visit: Visit) {
        switch state.withLock({ $0.use(visit.scope) { $0.fetched(load, nextKey: page.nextKey) } }) {
        case .ignore: break
        case .drop(let waiters): for resume in waiters { resume(.dropped, load) }
        case .save:
            let (executor, isRefresh) = (visit.request.executor, load.purpose == .refresh)
            var load = load
            if isRefresh { load.savedAt = visit.request.context.caller?.makeRequestTime() }
            save(page, visit.request.scope, isRefresh) { [self, load] result in
                // On another thread, because a database must not be read inside its write callback.
                executor.run { [self] in
                    switch result {
                    case .success: end(load, .saved, in: visit.scope)
                    case .failure(let error):
                        end(load, .failed(error as? SourceError ?? .fatal(error)), in: visit.scope)
                    }
                }
            }
        }
    }

    private func end(_ load: RemoteLoad, _ outcome: Outcome, in scope: ExactText) {
        let isSaved = if case .saved = outcome { true } else { false }
        let waiters = state.withLock { $0.use(scope) { $0.ended(load, isSaved: isSaved) } }
        for resume in waiters { resume(outcome, load) }
    }

    private func leave(_ waiter: Int, _ scope: ExactText) {
        // Objects of the waiter are released without the lock.
        let left = state.withLock { $0.use(scope) { $0.leave(waiter) } }
        left.abandoned?.call.stop()
        for resume in left.readers { resume(.dropped, left.abandoned) }
    }
}

extension PaginatorPage {
    /// The same page, expired, as a substitute for a newer one.
    var expired: PaginatorPage {
        PaginatorPage(
            content: content, key: key, expirationTime: .distantPast, prevKey: prevKey, nextKey: nextKey,
            byteCount: byteCount, isStorable: isStorable, total: total, tags: tags)
    }
}

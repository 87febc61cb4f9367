#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension MediatorDataSource {
    /// One call on its way between the local and the remote source.
    struct Visit: Sendable {
        let request: SourceRequest
        let call: RelayedCall<T>
        /// How many remote loads the call has waited for.
        var loads = 0
    }

    /// How a load that a call waited for ended.
    enum Outcome: Sendable {
        case saved
        case dropped
        case failed(SourceError)
    }

    struct RemoteLoad: Hashable, Sendable {
        let scope: ExactText
        let load: Int
    }

    struct State: Sendable {
        /// Of so many scopes it is known where remote pages go on; of those used longest ago it is forgotten.
        static var rememberedScopes: Int { 1_024 }

        var boundaries: [ExactText: RemoteBoundary] = [:]
        /// When each of them was used last, by the number of the waiter.
        var uses: [ExactText: Int] = [:]
        var waiters: [Int: Resume] = [:]
        var lastWaiter = 0
        var remoteCalls: [RemoteLoad: RelayedCall<Remote>] = [:]

        /// Lets a waiter join the load of a scope. Complexity: O(1), amortized.
        mutating func join(
            _ scope: ExactText, _ waiter: Int, for purpose: RemoteBoundary.Purpose, since version: Int,
            unknown start: String
        ) -> RemoteBoundary.Joined {
            uses[scope] = waiter
            if boundaries.count >= Self.rememberedScopes, boundaries[scope] == nil { forgetScopes() }
            return boundaries[scope, default: RemoteBoundary()]
                .join(waiter, for: purpose, since: version, unknown: start)
        }

        /// Forgets half of the scopes in which nothing is loaded.
        private mutating func forgetScopes() {
            let idle = boundaries.filter(\.value.isIdle).keys.sorted { uses[$0, default: 0] < uses[$1, default: 0] }
            for scope in idle.prefix(max(1, idle.count / 2)) {
                boundaries[scope] = nil
                uses[scope] = nil
            }
        }

        /// Takes out what a load that is over leaves behind.
        mutating func take(_ load: RemoteLoad, _ ids: [Int]) -> Taken {
            Taken(
                call: remoteCalls.removeValue(forKey: load), resumes: ids.compactMap { waiters.removeValue(forKey: $0) }
            )
        }
    }

    /// What is taken out of the state to be used, or let go of, outside the lock.
    struct Taken: Sendable {
        var call: RelayedCall<Remote>?
        var resumes: [Resume] = []
    }

    /// Goes on with a call when a load, made for some purpose, ended.
    typealias Resume = @Sendable (Outcome, RemoteBoundary.Purpose) -> Void

    func readLocal(_ visit: Visit) {
        let scope = ExactText(visit.request.scope)
        let version = state.withLock { $0.boundaries[scope]?.version ?? 0 }
        visit.call.run(local, visit.request) { [self] result in
            guard case .success(let page) = result, runsOut(page, visit) else { return visit.call.end(result) }
            awaitRemote(.append, visit, version: version, page: page)
        }
    }

    /// An empty page that names a next key sends for a remote page once; after that the local source is believed.
    private func runsOut(_ page: PaginatorPage<T>, _ visit: Visit) -> Bool {
        page.nextKey == nil || (page.content.isEmpty && visit.loads == 0)
    }

    /// Joins or starts the remote load of the scope, and goes on when it ends.
    func awaitRemote(
        _ purpose: RemoteBoundary.Purpose, _ visit: Visit, version: Int, page: PaginatorPage<T>?
    ) {
        let scope = visit.request.scope
        guard let part = visit.call.begin() else { return }
        let start = startKey(purpose, scope: scope, page: page)
        let resume: Resume = { [self] outcome, finished in
            guard visit.call.finish(part) else { return }
            goOn(visit, after: outcome, of: finished, wanting: purpose, page: page)
        }
        let remoteCall = RelayedCall<Remote> { _ in }
        let (waiter, joined) = state.withLock { state -> (Int, RemoteBoundary.Joined) in
            state.lastWaiter += 1
            let waiter = state.lastWaiter
            let joined = state.join(ExactText(scope), waiter, for: purpose, since: version, unknown: start)
            switch joined {
            case .start(let load, _):
                state.waiters[waiter] = resume
                state.remoteCalls[RemoteLoad(scope: ExactText(scope), load: load)] = remoteCall
            case .wait: state.waiters[waiter] = resume
            case .endReached, .readAgain, .refused: break
            }
            return (waiter, joined)
        }
        switch joined {
        case .endReached:
            guard visit.call.finish(part), let page else { return }
            visit.call.end(.success(page))
        case .refused:
            resume(.failed(.fatal(Self.refusedKey)), purpose)
        case .readAgain:
            if visit.call.finish(part) { readLocal(visit) }
        case .wait:
            visit.call.hold(SourceCancellation { self.leave(waiter, scope: scope) }, of: part)
            limit(visit, part, page, purpose)
        case .start(let load, let key):
            visit.call.hold(SourceCancellation { self.leave(waiter, scope: scope) }, of: part)
            limit(visit, part, page, purpose)
            let request = visit.request
            fetchRemote(
                key, as: load, for: purpose,
                servesLocalOnFailure ? request.limited(to: request.halfOfTimeLeft) : request, remoteCall)
        }
    }

    private static var refusedKey: PaginatorError {
        PaginatorError(.invalidKey, "The key of the next remote page is none that a source can be asked for.")
    }

    /// Serves the local page also when the remote source hangs: it has half of the time.
    private func limit(
        _ visit: Visit, _ part: Int, _ page: PaginatorPage<T>?, _ purpose: RemoteBoundary.Purpose
    ) {
        guard servesLocalOnFailure else { return }
        visit.call.limit(part, to: visit.request.halfOfTimeLeft, of: visit.request) { [self] error in
            goOn(visit, after: .failed(error), of: purpose, wanting: purpose, page: page)
        }
    }

    private func startKey(
        _ purpose: RemoteBoundary.Purpose, scope: String, page: PaginatorPage<T>?
    ) -> String {
        guard purpose == .append, let resumeKey, let page else { return remote.firstKey }
        let isKnown = state.withLock { $0.boundaries[ExactText(scope)]?.knowsNext ?? false }
        return isKnown ? remote.firstKey : resumeKey(scope, page) ?? remote.firstKey
    }

    private func goOn(
        _ visit: Visit, after outcome: Outcome, of finished: RemoteBoundary.Purpose,
        wanting purpose: RemoteBoundary.Purpose, page: PaginatorPage<T>?
    ) {
        var visit = visit
        if purpose == .refresh, finished != .refresh {
            return awaitRemote(.refresh, visit, version: 0, page: nil)
        }
        switch outcome {
        case .saved:
            visit.loads += 1
            if visit.loads < maxRemoteLoads { return readLocal(visit) }
            readLastTime(visit)
        case .dropped:
            if purpose == .refresh { awaitRemote(.refresh, visit, version: 0, page: nil) } else { readLocal(visit) }
        case .failed(let error):
            guard servesLocalOnFailure else { return visit.call.end(.failure(error)) }
            serveLocal(visit, after: error, page: page)
        }
    }

    /// Reads the local source after the last remote load that the call may wait for.
    private func readLastTime(_ visit: Visit) {
        visit.call.run(local, visit.request) { [self] result in
            guard case .success(let page) = result, runsOut(page, visit), !isAtEnd(visit.request.scope) else {
                return visit.call.end(result)
            }
            visit.call.end(.failure(.fatal(RemoteLoadsExhausted(loads: visit.loads))))
        }
    }

    private func isAtEnd(_ scope: String) -> Bool {
        state.withLock { $0.boundaries[ExactText(scope)]?.isAtEnd ?? false }
    }

    private func serveLocal(_ visit: Visit, after error: SourceError, page: PaginatorPage<T>?) {
        @Sendable func serve(_ page: PaginatorPage<T>) {
            guard !page.content.isEmpty else { return visit.call.end(.failure(error)) }
            visit.request.context.caller?.answerStandsIn(for: error)
            visit.call.end(.success(page.expired))
        }
        if let page { return serve(page) }
        visit.call.run(local, visit.request) { result in
            if case .success(let page) = result { serve(page) } else { visit.call.end(.failure(error)) }
        }
    }
}

extension PaginatorPage {
    /// The same page, stale since ever.
    fileprivate var expired: PaginatorPage {
        PaginatorPage(
            content: content, key: key, expirationTime: .distantPast, prevKey: prevKey, nextKey: nextKey,
            byteCount: byteCount, isStorable: isStorable)
    }
}

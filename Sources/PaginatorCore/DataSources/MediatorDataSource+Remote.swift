extension MediatorDataSource {
    /// Asks the remote source, on behalf of all who wait.
    func fetchRemote(
        _ key: String, as load: Int, for purpose: RemoteBoundary.Purpose, _ request: SourceRequest,
        _ call: RelayedCall<Remote>
    ) {
        var remoteRequest = SourceRequest(
            identity: PageIdentity(key: key, pageSize: request.pageSize, scope: request.scope),
            isFirst: key.hasSameBytes(as: remote.firstKey), attempt: request.attempt, priority: request.priority,
            isPrefetch: request.isPrefetch)
        remoteRequest.context.caller = request.context.caller
        remoteRequest.context.deadline = request.context.deadline
        call.run(remote, remoteRequest) { [self] result in
            switch result {
            case .success(let page): take(page, of: load, for: purpose, scope: request.scope)
            case .failure(let error): fail(error, load: load, isSaving: false, for: purpose, scope: request.scope)
            }
        }
    }

    func leave(_ waiter: Int, scope: String) {
        let exactScope = ExactText(scope)
        let (resume, call) = state.withLock { state in
            let resume = state.waiters.removeValue(forKey: waiter)
            let abandoned = state.boundaries[exactScope]?.leave(waiter)
            let call = abandoned.flatMap {
                state.remoteCalls.removeValue(forKey: RemoteLoad(scope: exactScope, load: $0))
            }
            return (resume, call)
        }
        _ = resume
        call?.cancel()
    }

    private func take(
        _ page: PaginatorPage<Remote>, of load: Int, for purpose: RemoteBoundary.Purpose, scope: String
    ) {
        let exactScope = ExactText(scope)
        let (fetched, dropped) = state.withLock { state -> (RemoteBoundary.Fetched, Taken) in
            let fetched = state.boundaries[exactScope]?.fetched(load, nextKey: page.nextKey) ?? .ignore
            guard case .drop(let waiters) = fetched else { return (fetched, Taken()) }
            return (fetched, state.take(RemoteLoad(scope: exactScope, load: load), waiters))
        }
        for resume in dropped.resumes { resume(.dropped, purpose) }
        guard fetched == .save else { return }
        save(RemotePage(page: page, scope: scope, isRefresh: purpose == .refresh)) { [self] result in
            switch result {
            case .success: finishSaving(load, for: purpose, scope: scope)
            case .failure(let error):
                let sourceError = error as? SourceError ?? .fatal(error)
                fail(sourceError, load: load, isSaving: true, for: purpose, scope: scope)
            }
        }
    }

    private func finishSaving(_ load: Int, for purpose: RemoteBoundary.Purpose, scope: String) {
        let exactScope = ExactText(scope)
        let waiters = state.withLock { state in
            guard let ids = state.boundaries[exactScope]?.saved(load) else { return Taken() }
            return state.take(RemoteLoad(scope: exactScope, load: load), ids)
        }
        for resume in waiters.resumes { resume(.saved, purpose) }
    }

    private func fail(
        _ error: SourceError, load: Int, isSaving: Bool, for purpose: RemoteBoundary.Purpose, scope: String
    ) {
        let exactScope = ExactText(scope)
        let waiters = state.withLock { state in
            guard let ids = state.boundaries[exactScope]?.failed(load, isSaving: isSaving) else { return Taken() }
            return state.take(RemoteLoad(scope: exactScope, load: load), ids)
        }
        for resume in waiters.resumes { resume(.failed(error), purpose) }
    }
}

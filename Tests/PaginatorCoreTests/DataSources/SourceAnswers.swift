import PaginatorTesting

@testable import PaginatorCore

/// The answers of one call of a data source.
final class SourceAnswers<T: Sendable>: Sendable {
    let handshake = Handshake<[Result<PaginatorPage<T>, SourceError>]>([])

    var take: @Sendable (Result<PaginatorPage<T>, SourceError>) -> Void {
        { result in self.handshake.update { $0.append(result) } }
    }

    var all: [Result<PaginatorPage<T>, SourceError>] { handshake.read { $0 } }

    var page: PaginatorPage<T>? {
        if case .success(let page)? = all.first { page } else { nil }
    }

    var error: SourceError? {
        if case .failure(let error)? = all.first { error } else { nil }
    }
}

/// The paginator's side of a call of a source that calls others.
final class TestCaller: SourceCaller {
    let executor: any WorkExecutor

    init(executor: any WorkExecutor) { self.executor = executor }

    var clock: any PaginatorClock { SystemPaginatorClock() }
    var attemptTimeout: Duration { .seconds(30) }
    var isOffline: Bool { false }

    func limit(by due: @escaping @Sendable () -> PaginatorInstant?) {}
    func pauseSource(_ own: SourcePause?, for delay: Duration, because cause: (any Error)?) {}
    func report(_ event: PaginatorEvent) {}
    func show(_ page: LoadedPage) {}
    func answerIsFallback(for error: SourceError) {}
    func makeRequestTime() -> PaginatorInstant { clock.now }
    func answerIsRead(afterRefreshAt time: PaginatorInstant, isRefresh: Bool) {}
}

extension PaginatorDataSource {
    /// Calls the source and keeps its answers and its handle.
    func ask(
        _ key: String, pageSize: Int = 3, scope: String = "", isFirst: Bool = false, caller: (any SourceCaller)? = nil
    ) -> (
        answers: SourceAnswers<T>, handle: SourceCancellation
    ) {
        let answers = SourceAnswers<T>()
        var request = SourceRequest(
            identity: PageIdentity(key: key, pageSize: pageSize, scope: scope), isFirst: isFirst)
        request.context.caller = caller
        return (answers, fetch(request, completion: answers.take))
    }
}

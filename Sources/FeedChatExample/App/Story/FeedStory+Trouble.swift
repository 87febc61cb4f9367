import Foundation
import PaginatorCore
import PaginatorHTTP

extension FeedStory {
    /// A server that asks for patience, and gets it.
    func recoverFromUnavailability(_ keys: [String]) async throws {
        transcript.begin("The server answers 503 with Retry-After: 1, then recovers")
        let paginator = makePaginator()
        let cursor = cursor(keys[3])
        let before = await conditions.arrivals.count
        await conditions.inject([.unavailable(retryAfter: 1)], after: cursor)
        let fetched = try await paginator.answer(key: keys[3], pageSize: pageSize).get()
        transcript.note(describe(fetched))
        let times = await conditions.arrivals[before...].map(\.time)
        transcript.verify(times.count, equals: 2, "the second attempt was answered")
        let pause = times.count == 2 ? times[0].duration(to: times[1]) : .zero
        transcript.note("the second attempt came \(pause.formatted(.units(allowed: [.milliseconds]))) after the first")
        transcript.verify(pause >= .seconds(1), "it did not come before the second was over")
        transcript.verify(fetched.origin == .source && !fetched.isStale, "the page is fresh")
    }

    /// A server that does not answer: once, and then every time.
    func timeOut(_ keys: [String]) async throws {
        transcript.begin("A server that does not answer in time")
        let paginator = makePaginator {
            $0.attemptTimeout = .milliseconds(600)
            $0.maxAttempts = 2
        }
        await conditions.inject([.stall], after: cursor(keys[4]))
        let fetched = try await paginator.answer(key: keys[4], pageSize: pageSize).get()
        transcript.note(describe(fetched))
        await transcript.verify(
            conditions.requests(after: cursor(keys[4])) > 1, "the first attempt timed out, the second was answered")

        await conditions.inject([.stall, .stall], after: cursor(keys[5]))
        let failed = await paginator.answer(key: keys[5], pageSize: pageSize)
        transcript.note(describe(failed.failure))
        transcript.verify(failed.failure?.code, equals: .timedOut, "two attempts without an answer end as timed out")
        transcript.verify(failed.failure?.attempts, equals: 2, "the error tells how many attempts there were")
        await conditions.heal()
        let later = try await paginator.answer(key: keys[5], pageSize: pageSize).get()
        transcript.verify(later.origin, equals: .source, "the error was not cached: asked again, the page comes")
    }

    /// A fetch that nobody wants any more.
    func cancel(_ keys: [String]) async throws {
        transcript.begin("Cancel")
        let paginator = makePaginator()
        let before = await conditions.requests(after: cursor(keys[7]))
        await conditions.inject([.stall], after: cursor(keys[7]))
        let (answers, continuation) = AsyncStream<Result<FetchedPage<PostPreview>, PaginatorError>>.makeStream()
        let execution = paginator.fetch(key: keys[7], pageSize: pageSize) { continuation.yield($0) }
        await conditions.waitForRequests(before + 1, after: cursor(keys[7]))
        transcript.note("the server has the request and does not answer")
        transcript.verify(execution.cancel(), "cancel ends the fetch")
        transcript.verify(!execution.cancel(), "a second cancel finds nothing to end")
        var answer = answers.makeAsyncIterator()
        transcript.verify(await answer.next()?.failure?.code, equals: .cancelled, "the one answer is: cancelled")
        let again = try await paginator.answer(key: keys[7], pageSize: pageSize).get()
        transcript.verify(again.origin, equals: .source, "a later fetch starts anew")
        continuation.finish()
        transcript.verify(await answer.next() == nil, "the cancelled fetch said nothing more")
    }

    /// The server goes away.
    func loseTheServer(_ keys: [String]) async throws {
        transcript.begin("The server is gone")
        let paginator = makePaginator { $0.maxAttempts = 2 }
        let known = try await paginator.answer(key: keys[0], pageSize: pageSize).get()
        paginator.invalidate(.all)
        await server.stop()
        transcript.note("the first page was loaded and then marked stale; now the port is closed")

        let standard = await paginator.answer(key: keys[0], pageSize: pageSize)
        transcript.verify(standard.value?.page === known.page, "the stale page is still shown")
        transcript.verify(standard.value?.isStale, equals: true, "it says that it is stale")
        let reason = standard.value?.refreshError
        transcript.note(describe(reason))
        transcript.verify(reason?.code, equals: .sourceFailed, "and why it could not be renewed")

        let (previews, revalidated) = await previewed(keys[0], in: paginator)
        transcript.verify(
            previews.map(\.page.key), equals: [keys[0]], "stale while revalidate shows it first as a preview")
        transcript.verify(revalidated.value?.refreshError != nil, "and ends with the page and the reason")

        let cached = await paginator.answer(key: keys[0], pageSize: pageSize, policy: .cacheOnly)
        transcript.verify(cached.value?.origin, equals: .memory, "cache only does not ask the server")

        let strict = await paginator.answer(key: keys[0], pageSize: pageSize, policy: .networkOnly)
        transcript.verify(strict.failure?.code, equals: .sourceFailed, "network only ends with the error")
        let unknown = await paginator.answer(key: keys[1], pageSize: pageSize)
        transcript.note(describe(unknown.failure))
        transcript.verify(unknown.failure?.code, equals: .sourceFailed, "a page that was never loaded is a clear error")
        let failure = unknown.failure?.underlying as? HTTPSourceError
        transcript.verify(failure?.code, equals: .connection, "with the failed connection behind it")
    }

    /// One line about an error, without the system's long one behind it.
    private func describe(_ error: PaginatorError?) -> String {
        guard let error else { return "no error" }
        return "\(error.metricsLabel): \(error.message) (attempts: \(error.attempts))"
    }

    private func previewed(
        _ key: String, in paginator: CallbackPaginator<PostPreview>
    ) async -> ([FetchedPage<PostPreview>], Result<FetchedPage<PostPreview>, PaginatorError>) {
        await withCheckedContinuation { continuation in
            let request = PageRequest(key: key, pageSize: pageSize, policy: .staleWhileRevalidate)
            paginator.fetch(request, listener: PreviewLog { continuation.resume(returning: ($0, $1)) })
        }
    }
}

extension Result {
    /// The value of a success.
    var value: Success? { if case .success(let value) = self { value } else { nil } }

    /// The error of a failure.
    var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}

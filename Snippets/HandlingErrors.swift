// What a failure means to the scheduler, the caches and the screen.
import Foundation
import PaginatorCore

struct ServerIsBusy: Error {}
struct PostIsGone: Error {}
struct SignedOut: Error {}

// With each failure, the source says what to do next.
let posts = ClosureDataSource<String>(firstKey: "0") { (request: SourceRequest) -> PaginatorPage<String> in
    switch request.key {
    // Temporary: try again, but not before this delay, for example from a `Retry-After`.
    case "0" where request.attempt == 1: throw SourceError.retry(ServerIsBusy(), after: .milliseconds(200))
    case "0": return PaginatorPage(content: ["first"], key: "0", nextKey: "1")
    // Permanent: no further attempt.
    default: throw SourceError.fatal(PostIsGone())
    }
}

var config = PaginatorConfig()
config.maxAttempts = 3
config.attemptTimeout = .seconds(10)
// Answers at once with a cached page of the last hour, instead of trying again.
config.errorStrategy = ErrorStrategy { failure in
    failure.cachedAge.map { $0 < .hours(1) } == true ? .serveCached : ErrorStrategy.standard.decide(failure)
}
let feed = CallbackPaginator(dataSource: posts, config: config)

@Sendable func isSignedOut(_ error: PaginatorError) -> Bool { error.underlying is SignedOut }

/// The message on the screen.
@Sendable func text(for error: PaginatorError) -> String {
    switch error.code {
    case .offline: "You are offline."
    case .timedOut, .throttled: "The server does not answer. Try again later."
    case .cancelled, .superseded: ""
    case .sourceFailed where isSignedOut(error): "You are signed out."
    default: error.localizedDescription
    }
}

feed.fetch(key: "0", pageSize: 30) { result in
    if case .success(let page) = result { print(page.content, "after", feed.counters[.attemptStarted], "attempts") }
    feed.fetch(key: "1", pageSize: 30) { result in
        if case .failure(let error) = result { print(error.code, error.attempts, text(for: error)) }
        exit(0)
    }
}
dispatchMain()

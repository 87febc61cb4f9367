import AppFoundation
import PaginatorCore

/// Applies changes of posts to the index of seen posts, one after the other.
final class SearchIndexUpdates: Sendable {
    private let changes: AsyncStream<PostChange>.Continuation
    private let task: Task<Void, Never>

    init(_ index: SearchIndex, log: AppLog?) {
        let (stream, continuation) = AsyncStream<PostChange>.makeStream()
        changes = continuation
        task = Task {
            for await change in stream {
                // If this fails, the post is found with its old text until it is loaded again.
                await log.attempt("a change of a post is not in the index of the search") {
                    try await index.apply(change)
                }
            }
        }
    }

    deinit {
        changes.finish()
    }

    func take(_ change: PostChange) { changes.yield(change) }

    /// Applies what was taken, and returns when the index is no longer used.
    func stop() async {
        changes.finish()
        await task.value
    }
}

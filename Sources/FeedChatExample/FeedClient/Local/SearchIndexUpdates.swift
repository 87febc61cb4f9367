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
                do {
                    try await index.apply(change)
                } catch {
                    // It is found with its old text until it is loaded again.
                    log?(.sync, .error, "a change of a post is not in the index of the search")
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

import AppFoundation

/// Asks the backend once a run for its limits and flags, as soon as there is a connection, and keeps them for the next start.
///
/// Nobody waits for it: what an app works with does not change while it is open.
final class ConfigRefresh: Sendable {
    private let task: Task<Void, Never>

    init(_ api: FeedAPI, _ metadata: MetadataStore, _ environment: AppEnvironment) {
        let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let observation = environment.observeState { _ in continuation.yield() }
        continuation.yield()
        task = Task.detached {
            for await _ in changes where environment.state.isOnline {
                do {
                    try await metadata.set(try await api.config(), named: "config")
                    break
                } catch {
                    // What it said last still counts; it is asked again when the connection or the app comes back.
                }
            }
            withExtendedLifetime(observation) {}
        }
    }

    deinit {
        task.cancel()
    }

    /// Ends it, and returns when nothing is used any more.
    func stop() async {
        task.cancel()
        await task.value
    }
}

import AppFoundation

/// Requests the limits and flags of the backend once a run, as soon as there is a connection, and stores them for the
/// next start.
///
/// No caller waits for it, because the configuration of a running app does not change.
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
                    // The last answer remains in use; it is requested again when the connection or the app returns.
                }
            }
            withExtendedLifetime(observation) {}
        }
    }

    deinit {
        task.cancel()
    }

    /// Stops, and returns when nothing is used any more.
    func stop() async {
        task.cancel()
        await task.value
    }
}

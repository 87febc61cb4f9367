/// Runs an operation that may never end: its task is cancelled after a time.
@MainActor func limited<Value: Sendable>(
    to limit: Duration, onLimit: @escaping @MainActor () -> Void = {},
    _ work: @escaping @MainActor () async throws -> Value
) async throws -> Value {
    let task = Task { try await work() }
    let watch = Task {
        try await Task.sleep(for: limit)
        onLimit()
        task.cancel()
    }
    defer { watch.cancel() }
    return try await task.value
}

public import PaginatorCore

// Changes that are complete when they return. They cannot be cancelled: in a cancelled task they still complete. They
// have their own names: of two overloads, async code always takes the `async` one, and top-level code the other.
extension Paginator {
    /// Removes the pages of a key, in every size and scope, and returns when neither memory nor the store has them.
    ///
    /// Like `clear(key:)` it removes them from memory before the first suspension. Without a store it does not suspend.
    ///
    /// - Parameter key: the pages' key.
    /// - Throws: ``/PaginatorCore/PaginatorError`` with `storeFailed` if the store could not make the change durable,
    ///   or did not answer within the configuration's `storeTimeout`.
    nonisolated(nonsending) public func clearAndWait(key: String) async throws(PaginatorError) {
        try await clear(.key(key))
    }

    /// Removes the pages of a scope, as for a log-out, and returns when neither memory nor the store has them.
    ///
    /// It also ends pending edits, as `clear(_:completion:)` says. Lists keep their rows until they are reset.
    ///
    /// - Parameter scope: the scope, such as that of a user.
    /// - Throws: ``/PaginatorCore/PaginatorError`` with `storeFailed` if the store could not make the change durable,
    ///   or did not answer within the configuration's `storeTimeout`.
    nonisolated(nonsending) public func clearAndWait(scope: String) async throws(PaginatorError) {
        try await clear(.scope(scope))
    }

    /// Removes every page, and returns when neither memory nor the store has one.
    ///
    /// It also ends all pending edits and forgets inserted rows. Lists keep their other rows until they are reset.
    ///
    /// - Throws: ``/PaginatorCore/PaginatorError`` with `storeFailed` if the store could not make the change durable,
    ///   or did not answer within the configuration's `storeTimeout`.
    nonisolated(nonsending) public func clearAllAndWait() async throws(PaginatorError) {
        try await clear(.all)
    }

    /// Writes all changes before it durably, like `flush(completion:)`; returns at once without a store.
    ///
    /// - Throws: ``/PaginatorCore/PaginatorError`` with `storeFailed` if that failed, or took longer than the
    ///   configuration's `storeTimeout`.
    nonisolated(nonsending) public func flush() async throws(PaginatorError) {
        let base = base
        guard base.engine.hasStore else { return }
        let result = await withCheckedContinuation { continuation in
            base.flush { continuation.resume(returning: $0) }
        }
        try result.get()
    }

    /// Ends all fetches with the code `released`, stops all work, flushes the store, and then returns. Later fetches
    /// end with the same error.
    ///
    /// - Throws: ``/PaginatorCore/PaginatorError``, as ``flush()`` does.
    nonisolated(nonsending) public func shutdownAndWait() async throws(PaginatorError) {
        base.engine.release()
        try await flush()
    }

    nonisolated(nonsending) private func clear(_ selection: PageSelection) async throws(PaginatorError) {
        // Not through `base`, so that a paginator that wraps another one sees the call.
        if let paginator = self as? CallbackPaginator<T>, !paginator.engine.hasStore {
            return clear(selection, completion: nil)
        }
        let result = await withCheckedContinuation { continuation in
            clear(selection) { continuation.resume(returning: $0) }
        }
        try result.get()
    }
}

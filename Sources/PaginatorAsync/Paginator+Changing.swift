public import PaginatorCore

// Changes that are over when they return. They cannot be cancelled half way: in a cancelled task they run to their end.
// They have names of their own: of two overloads async code would always take the one that waits.
extension Paginator {
    /// Removes the pages of a key, in every size and scope, and returns when neither memory nor the store has them.
    ///
    /// `clear(key:)` returns when memory no longer has them. Here, too, they have left memory before the first
    /// suspension; without a store the call does not suspend.
    ///
    /// - Parameter key: the pages' key.
    /// - Throws: ``/PaginatorCore/PaginatorError`` with `storeFailed` when the store could not make the change
    ///   durable, or did not answer within the configuration's `storeTimeout`.
    nonisolated(nonsending) public func clearAndWait(key: String) async throws(PaginatorError) {
        try await clear(.key(key))
    }

    /// Removes the pages of a scope, and returns when neither memory nor the store has them, as a log-out needs it.
    ///
    /// - Parameter scope: the scope, such as that of a user.
    /// - Throws: ``/PaginatorCore/PaginatorError`` with `storeFailed` when the store could not make the change
    ///   durable, or did not answer within the configuration's `storeTimeout`.
    nonisolated(nonsending) public func clearAndWait(scope: String) async throws(PaginatorError) {
        try await clear(.scope(scope))
    }

    /// Removes every page, and returns when neither memory nor the store has one.
    ///
    /// - Throws: ``/PaginatorCore/PaginatorError`` with `storeFailed` when the store could not make the change
    ///   durable, or did not answer within the configuration's `storeTimeout`.
    nonisolated(nonsending) public func clearAllAndWait() async throws(PaginatorError) {
        try await clear(.all)
    }

    /// Makes all changes of the store durable; returns at once without a store.
    ///
    /// - Throws: ``/PaginatorCore/PaginatorError`` with `storeFailed` when that failed, or took longer than the
    ///   configuration's `storeTimeout`.
    nonisolated(nonsending) public func flush() async throws(PaginatorError) {
        let engine = base.engine
        guard engine.hasStore else { return }
        let result = await withCheckedContinuation { continuation in
            engine.flush { continuation.resume(returning: $0) }
        }
        try result.get()
    }

    /// Ends all fetches with the code `released`, stops all work, flushes the store, and then returns;
    /// later fetches end with the same error.
    ///
    /// - Throws: ``/PaginatorCore/PaginatorError``, as ``flush()`` does.
    nonisolated(nonsending) public func shutdown() async throws(PaginatorError) {
        base.engine.release()
        try await flush()
    }

    nonisolated(nonsending) private func clear(_ selection: PageSelection) async throws(PaginatorError) {
        // Not by `base`: a paginator that stands in front of another one is to take note of the call.
        if let paginator = self as? CallbackPaginator<T>, !paginator.engine.hasStore {
            return clear(selection, completion: nil)
        }
        let result = await withCheckedContinuation { continuation in
            clear(selection) { continuation.resume(returning: $0) }
        }
        try result.get()
    }
}

public import PaginatorCore

// Changes that are over when they return. They cannot be cancelled half way: in a cancelled task they run to their end.
// They have names of their own: of two overloads async code would always take the one that waits.
extension CallbackPaginator {
    /// Removes the pages of a key, in every size and every scope, and returns when they are gone for good; the form without
    /// `AndWait` returns when memory no longer has them.
    ///
    /// Memory has changed before the first suspension; without a store there is none.
    ///
    /// - Parameter key: the pages' key.
    /// - Throws: ``PaginatorError`` with ``PaginatorError/Code/storeFailed`` when the store did not take the change or
    ///   could not make it durable.
    nonisolated(nonsending) public func clearAndWait(key: String) async throws(PaginatorError) {
        try await clear(.key(key))
    }

    /// Removes the pages of a scope, and returns when they are gone for good: what a log out waits for.
    ///
    /// - Parameter scope: the scope, such as that of a user.
    /// - Throws: ``PaginatorError`` with ``PaginatorError/Code/storeFailed`` when the store did not take the change or
    ///   could not make it durable.
    nonisolated(nonsending) public func clearAndWait(scope: String) async throws(PaginatorError) {
        try await clear(.scope(scope))
    }

    /// Removes every page, and returns when they are gone for good.
    ///
    /// - Throws: ``PaginatorError`` with ``PaginatorError/Code/storeFailed`` when the store did not take the change or
    ///   could not make it durable.
    nonisolated(nonsending) public func clearAllAndWait() async throws(PaginatorError) {
        try await clear(.all)
    }

    /// Makes everything durable that was handed to the store; returns at once without a store.
    ///
    /// - Throws: ``PaginatorError`` with what went wrong.
    nonisolated(nonsending) public func flush() async throws(PaginatorError) {
        guard engine.hasStore else { return }
        let result = await withCheckedContinuation { continuation in
            engine.flush { continuation.resume(returning: $0) }
        }
        try result.get()
    }

    /// Answers everybody who waits with ``PaginatorError/Code/released``, stops all work, and returns when the store is
    /// flushed. Later fetches throw the same error.
    ///
    /// - Throws: ``PaginatorError`` with what went wrong in the store.
    nonisolated(nonsending) public func shutdown() async throws(PaginatorError) {
        engine.release()
        try await flush()
    }

    nonisolated(nonsending) private func clear(_ selection: PageSelection) async throws(PaginatorError) {
        guard engine.hasStore else {
            _ = engine.clear(selection) { _ in }
            return
        }
        let result = await withCheckedContinuation { continuation in
            _ = engine.clear(selection) { continuation.resume(returning: $0) }
        }
        try result.get()
    }
}

public import PaginatorCore

/// A validator that judges fetched pages with an `async` closure, such as a signature check.
///
/// The closure runs in its own task, within the attempt's timeout; the task is not cancelled, and a later verdict is
/// ignored. A thrown error rejects the page, with the error as the reason. Cached pages are judged by a second closure,
/// which is not `async`.
public struct AsyncPageValidator<T: Sendable>: PageValidator {
    private let cached: @Sendable (PaginatorPage<T>, ValidationContext) -> PageVerdict
    private let fetched:
        nonisolated(nonsending) @Sendable (PaginatorPage<T>, ValidationContext) async throws -> PageVerdict

    /// Creates a validator.
    ///
    /// - Parameters:
    ///   - cached: judges a cached page before it is used, on the thread that reads the cache, so it should be fast; it
    ///     accepts every page by default.
    ///   - fetched: judges a fetched page before it is cached.
    public init(
        cached: @escaping @Sendable (_ page: PaginatorPage<T>, _ context: ValidationContext) -> PageVerdict = { _, _ in
            .accept
        },
        fetched:
            nonisolated(nonsending) @escaping @Sendable (
                _ page: PaginatorPage<T>, _ context: ValidationContext
            ) async throws -> PageVerdict
    ) {
        self.cached = cached
        self.fetched = fetched
    }

    /// Judges a cached page.
    public func judge(_ page: PaginatorPage<T>, in context: ValidationContext) -> PageVerdict {
        cached(page, context)
    }

    /// Judges a fetched page in a new task.
    public func judgeFetched(
        _ page: PaginatorPage<T>,
        in context: ValidationContext,
        completion: @escaping @Sendable (PageVerdict) -> Void
    ) {
        Task.detached { [fetched] in
            do {
                completion(try await fetched(page, context))
            } catch {
                completion(.fail(reason: "\(error)"))
            }
        }
    }
}

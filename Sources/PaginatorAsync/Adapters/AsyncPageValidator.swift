public import PaginatorCore

/// A validator whose judgement of fetched pages is an `async` closure, such as a signature check.
///
/// The closure runs in a task of its own, within the attempt's time-out; a verdict that comes later is ignored, and the
/// task is left to end by itself. A thrown error refuses the page, with the error as reason. Pages in the caches were
/// judged when they came, so they are judged by a closure that answers at once.
public struct AsyncPageValidator<T: Sendable>: PageValidator {
    private let cached: @Sendable (PaginatorPage<T>, ValidationContext) -> PageVerdict
    private let fetched:
        nonisolated(nonsending) @Sendable (PaginatorPage<T>, ValidationContext) async throws -> PageVerdict

    /// Makes a validator.
    ///
    /// - Parameters:
    ///   - cached: judges a cached page before it is used, on the caller's thread; it accepts all by default.
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

public import PaginatorCore

/// A data source made of an `async` closure. Each call runs in its own task.
///
/// ```swift
/// let posts = AsyncDataSource(firstKey: "0") { request in
///     let answer = try await api.posts(offset: request.key, limit: request.pageSize)
///     return PaginatorPage(content: answer.posts, key: request.key, nextKey: answer.next)
/// }
/// ```
///
/// A call does not occupy a thread for blocking calls, and a task that awaits its page need not change threads.
///
/// When the paginator stops a call, its task is cancelled and its answer ignored. A `SourceError` that the closure
/// throws is passed on; the initializer's `errorRule` converts any other error.
public struct AsyncDataSource<T: Sendable>: PaginatorDataSource {
    /// The key of the first page.
    public let firstKey: String

    /// The value that the initializer was given.
    public let needsConnection: Bool

    private let neighborRule: (@Sendable (String, Int) -> NeighborKeys?)?
    private let errorRule: @Sendable (any Error) -> SourceError
    private let load: nonisolated(nonsending) @Sendable (SourceRequest) async throws -> PaginatorPage<T>

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - firstKey: the key of the first page; not empty.
    ///   - needsConnection: whether it must not be called while there is no connection; true by default. Pass `false` if
    ///     the pages are on the device.
    ///   - neighborKeys: computes the keys before and after a page; `nil`, the default, if only the page tells them.
    ///   - errorRule: converts a thrown error to a `SourceError`. By default a `PaginatorError` with the code
    ///     `expiredKey` becomes `.keyExpired`, one about an invalid request, a rejected page or a released paginator
    ///     `.fatal`, and any other error `.retry`.
    ///   - load: loads one page, in a task with the load's priority, outside any actor.
    public init(
        firstKey: String,
        needsConnection: Bool = true,
        neighborKeys: (@Sendable (_ key: String, _ pageSize: Int) -> NeighborKeys?)? = nil,
        errorRule: (@Sendable (any Error) -> SourceError)? = nil,
        load: nonisolated(nonsending) @escaping @Sendable (_ request: SourceRequest) async throws -> PaginatorPage<T>
    ) {
        self.firstKey = firstKey
        self.needsConnection = needsConnection
        neighborRule = neighborKeys
        self.errorRule = errorRule ?? Self.adviceByDefault
        self.load = load
    }

    private static func adviceByDefault(on error: any Error) -> SourceError {
        guard let error = error as? PaginatorError else { return .retry(error) }
        switch error.code {
        case .expiredKey: return .keyExpired(error)
        case .invalidKey, .invalidPageSize, .invalidDepth, .rejectedByValidation, .released: return .fatal(error)
        default: return .retry(error)
        }
    }

    /// Runs the closure in a new task and answers when it ends. Cancelling cancels that task.
    public func fetch(
        _ request: SourceRequest,
        completion: @escaping @Sendable (Result<PaginatorPage<T>, SourceError>) -> Void
    ) -> SourceCancellation {
        let task = Task.detached(priority: request.priority.taskPriority) { [load, errorRule] in
            do {
                let page = try await load(request)
                completion(.success(page))
            } catch {
                // The paginator stopped the call and expects no answer.
                guard !Task.isCancelled else { return }
                completion(.failure(error as? SourceError ?? errorRule(error)))
            }
        }
        return SourceCancellation { task.cancel() }
    }

    /// Returns the result of the initializer's `neighborKeys`; `nil` without it.
    public func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        neighborRule?(key, pageSize)
    }
}

extension AsyncDataSource: TaskStartingSource {}

extension FetchPriority {
    /// The task priority for loads of this priority.
    var taskPriority: TaskPriority {
        switch self {
        case .high: .high
        case .medium: .medium
        case .low: .low
        }
    }
}

import PaginatorCore

/// Somebody who waits for an answer of a store.
enum StoreWaiter<T: Sendable>: Sendable {
    case load(@Sendable (Result<StoredPage<T>?, PaginatorError>) -> Void)
    case done(@Sendable (Result<Void, PaginatorError>) -> Void)
}

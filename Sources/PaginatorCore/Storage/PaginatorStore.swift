/// A store of pages beside memory, as a paginator sees it: it never blocks, and each call answers once, on any thread.
///
/// Changes are applied in the order of the calls. A failing store never fails a fetch: its errors are reported to the
/// observer and counted.
public protocol PaginatorStore<T>: AnyObject, Sendable {
    /// The item type.
    associatedtype T: Sendable

    /// Takes what the paginator offers the store, once, before any other call. The default does nothing.
    func attach(to environment: StoreEnvironment)

    /// Reads one page, with every change applied to it that was handed over before.
    ///
    /// - Parameters:
    ///   - identity: the page asked for.
    ///   - completion: takes the page, `nil` when it is not stored, or the error.
    func load(
        _ identity: PageIdentity,
        completion: @escaping @Sendable (Result<StoredPage<T>?, PaginatorError>) -> Void
    )

    /// Applies changes, in order, after all that were handed over before.
    ///
    /// - Parameters:
    ///   - changes: what to change.
    ///   - accepted: called when the store can take more: the back-pressure. An error tells what was lost.
    func apply(_ changes: [StoreChange<T>], accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void)

    /// Makes everything durable that was handed over before.
    ///
    /// - Parameter completion: called when it is, or with what went wrong.
    func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void)
}

extension PaginatorStore {
    /// Does nothing.
    public func attach(to environment: StoreEnvironment) {}
}

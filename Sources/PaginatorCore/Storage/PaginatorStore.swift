/// A store of pages behind the memory cache. It never blocks, and answers each call once, on any thread.
///
/// It applies changes in the order of the calls. A failing store never fails a fetch: its errors are reported to the
/// observer and counted.
public protocol PaginatorStore<T>: AnyObject, Sendable {
    /// The item type.
    associatedtype T: Sendable

    /// Called by each paginator that uses the store, before its other calls. The default does nothing.
    func attach(to environment: StoreEnvironment)

    /// Reads one page, with all earlier changes applied and no later edit, which the paginator applies itself.
    ///
    /// - Parameters:
    ///   - identity: the requested page.
    ///   - completion: called with the page, `nil` if it is not stored, or the error.
    func load(
        _ identity: PageIdentity, completion: @escaping @Sendable (Result<StoredPage<T>?, PaginatorError>) -> Void
    )

    /// Applies changes in order, after all earlier ones.
    ///
    /// - Parameters:
    ///   - changes: the changes.
    ///   - accepted: called when the store can take more, as back-pressure, or with an error for lost changes. Then the
    ///     paginator removes a page that was to be saved, or marks pages stale that were to be edited, once.
    func apply(_ changes: [StoreChange<T>], accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void)

    /// Makes all earlier changes durable.
    ///
    /// - Parameter completion: called when they are written, or with the error.
    func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void)
}

extension PaginatorStore {
    /// Does nothing.
    public func attach(to environment: StoreEnvironment) {}
}

/// The state of a page as a screen shows it: loading, loaded or failed, with the previous page if there is one.
public enum PaginatorPageResult<T: Sendable>: Sendable {
    /// A load is running; `previous` is the page in memory.
    case loading(previous: PaginatorPage<T>?)
    /// The page is in memory and no load is running.
    case success(PaginatorPage<T>)
    /// The last load failed; `previous` is the page in memory.
    case error(PaginatorError, previous: PaginatorPage<T>?)

    /// The page to show in any state.
    public var page: PaginatorPage<T>? {
        switch self {
        case .loading(let previous), .error(_, let previous): previous
        case .success(let page): page
        }
    }
}

extension PaginatorPageResult: Equatable where T: Equatable {}

/// The state of a page, as a screen shows it: loading, loaded or failed, with the page known before where there is one.
public enum PaginatorPageResult<T: Sendable>: Sendable {
    /// A load is running; `previous` is the page in memory meanwhile.
    case loading(previous: PaginatorPage<T>?)
    /// The page is in memory and no load is running.
    case success(PaginatorPage<T>)
    /// The last load failed; `previous` is the page that is still in memory.
    case error(PaginatorError, previous: PaginatorPage<T>?)

    /// The page that can be shown now, whatever the state.
    public var page: PaginatorPage<T>? {
        switch self {
        case .loading(let previous), .error(_, let previous): previous
        case .success(let page): page
        }
    }
}

extension PaginatorPageResult: Equatable where T: Equatable {}

/// Where one direction of a list, or its refresh, stands.
public enum PaginatorLoadState: Sendable {
    /// Nothing runs, and there may be more.
    case idle
    /// A page is being loaded.
    case loading
    /// The last load failed; what was loaded before is still there.
    case failed(PaginatorError)
    /// There is nothing further this way.
    case endReached

    /// Whether a page is being loaded.
    public var isLoading: Bool { if case .loading = self { true } else { false } }

    /// Whether there is nothing further this way.
    public var isEndReached: Bool { if case .endReached = self { true } else { false } }

    /// Why the last load failed; `nil` in any other state.
    public var error: PaginatorError? { if case .failed(let error) = self { error } else { nil } }
}

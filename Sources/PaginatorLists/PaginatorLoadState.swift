public import PaginatorCore

/// Where one direction of a list, or its refresh, stands.
///
/// ```swift
/// if list.status.next == .endReached { showEnd() }
/// ```
public enum PaginatorLoadState: Sendable, Hashable {
    /// Nothing runs, and there may be more.
    case idle
    /// A page is being loaded.
    case loading
    /// The last load failed; what was loaded before is still there.
    case failed(PaginatorError)
    /// There is nothing further this way.
    case endReached

    /// Whether a page is being loaded.
    public var isLoading: Bool { self == .loading }

    /// Why the last load failed; `nil` in any other state.
    public var error: PaginatorError? { if case .failed(let error) = self { error } else { nil } }
}

public import PaginatorCore

/// The load state of one direction of a list, or of its refresh.
///
/// ```swift
/// if list.status.next == .endReached { showEnd() }
/// ```
public enum PaginatorLoadState: Sendable, Hashable {
    /// Nothing is being loaded, and there may be more.
    case idle
    /// A page is being loaded.
    case loading
    /// The last load failed. Loaded rows stay.
    case failed(PaginatorError)
    /// There are no more pages in this direction.
    case endReached

    /// Whether a page is being loaded.
    public var isLoading: Bool { self == .loading }

    /// The error of the last load; `nil` in any other state.
    public var error: PaginatorError? { if case .failed(let error) = self { error } else { nil } }
}

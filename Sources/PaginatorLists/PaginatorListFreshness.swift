public import PaginatorCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The age of the visible rows of a list: those of the pages hinted last, or of the first page without a hint.
///
/// ```swift
/// func banner(_ status: PaginatorListStatus) -> String? {
///     switch status.freshness {
///     case .offline(let savedAt): "Offline, saved \(savedAt.formatted(.relative(presentation: .named)))"
///     case .failed(let error, _): error.localizedDescription
///     case .stale: "There may be newer posts."
///     case .fresh, nil: nil
///     }
/// }
/// ```
///
/// Each case has the wall-clock time at which the oldest of these pages was requested, which survives a relaunch for
/// pages from a store. The list reports changes by itself, even when a page expires.
public enum PaginatorListFreshness: Sendable, Hashable {
    /// No page is past its expiration time.
    case fresh(savedAt: Date)
    /// A page has expired or was invalidated. A refresh of ``PaginatorListRefresh/stalePages``, or a fetch that is
    /// running, renews it.
    case stale(savedAt: Date)
    /// A page could not be renewed, and an older cached one is shown instead, if the policy allows that.
    /// ``PaginatorList/retry()`` and a refresh try again.
    case failed(PaginatorError, savedAt: Date)
    /// The paginator's ``/PaginatorCore/PaginatorConnectivity`` reports no connection. The pages may have any age.
    case offline(savedAt: Date)
}

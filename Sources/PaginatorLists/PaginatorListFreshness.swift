public import PaginatorCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// How current the rows of a list are that somebody looks at: those of the pages hinted last, or of the first page where
/// nobody hints.
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
/// Each case has the wall-clock time at which the source was asked for the oldest of those pages. Pages from a store have
/// theirs from before the relaunch. The list tells of a change by itself, also when a page passes its expiration time.
public enum PaginatorListFreshness: Sendable, Hashable {
    /// No page is past its expiration time.
    case fresh(savedAt: Date)
    /// A page is past its expiration time, or was invalidated. A refresh of ``PaginatorListRefresh/stalePages`` renews it,
    /// and so may a fetch that is under way.
    case stale(savedAt: Date)
    /// A page could not be renewed, and an older one from a cache stands in for it, under every policy that allows that.
    /// ``PaginatorList/retry()`` and a refresh try again.
    case failed(PaginatorError, savedAt: Date)
    /// There is no connection, as the paginator's ``/PaginatorCore/PaginatorConnectivity`` tells; whatever the age of the pages.
    case offline(savedAt: Date)
}

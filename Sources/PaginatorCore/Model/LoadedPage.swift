/// A page without its item type, as it moves through the pipeline.
///
/// The machinery is not generic, so that it is compiled once and runs at full speed in every app; the item type comes
/// back where a listener is called.
package struct LoadedPage: Sendable {
    /// The `PaginatorPage`.
    var object: any AnyObject & Sendable
    /// Its costs and the hash of its identity.
    var facts: PageFacts
    /// The keys beside it.
    var neighbors = NeighborKeys(previous: nil, next: nil)
    /// Why the page's key forward or backward is not among ``neighbors``, where it is a bad one.
    var refusedNeighbors: [PageFetchDirection: PaginatorError] = [:]
    /// Where it was found.
    var origin: PageOrigin
    /// When the source was asked for it: what it says of its table is at least as new. No two pages that one paginator's
    /// source gives have the same time.
    var fetchedAt: PaginatorInstant
    /// When it becomes stale; `nil` for never.
    var expiresAt: PaginatorInstant?
    /// Whether it was marked stale, or a validator wants it renewed.
    var isInvalidated = false
    /// Why it could not be renewed, when it serves as a fallback.
    var refreshError: PaginatorError?
    /// How many committed edits it contains; see ``EditLog``.
    var editCount: UInt64 = 0
    /// Whether memory and the store may keep it.
    var isStorable = true

    /// Whether the page should be renewed before it is used.
    func isStale(at now: PaginatorInstant) -> Bool {
        isInvalidated || refreshError != nil || expiresAt.map { $0 <= now } ?? false
    }

    /// Whether the source was asked for it at a time, or later.
    func isAsNew(as time: PaginatorInstant?) -> Bool {
        time.map { fetchedAt >= $0 } ?? true
    }

    /// How long ago the source was asked for the page; never negative.
    func age(at now: PaginatorInstant) -> Duration {
        max(.zero, fetchedAt.duration(to: now))
    }

    /// The page as a fallback for one that failed to load.
    func failing(with error: PaginatorError) -> LoadedPage {
        var page = self
        page.refreshError = error
        return page
    }
}

/// What a cache, memory or store, has for a page, after the validator judged it.
enum CacheAnswer: Sendable {
    /// Nothing.
    case miss
    /// A fresh, accepted page.
    case fresh(LoadedPage)
    /// A page that the validator accepts and wants renewed.
    case freshButRefresh(LoadedPage)
    /// An accepted page that is past its expiration time or was invalidated.
    case stale(LoadedPage)
    /// A page that the validator wants removed.
    case dropped(LoadedPage)
    /// A page that the validator refuses, with the reason.
    case rejected(reason: String)
    /// The store failed, which counts as a miss.
    case failed(PaginatorError)
}

/// A page without its item type, as it moves through the pipeline.
///
/// The machinery is not generic, so that it is compiled once and runs at full speed in every app; the item type comes
/// back where a listener is called.
package struct LoadedPage: Sendable {
    var object: any AnyObject & Sendable
    var facts: PageFacts
    var neighbors = NeighborKeys(previous: nil, next: nil)
    /// Why the page's key forward or backward is not among ``neighbors``, where it is a bad one.
    var refusedNeighbors: [PageFetchDirection: PaginatorError] = [:]
    var origin: PageOrigin
    /// When the source was asked for it: what it says of its table is at least as new. No two pages that one paginator's
    /// source gives have the same time.
    var fetchedAt: PaginatorInstant
    var expiresAt: PaginatorInstant?
    var isInvalidated = false
    var refreshError: PaginatorError?
    /// How many committed edits it contains; see ``EditLog``.
    var editCount: UInt64 = 0
    var isStorable = true

    func isStale(at now: PaginatorInstant) -> Bool {
        isInvalidated || refreshError != nil || expiresAt.map { $0 <= now } ?? false
    }

    func isAsNew(as time: PaginatorInstant?) -> Bool {
        time.map { fetchedAt >= $0 } ?? true
    }

    func age(at now: PaginatorInstant) -> Duration {
        max(.zero, fetchedAt.duration(to: now))
    }

    func failing(with error: PaginatorError) -> LoadedPage {
        var page = self
        page.refreshError = error
        return page
    }
}

/// What a cache, memory or store, has for a page, after the validator judged it.
enum CacheAnswer: Sendable {
    case miss
    case fresh(LoadedPage)
    case freshButRefresh(LoadedPage)
    /// An accepted page that is past its expiration time or was invalidated.
    case stale(LoadedPage)
    case dropped(LoadedPage)
    case rejected(reason: String)
    /// The store failed, which counts as a miss.
    case failed(PaginatorError)
}

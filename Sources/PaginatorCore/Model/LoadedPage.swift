/// A page without its item type, as it moves through the pipeline.
///
/// The machinery is not generic, so that it is compiled once and runs at full speed in every app; the item type comes
/// back where a listener is called.
package struct LoadedPage: Sendable {
    /// What does not change of a page: one reference, since a page is copied into every event, state and action on its way.
    final class Details: Sendable {
        static let none = Details(PageFacts(bytes: 0, items: 0, keyHash: 0))

        let facts: PageFacts
        let neighbors: NeighborKeys
        /// Why the page's key forward or backward is not among ``neighbors``, where it is a bad one.
        let refusedNeighbors: [PageFetchDirection: PaginatorError]
        let expiresAt: PaginatorInstant?
        let isStorable: Bool
        let tags: [String]
        /// What the source called this state of the page, whatever was edited since.
        let revision: String?
        /// Where it goes on; `nil` for a whole page.
        let continuation: String?

        init(
            _ facts: PageFacts, neighbors: NeighborKeys = NeighborKeys(previous: nil, next: nil),
            refusedNeighbors: [PageFetchDirection: PaginatorError] = [:], expiresAt: PaginatorInstant? = nil,
            isStorable: Bool = true, tags: [String] = [], revision: String? = nil, continuation: String? = nil
        ) {
            self.facts = facts
            self.neighbors = neighbors
            self.refusedNeighbors = refusedNeighbors
            self.expiresAt = expiresAt
            self.isStorable = isStorable
            self.tags = tags
            self.revision = revision
            self.continuation = continuation
        }
    }

    package var object: any AnyObject & Sendable
    var details: Details
    var origin: PageOrigin
    /// When the source was asked for it: what it says of its table is at least as new. No two pages that one paginator's
    /// source gives have the same time.
    package var fetchedAt: PaginatorInstant
    package var isInvalidated = false
    /// Whether it has come in parts, the first of which may be much older than the last.
    var isInParts = false
    package var refreshError: PaginatorError?
    /// How many committed edits it contains; see ``EditLog``.
    package var editCount: UInt64 = 0

    func isStale(at now: PaginatorInstant) -> Bool {
        isInvalidated || refreshError != nil || details.expiresAt.map { $0 <= now } ?? false
    }

    /// From when on it is stale; `nil` where it does not expire.
    package func staleFrom(at now: PaginatorInstant) -> PaginatorInstant? { isStale(at: now) ? now : details.expiresAt }

    package var tags: [String] { details.tags }

    /// Whether the source gave it in one answer just now.
    package var isOneAnswer: Bool { origin == .source && !isInParts && !isPartial }

    func isAsNew(as time: PaginatorInstant?) -> Bool {
        time.map { fetchedAt >= $0 } ?? true
    }

    func age(at now: PaginatorInstant) -> Duration {
        max(.zero, fetchedAt.duration(to: now))
    }

    // The page as it is after an invalidation of tags that may be its own.
    func invalidated(by tags: Set<ExactText>) -> LoadedPage {
        guard details.tags.hasTag(in: tags) else { return self }
        var page = self
        page.isInvalidated = true
        return page
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
    /// The fresh beginning of a page.
    case part(LoadedPage)
    /// An accepted page that is past its expiration time or was invalidated.
    case stale(LoadedPage)
    case dropped(LoadedPage)
    case rejected(reason: String)
    /// The store failed, which counts as a miss.
    case failed(PaginatorError)

    func invalidated(by tags: Set<ExactText>) -> CacheAnswer {
        switch self {
        case .fresh(let page) where page.details.tags.hasTag(in: tags),
            .freshButRefresh(let page) where page.details.tags.hasTag(in: tags):
            .stale(page.invalidated(by: tags))
        case .part(let page) where page.details.tags.hasTag(in: tags): .miss
        default: self
        }
    }
}

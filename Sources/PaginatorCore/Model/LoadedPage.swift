/// A page without its item type, as it moves through the pipeline.
///
/// The pipeline is not generic, so that it is compiled once and optimized in every app. The item type is restored where
/// a listener is called.
package struct LoadedPage: Sendable {
    /// The constant properties of a page.
    struct Details: Sendable {
        let facts: PageFacts
        /// The keys of its neighbors, or why they are refused; `nil` at an end.
        var next: Result<String, PaginatorError>?
        var previous: Result<String, PaginatorError>?
        var expiresAt: PaginatorInstant?
        var isStorable = true
        var tags: [String] = []
        /// The source's revision, which edits do not change.
        var revision: String?
        /// The point from which the source continues the page; `nil` for a whole page.
        var continuation: String?
    }

    // What has references, as one: pages are copied into every event, state and action.
    private final class Body: Sendable {
        let object: any AnyObject & Sendable
        let details: Details
        let refreshError: PaginatorError?

        init(_ object: any AnyObject & Sendable, _ details: Details, _ refreshError: PaginatorError?) {
            self.object = object
            self.details = details
            self.refreshError = refreshError
        }
    }

    private var body: Body
    var origin: PageOrigin
    /// The time of the request to the source: the data is at least as new. Unique among the pages of a paginator.
    package var fetchedAt: PaginatorInstant
    /// The start of the call that requested it with other pages, which count as equally new, or the refresh of a local
    /// source after which it was read. Pages requested before must not follow it. `nil` is its own request time.
    package var calledAt: PaginatorInstant?
    package var isInvalidated = false
    /// Whether it was loaded in parts, the first of which may be much older than the last.
    var isInParts = false
    /// The number of committed edits that it contains; see ``EditLog``.
    package var editCount: UInt64 = 0

    init(object: any AnyObject & Sendable, details: Details, origin: PageOrigin, fetchedAt: PaginatorInstant) {
        body = Body(object, details, nil)
        self.origin = origin
        self.fetchedAt = fetchedAt
    }

    package var object: any AnyObject & Sendable {
        get { body.object }
        set { body = Body(newValue, body.details, body.refreshError) }
    }

    var details: Details {
        _read { yield body.details }
        set { body = Body(body.object, newValue, body.refreshError) }
    }

    package var refreshError: PaginatorError? {
        get { body.refreshError }
        set { if body.refreshError != nil || newValue != nil { body = Body(body.object, body.details, newValue) } }
    }

    package func isStale(at now: PaginatorInstant) -> Bool {
        isInvalidated || body.refreshError != nil || details.expiresAt.map { $0 <= now } ?? false
    }

    /// The time from which it is stale; `nil` if it does not expire.
    package func staleFrom(at now: PaginatorInstant) -> PaginatorInstant? { isStale(at: now) ? now : details.expiresAt }

    package var tags: [String] { details.tags }

    /// Whether the source has just returned it in one answer.
    package var isOneAnswer: Bool { origin == .source && !isInParts && !isPartial }

    func isAsNew(as time: PaginatorInstant?) -> Bool {
        time.map { fetchedAt >= $0 } ?? true
    }

    func age(at now: PaginatorInstant) -> Duration {
        max(.zero, fetchedAt.duration(to: now))
    }

    // Returns the page after an invalidation of tags, which makes it stale if it has one of them.
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

public import PaginatorCore

/// One call of a ``ScriptedPaginator``.
public enum PaginatorCall: Sendable, Hashable {
    /// A page was fetched.
    case fetch(PageRequest)
    /// A page and its neighbors were fetched.
    case fetchAround(AroundRequest)
    /// A page was refreshed.
    case refresh(PageRequest)
    /// Pages were prefetched.
    case prefetch(PrefetchRequest)
    /// Pages were removed.
    case clear(PageSelection)
    /// Pages were invalidated.
    case invalidate(PageSelection)
    /// The pages with a tag were invalidated.
    case invalidateTags([String])
    /// A page was put into the caches.
    case prime(PageIdentity)
    /// The page in memory was read.
    case peek(PageIdentity)
    /// The state of a page was read.
    case state(PageIdentity)
    /// The state of a page was observed.
    case observe(PageIdentity)
    /// The base was used: by a new list, edits, a flush or a suspension.
    case base

    /// Whether it asks the source if the caches do not have the page.
    var loads: Bool {
        switch self {
        case .fetch, .fetchAround, .refresh, .prefetch, .base: true
        default: false
        }
    }

    /// The call, as reports show it.
    var text: String {
        switch self {
        case .fetch(let request): "fetch(\(request.identity))"
        case .fetchAround(let request): "fetchAround(\(request.page.identity))"
        case .refresh(let request): "refresh(\(request.identity))"
        case .clear(let pages): "clear(\(pages))"
        case .invalidate(let pages): "invalidate(\(pages))"
        case .invalidateTags(let tags): "invalidate(tags: \(tags))"
        case .prime(let page): "prime(\(page))"
        case .peek(let page): "peek(\(page))"
        case .state(let page): "state(of: \(page))"
        case .observe(let page): "observe(\(page))"
        case .prefetch, .base: "\(self)"
        }
    }
}

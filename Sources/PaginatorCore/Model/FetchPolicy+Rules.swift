// What a policy means for a fetch.
extension FetchPolicy {
    var isContentWithFreshCache: Bool {
        switch self {
        case .cacheFirst, .cacheOnly, .cacheThenRenew, .staleWhileRevalidate: true
        case .networkOnly, .networkFirst: false
        }
    }

    var usesCache: Bool { self != .networkOnly }

    var usesSource: Bool { self != .cacheOnly }

    /// Whether a cached page is the answer after a failure, whatever the error strategy says.
    var insistsOnFallback: Bool {
        switch self {
        case .networkFirst, .cacheThenRenew, .staleWhileRevalidate: true
        case .cacheFirst, .cacheOnly, .networkOnly: false
        }
    }
}

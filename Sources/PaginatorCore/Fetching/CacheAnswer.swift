/// The result of a lookup in memory or the store, after validation.
enum CacheAnswer: Sendable {
    case miss
    case fresh(LoadedPage)
    case freshButRefresh(LoadedPage)
    /// A fresh part of a page.
    case part(LoadedPage)
    /// An accepted page that has expired or was invalidated.
    case stale(LoadedPage)
    case dropped(LoadedPage)
    case rejected(reason: String, isStale: Bool)
    /// The store failed; this counts as a miss.
    case failed(PaginatorError)

    func invalidated(by tags: Set<ExactText>) -> CacheAnswer {
        switch self {
        case .fresh(let page), .freshButRefresh(let page), .stale(let page):
            page.details.tags.hasTag(in: tags) ? .stale(page.invalidated(by: tags)) : self
        case .part(let page): page.details.tags.hasTag(in: tags) ? .miss : self
        case .miss, .dropped, .rejected, .failed: self
        }
    }

    /// Decides whether a cached page is the answer. No other code does.
    func meaning(
        under policy: FetchPolicy, notBefore: PaginatorInstant?, part: PagePart? = nil
    ) -> MemoryMeaning {
        guard policy.isContentWithFreshCache else { return .load }
        func isNewEnough(_ page: LoadedPage) -> Bool { policy == .cacheOnly || page.isAsNew(as: notBefore) }
        switch self {
        case .fresh(let page) where isNewEnough(page):
            return .page(page, isRenewed: false)
        case .freshButRefresh(let page) where isNewEnough(page):
            return .page(page, isRenewed: policy != .cacheOnly)
        case .part(let page) where page.isEnough(for: part) && isNewEnough(page):
            return .page(page, isRenewed: false)
        case .stale(let page) where policy == .cacheOnly:
            return .page(page, isRenewed: false)
        case .stale(let page)
        where policy == .cacheThenRenew && !page.isInvalidated && page.isEnough(for: part)
            && page.isAsNew(as: notBefore):
            return .page(page, isRenewed: true)
        // A page that is stale, or may be older than the demand, is loaded again.
        case .rejected(let reason, let isStale) where policy == .cacheOnly || !isStale && notBefore == nil:
            return .refusal(reason: reason)
        case .fresh, .freshButRefresh, .part, .stale, .miss, .dropped, .rejected, .failed:
            return .load
        }
    }

    /// The page that was found, or a part of it.
    var found: LoadedPage? {
        if case .part(let part) = self { part } else { page }
    }

    var page: LoadedPage? {
        switch self {
        case .fresh(let page), .freshButRefresh(let page), .stale(let page): page
        case .part, .miss, .dropped, .rejected, .failed: nil
        }
    }
}

/// A page that was removed from the memory cache. It is released with this value, never under a lock.
struct RemovedPage: Sendable {
    let identity: PageIdentity
    let page: LoadedPage
    let cause: EvictionCause
}

// The pages that one call removed, in order.
typealias RemovedPages = [RemovedPage]

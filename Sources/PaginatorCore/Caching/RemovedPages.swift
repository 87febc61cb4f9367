/// A page that was removed from the memory cache. It is released with this value, never under a lock.
struct RemovedPage: Sendable {
    let identity: PageIdentity
    let page: LoadedPage
    let cause: EvictionCause
}

// The pages that one call removed, in order. A single page, the usual number, needs no allocation.
struct RemovedPages: Sequence, Sendable {
    private var first: RemovedPage?
    private var others: [RemovedPage] = []

    init() {}

    var isEmpty: Bool { first == nil }

    mutating func append(_ page: RemovedPage) {
        if first == nil { first = page } else { others.append(page) }
    }

    // Without the copy that an iterator makes.
    func forEach(_ body: (RemovedPage) -> Void) {
        if let first { body(first) }
        for page in others { body(page) }
    }

    struct Iterator: IteratorProtocol {
        fileprivate var first: RemovedPage?
        fileprivate var others: IndexingIterator<[RemovedPage]>

        mutating func next() -> RemovedPage? { first.take() ?? others.next() }
    }

    func makeIterator() -> Iterator { Iterator(first: first, others: others.makeIterator()) }
}

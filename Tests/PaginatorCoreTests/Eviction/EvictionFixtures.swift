import Testing

@testable import PaginatorCore

/// An evictor with names for its pages, as a cache would run it.
struct NamedEvictor {
    var evictor: PaginatorEvictor
    private var handles: [Int: PageHandle] = [:]
    private var names: [PageHandle: Int] = [:]

    init(_ strategy: EvictionStrategy) {
        evictor = PaginatorEvictor(strategy: strategy)
    }

    /// The pages here, in ascending order.
    var pages: [Int] { handles.keys.sorted() }

    func handle(of page: Int) -> PageHandle? { handles[page] }

    /// Inserts a page, or a new version of one; returns what left, or `nil` when it was not admitted.
    @discardableResult
    mutating func insert(
        _ page: Int, items: Int = 1, bytes: Int = 1, uses: Int = 0, at now: PaginatorInstant = .zero,
        age: Duration = .zero, isPinned: Bool = false
    ) -> [Int]? {
        let earlier = handles.removeValue(forKey: page)
        if let earlier { names[earlier] = nil }
        let facts = PageFacts(bytes: bytes, items: items, keyHash: mixed(UInt64(page)), restoredUses: uses)
        guard
            let handle = evictor.insert(facts, at: now, age: age, isPinned: isPinned, replacing: earlier)
        else { return nil }
        handles[page] = handle
        names[handle] = page
        return evict()
    }

    mutating func use(_ page: Int) {
        if let handle = handles[page] { evictor.use(handle) }
    }

    mutating func remove(_ page: Int) {
        guard let handle = handles.removeValue(forKey: page) else { return }
        names[handle] = nil
        evictor.remove(handle)
    }

    mutating func pin(_ page: Int) {
        if let handle = handles[page] { evictor.pin(handle) }
    }

    @discardableResult
    mutating func unpin(_ page: Int) -> [Int] {
        if let handle = handles[page] { evictor.unpin(handle) }
        return evict()
    }

    mutating func expire(at now: PaginatorInstant) -> [Int] {
        var gone: [Int] = []
        while let handle = evictor.nextExpired(at: now) { gone.append(forget(handle)) }
        return gone
    }

    mutating func trim(to target: PageUsage) -> [Int] {
        var gone: [Int] = []
        while let handle = evictor.nextVictim(above: target) { gone.append(forget(handle)) }
        return gone
    }

    private mutating func evict() -> [Int] {
        var gone: [Int] = []
        while let handle = evictor.nextVictim()?.page { gone.append(forget(handle)) }
        return gone
    }

    private mutating func forget(_ handle: PageHandle) -> Int {
        guard let page = names.removeValue(forKey: handle) else { return -1 }
        handles[page] = nil
        return page
    }
}

/// Gives an adaptive order pages that come round again after `period` others, and checks how many it watches.
func checkWatchedPages(capacity: Int, reads: Int, period: Int, limit: Int) {
    var order = AdaptiveOrder(EvictionLimits(pages: capacity))
    var handles: [PageHandle] = (0..<capacity).map(PageHandle.init(index:))
    for key in 0..<reads {
        if handles.isEmpty, let victim = order.first(where: { _ in true }) {
            order.removed(victim)
            handles.append(victim)
        }
        let handle = handles.removeLast()
        order.inserted(handle, PageFacts(bytes: 1, items: 1, keyHash: mixed(UInt64(key * 7 % period))))
        if key % 3 == 0 { order.used(handle) }
        #expect(order.pages.count <= limit)
    }
}

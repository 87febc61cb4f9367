/// A simulated eviction policy over page numbers, which counts the hits that it would have. It holds pages up to its
/// capacity by weight, and may remember more. Each call is amortized O(1).
protocol ShadowPolicy: Sendable {
    func contains(_ page: Int) -> Bool

    /// Whether the policy holds or remembers the page.
    func knows(_ page: Int) -> Bool

    var next: Int? { get }

    /// Records a read and returns whether the policy held the page; if not, it holds it now. Pages that it evicted or
    /// forgot for it are added to `gone`.
    mutating func read(_ page: Int, _ pages: WatchedPages, _ gone: inout ContiguousArray<Int>) -> Bool

    mutating func reweigh(_ page: Int, by difference: Int64)
}

struct LRUShadow: ShadowPolicy {
    private let capacity: Int64
    private var recent = IndexList()
    private var weight: Int64 = 0

    init(capacity: Int64) { self.capacity = capacity }

    var count: Int { recent.count }

    var next: Int? { recent.first }

    func contains(_ page: Int) -> Bool { recent.contains(page) }

    func knows(_ page: Int) -> Bool { recent.contains(page) }

    mutating func read(_ page: Int, _ pages: WatchedPages, _ gone: inout ContiguousArray<Int>) -> Bool {
        if recent.moveToBack(page) { return true }
        let own = pages[page].weight
        while weight > capacity - own, let oldest = recent.popFirst() {
            weight -= pages[oldest].weight
            gone.append(oldest)
        }
        recent.append(page)
        weight += own
        return false
    }

    mutating func reweigh(_ page: Int, by difference: Int64) {
        if contains(page) { weight += difference }
    }
}

/// What a cache keeps in any case, and the pages' items by which that is judged.
struct EvictionMinimum: Sendable {
    let pages: Int
    let items: Int
    private var facts: ContiguousArray<PageFacts> = []

    /// Makes a minimum; negative values count as zero.
    init(pages: Int = 0, items: Int = 0) {
        self.pages = max(0, pages)
        self.items = max(0, items)
    }

    /// Whether there is anything to keep.
    @inline(__always)
    var isSet: Bool { pages > 0 || items > 0 }

    /// Returns the greater of both, one by one, knowing no page yet.
    func union(_ other: EvictionMinimum) -> EvictionMinimum {
        EvictionMinimum(pages: max(pages, other.pages), items: max(items, other.items))
    }

    /// Whether nothing but empty pages can be spared, whatever page it is.
    func holdsEverything(of usage: PageUsage) -> Bool {
        usage.pages <= pages || usage.items < items
    }

    /// Whether enough stays behind without the page.
    func spares(_ page: PageHandle, of usage: PageUsage) -> Bool {
        guard isSet, page.index >= 0, page.index < facts.count else { return true }
        return usage.pages > pages && usage.items - facts[page.index].items >= items
    }

    /// The costs of a page that has come.
    func facts(of page: PageHandle) -> PageFacts { facts[page.index] }

    /// Learns the costs of a page that has come.
    mutating func remember(_ facts: PageFacts, of page: PageHandle) {
        guard isSet, page.index >= 0, page.index < Int32.max else { return }
        while self.facts.count <= page.index {
            self.facts.append(PageFacts(bytes: 0, items: 0, keyHash: 0))
        }
        self.facts[page.index] = facts
    }
}

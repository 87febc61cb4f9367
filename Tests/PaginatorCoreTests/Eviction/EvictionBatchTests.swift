import PaginatorTesting
import Testing

@testable import PaginatorCore

/// A cache tells of reads by the dozen; a strategy must make of them what it makes of one after the other.
@Suite struct EvictionBatchTests {
    @Test(arguments: ["lru", "fifo", "lfu", "adaptive", "a user's", "combined"])
    func readsToldAtOnceCountAsOneByOne(name: String) {
        let strategy: EvictionStrategy =
            switch name {
            case "lru": .lru(maxPages: 30)
            case "fifo": .fifo(maxPages: 30)
            case "lfu": .lfu(maxPages: 30)
            case "adaptive": .adaptive(maxPages: 30)
            case "a user's": EvictionStrategy(Toggling(maxPages: 30))
            default: .adaptive(maxPages: 30).and(Toggling(maxPages: 28)).keepingAtLeast(items: 20)
            }
        for seed in 0..<8 {
            var random = SeededRandom(seed: UInt64(seed))
            var (single, batched) = (PaginatorEvictor(strategy: strategy), PaginatorEvictor(strategy: strategy))
            var handles: [PageHandle] = []
            for step in 0..<300 {
                switch random.number(in: 0..<10) {
                case 0..<5:
                    let facts = PageFacts(
                        bytes: 1, items: 1, keyHash: mixed(UInt64(random.number(in: 0..<90))))
                    _ = (single.insert(facts, at: .zero), batched.insert(facts, at: .zero))
                case 5:
                    guard let page = handles.randomElement(using: &random) else { continue }
                    if single.pins(of: page) > 0 {
                        single.unpin(page)
                        batched.unpin(page)
                    } else if handles.allSatisfy({ single.pins(of: $0) == 0 }) {
                        single.pin(page)
                        batched.pin(page)
                    }
                case 6:
                    guard let page = handles.randomElement(using: &random) else { continue }
                    single.remove(page)
                    batched.remove(page)
                default:
                    // Handles that were given back are among them, some pages come twice.
                    let indices = (0..<random.number(in: 0..<80)).map { _ in Int32(random.number(in: 0..<40)) }
                    for index in indices { single.use(PageHandle(index: Int(index))) }
                    indices.withUnsafeBufferPointer { batched.use($0) }
                }
                while true {
                    let (one, other) = (single.nextVictim(), batched.nextVictim())
                    guard one == other else {
                        Issue.record("\(name), seed \(seed), step \(step): \(String(describing: (one, other)))")
                        return
                    }
                    if one == nil { break }
                }
                handles = single.handles
                guard handles == batched.handles, handles.allSatisfy({ single.uses(of: $0) == batched.uses(of: $0) })
                else {
                    Issue.record("\(name), seed \(seed), step \(step): other pages or uses")
                    return
                }
            }
        }
    }

    @Test func aCopyOfTheAdaptiveOrderHearsNothingOfLaterReads() {
        var order = AdaptiveOrder()
        order.adapt(to: EvictionLimits(pages: 4))
        let pages = (0..<4).map(PageHandle.init(index:))
        for page in pages { order.inserted(page, PageFacts(bytes: 1, items: 1, keyHash: mixed(UInt64(page.index)))) }
        var copy = order
        order.used([pages[0], pages[1]])
        func victims(of order: inout AdaptiveOrder) -> [PageHandle?] {
            (4..<8).map { index in
                order.inserted(PageHandle(index: index), PageFacts(bytes: 1, items: 1, keyHash: mixed(UInt64(index))))
                let victim = order.first()
                if let victim { order.removed(victim) }
                return victim
            }
        }
        #expect(victims(of: &copy) == pages)
        #expect(victims(of: &order) == [pages[2], pages[3], pages[0], pages[1]])
    }
}

/// A user's strategy that knows of single reads only: pages in the order in which they came, but those read an even number
/// of times go first.
private struct Toggling: PaginatorEvictionStrategy {
    let maxPages: Int
    private var pages: [(page: PageHandle, isOdd: Bool)] = []

    init(maxPages: Int) { self.maxPages = maxPages }

    mutating func inserted(_ page: PageHandle, _ facts: PageFacts) { pages.append((page, false)) }

    mutating func used(_ page: PageHandle) {
        if let place = pages.firstIndex(where: { $0.page == page }) { pages[place].isOdd.toggle() }
    }

    mutating func removed(_ page: PageHandle) { pages.removeAll { $0.page == page } }

    mutating func victim(in usage: PageUsage) -> PageHandle? {
        usage.pages > maxPages ? (pages.first { !$0.isOdd } ?? pages.first)?.page : nil
    }
}

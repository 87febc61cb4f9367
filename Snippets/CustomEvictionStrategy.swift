// An eviction strategy of your own: CLOCK, which gives a page that was read a second chance.

import PaginatorCore

// snippet.strategy
/// A hand goes around the pages; one that was read since the last round is passed over once.
struct SecondChance: PaginatorEvictionStrategy {
    let maxPages: Int
    private var clock: [(isHere: Bool, wasRead: Bool)] = []
    private var hand = 0

    init(maxPages: Int) { self.maxPages = maxPages }

    mutating func inserted(_ page: PageHandle, _ facts: PageFacts) {
        while clock.count <= page.index { clock.append((false, false)) }
        clock[page.index] = (true, false)
    }
    mutating func used(_ page: PageHandle) { clock[page.index].wasRead = true }
    mutating func removed(_ page: PageHandle) { clock[page.index] = (false, false) }

    mutating func victim(in usage: PageUsage) -> PageHandle? {
        guard usage.pages > maxPages, clock.contains(where: \.isHere) else { return nil }
        while true {
            hand = (hand + 1) % clock.count
            if clock[hand].isHere && !clock[hand].wasRead { return PageHandle(index: hand) }
            clock[hand].wasRead = false
        }
    }
}
// snippet.end

// snippet.use
var config = DefaultPaginatorConfig()
config.inMemoryEvictionStrategy = SecondChance(maxPages: 200).and(.timeToLive(.hours(1))).keepingAtLeast(items: 50)
// snippet.end

// The same strategy, run by hand over four pages.
var evictor = PaginatorEvictor(strategy: SecondChance(maxPages: 3))
for key in 0..<3 {
    if let page = evictor.insert(PageFacts(bytes: 100, items: 20, keyHash: UInt64(key)), at: .zero), key == 1 {
        evictor.use(page)
    }
}
_ = evictor.insert(PageFacts(bytes: 100, items: 20, keyHash: 3), at: .zero)
print("goes:", evictor.nextVictim().map { "page \($0.index)" } ?? "nothing")

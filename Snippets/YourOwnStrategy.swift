// Your own eviction strategy: second chance, also called CLOCK, after Corbató (1968).
import PaginatorCore

/// A hand moves around the pages, and skips each page once if it was used since the last round.
struct SecondChance: PaginatorEvictionStrategy {
    let maxPages: Int
    private var isHeld: [Bool] = []
    private var wasUsed: [Bool] = []
    private var hand = 0

    init(maxPages: Int) { self.maxPages = maxPages }

    mutating func inserted(_ page: PageHandle, _ facts: PageFacts) {
        while isHeld.count <= page.index {
            isHeld.append(false)
            wasUsed.append(false)
        }
        isHeld[page.index] = true
        wasUsed[page.index] = true
    }

    mutating func used(_ page: PageHandle) { wasUsed[page.index] = true }

    mutating func removed(_ page: PageHandle) { isHeld[page.index] = false }

    mutating func victim(in usage: PageUsage) -> PageHandle? {
        guard usage.pages > maxPages else { return nil }
        for _ in 0..<(2 * isHeld.count) {
            defer { hand = (hand + 1) % isHeld.count }
            if isHeld[hand], !wasUsed[hand] { return PageHandle(index: hand) }
            wasUsed[hand] = false
        }
        return nil
    }
}

var config = PaginatorConfig()
config.inMemoryEvictionStrategy = EvictionStrategy(SecondChance(maxPages: 200)).and(.timeToLive(.hours(1)))

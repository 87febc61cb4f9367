/// The pages that the adaptive order tracks, in the cache or not. Pages are numbered from 0.
struct WatchedPages: Sendable {
    enum Presence: Equatable, Sendable {
        case here(PageHandle)
        /// Evicted because the leader would not hold it.
        case away
        /// Removed for another reason.
        case removedOtherwise
        case unused
    }

    struct Page: Sendable {
        fileprivate let hash: UInt64
        /// The weight of the page, as the policies that hold it know it.
        var weight: Int64
        var presence = Presence.away
    }

    private var pages: ContiguousArray<Page> = []
    // By hash: two keys with the same hash count as one.
    private var numbers: [UInt64: Int] = [:]
    private var free: ContiguousArray<Int> = []

    var count: Int { numbers.count }

    subscript(number: Int) -> Page {
        get { pages[number] }
        _modify { yield &pages[number] }
    }

    func isAway(_ number: Int) -> Bool {
        pages[number].presence == .away || pages[number].presence == .removedOtherwise
    }

    func handle(of number: Int) -> PageHandle? {
        if case .here(let page) = pages[number].presence { page } else { nil }
    }

    mutating func number(for page: PageHandle, hash keyHash: UInt64, weight: Int64) -> Int {
        var hash = keyHash
        while let number = numbers[hash] {
            if isAway(number) { return number }
            // Another cached page has this hash, so this one gets a hash of its own.
            // A multiplier of one modulo four and an odd increment: no hash repeats (Hull and Dobell, 1962).
            hash = hash &* 0x9e37_79b9_7f4a_7c15 &+ (UInt64(page.index) << 1 | 1)
        }
        let fresh = Page(hash: hash, weight: weight)
        let number = free.popLast() ?? pages.count
        if number == pages.count { pages.append(fresh) } else { pages[number] = fresh }
        numbers[hash] = number
        return number
    }

    mutating func forget(_ number: Int) {
        numbers[pages[number].hash] = nil
        pages[number].presence = .unused
        free.append(number)
    }
}

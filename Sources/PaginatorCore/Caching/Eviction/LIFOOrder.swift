/// Last in, first out: the page that came last before the newest one goes, so the newest takes its place.
package struct LIFOOrder: EvictionOrder {
    private var pages = HandleList()

    /// Makes an empty order.
    package init() {}

    package mutating func inserted(_ page: PageHandle, _ facts: PageFacts) { pages.append(page) }
    package mutating func used(_ page: PageHandle) {}
    package mutating func removed(_ page: PageHandle) { pages.remove(page) }

    package mutating func first() -> PageHandle? {
        pages.last.flatMap { pages.page(before: $0) } ?? pages.last
    }

    package mutating func first(where mayGo: (PageHandle) -> Bool) -> PageHandle? {
        guard let newest = pages.last else { return nil }
        var candidate = pages.page(before: newest)
        while let page = candidate {
            if mayGo(page) { return page }
            candidate = pages.page(before: page)
        }
        return mayGo(newest) ? newest : nil
    }
}

/// Least recently used first.
package struct LRUOrder: EvictionOrder {
    private var pages = HandleList()

    /// Makes an empty order.
    package init() {}

    package mutating func inserted(_ page: PageHandle, _ facts: PageFacts) { pages.append(page) }
    package mutating func used(_ page: PageHandle) { pages.moveToBack(page) }
    package mutating func removed(_ page: PageHandle) { pages.remove(page) }
    package mutating func first() -> PageHandle? { pages.first }

    package mutating func first(where mayGo: (PageHandle) -> Bool) -> PageHandle? {
        pages.first(where: mayGo)
    }
}

extension HandleList {
    /// Returns the page nearest to the front that satisfies `condition`. Complexity: O(pages before it).
    package func first(where condition: (PageHandle) -> Bool) -> PageHandle? {
        var candidate = first
        while let page = candidate {
            if condition(page) { return page }
            candidate = self.page(after: page)
        }
        return nil
    }
}

/// First in, first out: the oldest page first, however often it is used.
package struct FIFOOrder: EvictionOrder {
    private var pages = HandleList()

    /// Makes an empty order.
    package init() {}

    package mutating func inserted(_ page: PageHandle, _ facts: PageFacts) { pages.append(page) }
    package mutating func used(_ page: PageHandle) {}
    package mutating func removed(_ page: PageHandle) { pages.remove(page) }
    package mutating func first() -> PageHandle? { pages.first }

    package mutating func first(where mayGo: (PageHandle) -> Bool) -> PageHandle? {
        pages.first(where: mayGo)
    }
}

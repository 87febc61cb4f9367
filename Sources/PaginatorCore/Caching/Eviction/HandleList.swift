/// A list of pages by their handles. Every call is O(1), and only a handle higher than all before allocates.
struct HandleList: Sendable {
    private var links = ListLinks()
    private var list = LinkedList()

    /// The page at the back.
    var last: PageHandle? { list.last.map(PageHandle.init(index:)) }

    /// Returns the page before one that is in the list.
    func page(before page: PageHandle) -> PageHandle? {
        links.element(before: page.index).map(PageHandle.init(index:))
    }

    /// Puts a page at the back; one that is in the list already is moved there.
    mutating func append(_ page: PageHandle) {
        remove(page)
        links.append(page.index, to: &list)
    }

    /// Moves a page to the back; does nothing when it is not in the list.
    mutating func moveToBack(_ page: PageHandle) {
        if links.contains(page.index) { links.moveToBack(page.index, of: &list) }
    }

    /// Takes a page out; does nothing when it is not in the list.
    mutating func remove(_ page: PageHandle) {
        if links.contains(page.index) { links.remove(page.index, from: &list) }
    }

    /// Returns the page nearest to the front that satisfies `condition`. Complexity: O(pages before it).
    func first(where condition: (PageHandle) -> Bool) -> PageHandle? {
        var candidate = list.first
        while let index = candidate {
            if condition(PageHandle(index: index)) { return PageHandle(index: index) }
            candidate = links.element(after: index)
        }
        return nil
    }
}

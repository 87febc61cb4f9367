/// A doubly linked list of pages whose links lie in one array, indexed by the handle: every call is O(1), and only a
/// handle higher than all before allocates.
package struct HandleList: Sendable {
    private struct Link {
        var previous: Int32
        var next: Int32
    }

    private static let unlinked = Int32(-1)

    /// Place 0 is the ring's fixed point; the page of handle `i` has place `i + 1`.
    private var links: ContiguousArray<Link> = [Link(previous: 0, next: 0)]

    /// The number of pages in the list.
    package private(set) var count = 0

    /// Makes an empty list.
    package init() {}

    /// The page at the front.
    @inline(__always)
    package var first: PageHandle? { handle(at: links[0].next) }

    /// The page at the back.
    @inline(__always)
    package var last: PageHandle? { handle(at: links[0].previous) }

    /// Returns the page behind `page`, which is in the list.
    package func page(after page: PageHandle) -> PageHandle? { handle(at: links[page.index + 1].next) }

    /// Returns the page before `page`, which is in the list.
    package func page(before page: PageHandle) -> PageHandle? { handle(at: links[page.index + 1].previous) }

    /// Whether the page is in the list.
    @inline(__always)
    package func contains(_ page: PageHandle) -> Bool {
        let index = page.index
        return index >= 0 && index < links.count - 1 && links[index + 1].next != Self.unlinked
    }

    /// Puts a page at the back; one that is in the list already is moved there.
    @inline(__always)
    package mutating func append(_ page: PageHandle) {
        guard page.index >= 0, page.index < Int32.max - 1 else { return }
        while links.count <= page.index + 1 {
            links.append(Link(previous: Self.unlinked, next: Self.unlinked))
        }
        let place = page.index + 1
        if links[place].next != Self.unlinked { unlink(place) } else { count += 1 }
        linkAtBack(place)
    }

    /// Moves a page to the back; does nothing when it is not in the list.
    @inline(__always)
    package mutating func moveToBack(_ page: PageHandle) {
        guard contains(page) else { return }
        unlink(page.index + 1)
        linkAtBack(page.index + 1)
    }

    /// Takes a page out; does nothing when it is not in the list.
    @inline(__always)
    package mutating func remove(_ page: PageHandle) {
        guard contains(page) else { return }
        unlink(page.index + 1)
        links[page.index + 1] = Link(previous: Self.unlinked, next: Self.unlinked)
        count -= 1
    }

    @inline(__always)
    private func handle(at place: Int32) -> PageHandle? {
        place == 0 ? nil : PageHandle(index: Int(place) - 1)
    }

    @inline(__always)
    private mutating func unlink(_ place: Int) {
        let link = links[place]
        links[Int(link.previous)].next = link.next
        links[Int(link.next)].previous = link.previous
    }

    @inline(__always)
    private mutating func linkAtBack(_ place: Int) {
        let last = links[0].previous
        links[place] = Link(previous: last, next: 0)
        links[Int(last)].next = Int32(place)
        links[0].previous = Int32(place)
    }
}

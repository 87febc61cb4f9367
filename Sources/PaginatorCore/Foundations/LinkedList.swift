/// Doubly linked lists of small integers, with all links in one array: nothing is allocated but to grow.
///
/// An element is in at most one of the lists that share links. Every call is O(1).
struct ListLinks: Sendable {
    private struct Link {
        static let none = Link(previous: ListLinks.absent, next: ListLinks.absent)

        var previous: Int32
        var next: Int32
    }

    private static let absent = Int32(-2)

    /// By element. An element that is in no list has no next one, not even the list's end.
    private var links: ContiguousArray<Link> = []

    /// Whether the element is in a list.
    func contains(_ element: Int) -> Bool {
        element >= 0 && element < links.count && links[element].next != Self.absent
    }

    /// Returns the element behind one that is in a list; `nil` for the last one.
    func element(after element: Int) -> Int? { LinkedList.element(links[element].next) }

    /// Returns the element before one that is in a list; `nil` for the first one.
    func element(before element: Int) -> Int? { LinkedList.element(links[element].previous) }

    /// Puts an element at the back that is in no list; negative ones, and those that do not fit into 32 bits, are ignored.
    mutating func append(_ element: Int, to list: inout LinkedList) {
        guard element >= 0, element < Int32.max else { return }
        while links.count <= element { links.append(.none) }
        links[element] = Link(previous: list.back, next: LinkedList.end)
        if list.back == LinkedList.end {
            list.front = Int32(element)
        } else {
            links[Int(list.back)].next = Int32(element)
        }
        list.back = Int32(element)
        list.count += 1
    }

    /// Takes an element out of the list that it is in.
    mutating func remove(_ element: Int, from list: inout LinkedList) {
        let link = links[element]
        if link.previous == LinkedList.end {
            list.front = link.next
        } else {
            links[Int(link.previous)].next = link.next
        }
        if link.next == LinkedList.end {
            list.back = link.previous
        } else {
            links[Int(link.next)].previous = link.previous
        }
        links[element] = .none
        list.count -= 1
    }

    /// Moves an element to the back of the list that it is in.
    mutating func moveToBack(_ element: Int, of list: inout LinkedList) {
        guard Int(list.back) != element else { return }
        remove(element, from: &list)
        append(element, to: &list)
    }
}

/// The two ends of a list whose links are elsewhere; see ``ListLinks``.
struct LinkedList: Sendable {
    fileprivate static let end = Int32(-1)

    fileprivate var front = LinkedList.end
    fileprivate var back = LinkedList.end
    /// The number of elements.
    fileprivate(set) var count = 0

    /// The element at the front.
    var first: Int? { Self.element(front) }

    /// The element at the back.
    var last: Int? { Self.element(back) }

    fileprivate static func element(_ place: Int32) -> Int? { place == end ? nil : Int(place) }
}

/// Doubly linked lists of small integers with all links in one array, which allocates only when it grows.
///
/// An element is in at most one of the lists that share links. Every call is O(1).
struct ListLinks: Sendable {
    private struct Link {
        static let none = Link(previous: ListLinks.absent, next: ListLinks.absent)

        var previous: Int32
        var next: Int32
    }

    // Differs from the end marker, which the last element of a list has as its next element.
    private static let absent = Int32(-2)

    /// The links by element. An element in no list has the absent marker as its next one.
    private var links: ContiguousArray<Link> = []

    func contains(_ element: Int) -> Bool {
        element >= 0 && element < links.count && links[element].next != Self.absent
    }

    // Requires that the element is in a list.
    func element(after element: Int) -> Int? { LinkedList.element(links[element].next) }

    func first(in list: LinkedList, where condition: (Int) -> Bool) -> Int? {
        var candidate = list.first
        while let element = candidate, !condition(element) { candidate = self.element(after: element) }
        return candidate
    }

    mutating func append(_ element: Int, to list: inout LinkedList) { insert(element, before: nil, in: &list) }

    /// Inserts an element that is in no list before another one, or at the back. Negative elements, and those that do
    /// not fit into 32 bits, are ignored.
    mutating func insert(_ element: Int, before next: Int?, in list: inout LinkedList) {
        guard element >= 0, element < Int32.max else { return }
        while links.count <= element { links.append(.none) }
        // A span checks once whether it is the only owner, an array at each use.
        var links = links.mutableSpan
        let next = next.map { Int32($0) } ?? LinkedList.end
        let previous = next == LinkedList.end ? list.back : links[Int(next)].previous
        links[element] = Link(previous: previous, next: next)
        if previous == LinkedList.end {
            list.front = Int32(element)
        } else {
            links[Int(previous)].next = Int32(element)
        }
        if next == LinkedList.end { list.back = Int32(element) } else { links[Int(next)].previous = Int32(element) }
        list.count += 1
    }

    mutating func remove(_ element: Int, from list: inout LinkedList) {
        var links = links.mutableSpan
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
        // Marked as absent, so that `contains` needs no list.
        links[element] = .none
        list.count -= 1
    }

    mutating func moveToBack(_ element: Int, of list: inout LinkedList) {
        guard Int(list.back) != element else { return }
        remove(element, from: &list)
        append(element, to: &list)
    }
}

/// The two ends of a list whose links are in ``ListLinks``.
struct LinkedList: Sendable {
    fileprivate static let end = Int32(-1)

    fileprivate var front = LinkedList.end
    fileprivate var back = LinkedList.end
    fileprivate(set) var count = 0
    var first: Int? { Self.element(front) }

    fileprivate static func element(_ place: Int32) -> Int? { place == end ? nil : Int(place) }
}

/// A list of small integers with its own links. Every call is O(1) unless stated otherwise.
struct IndexList: Sendable {
    private var links = ListLinks()
    private var list = LinkedList()
    var count: Int { list.count }
    var first: Int? { list.first }

    func contains(_ element: Int) -> Bool { links.contains(element) }

    mutating func append(_ element: Int) {
        remove(element)
        links.append(element, to: &list)
    }

    mutating func prepend(_ element: Int) {
        remove(element)
        links.insert(element, before: first, in: &list)
    }

    @discardableResult
    mutating func moveToBack(_ element: Int) -> Bool {
        guard contains(element) else { return false }
        links.moveToBack(element, of: &list)
        return true
    }

    @discardableResult
    mutating func remove(_ element: Int) -> Bool {
        guard contains(element) else { return false }
        links.remove(element, from: &list)
        return true
    }

    mutating func popFirst() -> Int? {
        guard let first else { return nil }
        links.remove(first, from: &list)
        return first
    }

    func first(where condition: (Int) -> Bool) -> Int? { links.first(in: list, where: condition) }
}

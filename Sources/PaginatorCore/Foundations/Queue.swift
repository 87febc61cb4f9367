/// What waits, first in, first out. Each call is O(1) amortized; an array would move all the others for each that goes.
package struct Queue<Element> {
    private var entering: [Element] = []
    /// The first one is the last.
    private var leaving: [Element] = []

    package init() {}

    package var isEmpty: Bool { entering.isEmpty && leaving.isEmpty }
    package var elements: [Element] { leaving.reversed() + entering }

    package mutating func append(_ element: Element) { entering.append(element) }

    package mutating func putBack(_ element: Element) { leaving.append(element) }

    package mutating func popFirst() -> Element? {
        if leaving.isEmpty {
            // Two arrays take turns; one that grew in a burst is given back, also when there is nothing.
            if leaving.capacity > 1_024 { leaving = [] }
            swap(&entering, &leaving)
            leaving.reverse()
        }
        return leaving.popLast()
    }
}

extension Queue: Sendable where Element: Sendable {}

/// A first-in, first-out queue. Each call is O(1) amortized, where removing the first element of an array is O(count).
package struct Queue<Element> {
    private var entering: [Element] = []
    /// In reverse order.
    private var leaving: [Element] = []

    package init() {}

    package var isEmpty: Bool { entering.isEmpty && leaving.isEmpty }
    package var elements: [Element] { leaving.reversed() + entering }

    package mutating func append(_ element: Element) { entering.append(element) }

    package mutating func prepend(_ element: Element) { leaving.append(element) }

    package mutating func popFirst() -> Element? {
        if leaving.isEmpty {
            // The two arrays swap roles. One that grew in a burst is freed, even if the queue is empty.
            if leaving.capacity > 1_024 { leaving = [] }
            swap(&entering, &leaving)
            leaving.reverse()
        }
        return leaving.popLast()
    }
}

extension Queue: Sendable where Element: Sendable {}

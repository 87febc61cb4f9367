/// The deadlines of pages, the earliest first.
///
/// Deadlines that come in ascending order, as those of new pages do, are kept in a list and cost O(1); the others, of
/// pages that bring an age with them, in a binary heap and cost O(log n).
struct DeadlineQueue: Sendable {
    private enum Place: Sendable {
        case nowhere, inList
        case inHeap(Int32)
    }

    private var ascending = HandleList()
    private var heap: ContiguousArray<PageHandle> = []
    private var deadlines: ContiguousArray<PaginatorInstant> = []
    private var places: ContiguousArray<Place> = []

    /// The page whose deadline is the earliest.
    var first: PageHandle? {
        guard let listed = ascending.first else { return heap.first }
        guard let heaped = heap.first else { return listed }
        return deadlines[heaped.index] < deadlines[listed.index] ? heaped : listed
    }

    /// Returns the deadline last set for the page; the page has been in the queue.
    func deadline(of page: PageHandle) -> PaginatorInstant { deadlines[page.index] }

    /// Adds a page that is not in the queue.
    mutating func insert(_ page: PageHandle, at deadline: PaginatorInstant) {
        while deadlines.count <= page.index {
            deadlines.append(.distantFuture)
            places.append(.nowhere)
        }
        deadlines[page.index] = deadline
        if let last = ascending.last, deadline < deadlines[last.index] {
            heap.append(page)
            places[page.index] = .inHeap(Int32(heap.count - 1))
            siftUp(from: heap.count - 1)
        } else {
            ascending.append(page)
            places[page.index] = .inList
        }
    }

    /// Takes a page out; does nothing when it is not in the queue.
    mutating func remove(_ page: PageHandle) {
        guard page.index < places.count else { return }
        switch places[page.index] {
        case .nowhere: return
        case .inList: ascending.remove(page)
        case .inHeap(let place): removeFromHeap(Int(place))
        }
        places[page.index] = .nowhere
    }

    private mutating func removeFromHeap(_ place: Int) {
        let last = heap.count - 1
        swap(place, last)
        heap.removeLast()
        guard place < last else { return }
        siftUp(from: place)
        siftDown(from: place)
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        deadlines[heap[left].index] < deadlines[heap[right].index]
    }

    private mutating func swap(_ left: Int, _ right: Int) {
        heap.swapAt(left, right)
        places[heap[left].index] = .inHeap(Int32(left))
        places[heap[right].index] = .inHeap(Int32(right))
    }

    private mutating func siftUp(from place: Int) {
        var child = place
        while child > 0, precedes(child, (child - 1) / 2) {
            swap(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func siftDown(from place: Int) {
        var parent = place
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && precedes(child, least) {
                least = child
            }
            guard least != parent else { return }
            swap(parent, least)
            parent = least
        }
    }
}

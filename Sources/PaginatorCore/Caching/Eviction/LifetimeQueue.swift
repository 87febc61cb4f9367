/// The deadlines of pages, the earliest first.
///
/// Deadlines that come in ascending order, as those of new pages do, are kept in a list and cost O(1); the others, of
/// pages that bring an age with them, in a heap and cost O(log n).
struct LifetimeQueue: Sendable {
    private var ascending = HandleList()
    private var others = DeadlineQueue<PageHandle>()
    private var deadlines: ContiguousArray<PaginatorInstant> = []

    /// The page whose deadline is the earliest, with it; `nil` when there is none.
    var first: (page: PageHandle, deadline: PaginatorInstant)? {
        let listed = ascending.first.map { ($0, deadlines[$0.index]) }
        guard let page = others.nextKey, let deadline = others.next else { return listed }
        guard let listed, listed.1 <= deadline else { return (page, deadline) }
        return listed
    }

    /// Returns the deadline last set for the page; the page has been in the queue.
    func deadline(of page: PageHandle) -> PaginatorInstant { deadlines[page.index] }

    /// Adds a page that is not in the queue.
    mutating func insert(_ page: PageHandle, at deadline: PaginatorInstant) {
        while deadlines.count <= page.index { deadlines.append(.distantFuture) }
        deadlines[page.index] = deadline
        if let last = ascending.last, deadline < deadlines[last.index] {
            others.set(page, at: deadline)
        } else {
            ascending.append(page)
        }
    }

    /// Takes a page out; does nothing when it is not in the queue.
    mutating func remove(_ page: PageHandle) {
        if ascending.contains(page) {
            ascending.remove(page)
        } else {
            others.remove(page)
        }
    }
}

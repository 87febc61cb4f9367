/// The pages of a memory cache, by identity and by handle.
///
/// It is noncopyable, so that readers under a shared lock do not count references to its arrays: two threads would
/// contend for the cache line of the count.
struct PageTable: ~Copyable {
    private struct Cell {
        static let empty = Cell(identity: PageIdentity(key: "", pageSize: 0), page: nil, deadline: .distantFuture)

        var identity: PageIdentity
        var page: LoadedPage?
        // The time from which a read must check whether the page may still be returned.
        var deadline: PaginatorInstant
        // Whether it was added without edits that were committed before, and has not got them yet.
        var lacksEdits = false
        // The next page with the same hash.
        var next: Int?
    }

    private var cells: ContiguousArray<Cell> = []
    // By hash, the first page that has it. Not by identity: a read would count references to the texts of the key, and
    // each key would be kept twice.
    private(set) var places: [UInt64: Int] = [:]

    /// The result of a read.
    enum Found {
        case page(LoadedPage, index: Int)
        /// Past its deadline: a writer has to check whether it may still be returned.
        case expired
    }

    func index(of identity: PageIdentity) -> Int? {
        // In a span a cell is compared where it is; an array would copy it.
        let cells = cells.span
        var place = places[identity.stableHash]
        while let index = place {
            if cells[index].identity == identity { return index }
            place = cells[index].next
        }
        return nil
    }

    func index(of identity: PageIdentity, ifObject object: AnyObject) -> Int? {
        index(of: identity).flatMap { cells[$0].page?.object === object ? $0 : nil }
    }

    func find(_ identity: PageIdentity, at now: PaginatorInstant, edits: UInt64) -> Found? {
        guard let index = index(of: identity) else { return nil }
        guard cells[index].deadline > now else { return .expired }
        return page(at: index, edits: edits).map { .page($0, index: index) }
    }

    /// The page at a handle's index; `nil` if the handle is not in use. Set it only where there is a page.
    subscript(index: Int) -> LoadedPage? {
        _read { yield cells[index].page }
        _modify { yield &cells[index].page }
    }

    /// Returns the page, with the number of edits that all pages have.
    func page(at index: Int, edits: UInt64) -> LoadedPage? {
        guard var page = cells[index].page else { return nil }
        if page.editCount < edits, !cells[index].lacksEdits { page.editCount = edits }
        return page
    }

    func identity(at index: Int) -> PageIdentity { cells[index].identity }

    func lacksEdits(at index: Int) -> Bool { cells[index].lacksEdits }

    // O(1) for one identity. Keys and scopes are searched linearly: indexes of them would cost every insertion and
    // removal more than they save in a clear, which is rare.
    func indices(in selection: PageSelection) -> [Int] {
        if case .identity(let identity) = selection { return index(of: identity).map { [$0] } ?? [] }
        return cells.indices.filter { cells[$0].page != nil && selection.contains(cells[$0].identity) }
    }

    mutating func setDeadline(_ deadline: PaginatorInstant, at index: Int) { cells[index].deadline = deadline }

    /// Replaces a page by its edited version; `nil` if the edits change nothing.
    mutating func edit(at index: Int, _ object: (any AnyObject & Sendable)?, editCount: UInt64, edits: UInt64) {
        guard let count = cells[index].page?.editCount else { return }
        if let object { cells[index].page?.object = object }
        cells[index].page?.editCount = max(count, editCount)
        if max(count, editCount) >= edits { cells[index].lacksEdits = false }
    }

    mutating func insert(
        _ identity: PageIdentity, _ page: LoadedPage, at index: Int, deadline: PaginatorInstant, lacksEdits: Bool
    ) {
        // Handles are dense, so the array has no more places than the largest number of pages so far.
        while cells.count <= index { cells.append(.empty) }
        let next = places.updateValue(index, forKey: identity.stableHash)
        cells[index] = Cell(identity: identity, page: page, deadline: deadline, lacksEdits: lacksEdits, next: next)
    }

    mutating func remove(at index: Int) -> (identity: PageIdentity, page: LoadedPage)? {
        guard let page = cells[index].page.take() else { return nil }
        let (identity, next) = (cells[index].identity, cells[index].next)
        if let first = places[identity.stableHash], first != index {
            var previous = first
            while let other = cells[previous].next, other != index { previous = other }
            cells[previous].next = next
        } else {
            places[identity.stableHash] = next
        }
        cells[index] = .empty
        return (identity, page)
    }
}

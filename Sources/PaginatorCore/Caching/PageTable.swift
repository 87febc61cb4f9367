/// The pages of a memory cache by identity, by key and by scope, at the places that their handles name.
///
/// It cannot be copied, so that who reads it under a reader's lock counts no references to its arrays: two threads that
/// did would fight for the line of memory where the count is.
struct PageTable: ~Copyable {
    private struct Slot {
        static let empty = Slot(identity: PageIdentity(key: "", pageSize: 0), page: nil, deadline: .distantFuture)

        var identity: PageIdentity
        var page: LoadedPage?
        // When a read must ask whether the page still may be returned.
        var deadline: PaginatorInstant
    }

    private var slots: ContiguousArray<Slot> = []
    private(set) var places: [PageIdentity: Int] = [:]
    private var keys = PageGroups()
    private var scopes = PageGroups()

    func index(of identity: PageIdentity) -> Int? { places[identity] }

    /// The page at a place, to be changed only where there is one; `nil` when the place is not in use.
    subscript(index: Int) -> LoadedPage? {
        _read { yield slots[index].page }
        _modify { yield &slots[index].page }
    }

    func deadline(at index: Int) -> PaginatorInstant { slots[index].deadline }

    func identity(at index: Int) -> PageIdentity { slots[index].identity }

    func indices(in selection: PageSelection) -> [Int] {
        switch selection {
        case .identity(let identity): index(of: identity).map { [$0] } ?? []
        case .key(let key): keys.pages(of: key)
        case .scope(let scope): scopes.pages(of: scope)
        case .all: slots.indices.filter { slots[$0].page != nil }
        }
    }

    mutating func setDeadline(_ deadline: PaginatorInstant, at index: Int) { slots[index].deadline = deadline }

    mutating func insert(_ identity: PageIdentity, _ page: LoadedPage, at index: Int, deadline: PaginatorInstant) {
        // Handles are dense, so that the array has no more places than there were pages at once.
        while slots.count <= index { slots.append(.empty) }
        slots[index] = Slot(identity: identity, page: page, deadline: deadline)
        places[identity] = index
        keys.insert(index, identity.key)
        scopes.insert(index, identity.scope)
    }

    mutating func remove(at index: Int) -> (identity: PageIdentity, page: LoadedPage)? {
        let slot = slots[index]
        guard let page = slot.page else { return nil }
        slots[index] = .empty
        places[slot.identity] = nil
        keys.remove(index, slot.identity.key)
        scopes.remove(index, slot.identity.scope)
        return (slot.identity, page)
    }
}

/// Pages that have a text in common, such as their key: a list for each text. Every change is O(1).
private struct PageGroups: ~Copyable {
    private var links = ListLinks()
    private var groups: [ExactText: LinkedList] = [:]

    func pages(of text: String) -> [Int] { groups[ExactText(text)].map { links.elements(of: $0) } ?? [] }

    mutating func insert(_ page: Int, _ text: String) {
        links.append(page, to: &groups[ExactText(text), default: LinkedList()])
    }

    mutating func remove(_ page: Int, _ text: String) {
        guard let place = groups.index(forKey: ExactText(text)) else { return }
        links.remove(page, from: &groups.values[place])
        if groups.values[place].count == 0 { groups.remove(at: place) }
    }
}

/// The pages of a memory cache by identity, by key and by scope, at the places that their handles name.
///
/// It cannot be copied, so that who reads it under a reader's lock counts no references to its arrays: two threads that
/// did would fight for the line of memory where the count is.
struct PageTable: ~Copyable {
    private struct Slot {
        static let empty = Slot(
            identity: PageIdentity(key: "", pageSize: 0), value: nil, deadline: .distantFuture,
            details: CachedEntry.Details(
                facts: PageFacts(bytes: 0, items: 0, keyHash: 0), fetchedAt: .zero, expiresAt: nil, editCount: 0,
                isInvalidated: false, isStorable: false))

        var identity: PageIdentity
        /// `nil` where the place is not in use.
        var value: (any AnyObject & Sendable)?
        /// When a read must ask whether the page still may be returned.
        var deadline: PaginatorInstant
        var details: CachedEntry.Details
    }

    private var slots: ContiguousArray<Slot> = []
    private var identities = HashIndex()
    private var keys = PageGroups()
    private var scopes = PageGroups()

    /// Returns the page's place; `nil` when it is not here.
    func index(of identity: PageIdentity) -> Int? {
        identities.number(of: identity.stableHash) { slots[$0].identity == identity }
    }

    /// When a read of the page at a place must ask whether it still may be returned.
    func deadline(at index: Int) -> PaginatorInstant { slots[index].deadline }

    /// What is known of the page at a place.
    func details(at index: Int) -> CachedEntry.Details { slots[index].details }

    /// The page at a place; `nil` when the place is not in use.
    func value(at index: Int) -> (any AnyObject & Sendable)? { slots[index].value }

    /// The page at a place, with what is known of it; `nil` when the place is not in use.
    func entry(at index: Int) -> CachedEntry? {
        slots[index].value.map { CachedEntry(value: $0, details: slots[index].details) }
    }

    /// The identity of the page at a place that is in use.
    func identity(at index: Int) -> PageIdentity { slots[index].identity }

    /// Returns the places of the pages named. Complexity: O(pages named); for all of them, O(capacity).
    func indices(in selection: PageSelection) -> [Int] {
        switch selection {
        case .identity(let identity): index(of: identity).map { [$0] } ?? []
        case .key(let key): keys.pages(of: key)
        case .scope(let scope): scopes.pages(of: scope)
        case .all: slots.indices.filter { slots[$0].value != nil }
        }
    }

    /// Sets when a read of the page at a place must ask whether it still may be returned.
    mutating func setDeadline(_ deadline: PaginatorInstant, at index: Int) { slots[index].deadline = deadline }

    /// Invalidates the page at a place.
    mutating func invalidate(at index: Int) { slots[index].details.isInvalidated = true }

    /// Puts an edited page in the place of the one that it was made from, which it returns.
    mutating func edit(
        at index: Int, to edited: any AnyObject & Sendable, editCount: UInt64
    ) -> (any AnyObject & Sendable)? {
        slots[index].details.editCount = max(slots[index].details.editCount, editCount)
        defer { slots[index].value = edited }
        return slots[index].value
    }

    /// Puts a page in the place of another of the same identity, and returns the other.
    mutating func replace(at index: Int, with entry: CachedEntry) -> (any AnyObject & Sendable)? {
        slots[index].details = entry.details
        defer { slots[index].value = entry.value }
        return slots[index].value
    }

    /// Puts a page, which is not here, at a place that is not in use.
    mutating func insert(_ identity: PageIdentity, _ entry: CachedEntry, at index: Int, deadline: PaginatorInstant) {
        while slots.count <= index { slots.append(.empty) }
        slots[index] = Slot(identity: identity, value: entry.value, deadline: deadline, details: entry.details)
        identities.insert(index, hash: identity.stableHash)
        keys.insert(index, identity.key)
        scopes.insert(index, identity.scope)
    }

    /// Takes the page out that is at a place; `nil` when the place is not in use.
    mutating func remove(at index: Int) -> (identity: PageIdentity, value: any AnyObject & Sendable)? {
        guard let value = slots[index].value else { return nil }
        let identity = slots[index].identity
        slots[index] = .empty
        identities.remove(index, hash: identity.stableHash)
        keys.remove(index)
        scopes.remove(index)
        return (identity, value)
    }

    /// What is wrong, in words; empty as it should be.
    ///
    /// - Parameter handles: the places that should be in use.
    func invariantViolations(handles: [PageHandle]) -> [String] {
        var violations: [String] = []
        let used = indices(in: .all)
        if used != handles.map(\.index) { violations.append("places in use: \(used), handles: \(handles)") }
        if used.count != identities.count { violations.append("\(used.count) pages, \(identities.count) identities") }
        for index in used {
            let identity = slots[index].identity
            if self.index(of: identity) != index {
                violations.append("\(identity) does not lead to its place \(index)")
            }
            for selection in [PageSelection.key(identity.key), .scope(identity.scope)]
            where !indices(in: selection).contains(index) {
                violations.append("\(identity) is not found by \(selection)")
            }
        }
        return violations
    }
}

/// Pages that have a text in common, such as their key: a list for each text. Every change is O(1).
private struct PageGroups: ~Copyable {
    private struct Group {
        var text: String
        var hash: UInt64
        var pages = LinkedList()
    }

    private var links = ListLinks()
    private var groups: ContiguousArray<Group> = []
    private var numbers = HashIndex()
    private var free: ContiguousArray<Int> = []
    /// The number of each page's group, by page.
    private var numbersOfPages: ContiguousArray<Int> = []

    /// Returns the pages with a text. Complexity: O(pages returned).
    func pages(of text: String) -> [Int] {
        var pages: [Int] = []
        var next = number(of: text, StableHash.value(of: text)).flatMap { groups[$0].pages.first }
        while let page = next {
            pages.append(page)
            next = links.element(after: page)
        }
        return pages
    }

    /// Adds a page that is in no group.
    mutating func insert(_ page: Int, _ text: String) {
        let hash = StableHash.value(of: text)
        let number = number(of: text, hash) ?? make(Group(text: text, hash: hash))
        while numbersOfPages.count <= page { numbersOfPages.append(0) }
        numbersOfPages[page] = number
        links.append(page, to: &groups[number].pages)
    }

    /// Takes a page out of its group.
    mutating func remove(_ page: Int) {
        let number = numbersOfPages[page]
        links.remove(page, from: &groups[number].pages)
        guard groups[number].pages.count == 0 else { return }
        numbers.remove(number, hash: groups[number].hash)
        groups[number].text = ""
        free.append(number)
    }

    private func number(of text: String, _ hash: UInt64) -> Int? {
        numbers.number(of: hash) { groups[$0].text.hasSameBytes(as: text) }
    }

    private mutating func make(_ group: Group) -> Int {
        let number = free.popLast() ?? groups.count
        if number == groups.count { groups.append(group) } else { groups[number] = group }
        numbers.insert(number, hash: group.hash)
        return number
    }
}

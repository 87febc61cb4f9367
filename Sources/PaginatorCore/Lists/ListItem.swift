/// Carries an item's value through machinery that is compiled once and does not know its type.
@usableFromInline
final class ItemBox<Content> {
    @usableFromInline let content: Content

    init(_ content: Content) {
        self.content = content
    }

    /// What a box of the same list holds.
    static func content(of object: ListValue) -> Content {
        let box: ItemBox = KnownType.cast(object)
        return box.content
    }
}

extension ItemBox: Sendable where Content: Sendable {}

/// An item's value, in a box.
@usableFromInline typealias ListValue = any AnyObject & Sendable

/// An item's identity without its type: one object for each identity of a list, so that objects are compared and not
/// what they hold.
///
/// `@unchecked Sendable`: nothing of it changes; a class that is not final cannot say so.
class ListItemID: Hashable, @unchecked Sendable {
    // Hashed in place of the address, which would let no simulated world run the same way twice.
    private let number: Int

    fileprivate init(number: Int) {
        self.number = number
    }

    static func == (left: ListItemID, right: ListItemID) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// An item's identity by its type.
///
/// `@unchecked Sendable`: nothing of it changes, but its superclass is not checked.
final class TypedListItemID<ID: Hashable & Sendable>: ListItemID, @unchecked Sendable {
    let id: ID

    fileprivate init(_ id: ID, number: Int) {
        self.id = id
        super.init(number: number)
    }
}

/// The identities of a list's items, each by its one object.
struct ListItemIDs<ID: Hashable & Sendable>: Sendable {
    private var known: [ID: TypedListItemID<ID>] = [:]
    private var lastNumber = 0
    private var limit = 1_024

    /// The object of an identity. Complexity: O(1) amortized.
    subscript(id: ID) -> ListItemID {
        mutating get {
            if let found = known[id] { return found }
            if known.count >= limit { forgetUnused() }
            lastNumber += 1
            let new = TypedListItemID(id, number: lastNumber)
            known[id] = new
            return new
        }
    }

    /// The identity of an object that is one of these.
    static func id(of object: ListItemID) -> ID {
        let typed: TypedListItemID<ID> = KnownType.cast(object)
        return typed.id
    }

    // What the list and its snapshots need they hold themselves. So nothing has to say when it is done with an identity,
    // and an item that comes back while somebody still shows it is the same one.
    private mutating func forgetUnused() {
        var unused: [ID] = []
        var index = known.startIndex
        // By hand: `indices` would hold a copy of the table, and so every object.
        while index != known.endIndex {
            if isKnownUniquelyReferenced(&known.values[index]) { unused.append(known[index].key) }
            known.formIndex(after: &index)
        }
        for id in unused { known[id] = nil }
        // As many as it has left come before it looks again, which is what makes it cheap.
        limit = max(1_024, 2 * known.count)
    }
}

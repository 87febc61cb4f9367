import PaginatorCore

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
/// `@unchecked Sendable`: nothing of it changes but `shownAt`, which the lock of ``ListItemIDs`` guards; a class that is not
/// final cannot say so.
class ListItemID: Hashable, @unchecked Sendable {
    // Hashed in place of the address, which would let no simulated world run the same way twice.
    private let number: Int
    // The rank of the chunk that showed it last.
    fileprivate var shownAt = 0

    fileprivate init(number: Int) {
        self.number = number
    }

    /// What the identity says of itself, which is the user's code.
    var text: String { "" }

    /// A hash of that, the same in every run.
    final var fingerprint: UInt64 { StableHash.value(of: text) }

    static func == (left: ListItemID, right: ListItemID) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// An item's identity by its type.
///
/// `@unchecked Sendable`: nothing of it changes, but its superclass is not checked.
final class TypedListItemID<ID: Hashable & Sendable>: ListItemID, @unchecked Sendable {
    let id: ID
    // An older one with the same hash.
    fileprivate let other: TypedListItemID?

    fileprivate init(_ id: ID, number: Int, other: TypedListItemID?) {
        self.id = id
        self.other = other
        super.init(number: number)
    }

    override var text: String { "\(id)" }

    fileprivate func first(equalTo id: ID) -> TypedListItemID? {
        var next: TypedListItemID? = self
        while let found = next, found.id != id { next = found.other }
        return next
    }
}

/// Where the items of a list are shown, whatever their type.
protocol ListPlaces: AnyObject, Sendable {
    func note(_ chunk: ListChunk, at rank: Int)
}

/// The identities of a list's items, each by its one object, and where it was shown last. The list and its snapshots share
/// them.
final class ListItemIDs<ID: Hashable & Sendable>: ListPlaces {
    private struct Table: Sendable {
        // By their hashes, since to hash them and to compare them is the user's code, and a lock is held here.
        var known: [Int: TypedListItemID<ID>] = [:]
        var lastNumber = 0
        var limit = 1_024

        // The new object, unless another one has come meanwhile, and those that nobody needs any more.
        mutating func add(
            _ id: ID, _ hash: Int, behind first: TypedListItemID<ID>?
        ) -> (new: TypedListItemID<ID>?, unused: [TypedListItemID<ID>]) {
            guard known[hash] === first else { return (nil, []) }
            let unused = known.count >= limit ? takeUnused() : []
            lastNumber += 1
            let new = TypedListItemID(id, number: lastNumber, other: known[hash])
            known[hash] = new
            return (new, unused)
        }

        // What the list and its snapshots need they hold themselves. So nothing has to say when it is done with an identity,
        // and an item that comes back while somebody still shows it is the same one.
        private mutating func takeUnused() -> [TypedListItemID<ID>] {
            var hashes: [Int] = []
            var index = known.startIndex
            // By hand: `indices` would hold a copy of the table, and so every object.
            while index != known.endIndex {
                if isKnownUniquelyReferenced(&known.values[index]) { hashes.append(known[index].key) }
                known.formIndex(after: &index)
            }
            var unused: [TypedListItemID<ID>] = []
            for hash in hashes {
                if let first = known.removeValue(forKey: hash) {
                    known[hash] = first.other
                    unused.append(first)
                }
            }
            // As many as it has left come before it looks again, which is what makes it cheap.
            limit = max(1_024, 2 * known.count)
            return unused
        }
    }

    private let table = Guarded(Table())

    /// The object of an identity. Complexity: O(1) amortized.
    subscript(id: ID) -> ListItemID {
        let hash = id.hashValue
        while true {
            let first = table.withLock { $0.known[hash] }
            if let found = first?.first(equalTo: id) { return found }
            // Those that are unused end after the lock, since what they hold is the user's.
            if let new = table.withLock({ $0.add(id, hash, behind: first) }).new { return new }
        }
    }

    /// The object of an identity that has one, and the rank of the chunk that showed it last. Complexity: O(1).
    func find(_ id: ID) -> (id: ListItemID, rank: Int)? {
        let hash = id.hashValue
        guard let found = table.withLock({ $0.known[hash] })?.first(equalTo: id) else { return nil }
        return (found, table.withLock { _ in found.shownAt })
    }

    func note(_ chunk: ListChunk, at rank: Int) {
        table.withLock { _ in
            for row in chunk.rows { row.id.shownAt = rank }
        }
    }

    /// The identity of an object that is one of these.
    static func id(of object: ListItemID) -> ID {
        let typed: TypedListItemID<ID> = KnownType.cast(object)
        return typed.id
    }
}

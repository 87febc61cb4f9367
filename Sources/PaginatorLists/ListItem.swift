import PaginatorCore

/// Holds an item's value in code that is compiled once and does not know its type.
@usableFromInline
final class ItemBox<Content> {
    @usableFromInline let content: Content

    init(_ content: Content) {
        self.content = content
    }

    /// The value in a box of the same list.
    static func content(of object: ListValue) -> Content {
        let box: ItemBox = KnownType.cast(object)
        return box.content
    }
}

extension ItemBox: Sendable where Content: Sendable {}

/// An item's value, in a box.
@usableFromInline typealias ListValue = any AnyObject & Sendable

/// An item's identity without its type. A list has one object for each identity, so that objects are compared and not
/// their contents.
///
/// `@unchecked Sendable`: only `shownAt` changes, behind the lock of ``ListItemIDs``; a class that is not final cannot
/// say so.
class ListItemID: Hashable, @unchecked Sendable {
    // Hashed instead of the address, so that simulated worlds are reproducible.
    private let number: Int
    // The rank of the chunk that showed it last.
    fileprivate var shownAt = 0

    fileprivate init(number: Int) {
        self.number = number
    }

    /// The identity's description, which is the user's code.
    var text: String { "" }

    /// A hash of the description, the same in every run.
    final var fingerprint: UInt64 { StableHash.value(of: text) }

    static func == (left: ListItemID, right: ListItemID) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// An identity with its type.
///
/// `@unchecked Sendable`: immutable, apart from what the superclass answers for.
final class TypedListItemID<ID: Hashable & Sendable>: ListItemID, @unchecked Sendable {
    let id: ID
    // The next identity with the same hash.
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

/// The identity objects of a list, and where each was shown last. The list and its snapshots share them.
final class ListItemIDs<ID: Hashable & Sendable>: ListPlaces {
    private struct Table: Sendable {
        // By hash, because hashing and comparing identities is the user's code, and must not run under the lock.
        var known: [Int: TypedListItemID<ID>] = [:]
        var lastNumber = 0
        var limit = 1_024

        // Returns the new object, unless another thread added one meanwhile, and the unused objects to release.
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

        // The list and its snapshots hold the objects that they need. So none has to be given back, and an item that
        // returns while a snapshot still shows it has the same object.
        private mutating func takeUnused() -> [TypedListItemID<ID>] {
            var hashes: [Int] = []
            var index = known.startIndex
            // Not `indices`, which would hold a copy of the table and so every object.
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
            // Cleaning up again only when the number has doubled makes it O(1) amortized.
            limit = max(1_024, 2 * known.count)
            return unused
        }
    }

    private let table = Guarded(Table())

    /// The object for an identity; made if there is none. Complexity: O(1) amortized.
    subscript(id: ID) -> ListItemID {
        let hash = id.hashValue
        while true {
            let first = table.withLock { $0.known[hash] }
            if let found = first?.first(equalTo: id) { return found }
            // Unused objects are released after the lock, because their deinit may be the user's code.
            if let new = table.withLock({ $0.add(id, hash, behind: first) }).new { return new }
        }
    }

    /// The object for an identity, if there is one, and the rank of the chunk that showed it last. Complexity: O(1).
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

    /// The identity of an object from a table of this type.
    static func id(of object: ListItemID) -> ID {
        let typed: TypedListItemID<ID> = KnownType.cast(object)
        return typed.id
    }
}

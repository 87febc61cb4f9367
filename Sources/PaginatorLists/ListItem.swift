import PaginatorCore

/// A box for an item's value, so that code that does not know its type is compiled once.
@usableFromInline
final class ItemBox<Content> {
    @usableFromInline let content: Content

    init(_ content: Content) {
        self.content = content
    }

    /// Returns the value of a box of the same list.
    static func content(of object: ListValue) -> Content {
        let box: ItemBox = KnownType.cast(object)
        return box.content
    }
}

extension ItemBox: Sendable where Content: Sendable {}

/// An item's value, in a box.
@usableFromInline typealias ListValue = any AnyObject & Sendable

/// An item's identity with its type erased. A list has one object for each identity, so that objects are compared
/// instead of their contents.
///
/// `@unchecked Sendable`: only `shownAt` changes, under the lock of ``ListItemIDs``. The compiler cannot check a class
/// that is not final.
class ListItemID: Hashable, @unchecked Sendable {
    // Hashed instead of the address, so that a simulated run is reproducible.
    private let number: Int
    // The rank of the chunk that showed the item last.
    fileprivate var shownAt = 0

    fileprivate init(number: Int) {
        self.number = number
    }

    /// The description of the identity, which is user code.
    var text: String { "" }

    /// A hash of the description, the same in every run.
    final var fingerprint: UInt64 { StableHash.value(of: text) }

    static func == (left: ListItemID, right: ListItemID) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// An identity with its type.
///
/// `@unchecked Sendable`: immutable, apart from the superclass, which has its own reason.
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

/// The places at which the items of a list are shown, with the item type erased.
protocol ListPlaces: AnyObject, Sendable {
    func note(_ chunk: ListChunk, at rank: Int)
}

/// The identity objects of a list, and where each item was shown last. The list and its snapshots share them.
final class ListItemIDs<ID: Hashable & Sendable>: ListPlaces {
    private struct Table: Sendable {
        // By hash, because hashing and comparing identities is user code, which must not run under the lock.
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

        // The list and its snapshots retain the objects that they need. So objects need not be returned, and an item
        // that returns while a snapshot still shows it has the same object.
        private mutating func takeUnused() -> [TypedListItemID<ID>] {
            var hashes: [Int] = []
            var index = known.startIndex
            // Not `indices`, which would retain the table and so every object.
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

    /// The object for an identity, created if there is none. Complexity: O(1) amortized.
    subscript(id: ID) -> ListItemID {
        let hash = id.hashValue
        while true {
            let first = table.withLock { $0.known[hash] }
            if let found = first?.first(equalTo: id) { return found }
            // Unused objects are released after the lock, because their deinit may be user code.
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

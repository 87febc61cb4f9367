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
/// `@unchecked Sendable`: only `shownAt` changes, behind the lock of ``ListItemTable``; a class that is not final
/// cannot say so.
class ListItemID: SpreadKey, @unchecked Sendable {
    // Hashed instead of the address, so that a simulated run is reproducible.
    final let ordinal: Int
    // The next identity with the same hash.
    fileprivate final let other: ListItemID?
    // The rank of the chunk that showed the item last.
    fileprivate final var shownAt = 0

    fileprivate init(ordinal: Int, other: ListItemID?) {
        (self.ordinal, self.other) = (ordinal, other)
    }

    /// Makes an identity that no item has.
    static func makeStandIn() -> ListItemID { ListItemID(ordinal: 0, other: nil) }

    final var spread: Int { ordinal }

    /// The description of the identity, which is user code.
    var text: String { "" }

    /// A hash of the description, the same in every run.
    final var fingerprint: UInt64 { StableHash.value(of: text) }

    static func == (left: ListItemID, right: ListItemID) -> Bool { left === right }

    final func hash(into hasher: inout Hasher) { hasher.combine(ordinal) }
}

/// An identity with its type.
///
/// `@unchecked Sendable`: immutable, apart from the superclass, which has its own reason.
final class TypedListItemID<ID: Hashable & Sendable>: ListItemID, @unchecked Sendable {
    let id: ID

    fileprivate init(_ id: ID, ordinal: Int, other: ListItemID?) {
        self.id = id
        super.init(ordinal: ordinal, other: other)
    }

    override var text: String { "\(id)" }
}

/// The identity objects of a list, by their hashes, and where each item was shown last. It does not know their type, so
/// it is compiled once, and does not hash or compare identities, which is the user's code and must not run under its
/// lock.
///
/// `@unchecked Sendable`: the variables, and `shownAt` of the objects, are read and written with `lock` held.
final class ListItemTable: @unchecked Sendable {
    private let lock = Lock()
    private var known = GradualDictionary<Int, ListItemID>()
    private var lastOrdinal = 0
    // Cleaning up when the number has doubled makes it O(1) amortized.
    private var limit = 1_024
    // The next part to clean up.
    private var unclean: Int?

    // The first object with a hash; others follow it.
    func first(_ hash: Int) -> ListItemID? { lock.withLock { known[hash] } }

    func first(_ hashes: [Int]) -> [ListItemID?] { lock.withLock { hashes.map { known[$0] } } }

    func place(of id: ListItemID) -> Int { lock.withLock { id.shownAt } }

    func note(_ rows: [ListRow], at rank: Int) {
        lock.withLock { for row in rows { row.id.shownAt = rank } }
    }

    // Returns the new object, unless another thread added one meanwhile.
    func add(
        _ hash: Int, behind first: ListItemID?, _ make: (_ ordinal: Int, _ other: ListItemID?) -> ListItemID
    ) -> ListItemID? {
        let (new, unused) = lock.withLock { () -> (ListItemID?, [ListItemID]) in
            guard known[hash] === first else { return (nil, []) }
            let unused = takeUnused()
            lastOrdinal += 1
            let new = make(lastOrdinal, known[hash])
            known[hash] = new
            return (new, unused)
        }
        // Released after the lock, because their deinit may be the user's code.
        withExtendedLifetime(unused) {}
        return new
    }

    // Cleans up one part, if there are many objects. The list and its snapshots retain the objects that they need. So
    // objects need not be returned, and an item that returns while a snapshot still shows it has the same object.
    private func takeUnused() -> [ListItemID] {
        if known.count >= limit, unclean == nil { unclean = 0 }
        guard let part = unclean else { return [] }
        if part + 1 < known.partCount {
            unclean = part + 1
        } else {
            (unclean, limit) = (nil, max(1_024, 2 * known.count))
        }
        return known.changePart(part, Self.takeUnused)
    }

    private static func takeUnused(of known: inout [Int: ListItemID]) -> [ListItemID] {
        var hashes: [Int] = []
        var index = known.startIndex
        // Not `indices`, which would retain the table and so every object.
        while index != known.endIndex {
            if isKnownUniquelyReferenced(&known.values[index]) { hashes.append(known[index].key) }
            known.formIndex(after: &index)
        }
        var unused: [ListItemID] = []
        for hash in hashes {
            if let first = known.removeValue(forKey: hash) {
                known[hash] = first.other
                unused.append(first)
            }
        }
        return unused
    }
}

/// The identity objects of a list with their type. The list and its snapshots share their table.
struct ListItemIDs<ID: Hashable & Sendable>: Sendable {
    var table = ListItemTable()

    /// The object for an identity, created if there is none. Complexity: O(1) amortized.
    subscript(id: ID) -> ListItemID {
        let hash = id.hashValue
        while true {
            let first = table.first(hash)
            if let found = Self.find(id, behind: first) { return found }
            let new = table.add(hash, behind: first) { TypedListItemID(id, ordinal: $0, other: $1) }
            if let new { return new }
        }
    }

    /// The objects for the identities of a page, which are looked up together.
    func objects(for ids: [ID]) -> [ListItemID] {
        var objects: [ListItemID] = []
        objects.reserveCapacity(ids.count)
        for (index, first) in table.first(ids.map { $0.hashValue }).enumerated() {
            let id = ids[index]
            objects.append(Self.find(id, behind: first) ?? self[id])
        }
        return objects
    }

    /// The object for an identity, if there is one, and the rank of the chunk that showed it last. Complexity: O(1).
    func find(_ id: ID) -> (id: ListItemID, rank: Int)? {
        Self.find(id, behind: table.first(id.hashValue)).map { ($0, table.place(of: $0)) }
    }

    private static func find(_ id: ID, behind first: ListItemID?) -> ListItemID? {
        var next = first
        while let found = next {
            if self.id(of: found) == id { return found }
            next = found.other
        }
        return nil
    }

    /// The identity of an object from a table of this type.
    static func id(of object: ListItemID) -> ID {
        let typed: TypedListItemID<ID> = KnownType.cast(object)
        return typed.id
    }
}

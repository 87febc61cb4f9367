/// How items are told from one another, and which closure does: two closures cannot be compared, two of these can.
final class ItemIdentifier<T: Sendable, ID: Hashable & Sendable>: Sendable {
    let id: @Sendable (T) -> ID

    init(_ id: @escaping @Sendable (T) -> ID) {
        self.id = id
    }
}

/// The item that an edit is about, whatever type its identity has.
///
/// Lists and edits of one paginator may tell its items by different closures. Each finds the item by its own where both
/// are the same, and by ``matches(_:)`` otherwise.
///
/// `@unchecked Sendable`: a class with subclasses has to be; nothing in it ever changes, so there is no lock.
class ItemReference<T: Sendable>: @unchecked Sendable {
    /// Names the closure that tells items from one another.
    let identifier: ObjectIdentifier
    /// The identity's hash.
    let hash: Int

    fileprivate init(identifier: ObjectIdentifier, hash: Int) {
        self.identifier = identifier
        self.hash = hash
    }

    /// Whether a value is the item's.
    func matches(_ value: T) -> Bool { false }

    /// The hash of a value's identity, as the closure tells it.
    func hash(of value: T) -> Int { 0 }
}

/// An item by its identity.
///
/// `@unchecked Sendable`: as its superclass; nothing in it ever changes.
final class ItemName<T: Sendable, ID: Hashable & Sendable>: ItemReference<T>, @unchecked Sendable {
    let id: ID
    let own: ItemIdentifier<T, ID>

    init(_ id: ID, by own: ItemIdentifier<T, ID>) {
        self.id = id
        self.own = own
        super.init(identifier: ObjectIdentifier(own), hash: id.hashValue)
    }

    override func matches(_ value: T) -> Bool { own.id(value) == id }

    override func hash(of value: T) -> Int { own.id(value).hashValue }
}

/// Where an inserted item goes, whatever type the identity of its anchor has.
enum ItemPlace<T: Sendable>: Sendable {
    case head
    case tail
    case after(ItemReference<T>)
}

/// An edit that is not committed yet.
struct PendingItemEdit<T: Sendable>: Sendable {
    let token: UInt64
    let item: ItemReference<T>
    let change: ItemChange<T>
    /// Whether it is known to remove the item, whatever its value.
    let removes: Bool
    /// How many commits had been noted when it began.
    let startedAt: Int
}

/// The pending edits of a paginator's items, found by an item's value in O(1) for each closure in use.
struct PendingItemEdits<T: Sendable>: Sendable {
    private struct Group {
        /// One of the group's, which knows the closure.
        let item: ItemReference<T>
        var byHash: [Int: [PendingItemEdit<T>]] = [:]
    }

    private var groups: [ObjectIdentifier: Group] = [:]
    private var items: [UInt64: ItemReference<T>] = [:]

    var isEmpty: Bool { items.isEmpty }

    /// All of them, in the order of their beginning. Complexity: O(n log n).
    var all: [PendingItemEdit<T>] {
        groups.values.flatMap { $0.byHash.values.flatMap { $0 } }.sorted { $0.token < $1.token }
    }

    subscript(token: UInt64) -> PendingItemEdit<T>? {
        guard let item = items[token] else { return nil }
        return groups[item.identifier]?.byHash[item.hash]?.first { $0.token == token }
    }

    mutating func add(_ edit: PendingItemEdit<T>) {
        items[edit.token] = edit.item
        groups[edit.item.identifier, default: Group(item: edit.item)].byHash[edit.item.hash, default: []].append(edit)
    }

    mutating func remove(_ token: UInt64) {
        guard let item = items.removeValue(forKey: token) else { return }
        groups[item.identifier]?.byHash[item.hash]?.removeAll { $0.token == token }
        if groups[item.identifier]?.byHash[item.hash]?.isEmpty == true {
            groups[item.identifier]?.byHash[item.hash] = nil
        }
        if groups[item.identifier]?.byHash.isEmpty == true { groups[item.identifier] = nil }
    }

    /// The edits of a value's item, in the order of their beginning.
    func edits(of value: T) -> [PendingItemEdit<T>] {
        var found: [PendingItemEdit<T>] = []
        for group in groups.values {
            for edit in group.byHash[group.item.hash(of: value)] ?? [] where edit.item.matches(value) {
                found.append(edit)
            }
        }
        return groups.count < 2 ? found : found.sorted { $0.token < $1.token }
    }

    /// Whether one that is pending may be of the same item. Those of another closure may be.
    func mayConcern(_ item: ItemReference<T>) -> Bool {
        groups.count > 1 || groups[item.identifier].map { $0.byHash[item.hash] != nil } ?? !groups.isEmpty
    }
}

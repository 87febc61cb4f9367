/// Returns the identities of items. A class, because closures have no identity to compare.
package final class ItemIdentifier<T: Sendable, ID: Hashable & Sendable>: Sendable {
    package let id: @Sendable (T) -> ID

    package init(_ id: @escaping @Sendable (T) -> ID) {
        self.id = id
    }
}

/// The item that an edit is about, whatever the type of its identity.
///
/// Lists and edits of a paginator may identify its items by different closures. With the same closure an item is found
/// by its identity, otherwise by ``matches``.
package struct ItemReference<T: Sendable>: Sendable {
    package let id: any Hashable & Sendable
    package let identifier: any AnyObject & Sendable
    package let matches: @Sendable (T) -> Bool
    // Returns a reference to another item by the same closure.
    let reference: @Sendable (T) -> ItemReference
    let isAmong: @Sendable ([T]) -> Bool
    let target: ItemTarget

    init<ID>(
        _ id: ID, by identifier: ItemIdentifier<T, ID>, isAmong: @escaping @Sendable ([T]) -> Bool,
        hashes: @escaping @Sendable ([T]) -> [UInt32]
    ) {
        self.id = id
        self.identifier = identifier
        matches = { identifier.id($0) == id }
        reference = { item in
            let id = identifier.id(item)
            return ItemReference(
                id, by: identifier, isAmong: { $0.contains { identifier.id($0) == id } }, hashes: hashes)
        }
        self.isAmong = isAmong
        target = ItemTarget(identifier: identifier, hash: UInt32(truncatingIfNeeded: id.hashValue)) {
            hashes(PaginatorPage<T>.from($0).content)
        }
    }

    func isSame(as other: ItemReference) -> Bool {
        identifier === other.identifier && AnyHashable(id) == AnyHashable(other.id)
    }

    // Returns whether edits of both may concern the same item. Between different closures that is unknown.
    func mayBe(_ other: ItemReference) -> Bool { identifier !== other.identifier || isSame(as: other) }
}

package enum ItemPlace<T: Sendable>: Sendable {
    case head
    case tail
    case after(ItemReference<T>)
}

struct PendingItemEdit<T: Sendable>: Sendable {
    let token: UInt64
    private(set) var item: ItemReference<T>
    // That of the list through which it began.
    let scope: String?
    let change: ItemChange<T>
    // Whether the edit is known to remove the item, whatever its value.
    let removes: Bool
    // Edits committed since it began, possibly of the same item.
    private(set) var later: [(item: ItemReference<T>, change: ItemChange<T>)] = []

    mutating func note(_ change: @escaping ItemChange<T>, of other: ItemReference<T>) {
        later.append((other, change))
        // Edits by other closures may concern the item or not, and there may be any number of them.
        guard later.count > 128, let oldest = later.firstIndex(where: { $0.item.identifier !== item.identifier }) else {
            return
        }
        later.remove(at: oldest)
    }

    mutating func follow(_ new: T, where isOld: (ItemReference<T>) -> Bool) {
        func followed(_ item: ItemReference<T>) -> ItemReference<T> {
            isOld(item) && !item.matches(new) ? item.reference(new) : item
        }
        item = followed(item)
        later = later.map { (followed($0.item), $0.change) }
    }
}

struct PendingItemEdits<T: Sendable>: Sendable {
    // In the order in which they began.
    var all: [PendingItemEdit<T>] = []

    subscript(token: UInt64) -> PendingItemEdit<T>? { all.first { $0.token == token } }

    mutating func remove(_ token: UInt64) { all.removeAll { $0.token == token } }

    mutating func note(_ change: @escaping ItemChange<T>, of item: ItemReference<T>) {
        for index in all.indices where all[index].item.mayBe(item) { all[index].note(change, of: item) }
    }

    // Each item of a page is compared with each edit. Few edits are pending, since they wait for a server.
    var change: EditLog.Change? {
        guard !all.isEmpty else { return nil }
        let pages = PageEdit<T>.items(
            where: { item in all.contains { $0.item.matches(item) } },
            change: { item in all.reduce(item as T?) { $1.item.matches(item) ? $0.flatMap($1.change) : $0 } })
        return { pages(PaginatorPage<T>.from($0)) }
    }
}

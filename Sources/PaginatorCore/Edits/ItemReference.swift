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
/// are the same, and by ``matches`` otherwise.
struct ItemReference<T: Sendable>: Sendable {
    let id: any Hashable & Sendable
    let identifier: any AnyObject & Sendable
    let matches: @Sendable (T) -> Bool
    let isAmong: @Sendable ([T]) -> Bool
    let hash: Int
    let hashOf: @Sendable (T) -> Int

    init<ID>(_ id: ID, by identifier: ItemIdentifier<T, ID>, isAmong: @escaping @Sendable ([T]) -> Bool) {
        self.id = id
        self.identifier = identifier
        matches = { identifier.id($0) == id }
        self.isAmong = isAmong
        hash = id.hashValue
        hashOf = { identifier.id($0).hashValue }
    }
}

enum ItemPlace<T: Sendable>: Sendable {
    case head
    case tail
    case after(ItemReference<T>)
}

struct PendingItemEdit<T: Sendable>: Sendable {
    let token: UInt64
    let item: ItemReference<T>
    let change: ItemChange<T>
    // Whether it is known to remove the item, whatever its value.
    let removes: Bool
    // What was committed since it began, and may be of the same item.
    private(set) var later: [(item: ItemReference<T>, change: ItemChange<T>)] = []

    mutating func note(_ change: @escaping ItemChange<T>, of other: ItemReference<T>) {
        later.append((other, change))
        // Of another closure's edits nobody knows whether they are of the item, and there may be any number of them.
        guard later.count > 128, let oldest = later.firstIndex(where: { $0.item.identifier !== item.identifier }) else {
            return
        }
        later.remove(at: oldest)
    }
}

/// The pending edits of a paginator's items, found by an item's value in O(1) for each closure in use.
struct PendingItemEdits<T: Sendable>: Sendable {
    private struct Group {
        let hashOf: @Sendable (T) -> Int
        var tokens: [Int: [UInt64]] = [:]
    }

    private var edits: [UInt64: PendingItemEdit<T>] = [:]
    // By the closure that tells items apart, which the edits keep.
    private var groups: [ObjectIdentifier: Group] = [:]

    var all: [PendingItemEdit<T>] { edits.values.sorted { $0.token < $1.token } }

    subscript(token: UInt64) -> PendingItemEdit<T>? { edits[token] }

    mutating func add(_ edit: PendingItemEdit<T>) {
        edits[edit.token] = edit
        groups[ObjectIdentifier(edit.item.identifier), default: Group(hashOf: edit.item.hashOf)]
            .tokens[edit.item.hash, default: []].append(edit.token)
    }

    mutating func remove(_ token: UInt64) {
        guard let item = edits.removeValue(forKey: token)?.item else { return }
        let identifier = ObjectIdentifier(item.identifier)
        groups[identifier]?.tokens[item.hash]?.removeAll { $0 == token }
        if groups[identifier]?.tokens[item.hash]?.isEmpty == true { groups[identifier]?.tokens[item.hash] = nil }
        if groups[identifier]?.tokens.isEmpty == true { groups[identifier] = nil }
    }

    mutating func note(_ change: @escaping ItemChange<T>, of item: ItemReference<T>) {
        for (identifier, group) in groups {
            let isOwn = identifier == ObjectIdentifier(item.identifier)
            for token in isOwn ? group.tokens[item.hash] ?? [] : group.tokens.values.flatMap(\.self) {
                edits[token]?.note(change, of: item)
            }
        }
    }

    var change: EditLog.Change? {
        guard !edits.isEmpty else { return nil }
        let pages = PageEdit<T>.items(
            where: { !edits(of: $0).isEmpty },
            change: { item in edits(of: item).reduce(item as T?) { item, edit in item.flatMap(edit.change) } })
        return { pages(PaginatorPage<T>.from($0)) }
    }

    private func edits(of value: T) -> [PendingItemEdit<T>] {
        var found: [PendingItemEdit<T>] = []
        for group in groups.values {
            for token in group.tokens[group.hashOf(value)] ?? [] {
                if let edit = edits[token], edit.item.matches(value) { found.append(edit) }
            }
        }
        return groups.count < 2 ? found : found.sorted { $0.token < $1.token }
    }
}

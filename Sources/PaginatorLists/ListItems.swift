import PaginatorCore

/// The typed part of a list: the items' identities, and the paginator's edits of the items.
///
/// `@unchecked Sendable`: only the handler of the engine's messages uses the variables.
final class ListItems<T: Sendable, ID: Hashable & Sendable>: @unchecked Sendable {
    let identifier: ItemIdentifier<T, ID>
    let ids = ListItemIDs<ID>()
    // Pending edits by other identity closures, of items that the list did not have when the edits were reported.
    private var foreignEdits:
        [(token: UInt64, item: ItemReference<T>, change: ItemChange<T>, number: UInt64, begun: PaginatorInstant)] = []
    // Items that rows follow and that the list has not recognized, with the identities that stand for them.
    private var foreignAnchors: [(item: ItemReference<T>, id: ListItemID)] = []
    // Whether the edits that were pending before the list was created have been reported.
    private var isIntroduced = false

    init(_ id: @escaping @Sendable (T) -> ID) {
        identifier = ItemIdentifier(id)
    }

    /// Creates the list's engine, which retains this object, and subscribes it to the edits.
    func makeEngine(
        _ paginator: CallbackPaginator<T>, _ config: PaginatorListConfig
    ) -> (ListEngine, setScope: @Sendable (_ scope: String) -> Void) {
        let engine = ListEngine(paginator.makeListHost(), config: config, places: ids.table) {
            self.read(KnownType.cast($0), for: $1)
        }
        let setScope = paginator.tellEdits(scope: config.scope) { [weak engine, weak self] edit in
            guard let engine, let self else { return false }
            engine.post { list in
                if let edit { self.take(edit, for: list) } else { self.isIntroduced = true }
            }
            return true
        }
        return (engine, setScope)
    }

    func row(_ id: ID, _ value: T) -> (id: ListItemID, value: ListValue) { (ids[id], ItemBox(value)) }

    func place(_ place: PaginatorRowPlace<ID>) -> PaginatorRowPlace<ListItemID> {
        switch place {
        case .head: .head
        case .tail: .tail
        case .after(let anchor): .after(ids[anchor])
        }
    }

    private func read(_ page: PaginatorPage<T>, for list: ListEngine) -> ListEngine.Content {
        let content = page.content
        var items: [(id: ListItemID, value: ListValue)] = []
        items.reserveCapacity(content.count)
        // By index: a sequence of a type that is not known here costs several calls for each item.
        for (index, id) in ids.objects(for: content.map(identifier.id)).enumerated() {
            items.append((id, ItemBox(content[index])))
        }
        recognizeForeignEdits(in: items, for: list)
        recognizeForeignAnchors(in: items, for: list)
        return (items, page.prevKey, page.nextKey, page.total)
    }

    // MARK: - Edits

    private func take(_ edit: ListEdit<T>, for list: ListEngine) {
        switch edit {
        case .begin(let token, let item, let change, let number):
            // Unknown if the list is newer. An earlier time is safe: the pages since are loaded again after a removal.
            func begun() -> PaginatorInstant { isIntroduced ? list.host.makeRequestTime() : .zero }
            // Reported again, with its number, when it is known whether the list has the item, or because the item has
            // become another one.
            if let index = foreignEdits.firstIndex(where: { $0.token == token }) {
                foreignEdits[index].item = item
                foreignEdits[index].number = number
                guard number == .max, let id = ownID(of: item, in: list) else { return }
                let edit = foreignEdits.remove(at: index)
                list.learn { $0.edit(token, id, boxed(change), at: edit.begun) }
            } else if let known = list.machine.tokens[token] {
                // The item may have got another identity in lists that have it.
                if !list.machine.has(known), let id = ownID(of: item, in: list), id != known {
                    list.learn { $0.move(token, to: id) }
                }
                list.machine.willCommit(token, number)
            } else if let id = ownID(of: item, in: list) {
                let time = begun()
                let edit: (inout ListMachine) -> Void = { [self] in
                    $0.edit(token, id, boxed(change), number: number, at: time)
                }
                // An edit with a number is being committed: its `settle` follows at once, and both are published as one
                // change.
                number == .max ? list.learn(edit) : list.machine.handle(edit)
            } else {
                foreignEdits.append((token, item, change, number, begun()))
            }
        case .insert(let token, let value, let place, let scope, let time):
            // The list may have switched its scope meanwhile.
            guard scope.hasSameBytes(as: list.machine.config.scope) else { return }
            let own: PaginatorRowPlace<ListItemID>
            switch place {
            case .head: own = .head
            case .tail: own = .tail
            case .after(let anchor): own = .after(ownID(of: anchor, in: list) ?? standIn(for: anchor, in: list))
            }
            let row = row(identifier.id(value), value)
            recognizeForeignAnchors(in: [row], for: list)
            list.learn { $0.insert([row], own, token: token, at: time) }
            recognizeForeignEdits(of: value, for: list)
        case .settle(let token, let outcome, let number, let removes, let time):
            if let index = foreignEdits.firstIndex(where: { $0.token == token }) { foreignEdits.remove(at: index) }
            let own: EditOutcome<(id: ListItemID, value: ListValue)> =
                switch outcome {
                case .committed: .committed
                case .committedValue(let value): .committedValue(value.map { row(identifier.id($0), $0) })
                case .rolledBack: .rolledBack
                }
            if case .committedValue(let row?) = own { recognizeForeignAnchors(in: [row], for: list) }
            list.learn { $0.settle(token, own, number: number, removes: removes, at: time) }
            if case .committedValue(let value?) = outcome { recognizeForeignEdits(of: value, for: list) }
        }
    }

    private func boxed(_ change: @escaping ItemChange<T>) -> ItemChange<ListValue> {
        { change(ItemBox.content(of: $0)).map { ItemBox($0) } }
    }

    private func recognizeForeignEdits(of value: T, for list: ListEngine) {
        let found = foreignEdits.filter { $0.item.matches(value) }
        foreignEdits.removeAll { edit in found.contains { $0.token == edit.token } }
        for edit in found {
            let id = ids[identifier.id(value)]
            list.learn { $0.edit(edit.token, id, boxed(edit.change), number: edit.number, at: edit.begun) }
        }
    }

    private func recognizeForeignEdits(in items: [(id: ListItemID, value: ListValue)], for list: ListEngine) {
        for edit in foreignEdits {
            guard let found = items.first(where: { edit.item.matches(ItemBox.content(of: $0.value)) }) else { continue }
            foreignEdits.removeAll { $0.token == edit.token }
            list.machine.handle {
                $0.edit(edit.token, found.id, boxed(edit.change), number: edit.number, at: edit.begun)
            }
        }
    }

    private func recognizeForeignAnchors(in items: [(id: ListItemID, value: ListValue)], for list: ListEngine) {
        for (anchor, id) in foreignAnchors {
            guard let found = items.first(where: { anchor.matches(ItemBox.content(of: $0.value)) }) else { continue }
            foreignAnchors.removeAll { $0.id == id }
            list.machine.handle { $0.recognize(id, as: found.id) }
        }
    }

    // Returns an identity that stands for an item until the list recognizes it.
    private func standIn(for item: ItemReference<T>, in list: ListEngine) -> ListItemID {
        foreignAnchors.removeAll { list.machine.followers[$0.id] == nil }
        let id = ListItemID.makeStandIn()
        foreignAnchors.append((item, id))
        return id
    }

    // Returns the item's identity in this list; `nil` if the list lacks it and identifies items by another closure.
    private func ownID(of item: ItemReference<T>, in list: ListEngine) -> ListItemID? {
        if let id = item.id as? ID, let other = item.identifier as? ItemIdentifier<T, ID> {
            let own = ids[id]
            if other === identifier { return own }
            if let value = list.machine.value(of: own) {
                if item.matches(ItemBox.content(of: value)) { return own }
            } else if agrees(with: other, in: list) {
                return own
            }
        }
        return list.machine.firstID { item.matches(ItemBox.content(of: $0)) }
    }

    // Returns whether another closure gives the same identities as the list's own, for a sample of its items.
    private func agrees(with other: ItemIdentifier<T, ID>, in list: ListEngine) -> Bool {
        let items = PaginatorListSnapshot<T, ID>(list.machine.shown, ids)
        let sample = Array(items.prefix(8)) + Array(items.suffix(8))
        return !sample.isEmpty && sample.allSatisfy { other.id($0) == identifier.id($0) }
    }
}

extension ListMachine {
    fileprivate func value(of id: ListItemID) -> ListValue? {
        entries[id]?.base ?? pending[id]?.lazy.compactMap { $0.insert?.value }.first ?? kept.first?.value(of: id)
    }

    fileprivate func firstID(where holds: (ListValue) -> Bool) -> ListItemID? {
        entries.first { value(of: $0.key).map(holds) ?? false }?.key ?? kept.first?.firstID(where: holds)
    }
}

/// Edits of items that a list did not have when it learned of them, and that its own closure does not find.
struct ForeignEdits<T: Sendable>: Sendable {
    struct Pending: Sendable {
        let token: UInt64
        let item: ItemReference<T>
        let change: ItemChange<T>
    }

    struct Committed: Sendable {
        let number: UInt64
        let item: ItemReference<T>
        let change: ItemChange<T>
    }

    var pending: [Pending] = []
    /// The last ones, oldest first, for pages that were on their way to the list.
    var committed: [Committed] = []

    var isEmpty: Bool { pending.isEmpty && committed.isEmpty }

    mutating func commit(_ edit: Committed) {
        committed.append(edit)
        if committed.count > 128 { committed.removeFirst() }
    }
}

extension ListEngine {
    /// Lets the list learn of all edits of its paginator, from now on and for as long as it is there.
    func attachToEdits() {
        let list = EditBoard<T>.AttachedList(scope: scope) { [weak self] edit in
            guard let self else { return false }
            if let edit { post(.edit(edit)) }
            return true
        }
        paginator.editBoard.attach(list)
    }

    func learn(_ edit: ListEdit<T>) {
        switch edit {
        case .begin(let token, let item, let change):
            if let id = ownID(of: item) {
                learn(.edit(token: token, id, change))
            } else if !foreignEdits.pending.contains(where: { $0.token == token }) {
                foreignEdits.pending.append(.init(token: token, item: item, change: change))
            }
        case .insert(let token, let value, let place, let time):
            let own: PaginatorRowPlace<ID>
            switch place {
            case .head: own = .head
            case .tail: own = .tail
            case .after(let anchor):
                guard let id = ownID(of: anchor) ?? (anchor as? ItemName<T, ID>)?.id else { return }
                own = .after(id)
            }
            learn(.insert(id: id(value), value: value, own, token: token, at: time))
            recognize(value)
        case .settle(let token, let outcome, let number, let removes, let time):
            if let index = foreignEdits.pending.firstIndex(where: { $0.token == token }) {
                return settle(foreignEdits.pending.remove(at: index), outcome, number)
            }
            learn(.settle(token: token, self.outcome(outcome), number: number, removes: removes, at: time))
            if case .committedValue(let value) = outcome { recognize(value) }
        }
    }

    /// Finds the edits of a row that no page has.
    private func recognize(_ value: T) {
        let found = foreignEdits.pending.filter { $0.item.matches(value) }
        foreignEdits.pending.removeAll { edit in found.contains { $0.token == edit.token } }
        for edit in found { learn(.edit(token: edit.token, id(value), edit.change)) }
    }

    private func outcome(_ outcome: ListEdit<T>.Outcome) -> EditOutcome<T, ID> {
        switch outcome {
        case .committed: .committed
        case .committedValue(let value): .committedValue(id(value), value)
        case .committedChange(let change): .committedChange(change)
        case .rolledBack: .rolledBack
        }
    }

    /// The item's identity in this list; `nil` when the list does not have it and would tell it by another one.
    private func ownID(of item: ItemReference<T>) -> ID? {
        if let name = item as? ItemName<T, ID> {
            if name.own === identifier { return name.id }
            if let value = machine.value(of: name.id) {
                if item.matches(value) { return name.id }
            } else if agrees(with: name.own) {
                return name.id
            }
        }
        return machine.firstID { item.matches($0) }
    }

    /// Whether another closure tells the list's items as its own does, by a sample of them.
    private func agrees(with other: ItemIdentifier<T, ID>) -> Bool {
        let sample = machine.sample
        return !sample.isEmpty && sample.allSatisfy { other.id($0) == id($0) }
    }

    private func settle(_ edit: ForeignEdits<T>.Pending, _ outcome: ListEdit<T>.Outcome, _ number: UInt64) {
        let change: ItemChange<T>
        switch outcome {
        case .rolledBack: return
        case .committed: change = edit.change
        case .committedValue(let value): change = { _ in value }
        case .committedChange(let other): change = other
        }
        foreignEdits.commit(.init(number: number, item: edit.item, change: change))
    }

    /// Finds the items on a page that edits are about which the list could not place before.
    func recognizing(_ event: ListEvent<T, ID>) -> ListEvent<T, ID> {
        switch event {
        case .arrived(let load, let page, let isFinal): .arrived(load, recognizing(page), isFinal: isFinal)
        case .renewed(let identity, let page): .renewed(identity, recognizing(page))
        default: event
        }
    }

    private func recognizing(_ page: ListPage<T, ID>) -> ListPage<T, ID> {
        var page = page
        for edit in foreignEdits.pending {
            guard let found = page.items.first(where: { edit.item.matches($0.value) }) else { continue }
            foreignEdits.pending.removeAll { $0.token == edit.token }
            machine.handle(.edit(token: edit.token, found.id, edit.change))
        }
        for edit in foreignEdits.committed where edit.number > page.editMark {
            page.items = page.items.compactMap { item in
                guard edit.item.matches(item.value) else { return item }
                return edit.change(item.value).map { (id($0), $0) }
            }
        }
        return page
    }
}

extension ListMachine {
    /// The newest value of an item that the list has, or the one that an insert put in.
    func value(of id: ID) -> T? {
        entries[id]?.base ?? pending[id]?.lazy.compactMap { $0.insert?.value }.first
    }

    /// A few of the items shown.
    var sample: [T] {
        let chunks = [tree.first, tree.last].compactMap { $0.flatMap { tree.place(of: $0)?.payload.rows } }
        return
            (chunks.flatMap { $0.prefix(8) } + (head.first.flatMap { head.place(of: $0) }?.payload.rows.prefix(8) ?? []))
            .map { $0.value }
    }

    /// The identity of the item whose newest value holds a condition. Complexity: O(items).
    func firstID(where holds: (T) -> Bool) -> ID? {
        entries.keys.first { id in value(of: id).map(holds) ?? false }
    }
}

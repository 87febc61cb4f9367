extension ListEngine {
    func attachToEdits() {
        let list = EditBoard<T>.AttachedList(scope: scope) { [weak self] edit in
            guard let self else { return false }
            if let edit { post { $0.learn(edit) } }
            return true
        }
        paginator.editBoard.attach(list)
    }

    private func learn(_ edit: ListEdit<T>) {
        switch edit {
        case .begin(let token, let item, let change, let number):
            // Told again with its number: whether the list has the item is known by now.
            if let index = foreignEdits.firstIndex(where: { $0.token == token }) {
                foreignEdits[index].number = number
            } else if machine.tokens[token] != nil {
                machine.willCommit(token, number)
            } else if let id = ownID(of: item) {
                learn(.edit(token: token, id, change, number: number))
            } else {
                foreignEdits.append((token, item, change, number))
            }
        case .insert(let token, let value, let place, let time):
            let own: PaginatorRowPlace<ID>
            switch place {
            case .head: own = .head
            case .tail: own = .tail
            case .after(let anchor):
                guard let id = ownID(of: anchor) ?? anchor.id as? ID else { return }
                own = .after(id)
            }
            learn(.insert([(identifier.id(value), value)], own, token: token, at: time))
            recognizeForeignEdits(of: value)
        case .settle(let token, let outcome, let number, let removes, let time):
            if let index = foreignEdits.firstIndex(where: { $0.token == token }) { foreignEdits.remove(at: index) }
            let own: EditOutcome<(id: ID, value: T)> =
                switch outcome {
                case .committed: .committed
                case .committedValue(let value): .committedValue(value.map { (identifier.id($0), $0) })
                case .rolledBack: .rolledBack
                }
            learn(.settle(token: token, own, number: number, removes: removes, at: time))
            if case .committedValue(let value?) = outcome { recognizeForeignEdits(of: value) }
        }
    }

    private func recognizeForeignEdits(of value: T) {
        let found = foreignEdits.filter { $0.item.matches(value) }
        foreignEdits.removeAll { edit in found.contains { $0.token == edit.token } }
        for edit in found { learn(.edit(token: edit.token, identifier.id(value), edit.change, number: edit.number)) }
    }

    // The item's identity in this list; `nil` when the list does not have it and would tell it by another one.
    private func ownID(of item: ItemReference<T>) -> ID? {
        if let id = item.id as? ID, let other = item.identifier as? ItemIdentifier<T, ID> {
            if other === identifier { return id }
            if let value = machine.value(of: id) {
                if item.matches(value) { return id }
            } else if agrees(with: other) {
                return id
            }
        }
        return machine.firstID(where: item.matches)
    }

    // Whether another closure tells the list's items as its own does, by a sample of them.
    private func agrees(with other: ItemIdentifier<T, ID>) -> Bool {
        let sample = machine.sample
        return !sample.isEmpty && sample.allSatisfy { other.id($0) == identifier.id($0) }
    }

    func recognizeForeignEdits(in items: [(id: ID, value: T)]) {
        for edit in foreignEdits {
            guard let found = items.first(where: { edit.item.matches($0.value) }) else { continue }
            foreignEdits.removeAll { $0.token == edit.token }
            machine.handle(.edit(token: edit.token, found.id, edit.change, number: edit.number))
        }
    }
}

extension ListMachine {
    fileprivate func value(of id: ID) -> T? {
        entries[id]?.base ?? pending[id]?.lazy.compactMap { $0.insert?.value }.first
    }

    fileprivate var sample: [T] { Array(snapshot.prefix(8)) + Array(snapshot.suffix(8)) }

    fileprivate func firstID(where holds: (T) -> Bool) -> ID? {
        entries.keys.first { id in value(of: id).map(holds) ?? false }
    }
}

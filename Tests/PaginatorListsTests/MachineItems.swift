@testable import PaginatorCore
@testable import PaginatorLists

/// The items of a list machine in a test, which knows neither their type nor that of their identities.
struct MachineItems<T: Sendable> {
    private let ids = ListItemIDs<Int>()

    subscript(id: Int) -> ListItemID {
        ids[id]
    }

    mutating func row(_ id: Int, _ value: T) -> (id: ListItemID, value: ListValue) { (self[id], ItemBox(value)) }

    mutating func page(
        _ items: [(id: Int, value: T)], previous: String?, next: String?, fetchedAt: PaginatorInstant,
        staleFrom: PaginatorInstant? = nil, refreshError: PaginatorError? = nil
    ) -> ListPage {
        ListPage(
            items: items.map { row($0.id, $0.value) }, previous: previous, next: next, fetchedAt: fetchedAt,
            staleFrom: staleFrom, refreshError: refreshError)
    }

    mutating func place(_ place: PaginatorRowPlace<Int>) -> PaginatorRowPlace<ListItemID> {
        switch place {
        case .head: .head
        case .tail: .tail
        case .after(let id): .after(self[id])
        }
    }

    mutating func outcome(
        _ outcome: EditOutcome<(id: Int, value: T)>
    ) -> EditOutcome<(id: ListItemID, value: ListValue)> {
        switch outcome {
        case .rolledBack: .rolledBack
        case .committed: .committed
        case .committedValue(let row): .committedValue(row.map { self.row($0.id, $0.value) })
        }
    }

    func change(_ change: @escaping ItemChange<T>) -> ItemChange<ListValue> {
        { change(ItemBox.content(of: $0)).map { ItemBox($0) } }
    }

    /// What a machine shows of such items.
    func snapshot(of machine: ListMachine) -> PaginatorListSnapshot<T, Int> {
        PaginatorListSnapshot(machine.shown, ids)
    }
}

extension ListItemID {
    var number: Int { ListItemIDs.id(of: self) }
}

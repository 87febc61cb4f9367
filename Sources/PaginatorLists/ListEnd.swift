/// An end of a list, or of a page.
enum ListEnd: Sendable, CaseIterable {
    case start
    case end

    var other: ListEnd { self == .start ? .end : .start }

    // The purpose of the load that extends the list there.
    var purpose: ListMachine.Purpose { self == .start ? .previous : .next }
}

extension ListMachine.Purpose {
    // The end at which such a load extends the list.
    var end: ListEnd? {
        switch self {
        case .next: .end
        case .previous: .start
        case .first, .gap, .jump, .page: nil
        }
    }
}

extension ListMachine {
    // The pages dropped beyond an end, the nearest last.
    subscript(dropped end: ListEnd) -> [DroppedPage] {
        get { end == .start ? droppedBefore : droppedAfter }
        _modify { if end == .start { yield &droppedBefore } else { yield &droppedAfter } }
    }

    // The local rows beyond an end.
    subscript(edge end: ListEnd) -> ListEdge {
        get { end == .start ? headRows : tailRows }
        _modify { if end == .start { yield &headRows } else { yield &tailRows } }
    }

    // The rank of the outermost loaded page.
    func page(at end: ListEnd) -> Int? { end == .start ? firstPage : lastPage }
}

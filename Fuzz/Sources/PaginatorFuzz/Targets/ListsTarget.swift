import Foundation

@testable import PaginatorCore
@testable import PaginatorLists

/// Saved list states, and lists under any run of events and pages, however wrong the server is about its keys.
@Sendable
func fuzzLists(_ bytes: [UInt8]) {
    var input = FuzzInput(bytes)
    if input.byte() & 3 == 0 {
        let saved = input.rest()
        // What the decoder refuses is none of the bookmark's.
        guard let bookmark = try? JSONDecoder().decode(PaginatorListBookmark.self, from: Data(saved)) else { return }
        checkBookmark(bookmark)
        var run = ListRun(FuzzInput(saved.reversed()))
        run.start { $0.restore(bookmark) }
        run.go()
    } else {
        var run = ListRun(input)
        run.go()
    }
}

private func checkBookmark(_ bookmark: PaginatorListBookmark) {
    require(bookmark.keys.indices.contains(bookmark.page), "a bookmark's page is one of its keys")
    require(bookmark.keys.count <= PaginatorListBookmark.maxPages && bookmark.item >= 0, "a bookmark keeps its limits")
    // What cannot be encoded, or not decoded again, is found by the comparison.
    let encoded = try? JSONEncoder().encode(bookmark)
    // As above.
    let again = encoded.flatMap { try? JSONDecoder().decode(PaginatorListBookmark.self, from: $0) }
    let isSame = again.map { $0.keys.elementsEqual(bookmark.keys) { $0.hasSameBytes(as: $1) } } ?? false
    require(isSame && again?.page == bookmark.page && again?.item == bookmark.item, "a bookmark comes back as it was")
}

/// One list machine, and what is told of it.
private struct ListRun {
    var input: FuzzInput
    var machine: ListMachine
    var ids = ListItemIDs<Int>()
    var items: [Int] = []
    var told: ListRows
    var loads: [UInt64] = []
    var tokens: [UInt64] = []
    var now = PaginatorInstant.zero
    var steps = 0

    init(_ input: FuzzInput) {
        var input = input
        let shape = input.byte()
        var config = PaginatorListConfig()
        config.pageSize = Int(shape & 3) + 1
        config.addressing = shape & 4 == 0 ? .opaque : .offset
        config.windowItems = shape & 8 == 0 ? nil : Int(shape >> 4)
        config.prefetchDistance = Int(shape >> 6) * 3
        self.input = input
        machine = ListMachine(config: config, firstKey: "0")
        if shape & 32 != 0 { machine.rankStep = 4 }
        told = machine.tree
    }

    mutating func go() {
        while !input.isAtEnd, steps < 400 {
            now = now.advanced(by: .milliseconds(Int64(input.byte() & 1)))
            start(event())
        }
    }

    mutating func start(_ event: (inout ListMachine) -> Void) {
        steps += 1
        machine.handle(event)
        for action in machine.actions {
            switch action {
            case .fetch(let load, _, _): loads.append(load)
            case .cancel(let load): loads.removeAll { $0 == load }
            case .pin, .unpin, .wake, .ended: break
            }
        }
        machine.actions = []
        check()
    }

    mutating func check() {
        let violations = machine.invariantViolations()
        require(violations.isEmpty, violations.joined(separator: "; "))
        let snapshot = PaginatorListSnapshot<Int, Int>(machine.tree, ListItemIDs())
        let difference = PaginatorListDifference<Int>(from: told, to: machine.tree, touches: machine.touches)
        machine.touches = []
        difference.apply(to: &items)
        require(items == Array(snapshot), "a difference makes the old content the new one")
        told = machine.tree
        let ids = (0..<snapshot.count).map { snapshot.id(at: $0) }
        require(Set(ids).count == ids.count, "an item is shown once")
        if let bookmark = machine.bookmark() { checkBookmark(bookmark) }
    }

    mutating func event() -> (inout ListMachine) -> Void {
        switch input.byte() % 20 {
        case 0: return { $0.loadNext() }
        case 1: return { $0.loadPrevious() }
        case 2:
            let (key, placement) = (key(), input.element(of: [PaginatorListPlacement.automatic, .start, .end]))
            return { $0.jump(to: key, placement) }
        case 3:
            let (position, fromStart) = (input.int(), input.bool())
            return { $0.fillGap(at: position, fromStart: fromStart) }
        case 4: return { $0.retry() }
        case 5:
            let kinds: [PaginatorListRefresh] = [.all, .firstPage, .stalePages, .keepingPlace, .page(key())]
            let kind = input.element(of: kinds)
            return { [now] in $0.refresh(kind, at: now) }
        case 6: return input.byte() & 15 == 0 ? { [now] in $0.reset(at: now) } : { $0.loadNext() }
        case 7: return { $0.cancelLoads() }
        case 8:
            let lower = input.int()
            let (upper, overflow) = lower.addingReportingOverflow(Int(input.byte()))
            return { [now] in $0.hint(lower..<(overflow ? .max : upper), at: now) }
        case 9:
            if input.bool() {
                let distance = input.bool() ? input.int() : nil
                return { $0.setPrefetchDistance(distance) }
            }
            let isPaused = input.bool()
            return { $0.setPrefetchPaused(isPaused) }
        case 10:
            let load = load()
            return { $0.failed(load, PaginatorError(.sourceFailed, "failed")) }
        case 11:
            let token = input.bool() ? nil : token()
            let places: [PaginatorRowPlace<ListItemID>] = [.head, .tail, .after(id())]
            let (row, place) = (row(), input.element(of: places))
            return { [now] in $0.insert([row], place, token: token, at: now) }
        case 12:
            let removes = input.bool()
            let (token, id) = (token(), id())
            let change: ItemChange<ListValue> = { removes ? nil : ItemBox(ItemBox<Int>.content(of: $0) &* 3) }
            return { [now] in $0.edit(token, id, change, at: now) }
        case 13:
            let outcomes: [EditOutcome<(id: ListItemID, value: ListValue)>] = [
                .rolledBack, .committed, .committedValue((id(), ItemBox(7))), .committedValue(nil),
            ]
            let token = tokens.isEmpty || input.byte() & 15 == 0 ? UInt64(input.byte()) : tokens.removeFirst()
            let (outcome, number) = (input.element(of: outcomes), UInt64(input.byte() & 3))
            return { [now] in $0.settle(token, outcome, number: number, at: now) }
        default:
            let (load, page, isFinal) = (load(), page(), input.byte() & 7 != 0)
            return { $0.arrived(load, page, isFinal: isFinal) }
        }
    }

    mutating func page() -> ListPage {
        ListPage(
            items: (0..<Int(input.byte() & 7)).map { _ in row() },
            previous: input.bool() ? key() : nil, next: input.bool() ? key() : nil, fetchedAt: now,
            staleFrom: input.bool() ? now : nil, editCount: UInt64(input.byte() & 3))
    }

    /// A load that runs, or one that does not.
    mutating func load() -> UInt64 {
        guard !loads.isEmpty, input.byte() & 15 != 15 else { return UInt64(input.byte()) }
        return loads.remove(at: Int(input.byte()) % loads.count)
    }

    mutating func token() -> UInt64 {
        steps += 1
        tokens.append(UInt64(steps))
        return UInt64(steps)
    }

    mutating func id() -> ListItemID { ids[Int(input.byte() & 31)] }

    mutating func row() -> (id: ListItemID, value: ListValue) { (id(), ItemBox(Int(input.byte()))) }

    mutating func key() -> String {
        let choice = input.byte()
        return choice < 192
            ? String(choice & 15) : ["", "-1", "é", "e\u{301}", String(Int.max), "x", "00", "1 "][Int(choice & 7)]
    }
}

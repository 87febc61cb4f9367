import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Finding items of a snapshot by their identities.
@Suite struct ListIdentityTests {
    private func agrees(_ snapshot: PaginatorListSnapshot<SampleItem, Int>) -> Bool {
        let ids = snapshot.ids
        let places = ids.enumerated().allSatisfy { index, id in
            snapshot.position(of: id) == index && snapshot[id: id] == snapshot[index] && snapshot.contains(id: id)
        }
        return places && ids == snapshot.map(\.id) && !snapshot.contains(id: -1) && snapshot[id: -1] == nil
    }

    @Test func `items are found by their identities in any snapshot, the newest and those before`() {
        let stage = ListStage(pageSize: 5) { $0.windowItems = 20 }
        var snapshots: [PaginatorListSnapshot<SampleItem, Int>] = [stage.list.snapshot]
        func after(_ body: (PaginatorList<SampleItem, Int>) -> Void) {
            stage.after(body)
            snapshots.append(stage.list.snapshot)
        }
        for _ in 0..<5 { after { $0.loadNext() } }
        after { $0.insertLive([SampleItem(id: 900, text: ""), SampleItem(id: 12, text: "newer")]) }
        stage.table.pages.insert(3, at: 7)
        after { $0.hint(visible: 3..<6) }
        after { $0.loadPrevious() }
        after { $0.refresh(.keepingPlace) }
        after { _ = $0.edits.begin(11) { _ in nil } }
        after { $0.refresh(.all) }
        after { $0.reset() }
        #expect(snapshots.map(\.count).max() ?? 0 >= 20)
        for (number, snapshot) in snapshots.enumerated() { #expect(agrees(snapshot), "snapshot \(number)") }
    }

    @Test func `rows and separators are found by their identities`() {
        let stage = ListStage(pageSize: 5)
        var days = PaginatorListSeparation<SampleItem, Int, String>(by: { before, after in
            guard let after, before.map({ $0.id / 3 }) != after.id / 3 else { return nil }
            return "\(after.id / 3)"
        })
        for _ in 0..<3 {
            stage.after { $0.loadNext() }
            if let update = stage.updates.last { _ = days.apply(update) }
        }
        let rows = days.snapshot
        #expect(rows.ids.count == 20 && rows.ids.prefix(2) == [.separator(0), .item(0)])
        for (position, id) in rows.ids.enumerated() { #expect(rows.position(of: id) == position) }
        #expect(!rows.contains(id: .separator(1)))
    }

    @Test func `identities of one hash are told apart`() {
        struct Same: Hashable, Sendable {
            let number: Int
            func hash(into hasher: inout Hasher) {}
        }
        let stage = ListStage(pageSize: 5)
        let list = PaginatorList(stage.paginator, id: { Same(number: $0.id) })
        for _ in 0..<2 {
            list.loadNext()
            stage.settle()
        }
        let snapshot = list.snapshot
        #expect(snapshot.ids.map { snapshot.position(of: $0) } == snapshot.indices.map { $0 } && snapshot.count == 60)
    }

    @Test func `an item that appears is what the list loads ahead from`() {
        let stage = ListStage(pageSize: 10) { $0.prefetchDistance = 4 }
        stage.after { $0.loadNext() }
        stage.after { $0.hint(visible: 5) }
        stage.after { $0.hint(visible: 99) }
        #expect(stage.newKeys() == ["0"] && stage.updates.last?.anchor == 5)
        stage.after { $0.hint(visible: 8) }
        #expect(stage.newKeys() == ["10"])
    }

    @Test func `where each item is shown is known, so that nobody looks through all`() throws {
        let stage = ListStage { $0.windowItems = 8 }
        func check() throws {
            let snapshot = stage.list.snapshot
            let known = Mirror(reflecting: snapshot).children.compactMap { $0.value as? ListItemIDs<Int> }
            for (position, id) in snapshot.ids.enumerated() {
                let found = try #require(known.first?.find(id))
                #expect(snapshot.rows.position(of: found.id, at: found.rank) == position, "\(id)")
            }
        }
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        try check()
        stage.table.pages.insert(1)
        stage.after { $0.refresh(.keepingPlace) }
        try check()
        stage.after { $0.insertLive([SampleItem(id: 500, text: "")]) }
        stage.after { $0.edits.remove(1) }
        try check()
        for _ in 0..<4 { stage.after { $0.loadNext() } }
        for _ in 0..<2 { stage.after { $0.loadPrevious() } }
        try check()
        stage.after { $0.refresh() }
        try check()
    }
}

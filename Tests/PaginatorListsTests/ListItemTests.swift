import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// The identities of a list's items, each in one box.
@Suite struct ListItemTests {
    @Test func `an identity that somebody holds keeps its box, and those of no use are forgotten`() {
        let ids = ListItemIDs<String>()
        let held = (0..<100).map { ids["\($0)"] }
        weak let gone = ids["100"]
        for number in 100..<3_000 { _ = ids["\(number)"] }
        for (number, id) in held.enumerated() { #expect(ids["\(number)"] == id) }
        #expect(Set(held).count == 100)
        #expect(gone == nil)
    }

    @Test func `identities are the same where the user says so`() {
        struct Name: Hashable, Sendable {
            var text: String

            static func == (left: Name, right: Name) -> Bool { left.text.lowercased() == right.text.lowercased() }

            func hash(into hasher: inout Hasher) { hasher.combine(text.lowercased()) }
        }
        let ids = ListItemIDs<Name>()
        let (one, same, other) = (ids[Name(text: "a")], ids[Name(text: "A")], ids[Name(text: "b")])
        #expect(one == same && one != other)
    }

    @Test func `of the items that no row shows any more the last few values are kept`() throws {
        var (machine, items) = (ListMachine(config: PaginatorListConfig(), firstKey: "0"), MachineItems<Int>())
        func answer(_ ids: Range<Int>, at nanoseconds: Int64) throws {
            let loads = machine.actions.compactMap { if case .fetch(let id, _, _) = $0 { id } else { nil } }
            let load = try #require(loads.last)
            let page = items.page(
                ids.map { ($0, $0) }, previous: nil, next: nil, fetchedAt: PaginatorInstant(nanoseconds: nanoseconds))
            machine.actions = []
            machine.handle { $0.arrived(load, page, isFinal: true) }
        }
        machine.handle { $0.loadNext() }
        try answer(0..<400, at: 1)
        machine.handle { $0.refresh(.firstPage, at: PaginatorInstant(nanoseconds: 2)) }
        try answer(400..<800, at: 3)
        #expect(Array(items.snapshot(of: machine)) == Array(400..<800))
        #expect(machine.entries.count == 400 + ListMachine.maxUnshownItems)
        #expect(machine.invariantViolations() == [])
    }

    @Test func `an item that comes back while a snapshot shows it is the same one`() {
        let stage = ListStage(count: 20, pageSize: 10)
        stage.after { $0.loadNext() }
        let old = stage.list.snapshot
        stage.after { $0.reset() }
        // As many others that the table of identities is looked through.
        for round in 0..<4 {
            stage.list.insertLive((0..<1_000).map { SampleItem(id: 1_000 * (round + 1) + $0, text: "") })
            stage.settle()
            stage.after { $0.reset() }
        }
        stage.after { $0.loadNext() }
        let difference = PaginatorListDifference(from: old, to: stage.list.snapshot)
        #expect(difference.removals.isEmpty && difference.insertions.isEmpty)
    }

    @Test func `however many items come and go, few identities are kept at a time`() {
        final class Life: Sendable {
            private let alive: Guarded<Int>

            init(_ alive: Guarded<Int>) {
                self.alive = alive
                alive.withLock { $0 += 1 }
            }

            deinit { alive.withLock { $0 -= 1 } }
        }
        struct Name: Hashable, Sendable {
            let number: Int
            let life: Life

            static func == (left: Name, right: Name) -> Bool { left.number == right.number }

            func hash(into hasher: inout Hasher) { hasher.combine(number) }
        }
        let (ids, alive) = (ListItemIDs<Name>(), Guarded(0))
        var most = 0
        for number in 0..<20_000 {
            _ = ids[Name(number: number, life: Life(alive))]
            most = max(most, alive.withLock { $0 })
        }
        #expect(most < 1_200)
    }
}

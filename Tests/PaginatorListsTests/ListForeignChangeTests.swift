import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// What others do to rows that a list shows, or is about to show.
@Suite struct ListForeignChangeTests {
    private struct Person: Sendable, Identifiable {
        let id: Int
        let name: String
        var code: String { "#\(id)" }
    }

    @Test func `a refreshed page that shows that others deleted a row moves the next key`() {
        let stage = ListStage(count: 40, pageSize: 10)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(0..<20))
        stage.table.pages.remove(5..<6)
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.refresh(.page("0")) }
        #expect(stage.ids == Array(0..<5) + Array(6..<20))
        _ = stage.newKeys()
        stage.after { $0.loadNext() }
        let keys = stage.newKeys()
        #expect(keys.contains("19") && !keys.contains("20"))
    }

    @Test(arguments: [PaginatorListRefresh.all, .keepingPlace])
    func `a live row behind the last one goes with a refresh that lacks it`(refresh: PaginatorListRefresh) {
        let stage = ListStage(count: 4, style: .cursor, pageSize: 4)
        stage.after { $0.loadNext() }
        stage.after { $0.insertLive([SampleItem(id: 900, text: "")], at: .after(3)) }
        #expect(stage.ids == [0, 1, 2, 3, 900])
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.refresh(refresh) }
        #expect(stage.ids == [0, 1, 2, 3])
    }

    @Test func `an optimistic edit by another identity lies over its item that is inserted meanwhile`() {
        let (executor, clock) = (SimulatedExecutor(), ManualPaginatorClock())
        var config = DefaultPaginatorConfig()
        config.simulate(on: executor, clock: clock)
        let people = (0..<4).map { Person(id: $0, name: "person \($0)") }
        let paginator = CallbackPaginator(dataSource: ArrayDataSource(people), config: config)
        let list = PaginatorList(paginator, id: \.id, config: PaginatorListConfig())
        list.loadNext()
        executor.runAll()
        let edit = paginator.edits(id: \.code).begin("#6") { Person(id: $0.id, name: "changed") }
        executor.runAll()
        list.edits.insert(Person(id: 6, name: "person 6"))
        executor.runAll()
        #expect(list.snapshot.map(\.name) == ["changed"] + people.map(\.name))
        edit.rollBack()
        executor.runAll()
        #expect(list.snapshot.map(\.name) == ["person 6"] + people.map(\.name))
    }
}

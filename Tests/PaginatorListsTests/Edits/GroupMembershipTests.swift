import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Members that come back, that come twice, and that are released.
@Suite struct GroupMembershipTests {
    private typealias Appended = GroupEditTests.Appended
    private typealias End = GroupEditTests.End

    /// Calls back when it goes.
    private final class Farewell: Sendable {
        private let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void = {}) {
            self.body = body
        }

        deinit { body() }
    }

    @Test(arguments: GroupEditTests.End.allCases, [false, true])
    func `a screen that goes and comes back while a change is pending shows and takes it once`(
        _ end: GroupEditTests.End, _ comesFirst: Bool
    ) {
        let stage = GroupEditTests.Stage().joined()
        let edit = stage.group.begin(Appended(id: 1, text: "a"))
        #expect(stage.text == ["a", "a"])
        for _ in 0..<3 {
            if comesFirst { stage.joinDetails() }
            #expect(stage.memberships[stage.memberships.count - (comesFirst ? 2 : 1)].cancel())
            if !comesFirst { stage.joinDetails() }
            #expect(stage.text == ["a", "a"])
        }
        end.end(edit)
        #expect(stage.text == [end.text, end.text])
        let inMemory = stage.details.peek(key: "0", pageSize: PaginatorListConfig().pageSize)?.page.content.map(\.title)
        #expect(inMemory == ["", end.text, "", ""])
        #expect(stage.pending == [false, false])
        stage.group.send(Appended(id: 1, text: "x"))
        #expect(stage.text == [end.text + "x", end.text + "x"])
    }

    @Test(arguments: GroupEditTests.End.allCases)
    func `an item takes a change once, however often its paginator has joined`(_ end: GroupEditTests.End) {
        let stage = GroupEditTests.Stage().joined()
        stage.joinPreviews()
        stage.group.send(Appended(id: 1, text: "x"))
        #expect(stage.text == ["x", "x"])
        let edit = stage.group.begin(Appended(id: 1, text: "a"))
        #expect(stage.text == ["xa", "xa"])
        // Another membership goes on with it.
        #expect(stage.memberships[0].cancel())
        #expect(stage.text == ["xa", "xa"])
        end.end(edit)
        #expect(stage.text == ["x" + end.text, "x" + end.text])
        stage.group.send(Appended(id: 1, text: "y"))
        #expect(stage.text == ["x" + end.text + "y", "x" + end.text + "y"])
    }

    @Test func `two memberships of one paginator may change two of its items, also when they have come back`() {
        let stage = GroupEditTests.Stage()
        func join(_ distance: Int) {
            stage.memberships.append(
                stage.group.join(stage.previews.edits(id: \.id)) { change in
                    (change.id + distance, { SampleItem(id: $0.id, text: $0.text + change.text) })
                })
        }
        join(0)
        join(1)
        let edits = ["a", "b", "c"].map { stage.group.begin(Appended(id: 0, text: $0)) }
        #expect(stage.texts[0] == ["abc", "abc", "", ""])
        for membership in stage.memberships { #expect(membership.cancel()) }
        join(1)
        join(0)
        #expect(stage.texts[0] == ["abc", "abc", "", ""])
        edits[0].commit()
        #expect(stage.texts[0] == ["abc", "abc", "", ""])
        edits[1].commit(with: Appended(id: 2, text: "B"))
        #expect(stage.texts[0] == ["ac", "ac", "B", "B"])
        edits[2].rollBack()
        #expect(stage.texts[0] == ["a", "a", "B", "B"])
    }

    @Test func `what a change has of the user's is released without a lock when the server's version takes its place`()
    {
        let stage = GroupEditTests.Stage()
        let texts = Guarded<[String]>([])
        let previews = stage.previews
        stage.group.join(previews.edits(id: \.id)) { [weak previews] change in
            // Reads what is pending, which the change that goes was.
            let farewell = Farewell { [weak previews] in
                let page = previews?.peek(key: "0", pageSize: PaginatorListConfig().pageSize)?.page
                texts.withLock { $0.append(page?.content[1].text ?? "nothing") }
            }
            return (
                change.id,
                { item in
                    withExtendedLifetime(farewell) { SampleItem(id: item.id, text: item.text + change.text) }
                }
            )
        }
        let edit = stage.group.begin(Appended(id: 1, text: "a"))
        #expect(stage.text[0] == "a")
        edit.commit(with: Appended(id: 1, text: "B"))
        #expect(stage.text[0] == "B")
        #expect(texts.withLock { $0.first } == "B")
    }

    @Test(arguments: [false, true])
    func `a paginator that is released leaves a group that nobody tells anything`(_ isPending: Bool) {
        let executor = SimulatedExecutor()
        let group = ConsistencyGroup<Appended>(on: executor)
        var config = DefaultPaginatorConfig()
        config.simulate(on: executor, clock: ManualPaginatorClock())
        var paginator: CallbackPaginator<SampleItem>? = CallbackPaginator(
            dataSource: ArrayDataSource([SampleItem(id: 1, text: "")]), config: config)
        weak var kept: Farewell?
        func join() {
            guard let edits = paginator?.edits(id: \.id) else { return }
            let farewell = Farewell()
            kept = farewell
            group.join(edits) { change in withExtendedLifetime(farewell) { (change.id, { $0 }) } }
        }
        join()
        join()
        executor.runAll()
        let edit = isPending ? group.begin(Appended(id: 1, text: "a")) : nil
        executor.runAll()
        #expect(kept != nil)
        paginator = nil
        executor.runAll()
        #expect(kept == nil)
        edit?.commit()
        executor.runAll()
    }

    @Test func `edits that have outlived their paginator do not stay in a group that they join`() {
        let executor = SimulatedExecutor()
        let group = ConsistencyGroup<Appended>(on: executor)
        let edits = CallbackPaginator(dataSource: ArrayDataSource([SampleItem(id: 1, text: "")])).edits(id: \.id)
        weak var kept: Farewell?
        func join() {
            let farewell = Farewell()
            kept = farewell
            group.join(edits) { change in withExtendedLifetime(farewell) { (change.id, { $0 }) } }
        }
        join()
        executor.runAll()
        #expect(kept == nil)
        withExtendedLifetime(edits) {}
    }

    @Test func `a group and a paginator that ends before the other leave nothing in it`() throws {
        let executor = SimulatedExecutor()
        var config = DefaultPaginatorConfig()
        config.simulate(on: executor, clock: ManualPaginatorClock())
        func makePaginator() -> CallbackPaginator<SampleItem> {
            CallbackPaginator(dataSource: ArrayDataSource([SampleItem(id: 1, text: "")]), config: config)
        }
        let paginator = makePaginator()
        let engine = try #require(paginator.edits(id: \.id).board.engine)
        let before = engine.endings.owners.withLock { $0.count }
        let staying = ConsistencyGroup<Appended>(on: executor)
        for _ in 0..<10 {
            let group = ConsistencyGroup<Appended>(on: executor)
            for group in [group, staying] { group.join(paginator.edits(id: \.id)) { ($0.id, { $0 }) } }
            let gone = makePaginator()
            staying.join(gone.edits(id: \.id)) { ($0.id, { $0 }) }
            executor.runAll()
            withExtendedLifetime(gone) {}
            #expect(engine.endings.owners.withLock { $0.count } == before + 2)
        }
        executor.runAll()
        #expect(engine.endings.owners.withLock { $0.count } == before + 1)
        #expect(staying.endings.owners.withLock { $0.count } == 1)
    }
}

import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Who learns of an edit, and for how long it is remembered.
@Suite struct EditOrderTests {
    private static func adding(_ text: String) -> @Sendable (SampleItem) -> SampleItem? {
        { SampleItem(id: $0.id, text: $0.text + text) }
    }

    // MARK: - Observers of a page

    private func texts(_ state: PaginatorPageResult<SampleItem>?) -> [String]? {
        if case .success(let page)? = state { page.content.map(\.text) } else { nil }
    }

    @Test func `who observes a page sees a pending edit come and go`() throws {
        let stage = ListStage()
        let page = stage.page("0", [0, 1])
        try stage.paginator.prime(page, pageSize: 2)
        try stage.paginator.prime(stage.page("2", [2, 3]), pageSize: 2)
        let seen = Guarded<[[String]?]>([])
        let others = Guarded(0)
        stage.paginator.observe(key: "0", pageSize: 2) { state in seen.withLock { $0.append(texts(state)) } }
        stage.paginator.observe(key: "2", pageSize: 2) { _ in others.withLock { $0 += 1 } }
        stage.settle()
        let edits = stage.list.edits
        let edit = edits.begin(1, Self.adding("pending"))
        stage.settle()
        #expect(seen.withLock { $0.last } == ["", "pending"])
        stage.paginator.invalidate(.all)
        stage.settle()
        edit.rollBack()
        stage.settle()
        #expect(seen.withLock { $0.last } == ["", ""])
        let second = edits.begin(0, Self.adding("second"))
        stage.settle()
        second.commit()
        stage.settle()
        #expect(seen.withLock { $0.last } == ["second", ""])
        // Once at first and once for the invalidation: nothing of it concerns the other page.
        #expect(others.withLock { $0 } <= 2)
    }

    // MARK: - What a fallback needs

    @Test func `a fallback that is on its way to its caller has the edits from before the device slept`() throws {
        let executor = SimulatedExecutor()
        let clock = ManualPaginatorClock()
        let source = ScriptedDataSource<SampleItem>(clock: clock, otherwise: { _ in .hang })
        var config = DefaultPaginatorConfig()
        // Not with this clock, whose advance would deliver the answer.
        config.simulate(on: executor, clock: ManualPaginatorClock())
        config.clock = clock
        let paginator = CallbackPaginator(dataSource: source, config: config)
        let items = (0..<3).map { SampleItem(id: $0, text: "") }
        try paginator.prime(PaginatorPage(content: items, key: "0"), pageSize: 3)
        var request = PageRequest(key: "0", pageSize: 3)
        request.policy = .networkFirst
        let listener = RecordingListener<SampleItem>()
        paginator.fetch(request, listener: listener)
        executor.runAll()
        let edits = paginator.edits(id: \.id)
        edits.update(0, Self.adding("before"))
        executor.runAll()
        clock.sleep(.hours(1))
        clock.advance(by: .seconds(61))
        // Its answer is on its way when this one makes the log longer.
        edits.update(1, Self.adding("after"))
        executor.runAll()
        #expect(listener.fetched?.page.content.map(\.text) == ["before", "after", ""])
    }

    @Test func `a fallback that waits for long does not show a deleted item`() throws {
        let executor = SimulatedExecutor()
        let clock = ManualPaginatorClock()
        let source = ScriptedDataSource<SampleItem>(clock: clock, otherwise: { _ in .hang })
        var config = DefaultPaginatorConfig()
        config.simulate(on: executor, clock: clock)
        config.fetchTimeout = .seconds(1_000)
        config.maxAttempts = 1_000
        let paginator = CallbackPaginator(dataSource: source, config: config)
        let items = (0..<3).map { SampleItem(id: $0, text: "") }
        try paginator.prime(PaginatorPage(content: items, key: "0"), pageSize: 3)
        var request = PageRequest(key: "0", pageSize: 3)
        request.policy = .networkFirst
        let listener = RecordingListener<SampleItem>()
        paginator.fetch(request, listener: listener)
        executor.runAll()
        let edits = paginator.edits(id: \.id)
        edits.remove(1)
        for round in 0..<100 {
            clock.advance(by: .seconds(11))
            executor.runAll()
            edits.update(1_000 + round, Self.adding("x"))
            executor.runAll()
        }
        let fetched = try #require(listener.fetched)
        #expect(fetched.isStale)
        #expect(fetched.page.content.map(\.id) == [0, 2])
    }

    @Test func `a page that a list has put aside while it loads has the edits from before the device slept`() throws {
        let stage = ListStage()
        stage.after { $0.loadNext() }
        stage.source.otherwise { _ in .hang }
        stage.after { $0.refresh(.all) }
        try stage.paginator.prime(stage.page("0", [0, 1]), pageSize: 2)
        stage.settle()
        let edits = stage.list.edits
        edits.update(0, Self.adding("before"))
        stage.settle()
        stage.clock.sleep(.hours(1))
        stage.clock.advance(by: .seconds(61))
        // The load has ended without a page, which the list does not know yet.
        edits.update(1, Self.adding("after"))
        stage.settle()
        #expect(texts(of: 0, in: stage.list) == ["before"])
        #expect(texts(of: 1, in: stage.list) == ["after"])
    }

    // MARK: - Lists made while an edit is worked on

    /// `@unchecked Sendable`: everything runs on the thread of the test.
    private final class Later: @unchecked Sendable {
        var body: (() -> Void)?
        var list: PaginatorList<SampleItem, Int>?
    }

    @Test(arguments: [false, true])
    func `a list made while a commit is worked on shows it`(isRemoval: Bool) throws {
        let stage = ListStage()
        stage.after { $0.loadNext() }
        let later = Later()
        let edits = stage.list.edits
        let first = edits.begin(1, Self.adding("first"))
        // The closure is called again when the first one's answer comes, before that is committed.
        let second = edits.begin(1) { item in
            later.body?()
            later.body = nil
            return isRemoval ? nil : SampleItem(id: item.id, text: item.text + "second")
        }
        second.commit()
        stage.settle()
        later.body = {
            var config = PaginatorListConfig()
            config.pageSize = 2
            let list = PaginatorList(stage.paginator, id: \.id, config: config)
            later.list = list
            list.loadNext()
            stage.settle()
        }
        first.commit(with: SampleItem(id: 1, text: "answer"))
        stage.settle()
        let list = try #require(later.list)
        #expect(list.snapshot.map(\.text) == stage.list.snapshot.map(\.text))
        #expect(list.snapshot.map(\.id) == stage.ids)
        #expect(list.snapshot.indices.allSatisfy { !list.snapshot.isPending(at: $0) })
    }

    // MARK: - Groups

    @Test func `a member that leaves is not told of the change that is being told`() {
        let executor = SimulatedExecutor()
        let group = ConsistencyGroup<Int>(executor: executor)
        let told = Guarded<[String]>([])
        let membership = Guarded<PaginatorExecution?>(nil)
        group.join { change in
            told.withLock { $0.append("first \(change)") }
            if change == 2 { membership.withLock { $0 }?.cancel() }
        }
        let second = group.join { change in told.withLock { $0.append("second \(change)") } }
        membership.withLock { $0 = second }
        for change in 1...3 { group.send(change) }
        executor.runAll()
        #expect(told.withLock { $0 } == ["first 1", "second 1", "first 2", "first 3"])
    }

    @Test func `a member is not told of what was sent before it joined`() {
        let executor = SimulatedExecutor()
        let group = ConsistencyGroup<Int>(executor: executor)
        let told = Guarded<[Int]>([])
        group.send(1)
        group.join { change in told.withLock { $0.append(change) } }
        group.send(2)
        executor.runAll()
        #expect(told.withLock { $0 } == [2])
    }

    // MARK: - Rows that wait for the server

    private func texts(of id: Int, in list: PaginatorList<SampleItem, Int>) -> [String] {
        list.snapshot.filter { $0.id == id }.map(\.text)
    }

    private func makeLoadedList(_ stage: ListStage) -> PaginatorList<SampleItem, Int> {
        let list = stage.makeOtherList { $0.pageSize = 2 }
        list.loadNext()
        stage.settle()
        return list
    }

    enum Answer: CaseIterable, Sendable {
        case none, accepted, value, newIdentity

        func end(_ insert: PaginatorEdit<SampleItem>) {
            switch self {
            case .none: break
            case .accepted: insert.commit()
            case .value: insert.commit(with: SampleItem(id: 500, text: "theirs"))
            case .newIdentity: insert.commit(with: SampleItem(id: 501, text: "theirs"))
            }
        }
    }

    @Test(arguments: Answer.allCases)
    func `what was changed on a row that waits for the server is in every list, and after the answer`(_ answer: Answer)
    {
        let stage = ListStage()
        stage.after { $0.loadNext() }
        let edits = stage.list.edits
        let insert = edits.beginInsert(SampleItem(id: 500, text: "new"))
        edits.update(500, Self.adding("+"))
        let list = answer == .none ? makeLoadedList(stage) : nil
        answer.end(insert)
        stage.settle()
        let expected = answer == .none || answer == .accepted ? "new+" : "theirs+"
        for list in [stage.list, list ?? makeLoadedList(stage)] {
            #expect(texts(of: answer == .newIdentity ? 501 : 500, in: list) == [expected])
            if answer == .newIdentity { #expect(texts(of: 500, in: list) == []) }
        }
    }

    @Test func `the answer to an insert keeps the edits of a row that came before it under the server's identity`() {
        let stage = ListStage()
        stage.after { $0.loadNext() }
        let edits = stage.list.edits
        let insert = edits.beginInsert(SampleItem(id: -1, text: "draft"))
        // Pushed by the server before it answers the request that made it.
        edits.insert(SampleItem(id: 500, text: "sent"))
        edits.update(500, Self.adding("+"))
        insert.commit(with: SampleItem(id: 500, text: "sent"))
        stage.settle()
        for list in [stage.list, makeLoadedList(stage)] { #expect(texts(of: 500, in: list) == ["sent+"]) }
    }

    @Test func `the answer to an insert keeps the first of many edits under the server's identity`() {
        let stage = ListStage()
        stage.after { $0.loadNext() }
        let edits = stage.list.edits
        let insert = edits.beginInsert(SampleItem(id: -1, text: "draft"))
        edits.update(500, Self.adding("+"))
        for _ in 0..<127 { edits.update(0, Self.adding("")) }
        insert.commit(with: SampleItem(id: 500, text: "sent"))
        stage.settle()
        for list in [stage.list, makeLoadedList(stage)] { #expect(texts(of: 500, in: list) == ["sent+"]) }
    }

    @Test(arguments: [true, false])
    func `an edit of a row that waits for the server goes on as one of the row that the server has`(
        _ isAnswered: Bool
    ) throws {
        let store = ScriptedStore<SampleItem>(answersInside: true)
        let stage = ListStage(store: store)
        stage.after { $0.loadNext() }
        let edits = stage.list.edits
        let insert = edits.beginInsert(SampleItem(id: -1, text: "task"))
        let edit = edits.begin(-1, Self.adding(" done"))
        insert.commit(with: SampleItem(id: 77, text: "task"))
        stage.settle()
        stage.clock.advance(by: .seconds(1))
        stage.table.pages.items.insert(SampleItem(id: 77, text: "task"), at: 0)
        stage.after { $0.refresh(.all) }
        #expect(texts(of: 77, in: stage.list) == ["task done"])
        #expect(stage.paginator.peek(key: "0", pageSize: 2)?.page.content.first?.text == "task done")
        if isAnswered {
            edits.update(77, Self.adding("!"))
            edit.commit(with: SampleItem(id: 77, text: "task done"))
        } else {
            edit.commit()
        }
        stage.settle()
        let expected = isAnswered ? "task done!" : "task done"
        let stored = try #require(store.pages[PageIdentity(key: "0", pageSize: 2)]?.page.content)
        #expect(stored.first?.text == expected)
        for list in [stage.list, makeLoadedList(stage)] { #expect(texts(of: 77, in: list) == [expected]) }
    }

    @Test func `an edit of a row that waits for the server is also in a list of another scope that has the row`() {
        let stage = ListStage()
        stage.table.scopes["open"] = stage.table.pages
        let other = stage.makeOtherList { ($0.scope, $0.pageSize) = ("open", 2) }
        other.loadNext()
        stage.settle()
        let insert = stage.list.edits.beginInsert(SampleItem(id: -1, text: "task"))
        let edit = stage.list.edits.begin(-1, Self.adding(" done"))
        stage.settle()
        stage.clock.advance(by: .seconds(1))
        stage.table.scopes["open"]?.items.insert(SampleItem(id: 77, text: "task"), at: 0)
        insert.commit(with: SampleItem(id: 77, text: "task"))
        other.refresh()
        stage.settle()
        #expect(texts(of: 77, in: other) == ["task done"])
        edit.commit()
        stage.settle()
        #expect(texts(of: 77, in: other) == ["task done"])
        #expect(!other.snapshot.isPending(at: 0))
    }

    @Test(arguments: Answer.allCases)
    func `a row that was removed while it waits for the server does not come back`(_ answer: Answer) {
        let stage = ListStage()
        stage.after { $0.loadNext() }
        let edits = stage.list.edits
        let insert = edits.beginInsert(SampleItem(id: 500, text: "new"))
        edits.remove(500)
        let list = answer == .none ? makeLoadedList(stage) : nil
        answer.end(insert)
        stage.settle()
        for list in [stage.list, list ?? makeLoadedList(stage)] { #expect(list.snapshot.map(\.id) == [0, 1]) }
    }

    /// Makes a list that finds its page in memory, from within an edit.
    private final class ListMaker: Sendable {
        let isOn = Guarded(false)
        let made = Guarded<PaginatorList<SampleItem, Int>?>(nil)

        func make(_ paginator: CallbackPaginator<SampleItem>) {
            guard isOn.withLock({ $0 }), made.withLock({ $0 == nil }) else { return }
            var config = PaginatorListConfig()
            config.pageSize = 2
            let list = PaginatorList(paginator, id: \.id, config: config)
            made.withLock { $0 = list }
            list.loadNext()
        }
    }

    @Test(arguments: [false, true])
    func `a list made while a waiting row is edited shows the edit once`(_ isCommitted: Bool) throws {
        let stage = ListStage()
        stage.after { $0.loadNext() }
        let edits = stage.list.edits
        let row = SampleItem(id: -1, text: "row")
        if isCommitted { edits.insert(row) } else { _ = edits.beginInsert(row) }
        stage.settle()
        let maker = ListMaker()
        let paginator = stage.paginator
        let edit = edits.begin(-1) { item in
            maker.make(paginator)
            return SampleItem(id: item.id, text: item.text + "+")
        }
        stage.settle()
        maker.isOn.withLock { $0 = true }
        edit.commit()
        stage.settle()
        let list = try #require(maker.made.withLock { $0 })
        #expect(list.snapshot.first?.text == "row+")
        #expect(stage.list.snapshot.first?.text == "row+")
    }

    @Test func `edits of a row that the device inserted are not kept for ever`() {
        final class Mark: Sendable {}
        let stage = ListStage()
        stage.after { $0.loadNext() }
        let edits = stage.list.edits
        edits.insert(SampleItem(id: -1, text: "row"))
        stage.settle()
        weak var gone: Mark?
        func edit() {
            let mark = Mark()
            gone = mark
            edits.update(-1) { item in withExtendedLifetime(mark) { SampleItem(id: item.id, text: "new") } }
        }
        edit()
        stage.settle()
        stage.clock.advance(by: .seconds(10_000))
        edits.update(-1) { $0 }
        stage.settle()
        #expect(gone == nil)
    }
}

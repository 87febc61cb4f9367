import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Who an edit is about: the same item everywhere, by whichever closure it is told from others.
@Suite struct EditIdentityTests {
    private struct Person: Sendable, Identifiable {
        let id: Int
        let number: Int
        var name: String
        var code: String { "#\(number)" }
    }

    private static func renamed(_ name: String) -> @Sendable (Person) -> Person? {
        { Person(id: $0.id, number: $0.number, name: name) }
    }

    /// A paginator of people whose ids are the numbers of other people.
    private func makePaginator(
        _ executor: SimulatedExecutor, _ clock: ManualPaginatorClock
    ) -> CallbackPaginator<Person> {
        var config = DefaultPaginatorConfig()
        config.simulate(on: executor, clock: clock)
        let people = (0..<8).map { Person(id: $0, number: 7 - $0, name: "person \($0)") }
        return CallbackPaginator(dataSource: ArrayDataSource(people), config: config)
    }

    private func list<ID>(
        _ paginator: CallbackPaginator<Person>, _ id: @escaping @Sendable (Person) -> ID
    ) -> PaginatorList<Person, ID> {
        var config = PaginatorListConfig()
        config.pageSize = 4
        config.prefetchDistance = 0
        return PaginatorList(paginator, id: id, config: config)
    }

    private func names<ID>(_ list: PaginatorList<Person, ID>) -> [String] { list.snapshot.map(\.name) }

    @Test func `an edit by another identity changes its own item, in every list and in memory`() {
        let (executor, clock) = (SimulatedExecutor(), ManualPaginatorClock())
        let paginator = makePaginator(executor, clock)
        let byID = list(paginator, \.id)
        let byNumber = list(paginator, \.number)
        let byCode = list(paginator, \.code)
        byID.loadNext()
        byNumber.loadNext()
        byCode.loadNext()
        executor.runAll()
        // The person with number 5 is the one with id 2.
        let expected = ["person 0", "person 1", "changed", "person 3"]
        byNumber.edits.update(5, Self.renamed("changed"))
        executor.runAll()
        #expect(names(byNumber) == expected)
        #expect(names(byID) == expected)
        #expect(names(byCode) == expected)
        #expect(paginator.peek(key: "0", pageSize: 4)?.page.content.map(\.name) == expected)
        byCode.edits.update("#5", Self.renamed("again"))
        byID.edits.update(3, Self.renamed("three"))
        executor.runAll()
        for shown in [names(byID), names(byNumber), names(byCode)] {
            #expect(shown == ["person 0", "person 1", "again", "three"])
        }
    }

    @Test func `an optimistic edit by another identity lies over its own item and is taken back`() {
        let (executor, clock) = (SimulatedExecutor(), ManualPaginatorClock())
        let paginator = makePaginator(executor, clock)
        let byID = list(paginator, \.id)
        byID.loadNext()
        executor.runAll()
        let before = names(byID)
        let edit = paginator.edits(id: \.number).begin(5, Self.renamed("pending"))
        // An item that the list does not have yet.
        let later = paginator.edits(id: \.number).begin(1, Self.renamed("later"))
        executor.runAll()
        #expect(names(byID) == ["person 0", "person 1", "pending", "person 3"])
        #expect(paginator.peek(key: "0", pageSize: 4)?.page.content.map(\.name) == names(byID))
        edit.rollBack()
        byID.loadNext()
        executor.runAll()
        #expect(names(byID) == before + ["person 4", "person 5", "later", "person 7"])
        later.commit()
        byID.refresh(.keepingPlace)
        executor.runAll()
        #expect(names(byID).count == 8)
        #expect(paginator.peek(key: "4", pageSize: 4)?.page.content.map(\.name).contains("later") == false)
    }

    @Test func `edits by two identities apply in their order to an item that comes later`() {
        let (executor, clock) = (SimulatedExecutor(), ManualPaginatorClock())
        let paginator = makePaginator(executor, clock)
        let byID = list(paginator, \.id)
        byID.loadNext()
        executor.runAll()
        // Both are about the same person.
        let first = paginator.edits(id: \.number).begin(1) {
            Person(id: $0.id, number: $0.number, name: $0.name + ", first")
        }
        let second = byID.edits.begin(6) { Person(id: $0.id, number: $0.number, name: $0.name + ", second") }
        executor.runAll()
        byID.loadNext()
        executor.runAll()
        #expect(names(byID).dropFirst(6).first == "person 6, first, second")
        first.rollBack()
        executor.runAll()
        #expect(names(byID).dropFirst(6).first == "person 6, second")
        second.rollBack()
        executor.runAll()
        #expect(names(byID).dropFirst(6).first == "person 6")
    }

    @Test func `a row after an item of another identity follows that item when it comes`() {
        let (executor, clock) = (SimulatedExecutor(), ManualPaginatorClock())
        let paginator = makePaginator(executor, clock)
        let byNumber = list(paginator, \.number)
        byNumber.loadNext()
        executor.runAll()
        // The people with these numbers are those with the ids 1 and 6.
        byNumber.edits.insert(Person(id: 100, number: 100, name: "first"), at: .after(6))
        let second = byNumber.edits.beginInsert(Person(id: 101, number: 101, name: "second"), at: .after(1))
        executor.runAll()
        let byID = list(paginator, \.id)
        let byCode = list(paginator, \.code)
        executor.runAll()
        func loadNext() {
            byNumber.loadNext()
            byID.loadNext()
            byCode.loadNext()
            executor.runAll()
        }
        byID.loadNext()
        byCode.loadNext()
        executor.runAll()
        var expected = ["person 0", "person 1", "first", "person 2", "person 3"]
        for shown in [names(byNumber), names(byID), names(byCode)] { #expect(shown == expected) }
        loadNext()
        expected += ["person 4", "person 5", "person 6", "second", "person 7"]
        for shown in [names(byNumber), names(byID), names(byCode)] { #expect(shown == expected) }
        second.rollBack()
        executor.runAll()
        expected.removeAll { $0 == "second" }
        for shown in [names(byNumber), names(byID), names(byCode)] { #expect(shown == expected) }
    }

    @Test func `an edit by another identity goes on as one of an item that the list already has`() {
        let (executor, clock) = (SimulatedExecutor(), ManualPaginatorClock())
        let paginator = makePaginator(executor, clock)
        let byID = list(paginator, \.id)
        byID.loadNext()
        executor.runAll()
        // The person with number 1 is not loaded; the one with number 5 is.
        let edits = paginator.edits(id: \.number)
        let first = edits.begin(1) { $0 }
        let second = edits.begin(1, Self.renamed("second"))
        executor.runAll()
        #expect(names(byID) == ["person 0", "person 1", "person 2", "person 3"])
        first.commit(with: Person(id: 2, number: 5, name: "both"))
        executor.runAll()
        #expect(names(byID) == ["person 0", "person 1", "second", "person 3"])
        #expect(byID.snapshot.isPending(at: 2))
        second.rollBack()
        executor.runAll()
        #expect(!names(byID).contains("second") && !byID.snapshot.isPending(at: 2))
    }

    @Test func `a group's member is told by its own closure`() {
        let (executor, clock) = (SimulatedExecutor(), ManualPaginatorClock())
        let paginator = makePaginator(executor, clock)
        let byID = list(paginator, \.id)
        byID.loadNext()
        executor.runAll()
        let group = ConsistencyGroup<Int>(executor: executor)
        group.join(paginator.edits(id: \.number)) { number in (number, Self.renamed("told")) }
        group.send(7)
        executor.runAll()
        #expect(names(byID) == ["told", "person 1", "person 2", "person 3"])
    }

    // MARK: - Lists made later

    @Test func `an optimistic insert shows in a list that is made later`() {
        let stage = ListStage(pageSize: 4)
        stage.after { $0.loadNext() }
        let edit = stage.list.edits.beginInsert(SampleItem(id: -1, text: "draft"), at: .after(1))
        let changed = stage.list.edits.begin(-1) { SampleItem(id: $0.id, text: $0.text + "!") }
        _ = stage.list.edits.beginInsert(SampleItem(id: -2, text: "elsewhere"), scope: "other")
        var config = PaginatorListConfig()
        config.pageSize = 4
        let later = PaginatorList(stage.paginator, id: \.id, config: config)
        later.loadNext()
        stage.settle()
        #expect(later.snapshot.map(\.id) == [0, 1, -1, 2, 3])
        #expect(later.snapshot[2].text == "draft!")
        #expect(later.snapshot.isPending(at: 2))
        changed.rollBack()
        edit.commit(with: SampleItem(id: 50, text: "sent"))
        stage.settle()
        #expect(later.snapshot.map(\.id) == [0, 1, 50, 2, 3])
        #expect(stage.ids == [0, 1, 50, 2, 3])
        #expect(!later.snapshot.isPending(at: 2))
    }

    @Test func `a list that is made later shows what was inserted since its cached pages came`() {
        let stage = ListStage(pageSize: 4)
        stage.after { $0.loadNext() }
        let sent = stage.list.edits.beginInsert(SampleItem(id: -1, text: "draft"), at: .after(1))
        let removed = stage.list.edits.beginInsert(SampleItem(id: -2, text: "draft"), at: .after(2))
        stage.list.edits.insert(SampleItem(id: 60, text: "at once"))
        stage.list.edits.insert(SampleItem(id: 70, text: "elsewhere"), scope: "other")
        sent.commit(with: SampleItem(id: 50, text: "sent"))
        removed.commit(with: SampleItem(id: 51, text: "sent"))
        stage.list.edits.update(50) { SampleItem(id: $0.id, text: $0.text + "!") }
        stage.list.edits.remove(51)
        stage.settle()
        let later = makeLaterList(stage)
        #expect(later.snapshot.map(\.id) == [60, 0, 1, 50, 2, 3])
        #expect(later.snapshot[3].text == "sent!")
        #expect(!later.snapshot.isPending(at: 3))
        #expect(stage.newKeys().count == 1)
    }

    @Test func `a list that is made later shows rows after items that are gone, or have another identity`() {
        let stage = ListStage(style: .cursor, pageSize: 4)
        stage.after { $0.loadNext() }
        let edits = stage.list.edits
        func row(_ id: Int) -> SampleItem { SampleItem(id: id, text: "row") }
        edits.insert(row(60), at: .after(1))
        _ = edits.beginInsert(row(-1), at: .after(60))
        _ = edits.beginInsert(row(-2), at: .after(2))
        let draft = edits.beginInsert(row(-3), at: .after(3))
        _ = edits.beginInsert(row(-4), at: .after(-3))
        let waiting = edits.beginInsert(row(-5), at: .after(0))
        _ = edits.beginInsert(row(-6), at: .after(-5))
        // The item before it, and a row that was inserted there.
        edits.remove(1)
        edits.remove(60)
        edits.begin(2) { $0 }.commit(with: row(52))
        draft.rollBack()
        edits.remove(-5)
        stage.settle()
        let shown = [0, -6, -1, 52, -2, 3, -4]
        #expect(stage.ids == shown)
        #expect(makeLaterList(stage).snapshot.map(\.id) == shown)
        waiting.commit()
        edits.remove(0)
        stage.settle()
        #expect(stage.ids == Array(shown.dropFirst()))
        #expect(makeLaterList(stage).snapshot.map(\.id) == Array(shown.dropFirst()))
    }

    @Test func `a list that is made later shows no inserted row that a newer page lacks`() {
        let stage = ListStage(pageSize: 4)
        stage.after { $0.loadNext() }
        stage.list.edits.insert(SampleItem(id: 60, text: "new"))
        stage.list.edits.insert(SampleItem(id: 61, text: "new"), at: .after(1))
        stage.settle()
        stage.clock.advance(by: .seconds(1))
        stage.paginator.clear(key: "0")
        stage.settle()
        #expect(makeLaterList(stage).snapshot.map(\.id) == [0, 1, 2, 3])
    }

    @Test func `a list that is made later shows 128 inserted rows, and after more of them what the source has`() {
        let stage = ListStage(pageSize: 4)
        stage.after { $0.loadNext() }
        for id in 100...227 {
            stage.list.edits.insert(SampleItem(id: id, text: "new"))
            stage.table.pages.items.insert(SampleItem(id: id, text: "new"), at: 0)
        }
        stage.settle()
        #expect(makeLaterList(stage).snapshot.map(\.id) == (100...227).reversed() + [0, 1, 2, 3])
        #expect(stage.newKeys() == ["0"])
        // All scopes share the number.
        stage.list.edits.insert(SampleItem(id: 300, text: "elsewhere"), scope: "other")
        stage.settle()
        #expect(stage.ids == (100...227).reversed() + [0, 1, 2, 3])
        stage.clock.advance(by: .seconds(1))
        #expect(makeLaterList(stage).snapshot.map(\.id) == [227, 226, 225, 224])
        #expect(stage.newKeys().contains("0"))
        // The page has the others that are dropped from here on.
        stage.list.edits.insert(SampleItem(id: 301, text: "elsewhere"), scope: "other")
        stage.settle()
        #expect(makeLaterList(stage).snapshot.map(\.id) == [227, 226, 225, 224])
        #expect(stage.newKeys() == [])
    }

    private func makeLaterList(_ stage: ListStage) -> PaginatorList<SampleItem, Int> {
        var config = PaginatorListConfig()
        config.pageSize = 4
        let list = PaginatorList(stage.paginator, id: \.id, config: config)
        list.loadNext()
        stage.settle()
        return list
    }

    // MARK: - Values of another identity

    @Test(arguments: [(edited: 1, known: 2), (edited: 2, known: 1)])
    func `a page that has the item of a committed value already has it once`(_ ids: (edited: Int, known: Int)) throws {
        let store = ScriptedStore<SampleItem>(answersInside: true)
        let stage = ListStage(pageSize: 4, store: store)
        stage.after { $0.loadNext() }
        let edit = stage.list.edits.begin(ids.edited) { SampleItem(id: $0.id, text: "editing") }
        stage.settle()
        edit.commit(with: SampleItem(id: ids.known, text: "the server's"))
        stage.settle()
        let stored = try #require(store.pages[PageIdentity(key: "0", pageSize: 4)]?.page.content)
        let cached = try #require(stage.paginator.peek(key: "0", pageSize: 4)?.page.content)
        for items in [stored, cached, Array(stage.list.snapshot), Array(makeLaterList(stage).snapshot)] {
            #expect(items.map(\.id) == [0, ids.known, 3])
            #expect(items[1].text == "the server's")
        }
    }

    @Test func `a committed value of another identity takes the item's place`() {
        let stage = ListStage(pageSize: 4)
        stage.after { $0.loadNext() }
        let edit = stage.list.edits.begin(1) { SampleItem(id: $0.id, text: "editing") }
        let other = stage.list.edits.begin(50) { SampleItem(id: $0.id, text: $0.text + "!") }
        stage.settle()
        edit.commit(with: SampleItem(id: 50, text: "second version"))
        stage.settle()
        #expect(stage.ids == [0, 50, 2, 3])
        #expect(stage.list.snapshot[1].text == "second version!")
        #expect(stage.list.snapshot.id(at: 1) == 50)
        other.rollBack()
        stage.list.edits.update(50) { SampleItem(id: $0.id, text: $0.text + "?") }
        stage.settle()
        #expect(stage.list.snapshot[1].text == "second version?")
        #expect(stage.paginator.peek(key: "0", pageSize: 4)?.page.content.map(\.id) == [0, 50, 2, 3])
        // The item that was is no more.
        stage.list.edits.update(1) { SampleItem(id: $0.id, text: "wrong") }
        stage.settle()
        #expect(!stage.list.snapshot.contains { $0.text == "wrong" })
    }

    @Test func `a second edit of an item that gets another identity is kept in the pages, too`() {
        let stage = ListStage(pageSize: 4)
        stage.after { $0.loadNext() }
        let first = stage.list.edits.begin(1) { SampleItem(id: $0.id, text: "sending") }
        let second = stage.list.edits.begin(1) { SampleItem(id: $0.id, text: $0.text + "!") }
        first.commit(with: SampleItem(id: 50, text: "sent"))
        stage.settle()
        func cached() -> [SampleItem] { stage.paginator.peek(key: "0", pageSize: 4)?.page.content ?? [] }
        #expect(cached().map(\.text).contains("sent!"))
        second.commit()
        stage.settle()
        #expect(cached().map(\.id) == [0, 50, 2, 3])
        for items in [cached(), Array(makeLaterList(stage).snapshot)] {
            #expect(items.first { $0.id == 50 }?.text == "sent!")
        }
    }

    @Test func `a committed value that is another item of the list is shown once`() {
        let stage = ListStage(pageSize: 4)
        stage.after { $0.loadNext() }
        stage.list.edits.begin(1) { SampleItem(id: $0.id, text: "editing") }.commit(
            with: SampleItem(id: 3, text: "three"))
        stage.settle()
        #expect(stage.ids.sorted() == [0, 2, 3])
        #expect(stage.list.snapshot.first { $0.id == 3 }?.text == "three")
    }

    @Test(arguments: [PaginatorRowPlace<Int>.head, .tail, .after(2)])
    func `an item whose new identity the source has pushed meanwhile is shown once, in its own place`(
        _ place: PaginatorRowPlace<Int>
    ) {
        let stage = ListStage(count: 4, style: .cursor, pageSize: 4)
        stage.after { $0.loadNext() }
        let edit = stage.list.edits.begin(1) { SampleItem(id: $0.id, text: "sending") }
        stage.after { $0.insertLive([SampleItem(id: 50, text: "pushed")], at: place) }
        stage.after { $0.insertLive([SampleItem(id: 51, text: "a reply to it")], at: .after(50)) }
        #expect(stage.ids.count == 6)
        edit.commit(with: SampleItem(id: 50, text: "sent"))
        stage.settle()
        #expect(stage.ids == [0, 50, 51, 2, 3])
        #expect(stage.list.snapshot[1].text == "sent" && !stage.list.snapshot.isPending(at: 1))
    }
}

import Dispatch
import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Edits of items by identity: everywhere at once, in any order of answers, and never undone by an older answer.
@Suite struct PaginatorEditsTests {
    private func append(_ text: String) -> @Sendable (SampleItem) -> SampleItem? {
        { item in SampleItem(id: item.id, text: item.text + text) }
    }

    private func text(_ id: Int, in list: PaginatorList<SampleItem, Int>) -> String? {
        list.snapshot.first { $0.id == id }?.text
    }

    /// A stage whose first page has items without a text.
    private func stage() -> ListStage {
        let stage = ListStage()
        stage.source.script([.page(stage.page("0", [0, 1], next: "2")).insideFetch], forKey: "0")
        stage.after { $0.loadNext() }
        return stage
    }

    @Test func `a committed edit is in memory and in every list and nothing is loaded`() {
        let stage = stage()
        let other = PaginatorList(stage.paginator, id: \.id, config: config)
        other.loadNext()
        stage.settle()
        stage.after { $0.edits.update(1, append("x")) }
        #expect(text(1, in: stage.list) == "x")
        #expect(text(1, in: other) == "x")
        #expect(stage.paginator.peek(key: "0", pageSize: 2)?.page.content.map(\.text) == ["", "x"])
        stage.after { $0.edits.remove(0) }
        #expect(stage.ids == [1])
        #expect(other.snapshot.map(\.id) == [1])
        #expect(stage.paginator.peek(key: "0", pageSize: 2)?.page.content.map(\.id) == [1])
        #expect(stage.newKeys() == ["0"])
    }

    @Test func `a committed edit is in the store too`() {
        let stage = ListStage(store: ScriptedStore())
        load(stage)
        let old = text(1, in: stage.list) ?? ""
        stage.after { $0.edits.update(1, append("x")) }
        stage.paginator.trim(toFraction: 0)
        #expect(stage.paginator.peek(key: "0", pageSize: 2) == nil)
        let other = stage.makeOtherList { $0.pageSize = 2 }
        load(stage, other)
        #expect(text(1, in: other) == old + "x")
        #expect(stage.newKeys() == ["0"])
    }

    /// Loads a page through a store that answers on a queue of its own, in order.
    private func load(_ stage: ListStage, _ other: PaginatorList<SampleItem, Int>? = nil) {
        (other ?? stage.list).loadNext()
        stage.settle()
        let isAnswered = DispatchSemaphore(value: 0)
        stage.paginator.flush { _ in isAnswered.signal() }
        stage.settle()
        isAnswered.wait()
        stage.settle()
    }

    private var config: PaginatorListConfig {
        var config = PaginatorListConfig()
        config.pageSize = 2
        config.addressing = .offset
        return config
    }

    @Test func `optimistic edits on one item end in any order`() {
        let stage = stage()
        let first = stage.list.edits.begin(1, append("a"))
        let second = stage.list.edits.begin(1, append("b"))
        let third = stage.list.edits.begin(1, append("c"))
        stage.settle()
        #expect(text(1, in: stage.list) == "abc")
        #expect(stage.list.snapshot.isPending(at: 1))
        second.commit(with: SampleItem(id: 1, text: "B"))
        #expect(text(1, in: stage.list) == "Bac")
        third.rollBack()
        #expect(text(1, in: stage.list) == "Ba")
        // The answer to the first edit does not know of the second, which was committed since.
        first.commit(with: SampleItem(id: 1, text: "A"))
        #expect(text(1, in: stage.list) == "Ab")
        #expect(!stage.list.snapshot.isPending(at: 1))
        #expect(stage.paginator.peek(key: "0", pageSize: 2)?.page.content[1].text == "Ab")
        first.rollBack()
        #expect(text(1, in: stage.list) == "Ab")
    }

    @Test func `pending edits lie over every page that is read`() {
        let stage = stage()
        let edit = stage.list.edits.begin(1, append("p"))
        let seen = Guarded<[String]>([])
        stage.paginator.fetch(key: "0", pageSize: 2) { result in
            if case .success(let fetched) = result { seen.withLock { $0.append(fetched.page.content[1].text) } }
        }
        stage.settle()
        #expect(seen.withLock { $0 } == ["p"])
        #expect(stage.paginator.peek(key: "0", pageSize: 2)?.page.content[1].text == "p")
        edit.rollBack()
        #expect(stage.paginator.peek(key: "0", pageSize: 2)?.page.content[1].text == "")
    }

    @Test func `a page that no edit concerns is not looked at again`() throws {
        let stage = stage()
        let engine = stage.paginator.engine
        func isCurrent() throws -> Bool {
            let identity = PageIdentity(key: "0", pageSize: 2)
            let entry = try #require(engine.memory.read(identity, at: stage.clock.now, touching: false))
            return engine.edits.isCurrent(entry.editCount)
        }
        let looks = Guarded(0)
        let edits = stage.list.edits
        #expect(try isCurrent())
        edits.update(1_000, append("x"))
        edits.update(1, append("y"))
        #expect(try isCurrent())
        let first = edits.begin(1) { item in
            looks.withLock { $0 += 1 }
            return item
        }
        let second = edits.begin(2_000, append("z"))
        #expect(try !isCurrent())
        first.commit()
        #expect(try !isCurrent())
        second.rollBack()
        #expect(try isCurrent())
        stage.settle()
        let before = looks.withLock { $0 }
        stage.paginator.fetch(key: "0", pageSize: 2) { _ in }
        stage.settle()
        #expect(stage.paginator.peek(key: "0", pageSize: 2)?.page.content.map(\.text) == ["", "y"])
        #expect(stage.paginator.withPage(key: "0", pageSize: 2) { $0.content.map(\.text) } == ["", "y"])
        #expect(looks.withLock { $0 } == before)
    }

    @Test func `edits look at pages that came after the first edits, too, only until they know their items`() {
        let stage = ListStage(count: 200)
        let looks = Guarded(0)
        let edits = stage.paginator.edits { (item: SampleItem) in
            looks.withLock { $0 += 1 }
            return item.id
        }
        func looksOfAnEdit() -> Int {
            let before = looks.withLock { $0 }
            edits.update(0, append("x"))
            let after = looks.withLock { $0 }
            stage.settle()
            return after - before
        }
        for round in 1...3 {
            for _ in 0..<20 { stage.after { $0.loadNext() } }
            // New pages are searched. Then it is known where the item is: its page is searched, changed and indexed.
            #expect(looksOfAnEdit() >= 38, "round \(round)")
            _ = looksOfAnEdit()
            #expect(looksOfAnEdit() <= 6, "round \(round)")
        }
    }

    @Test func `an older answer of the source never undoes an edit`() throws {
        let stage = stage()
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.refresh() }
        stage.after { $0.edits.update(1, append("x")) }
        stage.clock.advance(by: .seconds(1))
        let call = try #require(stage.source.pendingCalls.first)
        stage.source.answer(call, with: .success(stage.page("0", [0, 1], next: "2", text: "old")))
        stage.settle()
        #expect(text(1, in: stage.list) == "oldx")
        #expect(text(0, in: stage.list) == "old")
        #expect(stage.paginator.peek(key: "0", pageSize: 2)?.page.content[1].text == "oldx")
        // A later answer knows of the edit.
        stage.source.script([.page(stage.page("0", [0, 1], next: "2", text: "new")).insideFetch], forKey: "0")
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.refresh() }
        #expect(text(1, in: stage.list) == "new")
    }

    @Test func `committed deletes and inserts shift the next offset`() {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        stage.table.pages.remove(3..<5)
        stage.list.edits.remove(3)
        stage.after { $0.edits.remove(4) }
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["0", "8"])
        #expect(stage.ids == [0, 1, 2] + Array(5..<20))
        stage.table.pages.insert(1)
        stage.after { $0.edits.insert(SampleItem(id: 100, text: "")) }
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["19"])
        #expect(stage.ids == [100, 0, 1, 2] + Array(5..<30))
        #expect(stage.updates.flatMap(\.notices) == [])
    }

    @Test func `an insert takes the identity that the source chose`() {
        let stage = stage()
        let edit = stage.list.edits.beginInsert(SampleItem(id: -1, text: "draft"), at: .after(0))
        stage.settle()
        #expect(stage.ids == [0, -1, 1])
        edit.commit(with: SampleItem(id: 77, text: "sent"))
        #expect(stage.ids == [0, 77, 1])
        #expect(text(77, in: stage.list) == "sent")
        let other = stage.list.edits.beginInsert(SampleItem(id: -2, text: "draft"))
        #expect(stage.ids == [-2, 0, 77, 1])
        other.rollBack()
        #expect(stage.ids == [0, 77, 1])
    }

    @Test func `a row that is inserted through a list is in the scope that the list shows`() {
        let stage = ListStage(configure: { $0.scope = "room" })
        stage.after { $0.loadNext() }
        let edits = stage.list.edits
        edits.insert(SampleItem(id: 50, text: "sent"))
        let draft = edits.beginInsert(SampleItem(id: 51, text: "draft"))
        stage.settle()
        #expect(stage.ids == [51, 50, 0, 1])
        draft.rollBack()
        stage.after { $0.show(scope: "other", keepsItems: false) }
        _ = edits.beginInsert(SampleItem(id: 52, text: "draft"))
        edits.insert(SampleItem(id: 53, text: "sent"), scope: "room")
        stage.settle()
        #expect(stage.ids == [52, 0, 1])
    }

    @Test func `two lists edited from eight threads show the same`() {
        var settings = DefaultPaginatorConfig()
        settings.maxParallelCalls = 4
        let items = (0..<200).map { SampleItem(id: $0, text: "") }
        let paginator = CallbackPaginator(dataSource: ArrayDataSource(items), config: settings)
        var config = PaginatorListConfig()
        config.pageSize = 20
        config.prefetchDistance = 20
        let lists = (0..<2).map { _ in PaginatorList<SampleItem, Int>(paginator, config: config) }
        let observed = Guarded([0, 0])
        for (number, list) in lists.enumerated() {
            list.observe { update in observed.withLock { $0[number] = update.snapshot.count } }
        }
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            var random = SeededRandom(seed: UInt64(thread))
            for round in 0..<60 {
                let list = lists[random.number(in: 0..<2)]
                let id = random.number(in: 0..<100)
                switch random.number(in: 0..<6) {
                case 0: list.loadNext()
                case 1: list.hint(visible: id..<id + 5)
                case 2: list.edits.update(id) { SampleItem(id: $0.id, text: "\(thread).\(round)") }
                case 3:
                    let edit = list.edits.begin(id) { SampleItem(id: $0.id, text: $0.text + "!") }
                    if random.chance(0.5) { edit.rollBack() } else { edit.commit() }
                case 4: _ = list.snapshot.reduce(0) { $0 + $1.id }
                default: list.insertLive([SampleItem(id: 1_000 + thread * 100 + round, text: "")])
                }
            }
        }
        // The lists learn of edits in one order, so the items that both have are the same, once the edits are applied,
        // and the thread that works for a list has come to what was told to it.
        let quiet = DispatchSemaphore(value: 0)
        lists[0].edits.afterEdits { quiet.signal() }
        quiet.wait()
        for list in lists {
            list.engine.post { _ in quiet.signal() }
            quiet.wait()
        }
        let texts = lists.map { list in
            Dictionary(uniqueKeysWithValues: list.snapshot.map { ($0.id, $0.text) })
        }
        for (id, text) in texts[0] where texts[1][id] != nil && id < 1_000 { #expect(texts[1][id] == text, "\(id)") }
    }
}

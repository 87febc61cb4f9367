import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

/// What the source has told of a row, or confirmed, stands until the source was asked later and says otherwise.
@Suite struct ListSettledRowsTests {
    private func item(_ id: Int, _ text: String = "") -> SampleItem { SampleItem(id: id, text: text) }

    private func text(_ id: Int, _ stage: ListStage) -> String? {
        stage.list.snapshot.first { $0.id == id }?.text
    }

    @Test func `a committed row far below the refreshed page shows with an older page, and goes with a newer one`() {
        let stage = ListStage(style: .cursor, pageSize: 4) { $0.policy = .staleWhileRevalidate }
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.after { $0.edits.insert(SampleItem(id: 500, text: "mine"), at: .after(5)) }
        #expect(stage.ids == [0, 1, 2, 3, 4, 5, 500, 6, 7])
        stage.after { $0.refresh() }
        stage.source.script([.hang], forKey: "after:3")
        stage.after { $0.loadNext() }
        #expect(stage.ids == [0, 1, 2, 3, 4, 5, 500, 6, 7])
        // The source has deleted it meanwhile.
        for call in stage.source.pendingCalls {
            stage.source.answer(call, with: .success(stage.page("after:3", [4, 5, 6, 7], next: "after:7")))
        }
        stage.settle()
        #expect(stage.ids == Array(0..<8))
    }

    @Test func `a refusal brings back the value of a page that came after the insert`() {
        let stage = ListStage(pageSize: 4)
        stage.after { $0.loadNext() }
        let edit = stage.list.edits.beginInsert(item(6, "mine"))
        stage.settle()
        #expect(stage.ids == [6, 0, 1, 2, 3])
        stage.after { $0.loadNext() }
        #expect(stage.ids == Array(0..<8))
        #expect(text(6, stage) == "mine")
        edit.rollBack()
        stage.settle()
        #expect(text(6, stage) == stage.table.pages.items.first { $0.id == 6 }?.text)
    }

    @Test func `rows that follow each other in a circle wait for a page that has one of them`() {
        let stage = ListStage(pageSize: 4)
        stage.after { $0.loadNext() }
        let circle = stage.list.edits.beginInsert(item(900), at: .after(901))
        stage.after { $0.edits.insert(item(901), at: .after(900)) }
        stage.after { $0.edits.insert(item(902), at: .after(901)) }
        circle.rollBack()
        stage.settle()
        stage.after { $0.edits.remove(901) }
        #expect(stage.ids == [0, 1, 2, 3])
        stage.source.script([.page(stage.page("4", [4, 901, 6, 7], next: "8")).insideFetch], forKey: "4")
        stage.after { $0.loadNext() }
        #expect(stage.ids == [0, 1, 2, 3, 4, 901, 902, 6, 7])
    }

    @Test(arguments: [3, 35], [true, false])
    func `a live value outlives its page in the window, however far one scrolls`(pages: Int, isShown: Bool) {
        let stage = ListStage(count: 400, pageSize: 10) { $0.windowItems = 20 }
        stage.after { $0.loadNext() }
        if isShown { stage.after { $0.insertLive([SampleItem(id: 1, text: "newest")]) } }
        for _ in 0..<pages {
            stage.after { $0.loadNext() }
            stage.after { $0.hint(visible: $0.snapshot.count - 1..<$0.snapshot.count) }
        }
        #expect(!stage.ids.contains(1))
        if !isShown { stage.after { $0.insertLive([SampleItem(id: 1, text: "newest")]) } }
        for _ in 0...pages {
            stage.after { $0.hint(visible: 0..<1) }
            stage.after { $0.loadPrevious() }
        }
        #expect(text(1, stage) == "newest")
    }

    @Test func `a live value outlives going to and fro among many others`() {
        let stage = ListStage(count: 400, pageSize: 10) { $0.windowItems = 20 }
        stage.after { $0.loadNext() }
        func goDown(_ pages: Int) {
            for _ in 0..<pages {
                stage.after { $0.loadNext() }
                stage.after { $0.insertLive($0.snapshot.map { item($0.id, "newest") }) }
                stage.after { $0.hint(visible: $0.snapshot.count - 1..<$0.snapshot.count) }
            }
        }
        func goUp(_ pages: Int) {
            for _ in 0..<pages {
                stage.after { $0.hint(visible: 0..<1) }
                stage.after { $0.loadPrevious() }
            }
        }
        goDown(12)
        for _ in 0..<4 {
            goUp(8)
            goDown(8)
        }
        goUp(13)
        #expect(stage.ids.first == 0 && text(0, stage) == "newest")
    }

    @Test func `a committed edit does not hide an answer that is newer than the row`() throws {
        let stage = ListStage(pageSize: 2)
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.refresh() }
        stage.after { $0.edits.update(1) { SampleItem(id: $0.id, text: $0.text + "!") } }
        let call = try #require(stage.source.pendingCalls.first)
        let answer = PaginatorPage(content: [item(0, "new"), item(1, "new")], key: "0", nextKey: "2")
        stage.source.answer(call, with: .success(answer))
        stage.settle()
        #expect(text(1, stage) == "new!")
    }

    @Test func `live rows that came while nobody looked are hidden by the next hint`() {
        let stage = ListStage(pageSize: 2) { $0.windowItems = 4 }
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        for id in 500..<600 { stage.list.insertLive([item(id)]) }
        stage.settle()
        stage.after { $0.hint(visible: $0.snapshot.count - 1..<$0.snapshot.count) }
        #expect(stage.ids.count < 40)
        #expect(stage.list.status.newAbove > 60)
    }
}

import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Jumps: the page that somebody goes to is what he looks at.
@Suite struct ListJumpTests {
    private func fullStage(_ style: SamplePages.Style = .offset) -> ListStage {
        let stage = ListStage(count: 300, style: style, pageSize: 10) { $0.windowItems = 30 }
        for _ in 0..<6 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(30..<60))
        return stage
    }

    @Test(arguments: [PaginatorListPlacement.automatic, .start, .end], SamplePages.Style.allCases)
    func `a jump in a full window shows the page that it went to`(
        _ placement: PaginatorListPlacement, _ style: SamplePages.Style
    ) {
        let key = [SamplePages.Style.offset: "150", .number: "16", .cursor: "after:149"][style] ?? ""
        let stage = fullStage(style)
        stage.after { $0.hint(visible: 22..<28) }
        stage.after { $0.jump(to: key, placement: placement) }
        #expect(Set(stage.ids).isSuperset(of: 150..<160))
        let anchor = stage.updates.last?.anchor
        #expect(anchor.map { stage.ids[$0] } == 150, "the jump's page is what is looked at")
        #expect(stage.ids.count <= 30 || stage.list.snapshot.gaps.count == 1)
    }

    @Test func `a jump lands beside the page that its page names, whatever was said of its place`() {
        let stage = ListStage(style: .cursor, pageSize: 10)
        stage.after { $0.loadNext() }
        stage.after { $0.jump(to: "after:39", placement: .end) }
        stage.after { $0.jump(to: "after:29", placement: .end) }
        #expect(stage.ids == Array(0..<10) + Array(30..<50))
        #expect(stage.list.snapshot.gaps == [10])
    }

    @Test(arguments: [("20", removed: 1, inserted: 0), ("60", removed: 0, inserted: 40), ("60", 2, 5)], [false, true])
    func `a jump by offset goes to the row at that position by now`(
        _ change: (key: String, removed: Int, inserted: Int), isRefreshed: Bool
    ) {
        let (key, removed, inserted) = change
        let stage = ListStage(count: 200, pageSize: 10)
        for _ in 0..<8 { stage.after { $0.loadNext() } }
        stage.table.pages.remove(3..<3 + removed)
        for id in 3..<3 + removed { stage.after { $0.edits.remove(id) } }
        stage.insertLive(inserted)
        // From then on the page has another key.
        if isRefreshed { stage.after { $0.refresh(.page(key)) } }
        stage.after { $0.jump(to: key) }
        let anchor = stage.updates.last?.anchor
        #expect(anchor == Int(key))
        #expect(anchor.map { stage.ids[$0] } == Int(key).map { stage.table.pages.items[$0].id })
        #expect(stage.complaints == [])
    }

    @Test func `a jump that began before all is refreshed is done once that has come`() {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: "50")
        stage.after { $0.jump(to: "50") }
        stage.after { $0.refresh() }
        #expect(stage.ids == Array(0..<10) + Array(50..<60))
        #expect(stage.updates.last?.anchor.map { stage.ids[$0] } == 50)
    }

    @Test(arguments: ["abc", "-10", "1.5", "10 "], [false, true])
    func `a jump to a key that is no number fails at once where keys are numbers`(_ key: String, isEmpty: Bool) {
        let stage = ListStage(pageSize: 10)
        if !isEmpty { stage.after { $0.loadNext() } }
        _ = stage.newKeys()
        stage.after { $0.jump(to: key) }
        #expect(stage.list.status.refresh.error?.code == .invalidKey)
        stage.after { $0.retry() }
        #expect(stage.newKeys() == [])
        #expect(stage.ids == Array(isEmpty ? 0..<0 : 0..<10))
        stage.after { $0.jump(to: "50") }
        #expect(stage.list.status.refresh.error == nil)
        #expect(stage.ids.last == 59)
    }

    @Test func `a jump takes the place of one that failed`() {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "50")
        stage.after { $0.jump(to: "50") }
        #expect(stage.list.status.refresh.error != nil)
        stage.after { $0.jump(to: "70") }
        #expect(stage.list.status.refresh.error == nil)
        stage.after { $0.retry() }
        #expect(stage.ids == Array(0..<10) + Array(70..<80))
    }

    @Test func `who goes back from a jump finds the rows that follow`() {
        let stage = fullStage()
        stage.after { $0.hint(visible: 22..<28) }
        stage.after { $0.jump(to: "150") }
        let position = stage.ids.firstIndex(of: 50) ?? 0
        stage.after { $0.hint(visible: position..<position + 4) }
        for _ in 0..<2 where !stage.list.snapshot.gaps.isEmpty {
            stage.after { $0.fillGap(at: $0.snapshot.gaps[0]) }
            #expect(stage.complaints == [])
        }
        for _ in 0..<4 {
            stage.after { $0.loadPrevious() }
            stage.after { $0.hint(visible: 0..<3) }
        }
        #expect(stage.complaints == [])
        stage.after { $0.hint(visible: stage.ids.count - 2..<stage.ids.count) }
        for _ in 0..<8 {
            stage.after { $0.loadNext() }
            stage.after { $0.hint(visible: stage.ids.count - 2..<stage.ids.count) }
            #expect(stage.complaints == [])
        }
    }

    @Test func `the page behind a far page that was dropped is not taken for the next one`() {
        let stage = ListStage(count: 300, pageSize: 10) { $0.windowItems = 30 }
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.after { $0.jump(to: "150") }
        stage.after { $0.hint(visible: 0..<4) }
        stage.after { $0.fillGap(at: 20) }
        for _ in 0..<4 {
            stage.after { $0.loadNext() }
            #expect(stage.complaints == [])
            stage.after { $0.hint(visible: stage.ids.count - 3..<stage.ids.count) }
        }
    }

    @Test func `a page behind a gap that was dropped does not come in place of the next one`() throws {
        let stage = fullStage()
        stage.after { $0.hint(visible: 0..<4) }
        stage.after { $0.jump(to: "150") }
        for _ in 0..<4 where stage.ids.contains(150) {
            stage.after { $0.hint(visible: 0..<4) }
            stage.after { $0.loadPrevious() }
        }
        #expect(!stage.ids.contains(150))
        let last = try #require(stage.ids.last)
        stage.after { $0.hint(visible: stage.ids.count - 4..<stage.ids.count) }
        stage.after { $0.loadNext() }
        #expect(stage.ids.last == last + 10)
        #expect(stage.list.snapshot.gaps == [] && stage.complaints == [])
    }

    @Test func `a jump to a first page that was dropped shows it`() {
        let stage = fullStage()
        stage.after { $0.hint(visible: 22..<28) }
        stage.after { $0.jump(to: "0") }
        #expect(stage.ids.prefix(10) == Array(0..<10)[...])
        #expect(stage.list.status.previous == .endReached)
        #expect(stage.complaints == [])
    }

    @Test func `two jumps in an empty list both show their page`() {
        let stage = ListStage(pageSize: 10)
        stage.list.jump(to: "50")
        stage.list.jump(to: "80")
        stage.settle()
        #expect(stage.ids == Array(50..<60) + Array(80..<90))
        #expect(stage.list.snapshot.gaps == [10])
    }

    @Test func `a jump while the first page loads is not lost`() {
        let stage = ListStage(pageSize: 10)
        stage.list.loadNext()
        stage.list.jump(to: "50")
        stage.settle()
        #expect(stage.ids == Array(0..<10) + Array(50..<60))
    }

    @Test func `a jump to the page that is loading first looks at that page`() {
        let stage = ListStage(pageSize: 10)
        stage.list.loadNext()
        stage.list.jump(to: "0")
        stage.settle()
        #expect(stage.updates.last?.anchor == 0)
        #expect(stage.newKeys() == ["0"])
    }

    @Test(arguments: ["50", "30"])
    func `a jump to the next or the previous page that is already being loaded looks at it`(_ key: String) throws {
        let stage = ListStage(pageSize: 10) { $0.initialKey = "40" }
        stage.after { $0.loadNext() }
        stage.after { $0.hint(visible: 4..<8) }
        stage.source.script([.hang], forKey: key)
        stage.after { key == "50" ? $0.loadNext() : $0.loadPrevious() }
        stage.after { $0.jump(to: key) }
        try stage.answer()
        #expect(stage.updates.last?.anchor.map { stage.ids[$0] } == Int(key))
        #expect(stage.list.snapshot.gaps == [] && stage.complaints == [])
    }

    @Test func `a jump lasts until a hint that was made after it`() throws {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        stage.after { $0.hint(visible: 2..<5) }
        #expect(stage.list.status.jump == nil)
        stage.after { $0.jump(to: "50") }
        let jump = try #require(stage.list.status.jump)
        var machine = stage.list.engine.machine
        // It was on its way as the page of the jump came.
        machine.handle { $0.hint(2..<5, at: .zero, after: nil) }
        #expect(machine.anchor == 10 && machine.status(at: .zero).jump == jump)
        machine.handle { $0.hint(2..<5, at: .zero, after: jump) }
        #expect(machine.anchor == 2 && machine.status(at: .zero).jump == nil)
        stage.after { $0.reset() }
        #expect(stage.list.status.jump == nil)
        stage.after { $0.jump(to: "50") }
        #expect(stage.list.status.jump.map { $0 > jump } ?? false)
    }

    @Test func `a hint of the rows before a bookmark is restored does not end the way there`() throws {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: "50")
        try stage.list.restore(PaginatorListBookmark(scope: "", pageSize: 10, keys: ["50"], page: 0, item: 4))
        stage.after { $0.hint(visible: 0..<3) }
        try stage.answer()
        #expect(stage.updates.last?.anchor == 4 && stage.list.status.jump != nil)
    }

    @Test func `a jump while everything is refreshed is not lost`() {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        stage.list.refresh()
        stage.list.jump(to: "50")
        stage.settle()
        #expect(stage.ids == Array(0..<10) + Array(50..<60))
    }

    @Test func `keys that only look alike are two jumps`() {
        let stage = ListStage(style: .cursor, pageSize: 10)
        stage.source.script([.page(stage.page("caf\u{e9}", [901])).insideFetch], forKey: "caf\u{e9}")
        stage.source.script([.page(stage.page("cafe\u{301}", [902])).insideFetch], forKey: "cafe\u{301}")
        stage.after { $0.loadNext() }
        stage.list.jump(to: "caf\u{e9}")
        stage.list.jump(to: "cafe\u{301}")
        stage.settle()
        #expect(Set(stage.ids).isSuperset(of: [901, 902]))
    }

    @Test func `a refresh of all while an empty list jumps begins at the start, and the jump follows`() {
        let stage = ListStage(pageSize: 10)
        stage.list.jump(to: "50")
        stage.after { $0.refresh(.all) }
        #expect(stage.ids == Array(0..<10) + Array(50..<60))
    }

    @Test func `a jump takes the place of what has failed before, which does not come back and take its own`() {
        let connectivity = ScriptedConnectivity()
        let stage = ListStage(pageSize: 10, connectivity: connectivity)
        stage.paginator.fetch(key: "50", pageSize: 10) { _ in }
        stage.settle()
        connectivity.set(.offline)
        stage.source.script([.fail(.fatal(PaginatorError(.offline, "no network"))).insideFetch], forKey: "0")
        stage.after { $0.refresh(.all) }
        #expect(stage.list.status.refresh.error != nil)
        stage.after { $0.jump(to: "50") }
        #expect(stage.list.status.refresh.error == nil)
        connectivity.set([])
        stage.settle()
        stage.after { $0.retry() }
        #expect(stage.ids == Array(50..<60))
    }

    @Test func `a refresh of all that fails beside a jump in an empty list is told, and can be tried again`() {
        let stage = ListStage(pageSize: 10)
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "0")
        stage.list.jump(to: "50")
        stage.after { $0.refresh(.all) }
        #expect(stage.ids == Array(50..<60))
        #expect(stage.list.status.refresh.error?.code == .sourceFailed)
        stage.after { $0.retry() }
        #expect(stage.ids.first == 0 && stage.list.status.refresh.error == nil)
    }

    @Test func `a jump that fails while the first page loads is told, and can be tried again`() {
        let stage = ListStage(pageSize: 10)
        stage.source.script([.hang], forKey: "0")
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "50")
        stage.list.loadNext()
        stage.after { $0.jump(to: "50") }
        stage.source.answer(
            stage.source.pendingCalls[0], with: .success(stage.page("0", Array(0..<10), next: "10")))
        stage.settle()
        #expect(stage.ids == Array(0..<10))
        #expect(stage.list.status.refresh.error?.code == .sourceFailed)
        stage.after { $0.retry() }
        #expect(stage.ids == Array(0..<10) + Array(50..<60))
    }

    @Test func `a jump that began before an empty list is refreshed is done once that has come`() {
        let stage = ListStage(pageSize: 10)
        stage.source.script([.hang, .hang], forKey: "0")
        stage.source.script([.hang], forKey: "50")
        stage.after { $0.loadNext() }
        stage.after { $0.jump(to: "50") }
        stage.after { $0.refresh(.all) }
        for key in ["50", "0"] {
            for call in stage.source.pendingCalls where call.request.key == key {
                stage.source.answer(call, with: stage.table.answer(to: call.request))
                stage.settle()
            }
        }
        #expect(stage.ids == Array(0..<10) + Array(50..<60))
        #expect(stage.updates.last?.anchor.map { stage.ids[$0] } == 50)
    }

    @Test(arguments: [false, true])
    func `the page that was on its way at an end does not come beyond the page of a jump`(isAtStart: Bool) {
        let stage = ListStage(pageSize: 10) { $0.initialKey = "40" }
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: isAtStart ? "30" : "50")
        stage.after { isAtStart ? $0.loadPrevious() : $0.loadNext() }
        stage.after { $0.jump(to: isAtStart ? "10" : "80") }
        for call in stage.source.pendingCalls {
            stage.source.answer(call, with: stage.table.answer(to: call.request))
            stage.settle()
        }
        let shown = isAtStart ? Array(10..<20) + Array(40..<50) : Array(40..<50) + Array(80..<90)
        #expect(stage.ids == shown)
        #expect(stage.list.snapshot.gaps == [10] && stage.complaints == [])
        #expect(!stage.list.status.next.isLoading && !stage.list.status.previous.isLoading)
    }

    @Test func `a jump to offset 0 is done also where the first page has a name`() {
        var config = PaginatorListConfig()
        config.addressing = .offset
        var machine = ListMachine(config: config, firstKey: "newest")
        machine.handle { $0.jump(to: "0", .automatic) }
        #expect(machine.running.values.map(\.identity.key) == ["0"])
        #expect(machine.status(at: .zero).refresh == .loading)
    }
}

import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Answers to requests from before a refresh or a removal beside their place: the page is requested once more.
@Suite struct ListOldRequestTests {
    @Test(arguments: ["50", "30", "80"])
    func `a page that was requested before another one was refreshed is requested again`(_ key: String) throws {
        let stage = ListStage(pageSize: 10) { $0.initialKey = "40" }
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: key)
        stage.after { list in
            switch key {
            case "50": list.loadNext()
            case "30": list.loadPrevious()
            default: list.jump(to: key)
            }
        }
        let call = try #require(stage.source.pendingCalls.first)
        let older = stage.table.answer(to: call.request)
        let row = try #require(Int(key))
        stage.table.pages.items[row].text = "changed"
        stage.after { $0.refresh(.page("40")) }
        _ = stage.newKeys()
        stage.source.answer(call, with: older)
        stage.settle()
        #expect(stage.newKeys() == [key])
        #expect(stage.list.snapshot.first { $0.id == row }?.text == "changed")
        #expect(Set(stage.ids) == Set(40..<50).union(row..<row + 10) && stage.complaints == [])
        #expect(stage.list.snapshot.gaps == (key == "80" ? [10] : []))
        #expect(stage.list.status.refresh == .idle)
        #expect(stage.list.status.next == .idle && stage.list.status.previous == .idle)
        if key == "80" { #expect(stage.updates.last?.anchor.map { stage.ids[$0] } == row) }
    }

    @Test func `a stale page that is shown while it loads is requested where it lies after a removal above`() throws {
        let stage = ListStage { $0.policy = .staleWhileRevalidate }
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.paginator.invalidate(.all)
        stage.after { $0.reset() }
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: "2")
        stage.after { $0.loadNext() }
        #expect(stage.ids == [0, 1, 2, 3] && stage.list.status.next.isLoading)
        let call = try #require(stage.source.pendingCalls.first)
        let older = stage.table.answer(to: call.request)
        stage.table.pages.items[2].text = "changed"
        stage.table.pages.remove(0..<1)
        stage.after { $0.edits.remove(0) }
        _ = stage.newKeys()
        stage.source.answer(call, with: older)
        stage.settle()
        #expect(stage.newKeys() == ["1"])
        #expect(stage.ids == [1, 2, 3] && stage.list.snapshot.gaps == [])
        #expect(stage.list.snapshot[1].text == "changed")
        #expect(stage.list.status.next == .idle && stage.list.status.refresh == .idle)
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["3"])
        #expect(stage.ids == stage.firstRows(5) && stage.complaints == [])
    }
}

import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Jumps to a page that the window has dropped, which takes the place of those that were dropped between it and the
/// first loaded one.
@Suite struct ListDroppedJumpTests {
    /// A list of the rows 30..<50, whose window has dropped three pages above them.
    private func stage() -> ListStage {
        let stage = ListStage(count: 80, pageSize: 10) { $0.windowItems = 20 }
        for _ in 0..<5 { stage.after { $0.loadNext() } }
        _ = stage.newKeys()
        return stage
    }

    private func clear(_ keys: [String], of stage: ListStage) {
        for key in keys { stage.paginator.clear(key: key) }
        stage.settle()
    }

    @Test func `a dropped page that was on its way back when a jump went past it does not come out of order`() {
        let stage = stage()
        clear(["20"], of: stage)
        stage.source.script([.hang], forKey: "20")
        stage.after { $0.loadPrevious() }
        #expect(stage.newKeys() == ["20"])
        stage.after { $0.jump(to: "10") }
        #expect(stage.list.status.previous == .idle)
        for call in stage.source.pendingCalls {
            stage.source.answer(call, with: stage.table.answer(to: call.request))
            stage.settle()
        }
        #expect(stage.ids == Array(10..<20) + Array(30..<40) && stage.list.snapshot.gaps == [10])
        stage.after { $0.loadPrevious() }
        #expect(stage.ids.prefix(20) == Array(0..<20)[...] && stage.complaints == [])
    }

    @Test func `a page dropped farther up stands before a gap if the page of the jump is much older`() {
        let stage = stage()
        clear(["0", "10"], of: stage)
        // For a while one row less is above the page of the jump.
        let table = stage.table.pages
        stage.table.pages.remove(3..<4)
        stage.after { $0.jump(to: "10") }
        #expect(stage.ids.prefix(10) == Array(11..<21)[...])
        stage.table.pages = table
        stage.clock.advance(by: .minutes(2))
        stage.settle()
        stage.after { $0.hint(visible: 0..<3) }
        stage.after { $0.loadPrevious() }
        #expect(stage.ids.prefix(20) == (Array(0..<10) + Array(11..<21))[...])
        #expect(stage.list.snapshot.gaps.first == 10 && stage.complaints == [])
        stage.after { $0.fillGap(at: 10) }
        #expect(stage.ids.prefix(20) == Array(0..<20)[...] && stage.complaints == [])
    }

    @Test func `a list that begins again after such a jump does so once more when it has one page more`() {
        let stage = stage()
        stage.after { $0.jump(to: "10") }
        // It has the pages 10 and 30, and two that were dropped.
        #expect(stage.ids == Array(10..<20) + Array(30..<40))
        #expect(stage.list.engine.machine.invariantViolations() == [])
        clear(["40"], of: stage)
        for key in ["40", "50"] { stage.source.script([.fail(.keyExpired(ListTrouble())).insideFetch], forKey: key) }
        stage.after { $0.loadNext() }
        #expect(stage.ids == Array(0..<10))
        for _ in 0..<4 { stage.after { $0.loadNext() } }
        #expect(stage.ids.last == 49 && stage.list.status.next == .idle)
        stage.after { $0.loadNext() }
        #expect(stage.list.status.next == .idle && stage.ids == Array(0..<10))
        #expect(stage.updates.flatMap(\.notices).filter { $0 == .restarted }.count == 2)
    }
}

import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorLists

@Suite("Rows that the server takes back")
struct ListVanishedRowTests {
    @Test(arguments: [false, true])
    func `a live row that has vanished leaves no item out above a page that is refreshed with the first`(
        isFirstSlow: Bool
    ) throws {
        let stage = ListStage(count: 60, pageSize: 10)
        stage.after { $0.loadNext() }
        stage.clock.advance(by: .seconds(5))
        stage.insertLive(1)
        // Nobody tells the list that it has gone, and another one with it.
        stage.table.pages.remove(0..<2)
        stage.clock.advance(by: .seconds(5))
        stage.after { $0.jump(to: "30") }
        #expect(stage.ids.suffix(10) == Array(31..<41)[...])
        // The page that is looked at is asked for first, and comes first or last.
        stage.after { $0.hint(visible: 12..<18) }
        stage.source.script([.hang], forKey: "30")
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.refresh(.keepingPlace) }
        #expect(stage.source.pendingCalls.map(\.request.key) == ["30", "0"])
        for key in isFirstSlow ? ["30", "0"] : ["0", "30"] { try stage.answer(key) }
        for _ in 0..<12 {
            guard let gap = stage.list.snapshot.gaps.first else { break }
            stage.after { $0.fillGap(at: gap, fromEnd: true) }
        }
        #expect(stage.ids == Array(1..<41) && stage.list.snapshot.gaps == [])
        stage.loadToTheEnd()
        #expect(stage.ids == Array(1..<60) && stage.list.snapshot.gaps == [])
    }
}

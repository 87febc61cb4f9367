import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Lists over a source that is addressed by page number, which load a page above others after a row was added above: a
/// gap tells of the row that has moved to the number of the page below.
@Suite struct ListUpwardNumberTests {
    /// Shows 40..<50.
    private func stage() -> ListStage {
        let stage = ListStage(count: 60, style: .number, pageSize: 10) {
            $0.addressing = .pageNumber()
            $0.initialKey = "5"
        }
        stage.after { $0.loadNext() }
        stage.clock.advance(by: .seconds(5))
        return stage
    }

    @Test(arguments: [false, true])
    func `a row that came above since the page below was loaded leaves no item out`(isInFlight: Bool) throws {
        let stage = stage()
        if isInFlight {
            stage.source.script([.hang], forKey: "4")
            stage.after { $0.loadPrevious() }
        }
        stage.insertLive(1)
        if isInFlight { try stage.answer() } else { stage.after { $0.loadPrevious() } }
        #expect(stage.ids == Array(29..<39) + Array(40..<50) && stage.list.snapshot.gaps == [10])
        for gap in stage.list.snapshot.gaps { stage.after { $0.fillGap(at: gap) } }
        #expect(stage.ids == Array(29..<49) && stage.list.snapshot.gaps == [])
        // Whether a page that was in flight counts the row is unknown, so a gap tells of it once more.
        for _ in 0..<9 {
            if let gap = stage.list.snapshot.gaps.first {
                stage.after { $0.fillGap(at: gap) }
            } else if stage.list.status.hasPrevious {
                stage.after { $0.loadPrevious() }
            }
        }
        stage.loadToTheEnd()
        #expect(stage.ids == stage.firstRows(61) && stage.list.snapshot.gaps == [])
    }

    @Test func `nor does it from a list that is created later`() {
        let stage = stage()
        stage.insertLive(1)
        stage.after { $0.loadPrevious() }
        let other = stage.makeOtherList {
            $0.addressing = .pageNumber()
            $0.initialKey = "4"
        }
        for _ in 0..<2 {
            other.loadNext()
            stage.settle()
        }
        #expect(other.snapshot.map(\.id) == Array(29..<49) && other.snapshot.gaps == [])
    }

    @Test func `a row that came long after two pages were cached opens no gap between them`() {
        let stage = stage()
        stage.after { $0.loadPrevious() }
        stage.clock.advance(by: .seconds(600))
        let other = stage.makeOtherList {
            $0.addressing = .pageNumber()
            $0.initialKey = "5"
        }
        other.loadNext()
        stage.settle()
        stage.table.pages.insert(1)
        other.insertLive([stage.table.pages.items[0]])
        stage.settle()
        other.loadPrevious()
        stage.settle()
        #expect(other.snapshot.map(\.id) == Array(30..<50) && other.snapshot.gaps == [])
    }

    @Test func `a row that came at the end opens no gap after the list has begun again`() throws {
        let stage = stage()
        stage.table.pages.insert(1, at: 60)
        stage.after { $0.insertLive([SampleItem(id: 60, text: "")], at: .tail) }
        stage.clock.advance(by: .seconds(5))
        try stage.list.restore(PaginatorListBookmark(scope: "", pageSize: 10, keys: ["5"], page: 0, item: 0))
        stage.settle()
        stage.after { $0.loadNext() }
        #expect(stage.ids.prefix(20) == Array(40..<60)[...] && stage.list.snapshot.gaps == [])
    }

    @Test(arguments: [PaginatorRowPlace<Int>.tail, .after(45)])
    func `a row that came below moves nothing above`(_ place: PaginatorRowPlace<Int>) {
        let stage = stage()
        stage.table.pages.insert(1, at: place == .tail ? 60 : 46)
        stage.after { $0.insertLive([SampleItem(id: 60, text: "")], at: place) }
        stage.after { $0.loadPrevious() }
        #expect(stage.ids.prefix(16) == Array(30..<46)[...] && stage.list.snapshot.gaps == [])
    }
}

import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Thousands of live rows: what one of them costs does not grow with how many there are. Counted, not timed.
@Suite struct ListLiveRowsTests {
    private func stage(window: Int? = nil, count: Int = 200) -> ListStage {
        let stage = ListStage(count: count, pageSize: 10) { $0.windowItems = window }
        for _ in 0..<4 { stage.after { $0.loadNext() } }
        return stage
    }

    private func work(_ stage: ListStage, _ body: (PaginatorList<SampleItem, Int>) -> Void) -> Int {
        let before = stage.list.snapshot.rows
        body(stage.list)
        return stage.list.snapshot.rows.newParts(since: before)
    }

    private func items(_ range: Range<Int>) -> [SampleItem] { range.map { SampleItem(id: $0, text: "") } }

    @Test(arguments: [PaginatorRowPlace<Int>.head, .tail])
    func `the four thousandth live row costs about what the hundredth does`(place: PaginatorRowPlace<Int>) {
        let stage = place == .tail ? ListStage(count: 5, pageSize: 10) : stage()
        if place == .tail { stage.after { $0.loadNext() } }
        let shown = stage.ids.count
        var (early, late) = (0, 0)
        for number in 0..<4_000 {
            let insert = { (list: PaginatorList<SampleItem, Int>) in
                list.insertLive(items(1_000 + number..<1_001 + number), at: place)
            }
            switch number {
            case 50..<150: early += work(stage, insert)
            case 3_900...: late += work(stage, insert)
            default: insert(stage.list)
            }
        }
        stage.settle()
        #expect(stage.ids.count == shown + 4_000)
        #expect(early > 0 && late <= early * 3, "\(early) for a hundred rows at first, \(late) at last")
    }

    @Test(arguments: [PaginatorRowPlace<Int>.head, .tail, .after(3)])
    func `many live rows in one call cost about as much each as one`(place: PaginatorRowPlace<Int>) {
        let stage = place == .tail ? ListStage(count: 5, pageSize: 10) : stage()
        if place == .tail { stage.after { $0.loadNext() } }
        let few = work(stage) { $0.insertLive(items(1_000..<1_100), at: place) }
        let many = work(stage) { $0.insertLive(items(2_000..<5_000), at: place) }
        stage.settle()
        #expect(few > 0 && many <= few * 30 * 4, "\(few) for 100, \(many) for 3,000")
        #expect(stage.ids.filter { $0 >= 1_000 }.count == 3_100)
    }

    @Test func `a page that brings live rows costs what the page does`() {
        let stage = stage()
        stage.list.insertLive(items(1_000..<4_000))
        stage.settle()
        let one = work(stage) { $0.insertLive([SampleItem(id: 2_000, text: "newer")]) }
        #expect(one <= 400, "\(one)")
        #expect(stage.list.snapshot.first { $0.id == 2_000 }?.text == "newer")
        let gone = work(stage) { $0.edits.remove(1_500) }
        #expect(gone <= 400, "\(gone)")
        #expect(!stage.ids.contains(1_500))
    }

    @Test func `what observers are told of live rows names them and nothing else`() {
        let stage = stage()
        var mirror = stage.ids
        stage.list.insertLive(items(1_000..<1_500))
        stage.settle()
        stage.updates = []
        mirror = stage.ids
        stage.after { $0.insertLive(items(5_000..<5_003)) }
        let difference = stage.updates.reduce(into: [PaginatorListDifference<SampleItem>]()) {
            $0.append($1.difference)
        }
        #expect(difference.flatMap { $0.removals }.isEmpty)
        #expect(difference.flatMap { $0.insertions.map(\.items.count) }.reduce(0, +) == 3)
        #expect(stage.ids == [5_002, 5_001, 5_000] + mirror)
    }

    @Test func `live rows and pages together keep to the window`() {
        let stage = stage(window: 40)
        stage.after { $0.hint(visible: 0..<5) }
        for number in 0..<50 {
            stage.list.insertLive(items(1_000 + number * 10..<1_010 + number * 10))
        }
        stage.settle()
        // What is looked at stays, what is far above is counted.
        #expect(stage.ids.contains(0))
        #expect(stage.list.snapshot.count <= 100)
        #expect(stage.list.status.newAbove + stage.list.snapshot.filter { $0.id >= 1_000 }.count == 500)
        // It is all there for who scrolls up, in order.
        for _ in 0..<200 where stage.list.status.newAbove > 0 {
            stage.after { $0.hint(visible: 0..<5) }
            stage.after { $0.loadPrevious() }
        }
        #expect(stage.list.status.newAbove == 0)
        #expect(stage.list.snapshot.first?.id == 1_499)
        let live = stage.ids.filter { $0 >= 1_000 }
        #expect(live == live.sorted(by: >))
    }

    @Test func `live rows at the tail that the window has no room for are counted until the user scrolls there`() {
        let stage = stage(window: 40, count: 40)
        stage.after { $0.hint(visible: 0..<5) }
        for number in 0..<50 {
            stage.list.insertLive(items(1_000 + number * 10..<1_010 + number * 10), at: .tail)
        }
        stage.settle()
        #expect(stage.ids.prefix(40).elementsEqual(0..<40))
        #expect(stage.ids.count <= 100)
        #expect(stage.list.status.newBelow + stage.ids.count { $0 >= 1_000 } == 500)
        for _ in 0..<200 where stage.list.status.newBelow > 0 {
            stage.after { $0.hint(visible: stage.ids.count - 5..<stage.ids.count) }
            stage.after { $0.loadNext() }
        }
        #expect(stage.list.status.newBelow == 0)
        #expect(stage.ids.filter { $0 >= 1_000 } == Array(1_000..<1_500))
    }

    @Test(arguments: [PaginatorRowPlace<Int>.head, .tail])
    func `after the outermost of many live rows has gone the next one is the outermost`(
        _ place: PaginatorRowPlace<Int>
    ) {
        let stage = ListStage(count: 5, pageSize: 10)
        stage.after { $0.loadNext() }
        // They are kept by 32; the last one begins a fourth group.
        stage.after { $0.insertLive(items(1_000..<1_097), at: place) }
        stage.after { $0.edits.remove(1_096) }
        stage.after { $0.insertLive(items(2_000..<2_001), at: place) }
        let (live, pages) = (Array(1_000..<1_096) + [2_000], Array(0..<5))
        let shown: [Int] = place == .head ? Array(live.reversed()) + pages : pages + live
        #expect(stage.ids == shown)
    }

    @Test func `who goes to the start of rows that edits have all removed sees them when the edits are rolled back`() {
        let stage = ListStage(count: 10, pageSize: 10) { $0.windowItems = 20 }
        stage.after { $0.loadNext() }
        stage.after { $0.hint(visible: 0..<5) }
        stage.after { $0.insertLive(items(1_000..<1_060)) }
        #expect(stage.list.status.newAbove > 0)
        let all = Array(0..<10) + Array(1_000..<1_060)
        let edits = all.map { id in stage.list.edits.begin(id) { _ in nil } }
        stage.settle()
        #expect(stage.ids == [])
        stage.after { $0.jump(to: "0", placement: .start) }
        #expect(stage.list.status.newAbove == 0)
        for edit in edits { edit.rollBack() }
        stage.settle()
        #expect(Set(stage.ids) == Set(all) && stage.ids.count == 70)
    }

    @Test func `a page's worth of hidden rows is shown at once when the user is at the top`() {
        let stage = ListStage(count: 200, pageSize: 50) { $0.windowItems = 100 }
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.after { $0.hint(visible: 0..<5) }
        stage.after { $0.insertLive(items(1_000..<1_200)) }
        let hidden = stage.list.status.newAbove
        #expect(hidden > 100)
        stage.after { $0.hint(visible: 0..<5) }
        stage.after { $0.loadPrevious() }
        #expect(hidden - stage.list.status.newAbove >= 50)
    }
}

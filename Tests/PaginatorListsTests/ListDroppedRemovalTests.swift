import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Lists with a window over a source that is addressed by offset, in which a removal is committed when pages that may
/// count it already were dropped: no row is missing once they are back.
@Suite struct ListDroppedRemovalTests {
    /// A list in whose first page a row is being removed, and whose window has had more pages since the second.
    ///
    /// - Parameter isCounted: whether the server has removed the row before those pages were loaded, or since.
    private func removed(isCounted: Bool, pages: Int) -> (ListStage, PaginatorEdit<SampleItem>) {
        let stage = ListStage(count: 60, pageSize: 10) { $0.windowItems = 20 }
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        let removal = stage.list.edits.begin(5) { _ in nil }
        stage.settle()
        if isCounted { stage.table.pages.remove(5..<6) }
        for _ in 2..<pages { stage.after { $0.loadNext() } }
        if !isCounted { stage.table.pages.remove(5..<6) }
        return (stage, removal)
    }

    private func scrollUp(_ stage: ListStage) {
        for _ in 0..<8 where stage.list.status.previous != .endReached {
            stage.after { $0.hint(visible: 0..<3) }
            stage.after { $0.loadPrevious() }
            #expect(stage.complaints == [])
        }
    }

    @Test(arguments: [true, false])
    func `a page dropped below that may count a removal skips no item when it comes back`(isCounted: Bool) {
        let (stage, removal) = removed(isCounted: isCounted, pages: 3)
        stage.after { $0.hint(visible: 0..<3) }
        stage.after { $0.loadPrevious() }
        #expect(stage.ids == Array(0..<20).filter { $0 != 5 })
        stage.after { _ in removal.commit() }
        for _ in 0..<8 where stage.list.status.next != .endReached {
            stage.after { $0.hint(visible: stage.ids.count - 3..<stage.ids.count) }
            stage.after { $0.loadNext() }
            #expect(stage.complaints == [] && stage.list.snapshot.gaps == [])
        }
        #expect(stage.ids.last == 59)
    }

    @Test(arguments: [true, false], [3, 4, 5])
    func `a page that may count a removal skips no item when those dropped above it come back`(
        isCounted: Bool, pages: Int
    ) {
        let (stage, removal) = removed(isCounted: isCounted, pages: pages)
        stage.after { _ in removal.commit() }
        #expect(stage.complaints == [])
        scrollUp(stage)
        #expect(stage.ids.first == 0)
    }

    @Test func `a removal on a loaded page costs no request for a page that was dropped above it`() {
        let stage = ListStage(count: 80, pageSize: 10) { ($0.windowItems, $0.initialKey) = (30, "20") }
        stage.after { $0.loadNext() }
        let removal = stage.list.edits.begin(25) { _ in nil }
        stage.settle()
        stage.after { $0.loadPrevious() }
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(20..<50).filter { $0 != 25 })
        stage.table.pages.remove(25..<26)
        stage.after { _ in removal.commit() }
        _ = stage.newKeys()
        stage.after { $0.hint(visible: 0..<3) }
        stage.after { $0.loadPrevious() }
        #expect(stage.newKeys() == [] && stage.ids.first == 10 && stage.complaints == [])
    }

    @Test func `such a page stands behind a gap if it could not be loaded again`() {
        let (stage, removal) = removed(isCounted: true, pages: 4)
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "19")
        stage.after { _ in removal.commit() }
        stage.after { $0.hint(visible: 0..<3) }
        stage.after { $0.loadPrevious() }
        #expect(stage.ids.first == 10 && stage.list.snapshot.gaps == [10] && stage.complaints == [])
        stage.after { $0.fillGap(at: 10) }
        #expect(stage.ids.prefix(20) == Array(10..<30)[...] && stage.complaints == [])
    }

    @Test func `a page between others that may count a removal skips no item when it comes back with those above it`() {
        let stage = ListStage(count: 80, pageSize: 10) { $0.windowItems = 20 }
        stage.after { $0.loadNext() }
        let removal = stage.list.edits.begin(5) { _ in nil }
        stage.settle()
        stage.table.pages.remove(5..<6)
        stage.after { $0.jump(to: "20") }
        #expect(stage.list.snapshot.gaps == [9])
        stage.after { $0.fillGap(at: 9, fromEnd: true) }
        stage.after { $0.loadNext() }
        #expect(stage.ids == Array(21..<41))
        stage.after { _ in removal.commit() }
        #expect(stage.complaints == [])
        scrollUp(stage)
        #expect(stage.ids.first == 0)
    }

    @Test func `a row on a page dropped above that is removed twice moves the next key once`() {
        let stage = ListStage(count: 80, pageSize: 10) { $0.windowItems = 20 }
        stage.after { $0.loadNext() }
        let removals = (0..<2).map { _ in stage.list.edits.begin(3) { _ in nil } }
        stage.settle()
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(20..<40))
        stage.table.pages.remove(3..<4)
        for removal in removals { stage.after { _ in removal.commit() } }
        _ = stage.newKeys()
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["39"] && stage.complaints == [])
    }

    @Test(arguments: [true, false])
    func `a removed live row leaves the item that it followed on its dropped page`(isAbove: Bool) {
        let stage = ListStage(count: 60, pageSize: 10) { $0.windowItems = 20 }
        for _ in 0..<(isAbove ? 2 : 3) { stage.after { $0.loadNext() } }
        // The item at which the dropped page joins the one that stays.
        let anchor = isAbove ? 9 : 20
        stage.table.pages.insert(1, at: anchor + 1)
        let row = stage.table.pages.items[anchor + 1]
        stage.after { $0.insertLive([row], at: .after(anchor)) }
        stage.after { isAbove ? $0.loadNext() : $0.loadPrevious() }
        #expect(!stage.ids.contains(anchor))
        stage.table.pages.remove(anchor + 1..<anchor + 2)
        stage.after { $0.edits.remove(row.id) }
        stage.after { isAbove ? $0.loadPrevious() : $0.loadNext() }
        #expect(stage.ids.contains(anchor) && stage.list.snapshot.gaps == [] && stage.complaints == [])
    }
}

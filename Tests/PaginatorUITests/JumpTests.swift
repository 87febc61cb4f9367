import PaginatorAsync
import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorLists
@testable import PaginatorUI

/// Where the rows of the screen are after a jump, a restored place and another search.
@MainActor @Suite struct JumpTests {
    private typealias Memory = ScreenMemory<SampleItem, Int>

    private func adapter(_ stage: ShelfStage, _ view: FakeRowsView) -> PaginatorListAdapter<SampleItem, Int> {
        let adapter = PaginatorListAdapter(stage.list, view)
        stage.run()
        return adapter
    }

    private func bookmark(of stage: ShelfStage) throws -> PaginatorListBookmark {
        let found = Guarded<PaginatorListBookmark?>(nil)
        stage.run { stage.list.bookmark { bookmark in found.withLock { $0 = bookmark } } }
        let bookmark = found.withLock { $0 }
        return try #require(bookmark)
    }

    /// A bookmark of a list whose first visible item is 25, on a page of its own.
    private func bookmark() throws -> PaginatorListBookmark {
        let stage = ShelfStage(0..<100)
        stage.load(40)
        stage.run { stage.list.hint(visible: 25..<30) }
        return try bookmark(of: stage)
    }

    /// An adapter of a view without a layout, whose list then goes back to the bookmark.
    private func restoredBeforeLayout(
        _ stage: ShelfStage, _ view: FakeRowsView
    ) throws -> PaginatorListAdapter<SampleItem, Int> {
        view.height = 0
        let adapter = adapter(stage, view)
        let bookmark = try bookmark()
        try stage.list.restore(bookmark)
        stage.run()
        return adapter
    }

    private func beginsAt(_ id: Int, _ view: FakeRowsView) -> Bool {
        view.screen.first.map { $0.id == id && $0.top == 0 } ?? false
    }

    @Test func `a view goes to the page of a jump, loaded or not, and stays where somebody scrolls after it`() {
        let stage = ShelfStage(0..<1_000) { $0.addressing = .offset }
        stage.load(30)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        stage.run { stage.list.jump(to: "500") }
        #expect(beginsAt(500, view))
        stage.run { stage.list.jump(to: "10") }
        #expect(beginsAt(10, view))
        view.offset = view.top(20) + 7
        stage.run { adapter.rowsDidMove() }
        let before = view.screen
        stage.run { stage.list.insertLive([SampleItem(id: 2_000, text: "live")]) }
        #expect(view.screen.elementsEqual(before, by: ==))
    }

    @Test func `a jump beyond the window shows its page, although the rows that were on the screen are dropped`() {
        let stage = ShelfStage(0..<1_000) { ($0.addressing, $0.windowItems) = (.offset, 30) }
        stage.load(30)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        view.offset = view.top(2)
        stage.run { adapter.rowsDidMove() }
        stage.run { stage.list.jump(to: "500") }
        #expect(!view.ids.contains(2))
        #expect(beginsAt(500, view))
    }

    @Test(arguments: [false, true])
    func `a restored place is what a view shows, and what the next bookmark tells`(isViewFirst: Bool) throws {
        let stage = ShelfStage(0..<100)
        let view = FakeRowsView()
        var adapters: [PaginatorListAdapter<SampleItem, Int>] = []
        if isViewFirst {
            stage.load(10)
            adapters.append(adapter(stage, view))
        }
        let bookmark = try bookmark()
        try stage.list.restore(bookmark)
        stage.run()
        if !isViewFirst { adapters.append(adapter(stage, view)) }
        #expect(beginsAt(25, view))
        let next = try self.bookmark(of: stage)
        #expect(next.keys[next.page] == "20" && next.item == 5)
        withExtendedLifetime(adapters) {}
    }

    @Test func `a view that has no layout yet goes to a restored place with its first one`() throws {
        let (stage, view) = (ShelfStage(0..<100), FakeRowsView())
        let adapter = try restoredBeforeLayout(stage, view)
        view.height = 300
        stage.run { adapter.rowsDidMove() }
        #expect(beginsAt(25, view))
    }

    @Test func `whoever goes to the start before the first layout is not taken to a place restored earlier`() throws {
        let (stage, view) = (ShelfStage(0..<100), FakeRowsView())
        let adapter = try restoredBeforeLayout(stage, view)
        stage.run { adapter.goToStart() }
        view.height = 300
        stage.run { adapter.rowsDidMove() }
        #expect(beginsAt(0, view))
    }

    @Test func `a jump to a row of which a bit is visible at the end of the screen goes there`() {
        let stage = ShelfStage(0..<60)
        stage.load(30)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        view.offset = view.top(10) - view.height + 1
        stage.run { adapter.rowsDidMove() }
        #expect(view.screen.last?.id == 10)
        stage.run { stage.list.jump(to: "10") }
        #expect(beginsAt(10, view))
    }

    @Test func `a loaded row is shown without a load, in whichever section, and one that is not there moves nothing`() {
        let stage = ShelfStage(0..<60)
        stage.load(40)
        let view = FakeRowsView()
        let adapter = PaginatorListAdapter(
            stage.list, view, sections: PaginatorListSections(erasing: { $0.id / 7 }))
        stage.run()
        let calls = stage.shelf.calls
        func show(_ id: Int) -> Bool {
            var isThere = false
            stage.run { isThere = adapter.show(id) }
            return isThere
        }
        #expect(show(25) && beginsAt(25, view))
        #expect(!show(50) && beginsAt(25, view))
        // All of it is on the screen.
        #expect(show(27) && beginsAt(25, view))
        #expect(stage.shelf.calls == calls)
    }

    @Test func `a row behind a bar is not on the screen: it can be shown, and is not what a bookmark tells`() throws {
        let stage = ShelfStage(0..<60)
        stage.load(40)
        let view = FakeRowsView()
        view.barHeight = 100
        let adapter = adapter(stage, view)
        view.offset = view.top(20) - view.barHeight
        stage.run { adapter.rowsDidMove() }
        let bookmark = try bookmark(of: stage)
        #expect(bookmark.keys[bookmark.page] == "20" && bookmark.item == 0)
        stage.run { adapter.show(19) }
        #expect(view.screen.first.map { $0.id == 19 && $0.top == view.barHeight } == true)
    }

    @Test func `rows that are looked at before a view is told of a jump do not end it`() {
        let stage = ShelfStage(0..<60)
        stage.load(60)
        var screen = PaginatorScreen(stage.list.snapshot, stage.list.status)
        stage.run { screen.look(at: 0..<5, in: stage.list) }
        stage.run { stage.list.jump(to: "30") }
        stage.run { screen.look(at: 1..<6, in: stage.list) }
        let scroll = screen.follow(stage.list.snapshot, stage.list.status, anchor: 30)
        #expect(scroll == .goTo(30, at: 30))
        stage.run { screen.look(at: 30..<35, in: stage.list) }
        #expect(stage.list.status.jump == nil)
    }

    @Test func `a jump to the same row after a reset is another one`() {
        let stage = ShelfStage(0..<60)
        stage.load(60)
        var screen = PaginatorScreen(stage.list.snapshot, stage.list.status)
        _ = screen.show(0..<5)
        func follow(_ anchor: Int?) -> PaginatorScreen<SampleItem, Int>.Scroll {
            screen.follow(stage.list.snapshot, stage.list.status, anchor: anchor)
        }
        stage.run { stage.list.jump(to: "30") }
        #expect(follow(30) == .goTo(30, at: 30))
        _ = screen.show(45..<50)
        stage.run { stage.list.reset() }
        #expect(stage.list.status.jump == nil)
        stage.run { stage.list.jump(to: "30") }
        // The view was told of nothing between both.
        #expect(follow(0) == .goToStart)
    }

    @Test func `the retry of a jump that failed is followed, though its place is the start of the list`() {
        let stage = ShelfStage(0..<60) { $0.initialKey = "30" }
        stage.load(10)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        view.offset = view.top(3)
        stage.run { adapter.rowsDidMove() }
        stage.plan.always(.failure())
        stage.run { stage.list.jump(to: "0") }
        stage.plan.heal()
        stage.run { stage.list.retry() }
        #expect(beginsAt(0, view))
    }

    @Test func `rows that stay on the screen while a SwiftUI view goes to the start are visible as well`() {
        let stage = ShelfStage(0..<60) { $0.initialKey = "30" }
        stage.load(10)
        let memory = Memory()
        func follow() { _ = memory.follow(stage.list.snapshot, stage.list.status) }
        func appear(_ ids: Range<Int>) { stage.run { for id in ids { memory.didAppear(id, in: stage.list) } } }
        follow()
        appear(33..<37)
        follow()
        stage.plan.script([.latency(.seconds(1))])
        stage.run { _ = memory.go(to: .start, of: stage.list) }
        follow()
        appear(37..<40)
        #expect(stage.list.snapshot.ids == Array(30..<40))
        stage.run { stage.clock.advance(by: .seconds(1)) }
        follow()
        #expect(memory.takeScroll() == .goToStart)
        stage.run { memory.didScroll(in: stage.list) }
        appear(0..<1)
        #expect(stage.list.snapshot.ids.last == 49)
    }

    @Test func `somebody who scrolls away before the list is told so is not taken back`() {
        let stage = ShelfStage(0..<60)
        stage.load(60)
        var screen = PaginatorScreen(stage.list.snapshot, stage.list.status)
        _ = screen.show(0..<5)
        stage.run { stage.list.jump(to: "30") }
        func follow() -> PaginatorScreen<SampleItem, Int>.Scroll {
            screen.follow(stage.list.snapshot, stage.list.status, anchor: 30)
        }
        #expect(follow() == .goTo(30, at: 30))
        _ = screen.show(45..<50)
        #expect(follow() != .goTo(30, at: 30))
    }

    @Test func `a SwiftUI view scrolls to a jump once, and the list is not told of the rows before it`() {
        let stage = ShelfStage(0..<60)
        stage.load(10)
        let memory = Memory()
        var anchor: Int?
        stage.list.observe(onMain: { anchor = $0.anchor })
        func follow() { _ = memory.follow(stage.list.snapshot, stage.list.status, anchor: anchor) }
        follow()
        stage.run { for id in 0..<5 { memory.didAppear(id, in: stage.list) } }
        follow()
        stage.run { stage.list.jump(to: "30") }
        follow()
        #expect(memory.takeScroll() == .goTo(30, at: 10))
        #expect(memory.takeScroll() == .stay)
        // What SwiftUI does before the view has scrolled.
        stage.run { memory.didScroll(in: stage.list) }
        stage.run { for id in 0..<5 { memory.didDisappear(id, in: stage.list) } }
        #expect(anchor == 10)
        stage.run { for id in 31..<35 { memory.didAppear(id, in: stage.list) } }
        #expect(anchor == 11)
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test func `a SwiftUI view that is made after a place was restored scrolls there when it appears`() throws {
        let stage = ShelfStage(0..<100)
        let bookmark = try bookmark()
        try stage.list.restore(bookmark)
        stage.run()
        let model = PaginatorListModel(stage.list)
        let memory = Memory()
        func follow() { _ = memory.follow(model.items, model.status, anchor: model.anchor) }
        follow()
        // What SwiftUI does before the model's first update.
        stage.run { for id in 20..<25 { memory.didAppear(id, in: stage.list) } }
        follow()
        #expect(memory.takeScroll() == .goTo(25, at: 5))
    }

    @Test func `a SwiftUI view that still shows the gap before a jump after a page without rows fills it further`() {
        let stage = ShelfStage(0..<60)
        stage.load(10)
        stage.run { stage.list.jump(to: "50") }
        stage.shelf.hide(10..<20)
        let memory = Memory()
        func follow() { _ = memory.follow(stage.list.snapshot, stage.list.status) }
        follow()
        stage.run { for id in 5..<10 { memory.didAppear(id, in: stage.list) } }
        // What SwiftUI does: the rows that stay on the screen appear once.
        for _ in 0..<3 {
            follow()
            stage.run { memory.didScroll(in: stage.list) }
        }
        #expect(stage.list.snapshot.ids == Array(0..<10) + Array(20..<30) + Array(50..<60))
    }

    @Test func `another search is shown from its first row, also to somebody who had scrolled in the one before`() {
        let stage = ShelfStage(0..<60)
        stage.load(30)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        view.offset = view.top(15)
        stage.run { adapter.rowsDidMove() }
        stage.shelf.put(100..<160)
        stage.run { stage.list.show(scope: "other") }
        #expect(view.ids == Array(100..<110))
        #expect(beginsAt(100, view))
    }

    @Test func `a refresh that leaves no row of the screen shows the first one, unless it was of a page with others`() {
        let stage = ShelfStage(0..<60)
        stage.load(60)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        func refresh(_ refresh: PaginatorListRefresh) {
            stage.plan.script([.latency(.seconds(1))])
            stage.run { stage.list.refresh(refresh) }
            stage.run { stage.clock.advance(by: .seconds(1)) }
        }
        view.offset = view.top(42)
        stage.run { adapter.rowsDidMove() }
        let offset = view.offset
        stage.shelf.put(Array(0..<40) + Array(140..<150) + Array(50..<60))
        refresh(.page("40"))
        #expect(view.screen.first?.id == 142 && view.offset == offset)
        refresh(.all)
        #expect(view.ids == Array(0..<10))
        #expect(beginsAt(0, view))
    }

    @Test(arguments: [false, true])
    func `rows after a reset are shown from the first one, also to who scrolled in placeholders`(isSwitch: Bool) {
        let stage = ShelfStage(0..<60)
        stage.load(30)
        let memory = Memory()
        func follow() -> Int { memory.follow(stage.list.snapshot, stage.list.status) }
        _ = follow()
        stage.run { for id in 20..<25 { memory.didAppear(id, in: stage.list) } }
        stage.plan.script([.latency(.seconds(1))])
        stage.run { isSwitch ? stage.list.show(scope: "other", keepsItems: false) : stage.list.reset() }
        let empty = follow()
        #expect(memory.firstID == nil)
        _ = memory.takeScroll()
        stage.run { stage.list.loadNext() }
        #expect(follow() == empty)
        // Meanwhile the reader may scroll in the placeholders.
        stage.run { stage.clock.advance(by: .seconds(1)) }
        #expect(follow() == empty + 1)
        #expect(memory.takeScroll() == .goToStart)
        #expect(follow() == empty + 1)
    }
}

// Long because one stage of a view and a list serves every promise of the adapters.
import Foundation
import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@testable import PaginatorUI

@MainActor @Suite struct PaginatorListAdapterTests {
    private func adapter(_ stage: ShelfStage, _ view: FakeRowsView) -> PaginatorListAdapter<SampleItem, Int> {
        let adapter = PaginatorListAdapter(stage.list, view)
        stage.run()
        return adapter
    }

    private func name(_ adapter: PaginatorListAdapter<SampleItem, Int>) -> String {
        switch adapter.state {
        case .placeholder: "placeholder"
        case .items: "items"
        case .empty: "empty"
        case .failed: "failed"
        }
    }

    /// Scrolls to where a row's top is at the top of the screen, and a bit further.
    private func scroll(
        _ view: FakeRowsView, to row: Int, plus points: Double = 0, _ adapter: PaginatorListAdapter<SampleItem, Int>,
        _ stage: ShelfStage
    ) {
        view.offset = view.top(row) + points
        stage.run { adapter.rowsDidMove() }
    }

    @Test func `rows are appended as the end comes on the screen, and nothing moves`() {
        let stage = ShelfStage(0..<35)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        stage.run { stage.list.loadNext() }
        #expect(view.ids == Array(0..<10))
        scroll(view, to: 5, plus: 7, adapter, stage)
        let before = view.screen
        #expect(view.ids == Array(0..<20))
        #expect(view.screen.prefix(before.count).elementsEqual(before, by: ==))
        for row in [15, 25, 30] { scroll(view, to: row, adapter, stage) }
        #expect(view.ids == Array(0..<35))
        #expect(adapter.items.ids == view.ids)
        #expect(view.configured.values.allSatisfy { $0 == 1 })
    }

    @Test func `somebody who scrolls through rows that the view has made long ago gets to the end of the list`() async {
        let stage = ShelfStage(0..<60) { ($0.pageSize, $0.prefetchDistance) = (30, 15) }
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        stage.run { stage.list.loadNext() }
        for _ in 0..<4 { view.offset += 250 }
        // What the main actor was asked for before has been done after this.
        await Task {}.value
        stage.run()
        #expect(view.ids.count == 60)
        #expect(adapter.items.count == 60)
    }

    @Test func `pages that come above leave every row on the screen where it is`() {
        let stage = ShelfStage(0..<100) { $0.initialKey = "50" }
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        stage.run { stage.list.loadNext() }
        // The first row is on the screen, so the page before it is wanted at once.
        #expect(view.ids.first == 40)
        #expect(view.screen.first.map { $0.id == 50 && $0.top == 0 } == true)
        scroll(view, to: 3, plus: 13, adapter, stage)
        let before = view.screen
        stage.run { stage.list.loadPrevious() }
        #expect(view.ids.first == 30)
        #expect(view.screen.elementsEqual(before, by: ==))
        #expect(adapter.newAbove == 0)
    }

    @Test func `a refresh that moves rows above the screen leaves the screen as it is`() {
        let stage = ShelfStage(0..<40)
        stage.load(40)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        #expect(view.ids == Array(0..<40))
        scroll(view, to: 20, plus: 9, adapter, stage)
        let before = view.screen
        // 3 goes behind the screen, 35 above it, 5 is gone, 100 and 101 are new.
        var ids = Array(0..<40).filter { ![3, 35, 5].contains($0) }
        ids.insert(35, at: 2)
        ids.insert(3, at: 33)
        stage.shelf.put([100, 101] + ids)
        stage.run { stage.list.refresh(.keepingPlace) }
        #expect(view.ids == stage.list.snapshot.ids)
        #expect(view.ids.first == 100)
        #expect(view.screen.elementsEqual(before, by: ==))
    }

    @Test func `of rows on the screen one that moved by itself is not what the screen follows`() {
        let stage = ShelfStage(0..<30)
        stage.load(30)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        scroll(view, to: 10, adapter, stage)
        // The first visible row becomes the first of all.
        stage.shelf.put([10] + Array(0..<30).filter { $0 != 10 })
        let second = view.screen[1]
        stage.run { stage.list.refresh(.keepingPlace) }
        #expect(view.ids.first == 10)
        #expect(view.screen.contains { $0 == second })
    }

    @Test func `at the start new rows show, further down they are counted until somebody scrolls there`() {
        let stage = ShelfStage(0..<30)
        stage.load(30)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        stage.run { stage.list.insertLive([SampleItem(id: 100, text: "live")]) }
        #expect(view.screen.first?.id == 100)
        #expect(adapter.newAbove == 0)

        scroll(view, to: 10, adapter, stage)
        let before = view.screen
        stage.run { stage.list.insertLive([101, 102].map { SampleItem(id: $0, text: "live") }) }
        #expect(view.screen.elementsEqual(before, by: ==))
        #expect(adapter.newAbove == 2)
        scroll(view, to: 1, adapter, stage)
        #expect(adapter.newAbove == 1)
        stage.run { adapter.goToStart() }
        #expect(adapter.newAbove == 0)
        #expect(view.offset == 0)
    }

    @Test func `while the first rows are behind a bar, new ones move nothing on the screen and are counted`() {
        let stage = ShelfStage(0..<30)
        stage.load(30)
        let view = FakeRowsView()
        view.barHeight = 100
        let adapter = adapter(stage, view)
        scroll(view, to: 2, plus: -view.barHeight, adapter, stage)
        let before = view.screen
        #expect(before.first?.id == 2)
        stage.run { stage.list.insertLive([SampleItem(id: 100, text: "live")]) }
        #expect(view.screen.elementsEqual(before, by: ==))
        #expect(adapter.newAbove == 1)
    }

    @Test(arguments: [3, 10])
    func `new rows that a refresh brings above the screen are counted, also if as many others are gone`(count: Int) {
        let stage = ShelfStage(0..<60)
        stage.load(30)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        scroll(view, to: 20, adapter, stage)
        let (before, new) = (view.screen, Array(100..<100 + count))
        stage.shelf.put(new + Array(0..<60))
        stage.run { stage.list.refresh(.firstPage) }
        #expect(view.ids.prefix(10).elementsEqual((new + Array(0..<10)).prefix(10)))
        #expect(view.screen.elementsEqual(before, by: ==))
        #expect(adapter.newAbove == count)
        scroll(view, to: 1, adapter, stage)
        #expect(adapter.newAbove == 1)
    }

    @Test func `live rows above a start that is not loaded are counted, and showing the start loads it`() {
        let stage = ShelfStage(0..<60) { $0.initialKey = "30" }
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        stage.run { stage.list.loadNext() }
        scroll(view, to: 12, adapter, stage)
        stage.shelf.put([100] + Array(0..<60))
        stage.run { stage.list.insertLive([SampleItem(id: 100, text: "live")]) }
        #expect(adapter.newAbove == 1)
        #expect(!view.ids.contains(100))
        stage.plan.always(.failure())
        stage.run { adapter.goToStart() }
        #expect(adapter.newAbove == 1)
        stage.plan.heal()
        let before = view.screen
        stage.run { stage.list.retry() }
        // Who asked and got an error has gone on with what is on the screen.
        #expect(view.screen.elementsEqual(before, by: ==))
        scroll(view, to: 12, adapter, stage)
        stage.run { adapter.goToStart() }
        #expect(view.screen.first?.id == 100)
        #expect(view.ids.prefix(4).elementsEqual([100, 0, 1, 2]))
        #expect(adapter.newAbove == 0)
    }

    @Test
    func `a gap that comes on the screen is filled from the end that somebody comes from, until nothing is missing`() {
        let stage = ShelfStage(0..<40)
        stage.load(10)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        // The view goes there, to below the gap: what is missing comes above the screen, which stays where it is.
        stage.run { stage.list.jump(to: "30") }
        #expect(view.ids == Array(0..<10) + Array(20..<40))
        #expect(view.screen.first?.id == 30)
        // They are not new.
        #expect(adapter.newAbove == 0)
        scroll(view, to: 2, adapter, stage)
        #expect(stage.list.snapshot.gaps == [10])
        // From above, with the last row before the gap on the screen.
        scroll(view, to: 6, adapter, stage)
        #expect(view.ids == Array(0..<40))
        #expect(stage.list.snapshot.gaps.isEmpty)
    }

    @Test func `who sees the end gets the rows behind a page that has only known ones`() {
        let stage = ShelfStage(0..<60)
        stage.load(20)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        stage.shelf.put(Array(100..<110) + Array(0..<60))
        scroll(view, to: 15, adapter, stage)
        #expect(view.ids == Array(0..<30))
    }

    @Test func `behind an end that is seen, pages without new rows are not loaded for ever`() {
        let stage = ShelfStage(0..<2_000) { $0.maxEmptyPages = 0 }
        stage.load(20)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        stage.shelf.hide(20..<2_000)
        scroll(view, to: 15, adapter, stage)
        #expect(adapter.status.hasNext && stage.shelf.calls < 40)
        let calls = stage.shelf.calls
        for _ in 0..<3 { stage.run { adapter.rowsDidMove() } }
        #expect(stage.shelf.calls == calls)
    }

    @Test func `a gap whose filling failed waits for a retry`() {
        let stage = ShelfStage(0..<60)
        stage.load(10)
        let view = FakeRowsView()
        stage.run { stage.list.jump(to: "40") }
        stage.run { stage.list.hint(visible: 0..<5) }
        let adapter = adapter(stage, view)
        stage.plan.always(.failure())
        scroll(view, to: 6, adapter, stage)
        #expect(adapter.status.gaps.values.first?.error != nil)
        stage.plan.heal()
        for row in [5, 6, 7] { scroll(view, to: row, adapter, stage) }
        #expect(view.ids.count == 20)
        stage.run { adapter.list.retry() }
        #expect(view.ids == Array(0..<20) + Array(40..<50))
    }

    @Test(arguments: [false, true])
    func `somebody who asks for the start gets it also when it is not loaded and nothing is new`(
        _ alwaysHasPrevious: Bool
    ) {
        let stage = ShelfStage(0..<60, alwaysHasPrevious: alwaysHasPrevious) { $0.initialKey = "30" }
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        stage.load(20)
        scroll(view, to: 12, adapter, stage)
        #expect(adapter.newAbove == 0)
        stage.run { adapter.goToStart() }
        #expect(view.screen.first.map { $0.id == 0 && $0.top == 0 } == true)
        // It is loaded now.
        scroll(view, to: 9, adapter, stage)
        stage.run { adapter.goToStart() }
        #expect(view.screen.first.map { $0.id == 0 && $0.top == 0 } == true)
    }

    @Test func `a load at the end that failed waits for a retry, however much somebody scrolls`() {
        let stage = ShelfStage(0..<30)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        stage.run { stage.list.loadNext() }
        stage.plan.always(.failure())
        scroll(view, to: 5, adapter, stage)
        #expect(adapter.status.next.error != nil)
        stage.plan.heal()
        for row in [0, 5, 4, 5] { scroll(view, to: row, adapter, stage) }
        #expect(view.ids.count == 10)
        stage.run { adapter.list.retry() }
        #expect(view.ids.count == 20)
    }

    @Test func `an item with another value is configured anew, and a change of status alone shows nothing anew`() {
        let stage = ShelfStage(0..<20)
        stage.load(10)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        var updates = 0
        adapter.onUpdate = { _ in updates += 1 }
        let animations = view.animations
        stage.plan.always(.failure())
        stage.run { stage.list.loadNext() }
        #expect(updates > 0)
        #expect(view.animations == animations)
        stage.run { stage.list.insertLive([SampleItem(id: 4, text: "newer")]) }
        #expect(view.configured[4] == 2)
        #expect(view.configured[5] == 1)
        #expect(adapter.items[id: 4]?.text == "newer")
    }

    @Test func `an item whose new value needs another kind of cell gets another one`() {
        let stage = ShelfStage(0..<20)
        stage.load(10)
        let view = FakeRowsView()
        let adapter = PaginatorListAdapter(
            stage.list, view, needsNewCell: { old, new in old.text == "sending" && new.text == "image" })
        stage.run()
        stage.run { stage.list.insertLive([4, 5].map { SampleItem(id: $0, text: "sending") }) }
        #expect(view.configured[4] == 2 && view.configured[5] == 2 && view.reloaded.isEmpty)
        stage.run { stage.list.insertLive([(4, "image"), (5, "sent")].map { SampleItem(id: $0, text: $1) }) }
        #expect(view.reloaded == [4])
        #expect(view.configured[4] == 2 && view.configured[5] == 3)
        #expect(adapter.items[id: 4]?.text == "image")
    }

    @Test func `rows above that become taller leave the screen as it is`() {
        let stage = ShelfStage(0..<30)
        stage.load(30)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        scroll(view, to: 12, plus: 7, adapter, stage)
        let before = view.screen
        view.growth = 25
        stage.run { stage.list.insertLive([SampleItem(id: 4, text: "newer")]) }
        #expect(view.configured[4] == 2)
        #expect(view.screen.elementsEqual(before, by: ==))
        // What changes further down may be seen to move.
        let animations = view.animations
        stage.run { stage.list.edits.remove(29) }
        #expect(view.animations == animations + 1)
        #expect(view.screen.elementsEqual(before, by: ==))
    }

    @Test func `after a refresh that failed the end still loads, and gaps are filled`() {
        let stage = ShelfStage(0..<60)
        stage.load(20)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        stage.run { stage.list.jump(to: "40") }
        #expect(view.ids == Array(0..<20) + Array(30..<50))
        stage.plan.always(.failure())
        stage.run { stage.list.refresh() }
        #expect(adapter.status.refresh.error != nil)
        stage.plan.heal()
        scroll(view, to: 35, adapter, stage)
        #expect(view.ids == Array(0..<20) + Array(30..<60))
        scroll(view, to: 16, adapter, stage)
        #expect(view.ids == Array(0..<60))
    }

    @Test func `who scrolled to the end, or to a gap, during a refresh that failed gets the rows behind it`() {
        let stage = ShelfStage(0..<60)
        stage.load(20)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        stage.plan.script([.failure().and(.latency(.seconds(1)))])
        stage.run { stage.list.refresh() }
        scroll(view, to: 15, adapter, stage)
        #expect(view.ids.count == 20)
        stage.run { stage.clock.advance(by: .seconds(1)) }
        #expect(adapter.status.refresh.error != nil)
        #expect(view.ids == Array(0..<30))

        stage.run { stage.list.jump(to: "50") }
        #expect(stage.list.snapshot.gaps == [30])
        scroll(view, to: 5, adapter, stage)
        stage.plan.script([.failure().and(.latency(.seconds(1)))])
        stage.run { stage.list.refresh() }
        scroll(view, to: 26, adapter, stage)
        #expect(view.ids == Array(0..<30) + Array(40..<60))
        stage.run { stage.clock.advance(by: .seconds(1)) }
        #expect(view.ids == Array(0..<60))
    }

    @Test func `rows that a followed source has counted above a loaded start come when somebody goes there`() {
        let stage = ShelfStage(0..<60)
        stage.load(20)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        let tell = Guarded<(@Sendable (PushEvent<Int>) -> Void)?>(nil)
        let source = PushSource<Int> { _, sink in
            tell.withLock { $0 = sink }
            return SourceCancellation {}
        }
        stage.run { stage.paginator.follow(source) { _ in } }
        scroll(view, to: 12, adapter, stage)
        stage.shelf.put([101, 100] + Array(0..<60))
        stage.run {
            for event in [PushEvent<Int>.opened(), .newRows(2)] { tell.withLock { $0 }?(event) }
        }
        #expect(adapter.newAbove == 2)
        stage.run { adapter.goToStart() }
        #expect(adapter.newAbove == 0)
        #expect(view.ids.prefix(3).elementsEqual([101, 100, 0]))
        #expect(view.screen.first.map { $0.id == 101 && $0.top == 0 } == true)

        // Who scrolled away again stays where they are.
        scroll(view, to: 3, plus: 5, adapter, stage)
        let before = view.screen
        stage.run { stage.list.insertLive([SampleItem(id: 102, text: "live")]) }
        #expect(view.screen.elementsEqual(before, by: ==))
        #expect(adapter.newAbove == 1)
    }

    @Test func `who asks for the start gets there also if more is counted meanwhile, and is not taken there later`() {
        let stage = ShelfStage(0..<60)
        stage.load(20)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        let tell = Guarded<(@Sendable (PushEvent<Int>) -> Void)?>(nil)
        let source = PushSource<Int> { _, sink in
            tell.withLock { $0 = sink }
            return SourceCancellation {}
        }
        stage.run { stage.paginator.follow(source) { _ in } }
        func push(_ event: PushEvent<Int>) { stage.run { tell.withLock { $0 }?(event) } }
        push(.opened())
        scroll(view, to: 12, adapter, stage)
        stage.run { stage.list.insertLive([SampleItem(id: 200, text: "live")]) }
        stage.shelf.put([101, 100, 200] + Array(0..<60))
        push(.newRows(2))
        stage.plan.script([.latency(.seconds(1))])
        stage.run { adapter.goToStart() }
        stage.run { stage.clock.advance(by: .milliseconds(500)) }
        push(.newRows(1))
        stage.run { stage.clock.advance(by: .milliseconds(500)) }
        #expect(view.ids.prefix(4).elementsEqual([101, 100, 200, 0]))
        #expect(view.screen.first.map { $0.id == 101 && $0.top == 0 } == true)
        #expect(adapter.newAbove == 1)

        scroll(view, to: 3, plus: 5, adapter, stage)
        let before = view.screen
        stage.shelf.put([102, 101, 100, 200] + Array(0..<60))
        stage.run { stage.list.refresh(.firstPage) }
        #expect(view.ids.first == 102)
        #expect(view.screen.elementsEqual(before, by: ==))
    }

    @Test func `rows that the window had no room for above a loaded start come when somebody goes there`() {
        let stage = ShelfStage(0..<60) { $0.windowItems = 40 }
        stage.load(40)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        scroll(view, to: 20, adapter, stage)
        let live = Array(100..<180)
        stage.run { stage.list.insertLive(live.map { SampleItem(id: $0, text: "live") }) }
        #expect(adapter.status.newAbove > 0)
        #expect(!view.ids.contains(179))
        stage.run { adapter.goToStart() }
        #expect(adapter.newAbove == 0)
        #expect(view.screen.first.map { $0.id == stage.list.snapshot.ids[0] && $0.top == 0 } == true)
        #expect(Set(view.ids).isSuperset(of: live))
    }

    @Test func `rows that were seen at the start are not counted when the window has no room for them`() {
        let stage = ShelfStage(0..<60) { $0.windowItems = 20 }
        stage.load(10)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        for id in 100..<115 { stage.run { stage.list.insertLive([SampleItem(id: id, text: "live")]) } }
        #expect(view.screen.first?.id == 114)
        scroll(view, to: 20, adapter, stage)
        #expect(!view.ids.contains(114) && adapter.status.newAbove == 15)
        #expect(adapter.newAbove == 0)
        stage.run { stage.list.insertLive([SampleItem(id: 115, text: "live")]) }
        #expect(adapter.newAbove == 1)
    }

    @Test func `a list without rows has a section all the same, for what stands beside its rows`() {
        let stage = ShelfStage(0..<20)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        #expect(view.sectionCount == 1)
        stage.run { adapter.list.loadNext() }
        #expect(view.sectionCount == 1)
    }

    @Test func `an adapter of a list that has loaded begins with what that shows`() {
        let stage = ShelfStage(0..<20)
        stage.load(20)
        let view = FakeRowsView()
        let adapter = PaginatorListAdapter(stage.list, view)
        #expect(adapter.items.count == 20)
        #expect(name(adapter) == "items")
        stage.run()
        #expect(view.ids == Array(0..<20))
        #expect(view.configured.values.allSatisfy { $0 == 1 })
    }

    @Test func `what a screen shows as a whole goes from placeholders to items, to nothing, or to an error`() {
        let stage = ShelfStage(0..<20)
        let adapter = adapter(stage, FakeRowsView())
        #expect(name(adapter) == "placeholder")
        stage.plan.always(.failure())
        stage.run { stage.list.loadNext() }
        #expect(name(adapter) == "failed")
        stage.plan.heal()
        stage.run { stage.list.retry() }
        #expect(name(adapter) == "items")
        // Items stay when a refresh fails.
        stage.plan.always(.failure())
        stage.run { stage.list.refresh() }
        #expect(name(adapter) == "items")
        #expect(adapter.status.header.error != nil)
        stage.plan.heal()
        stage.shelf.put([])
        stage.run { stage.list.refresh() }
        #expect(name(adapter) == "empty")
        stage.run { stage.list.reset() }
        #expect(name(adapter) == "placeholder")
    }

    @Test func `pages without items are followed to the first that has some, and nothing says that there are none`() {
        let stage = ShelfStage(0..<60)
        stage.shelf.hide(0..<30)
        let adapter = adapter(stage, FakeRowsView())
        var names: [String] = []
        adapter.onUpdate = { [unowned adapter] _ in names.append(name(adapter)) }
        stage.run { stage.list.loadNext() }
        #expect(adapter.items.ids == Array(30..<40))
        #expect(Set(names) == ["placeholder", "items"])
        // All rows go at once, and there are others behind them.
        names = []
        stage.shelf.hide(0..<50)
        stage.run { stage.list.refresh() }
        #expect(adapter.items.ids == Array(50..<60))
        #expect(!names.contains("empty"))
    }

    @Test func `a list whose pages all are without items is empty in the end, until it is refreshed`() {
        let stage = ShelfStage(0..<400) { $0.maxEmptyPages = 3 }
        stage.shelf.hide(0..<400)
        let adapter = adapter(stage, FakeRowsView())
        stage.run { stage.list.loadNext() }
        #expect(name(adapter) == "empty")
        #expect(adapter.status.hasNext)
        let calls = stage.shelf.calls
        // The first page, and four behind it for the call and for the first look at the rows each.
        #expect(calls <= 9)
        for _ in 0..<3 { stage.run { adapter.rowsDidMove() } }
        #expect(stage.shelf.calls == calls)
        stage.shelf.hide(0..<25)
        stage.run { stage.list.refresh() }
        #expect(adapter.items.ids.first == 25)
    }

    @Test func `while pages without items are followed, one that fails waits for a retry`() {
        let stage = ShelfStage(0..<60)
        stage.shelf.hide(0..<30)
        let adapter = adapter(stage, FakeRowsView())
        adapter.onUpdate = { update in if update.status.hasLoaded { stage.plan.always(.failure()) } }
        stage.run { stage.list.loadNext() }
        #expect(name(adapter) == "failed")
        adapter.onUpdate = nil
        stage.plan.heal()
        stage.run { adapter.rowsDidMove() }
        #expect(name(adapter) == "failed")
        stage.run { stage.list.retry() }
        #expect(adapter.items.ids == Array(30..<40))
    }

    @Test func `rows stand in sections by a key, and the screen stays where it is when rows come above`() {
        let stage = ShelfStage(0..<60) { $0.initialKey = "30" }
        let view = FakeRowsView()
        let adapter = PaginatorListAdapter(
            stage.list, view, sections: PaginatorListSections(erasing: { "\($0.id / 7)" }))
        stage.run { stage.list.loadNext() }
        stage.run { stage.list.loadNext() }
        #expect(view.ids == stage.list.snapshot.ids)
        #expect(view.keys == Set(view.ids.map { $0 / 7 }).sorted().map(String.init))
        #expect(adapter.key(ofSection: 1, as: String.self) == view.keys[1])
        #expect(adapter.key(ofSection: 1, as: Int.self) == nil)
        #expect(adapter.key(ofSection: 99, as: String.self) == nil)
        let index = adapter.index { "§\($0.base)" }
        #expect(index.map(\.title) == view.keys.map { "§\($0)" } && index.map(\.section) == Array(view.keys.indices))

        scroll(view, to: 12, plus: 5, adapter, stage)
        let before = view.screen
        let count = view.ids.count
        stage.run { stage.list.loadPrevious() }
        #expect(view.ids.count == count + 10)
        #expect(view.screen.elementsEqual(before, by: ==))
        #expect(view.keys == Set(view.ids.map { $0 / 7 }).sorted().map(String.init))
    }

    @Test func `the list is told what is visible once other rows have taken the places of those on the screen`() {
        let stage = ShelfStage(0..<20)
        stage.load(20)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        scroll(view, to: 4, adapter, stage)
        stage.shelf.put(100..<120)
        stage.run { stage.list.refresh(.keepingPlace) }
        #expect(view.ids == Array(100..<120))
        var anchors: [Int?] = []
        adapter.onUpdate = { anchors.append($0.anchor) }
        stage.run { stage.list.insertLive([SampleItem(id: 119, text: "newer")]) }
        #expect(anchors.last == view.visibleRows?.lowerBound)
    }

    @Test func `while a view goes over to other rows, it finds the items and the sections of those before`() {
        let stage = ShelfStage(0..<20)
        let view = FakeRowsView()
        let adapter = PaginatorListAdapter(
            stage.list, view, sections: PaginatorListSections(erasing: { $0.id / 5 }))
        stage.run()
        stage.load(20)
        var asked: (before: SampleItem?, after: SampleItem?, key: Int?)?
        view.whileShowing = { asked = (adapter.item(19), adapter.item(100), adapter.key(ofSection: 3)) }
        stage.shelf.put([100] + Array(0..<9))
        stage.run { stage.list.refresh() }
        #expect(asked?.before?.id == 19 && asked?.after?.id == 100 && asked?.key == 3)
        #expect(adapter.item(19) == nil && adapter.key(ofSection: 3, as: Int.self) == nil)
    }

    @Test func `an index path leads to its item, with and without sections`() {
        let stage = ShelfStage(0..<20)
        let plain = adapter(stage, FakeRowsView())
        let sectioned = PaginatorListAdapter(
            stage.list, FakeRowsView(), sections: PaginatorListSections(erasing: { $0.id / 7 }))
        #expect(plain.item(at: [0, 0]) == nil)
        stage.run()
        stage.load(20)
        #expect(plain.item(at: [0, 0])?.id == 0 && plain.item(at: [0, 19])?.id == 19)
        #expect(sectioned.item(at: [1, 0])?.id == 7 && sectioned.item(at: [2, 5])?.id == 19)
        let noRows: [IndexPath] = [[0, 20], [1, 0], [0, -1], [-1, 0], [0, NSNotFound], [0], []]
        for path in noRows { #expect(plain.item(at: path) == nil) }
        #expect(sectioned.item(at: [0, 7]) == nil && sectioned.item(at: [3, 0]) == nil)
        // The rows that have taken the places of others.
        stage.shelf.put(100..<120)
        stage.run { stage.list.refresh() }
        #expect(plain.item(at: [0, 1])?.id == 101)
    }

    @Test func `a released adapter follows no more`() {
        let stage = ShelfStage(0..<20)
        let view = FakeRowsView()
        var adapter: PaginatorListAdapter<SampleItem, Int>? = adapter(stage, view)
        weak let released = adapter
        adapter = nil
        #expect(released == nil)
        stage.load(10)
        #expect(view.ids.isEmpty)
    }

    @Test func `an adapter for a list whose loaded pages are empty does not say so while it searches on`() {
        let stage = ShelfStage(0..<400) { $0.maxEmptyPages = 3 }
        stage.shelf.hide(0..<60)
        stage.run { stage.list.loadNext() }
        #expect(stage.list.status.hasLoaded && stage.list.snapshot.isEmpty)
        stage.plan.always(.latency(.seconds(1)))
        let view = FakeRowsView()
        var saidEmpty = false
        let adapter = PaginatorListAdapter(stage.list, view)
        adapter.onUpdate = { [unowned adapter] _ in if case .empty = adapter.state { saidEmpty = true } }
        stage.run()
        for _ in 0..<6 { stage.run { stage.clock.advance(by: .seconds(1)) } }
        #expect(!saidEmpty)
        #expect(!adapter.items.isEmpty)
    }
}

import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@testable import PaginatorUI

/// What a screen makes of updates that tell of something else than it waits for, or of several things at once.
@MainActor @Suite struct PaginatorScreenTests {
    private typealias Screen = PaginatorScreen<SampleItem, Int>

    @Test func `an update that has nothing to do with the start does not end the wish to go there`() {
        let stage = ShelfStage(0..<60) { $0.initialKey = "30" }
        stage.load(10)
        var screen = Screen(stage.list.snapshot, stage.list.status)
        var isLoaded = true
        _ = screen.show(0..<5)
        let before = (items: stage.list.snapshot, status: stage.list.status)
        _ = screen.follow(before.items, before.status, anchor: 0)
        stage.run { isLoaded = screen.go(to: .start, of: stage.list) }
        #expect(!isLoaded)
        // It was on its way when the start was asked for.
        let early = screen.follow(before.items, before.status, anchor: 0)
        #expect(early != .goToStart)
        let late = screen.follow(stage.list.snapshot, stage.list.status, anchor: 0)
        #expect(late == .goToStart)
        #expect(screen.items.ids.first == 0)
    }

    @Test func `who sees the first of the loaded rows goes to a start that is always said to have more before it`() {
        let stage = ShelfStage(0..<60, alwaysHasPrevious: true) { $0.initialKey = "30" }
        stage.load(10)
        var screen = Screen(stage.list.snapshot, stage.list.status)
        _ = screen.show(0..<5)
        stage.run { _ = screen.go(to: .start, of: stage.list) }
        #expect(stage.list.status.hasPrevious)
        let scroll = screen.follow(stage.list.snapshot, stage.list.status, anchor: 0)
        #expect(scroll == .goToStart)
    }

    @Test func `a wish to go to a start that is loaded, with more before it all the same, does not stay for ever`() {
        let stage = ShelfStage(0..<60, alwaysHasPrevious: true)
        stage.load(10)
        var screen = Screen(stage.list.snapshot, stage.list.status)
        func follow() -> Screen.Scroll { screen.follow(stage.list.snapshot, stage.list.status, anchor: 0) }
        _ = screen.show(0..<5)
        var isLoaded = true
        stage.run { isLoaded = screen.go(to: .start, of: stage.list) }
        #expect(!isLoaded && stage.list.status.hasPrevious)
        #expect(follow() == .goToStart)
        #expect(follow() != .goToStart)
    }

    @Test func `who asks for a start that is not the first row, as in a chat, goes to its page, and to the next jump`()
    {
        let stage = ShelfStage(0..<60) { $0.initialKey = "30" }
        stage.load(20)
        var screen = Screen(stage.list.snapshot, stage.list.status)
        _ = screen.show(0..<5)
        let before = (items: stage.list.snapshot, status: stage.list.status)
        stage.run { _ = screen.go(to: .start, of: stage.list) }
        // As of a list that puts the page after its rows: there are more before them.
        func follow(_ jump: Int?, _ anchor: Int, _ previous: PaginatorLoadState = .idle) -> Screen.Scroll {
            var status = before.status
            (status.jump, status.previous) = (jump, previous)
            return screen.follow(before.items, status, anchor: anchor)
        }
        #expect(follow(1, 12) == .goTo(42, at: 12))
        #expect(follow(2, 7) == .goTo(37, at: 7))
        // The reader stays when the oldest page has come.
        #expect(follow(nil, 7, .endReached) == .keep(37, from: 7, to: 7))
    }

    @Test func `a jump to an end that nobody waits for is over once it has come, also while a page comes again`() {
        let stage = ShelfStage(0..<100)
        stage.load(10)
        var screen = Screen(stage.list.snapshot, stage.list.status)
        func follow() -> Screen.Scroll { screen.follow(stage.list.snapshot, stage.list.status, anchor: 10) }
        _ = screen.show(0..<5)
        stage.plan.script([.latency(.seconds(1)), .latency(.seconds(2))])
        stage.run { _ = screen.go(to: .end, of: stage.list, lastKey: "80") }
        stage.run { stage.list.refresh(.firstPage) }
        _ = screen.goTo(7)
        stage.run { stage.clock.advance(by: .seconds(1)) }
        #expect(stage.list.snapshot.ids.last == 89 && stage.list.status.refresh.isLoading)
        let abandoned = follow()
        #expect(abandoned == .stay)
        stage.run { stage.clock.advance(by: .seconds(1)) }
        stage.run { stage.list.jump(to: "80") }
        let other = follow()
        #expect(other == .goTo(80, at: 10))
    }

    @Test func `a wish to go to the start ends with its error, also if that is the one before and comes at once`() {
        let stage = ShelfStage(0..<60) { $0.initialKey = "30" }
        stage.load(10)
        var screen = Screen(stage.list.snapshot, stage.list.status)
        func follow() -> Screen.Scroll { screen.follow(stage.list.snapshot, stage.list.status, anchor: 0) }
        _ = screen.show(0..<5)
        stage.plan.always(.failure())
        for _ in 0..<2 {
            stage.run { _ = screen.go(to: .start, of: stage.list) }
            // The view was told of nothing between both.
            #expect(stage.list.status.refresh.error != nil)
            #expect(follow() == .keep(30, from: 0, to: 0))
        }
        stage.plan.heal()
        stage.run { stage.list.retry() }
        #expect(stage.list.snapshot.ids.first == 0)
        #expect(follow() == .keep(30, from: 0, to: 10))
    }

    @Test func `a search for rows that ends at once without any ends, also if the view is not told that it ran`() {
        let stage = ShelfStage(0..<400) { $0.maxEmptyPages = 3 }
        stage.shelf.hide(0..<400)
        stage.run { stage.list.loadNext() }
        var screen = Screen(stage.list.snapshot, stage.list.status)
        var isEmpty: Bool { if case .empty = screen.state { true } else { false } }
        let calls = stage.shelf.calls
        stage.run { screen.searchItems(of: stage.list) }
        #expect(stage.shelf.calls > calls && !isEmpty)
        _ = screen.follow(stage.list.snapshot, stage.list.status, anchor: nil)
        #expect(screen.endToSearch == nil && isEmpty)
    }

    @Test func `a load before the first row shows at once where that is visible, and further down not before it is`() {
        let stage = ShelfStage(0..<60) { $0.initialKey = "30" }
        stage.load(20)
        let memory = ScreenMemory<SampleItem, Int>()
        func follow() { _ = memory.follow(stage.list.snapshot, stage.list.status) }
        func scroll(from old: Range<Int>, to new: Range<Int>) {
            stage.run { for id in new { memory.didAppear(id, in: stage.list) } }
            stage.run { for id in old { memory.didDisappear(id, in: stage.list) } }
        }
        follow()
        scroll(from: 0..<0, to: 40..<44)
        follow()
        stage.plan.script([.latency(.seconds(1))])
        stage.run { stage.list.loadPrevious() }
        follow()
        #expect(stage.list.status.previous.isLoading && !memory.showsHeader)
        scroll(from: 40..<44, to: 30..<34)
        #expect(memory.showsHeader)
        // It would move the rows now, too, if it went.
        scroll(from: 30..<34, to: 40..<44)
        follow()
        #expect(memory.showsHeader)
        stage.run { stage.clock.advance(by: .seconds(1)) }
        follow()
        stage.plan.always(.failure())
        stage.run { stage.list.refresh() }
        follow()
        #expect(stage.list.status.refresh.error != nil && !memory.showsHeader)
    }

    @Test func `a screen without rows searches once at each end that leads on before it says that there are none`() {
        let stage = ShelfStage(0..<0)
        // As of a list that begins behind its last row.
        var status = PaginatorListStatus()
        (status.hasLoaded, status.next) = (true, .endReached)
        var screen = Screen(stage.list.snapshot, status)
        var isEmpty: Bool { if case .empty = screen.state { true } else { false } }
        func follow(_ previous: PaginatorLoadState) {
            status.previous = previous
            _ = screen.follow(stage.list.snapshot, status, anchor: nil)
        }
        #expect(screen.endToSearch == .start && !isEmpty)
        screen.searchItems(of: stage.list)
        #expect(screen.endToSearch == nil && !isEmpty)
        follow(.loading)
        #expect(screen.endToSearch == nil && !isEmpty)
        follow(.idle)
        #expect(screen.endToSearch == nil && isEmpty)
    }

    @Test func `a screen whose rows edits remove stays where it is, also if few are left`() {
        let stage = ShelfStage(0..<60)
        stage.load(60)
        var screen = Screen(stage.list.snapshot, stage.list.status)
        _ = screen.show(40..<46)
        stage.run { for id in 10..<60 { stage.list.edits.remove(id) } }
        #expect(stage.list.snapshot.count == 10)
        let scroll = screen.follow(stage.list.snapshot, stage.list.status, anchor: nil)
        #expect(scroll == .stay)
    }

    @Test func `the load of another scope shows once, also when it fails, and the rows stay`() {
        let stage = ShelfStage(0..<60)
        stage.load(10)
        stage.plan.script([.failure().and(.latency(.seconds(1)))])
        stage.run { stage.list.show(scope: "other") }
        #expect(stage.list.status.header == .idle && stage.list.status.footer == .loading)
        stage.run { stage.clock.advance(by: .seconds(1)) }
        #expect(stage.list.status.header.error != nil && stage.list.status.footer == .idle)
        #expect(stage.list.snapshot.count == 10)
    }

    @Test func `a screen that is told of two resets at once begins again`() {
        let stage = ShelfStage(0..<60)
        let memory = ScreenMemory<SampleItem, Int>()
        func follow() { _ = memory.follow(stage.list.snapshot, stage.list.status) }
        stage.load(10)
        follow()
        stage.run { memory.didAppear(in: stage.list) }
        stage.plan.always(.latency(.seconds(1)))
        stage.run { stage.list.reset() }
        follow()
        let begins = memory.begins
        stage.run { memory.loadFirst(of: stage.list) }
        #expect(stage.list.status.refresh.isLoading)
        stage.run { stage.list.reset() }
        // The view was told of nothing between both.
        follow()
        #expect(memory.begins != begins)
        stage.run { memory.loadFirst(of: stage.list) }
        #expect(stage.list.status.refresh.isLoading)
        follow()
        let loading = memory.begins
        follow()
        #expect(memory.begins == loading)
    }
}

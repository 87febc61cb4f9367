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
        stage.run { isLoaded = screen.goToStart(of: stage.list) }
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
        stage.run { _ = screen.goToStart(of: stage.list) }
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
        stage.run { isLoaded = screen.goToStart(of: stage.list) }
        #expect(!isLoaded && stage.list.status.hasPrevious)
        #expect(follow() != .goToStart, "it may have been on its way")
        #expect(follow() == .goToStart)
        #expect(follow() != .goToStart)
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

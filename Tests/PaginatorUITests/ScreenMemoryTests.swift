import PaginatorAsync
import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@testable import PaginatorUI

/// What SwiftUI does with a memory: makes the view anew after each change, and tells of each row alone.
@MainActor @Suite struct ScreenMemoryTests {
    private typealias Memory = ScreenMemory<SampleItem, Int>

    private func show(_ ids: some Sequence<Int>, in memory: Memory, _ stage: ShelfStage) {
        stage.run { for id in ids { memory.didAppear(id, in: stage.list) } }
    }

    private func scrollNumber(_ memory: Memory, _ stage: ShelfStage) -> Int {
        memory.follow(stage.list.snapshot, stage.list.status)
    }

    /// What SwiftUI does: makes the view anew, and tells of a value that is another than before.
    private func settle<Value: Equatable>(
        _ memory: Memory, _ stage: ShelfStage, _ value: (Memory) -> Value, _ tell: () -> Void
    ) {
        var old = value(memory)
        for _ in 0..<10 {
            _ = scrollNumber(memory, stage)
            if value(memory) != old { stage.run(tell) }
            old = value(memory)
        }
    }

    @Test func `a view that is made anew for the same does not scroll again`() {
        let stage = ShelfStage(0..<60) { $0.initialKey = "30" }
        stage.load(10)
        let memory = Memory()
        let begin = scrollNumber(memory, stage)
        #expect(scrollNumber(memory, stage) == begin)
        show(33..<36, in: memory, stage)
        #expect(scrollNumber(memory, stage) == begin)
        stage.run { stage.list.loadPrevious() }
        #expect(scrollNumber(memory, stage) == begin + 1)
        #expect(memory.scroll == .keep(33, from: 3, to: 13))
        #expect(scrollNumber(memory, stage) == begin + 1)
    }

    @Test func `rows that appear let the list load at the end that they are at`() {
        let stage = ShelfStage(0..<60) { $0.initialKey = "30" }
        stage.load(10)
        let memory = Memory()
        _ = scrollNumber(memory, stage)
        show(34..<37, in: memory, stage)
        #expect(stage.list.snapshot.ids == Array(30..<40))
        show(37..<40, in: memory, stage)
        #expect(stage.list.snapshot.ids == Array(30..<50))
        _ = scrollNumber(memory, stage)
        stage.run { for id in 33..<40 { memory.didDisappear(id, in: stage.list) } }
        show(30..<33, in: memory, stage)
        #expect(stage.list.snapshot.ids == Array(20..<50))
    }

    @Test func `at the start new rows are to be shown, further down they are counted`() {
        let stage = ShelfStage(0..<30)
        stage.load(30)
        let memory = Memory()
        let begin = scrollNumber(memory, stage)
        show(0..<5, in: memory, stage)
        stage.run { stage.list.insertLive([SampleItem(id: 100, text: "live")]) }
        #expect(scrollNumber(memory, stage) == begin + 1)
        #expect(memory.scroll == .showNew)
        #expect(memory.newAbove == 0)

        stage.run { for id in 0..<5 { memory.didDisappear(id, in: stage.list) } }
        show(10..<15, in: memory, stage)
        stage.run { stage.list.insertLive([101, 102].map { SampleItem(id: $0, text: "live") }) }
        #expect(scrollNumber(memory, stage) == begin + 2)
        #expect(memory.scroll == .keep(10, from: 11, to: 13))
        #expect(memory.newAbove == 2)
        #expect(memory.go(to: .start, of: stage.list))
        show([102], in: memory, stage)
        #expect(memory.newAbove == 0)
    }

    @Test func `a gap is a row of its own, and is filled from the end that somebody comes from`() {
        let stage = ShelfStage(0..<100)
        stage.load(10)
        stage.run { stage.list.jump(to: "50") }
        let memory = Memory()
        _ = scrollNumber(memory, stage)
        let rows = PaginatorRows(stage.list.snapshot, stage.list.status)
        #expect(rows.count == 21)
        #expect(rows.map(\.id).prefix(12).last == .item(50))
        #expect(rows[10].id == .gap(behind: 9))
        guard case .gap(let position, _, .idle) = rows[10] else {
            Issue.record("row 10 is not an idle gap")
            return
        }
        // Half of a screen, as of a section: a gap belongs to the item before it.
        #expect(PaginatorRows(stage.list.snapshot, stage.list.status, in: 5..<10).count == 6)
        #expect(PaginatorRows(stage.list.snapshot, stage.list.status, in: 10..<15).count == 5)

        show(51..<54, in: memory, stage)
        stage.run { memory.fillGap(at: position, of: stage.list) }
        #expect(stage.list.snapshot.ids == Array(0..<10) + Array(40..<60))
        stage.run { for id in 51..<54 { memory.didDisappear(id, in: stage.list) } }
        show(5..<9, in: memory, stage)
        stage.run { memory.fillGap(at: 10, of: stage.list) }
        #expect(stage.list.snapshot.ids == Array(0..<20) + Array(40..<60))
    }

    @Test func `a gap before the first item is a row, too`() {
        let stage = ShelfStage(0..<100) { $0.maxEmptyPages = 0 }
        stage.shelf.hide(0..<40)
        stage.run { stage.list.loadNext() }
        stage.run { stage.list.jump(to: "50") }
        #expect(stage.list.snapshot.gaps == [0] && !stage.list.status.hasPrevious)
        let memory = Memory()
        _ = scrollNumber(memory, stage)
        let rows = PaginatorRows(stage.list.snapshot, stage.list.status)
        #expect(rows.map(\.id) == [.gap(behind: nil)] + (50..<60).map { .item($0) })
        #expect(PaginatorRows(stage.list.snapshot, stage.list.status, in: 0..<5).count == 6)
        #expect(PaginatorRows(stage.list.snapshot, stage.list.status, in: 5..<10).count == 5)
        guard case .gap(let position, nil, .idle) = rows[0] else {
            Issue.record("row 0 is not an idle gap")
            return
        }
        show(50..<55, in: memory, stage)
        stage.run { memory.fillGap(at: position, of: stage.list) }
        #expect(stage.list.snapshot.ids == Array(40..<60))
    }

    @Test
    func `the first page loads when a view appears, also without placeholders, and again when the list begins anew`() {
        let stage = ShelfStage(0..<60)
        let memory = Memory()
        func appear() { stage.run { memory.loadFirst(of: stage.list) } }
        stage.plan.always(.failure())
        appear()
        stage.plan.heal()
        // What failed waits for a retry.
        appear()
        #expect(stage.list.snapshot.isEmpty)
        stage.run { stage.list.retry() }
        appear()
        #expect(stage.list.snapshot.count == 10)
        stage.run { stage.list.reset() }
        appear()
        #expect(stage.list.snapshot.count == 10)
    }

    @Test func `a visible screen begins again when the list is reset or its loads are cancelled before a page came`() {
        let stage = ShelfStage(0..<60)
        let memory = Memory()
        func settle() { self.settle(memory, stage, { $0.begins }) { memory.loadFirst(of: stage.list) } }
        settle()
        stage.plan.always(.latency(.seconds(1)))
        stage.run { memory.didAppear(in: stage.list) }
        settle()
        stage.run { stage.list.reset() }
        settle()
        #expect(stage.list.status.refresh.isLoading)
        stage.run { stage.list.cancelLoads() }
        settle()
        #expect(stage.list.status.refresh.isLoading)

        stage.plan.always(.failure())
        stage.run { stage.list.reset() }
        settle()
        #expect(stage.list.status.refresh.error != nil)
        stage.plan.heal()
        settle()
        // What failed waits for a retry.
        #expect(stage.list.snapshot.isEmpty)
        stage.run { stage.list.reset() }
        settle()
        #expect(stage.list.snapshot.count == 10)

        memory.didDisappear()
        stage.run { stage.list.reset() }
        settle()
        #expect(stage.list.snapshot.isEmpty)
        stage.run { memory.didAppear(in: stage.list) }
        settle()
        #expect(stage.list.snapshot.count == 10)
    }

    @Test func `a screen without rows goes on behind pages without items when it appears, and when its rows are gone`()
    {
        let stage = ShelfStage(0..<60)
        stage.shelf.hide(0..<30)
        let memory = Memory()
        func settle() {
            self.settle(memory, stage) { memory in
                if case .empty = memory.state { Issue.record("says that there is nothing") }
                return memory.endToSearch
            } _: {
                memory.loadFirst(of: stage.list)
            }
        }
        _ = scrollNumber(memory, stage)
        stage.run { memory.loadFirst(of: stage.list) }
        settle()
        #expect(stage.list.snapshot.ids == Array(30..<40))
        stage.shelf.hide(0..<50)
        stage.run { stage.list.refresh() }
        settle()
        #expect(stage.list.snapshot.ids == Array(50..<60))
    }

    @Test func `a view goes to the first of the rows that were loaded for it`() {
        let stage = ShelfStage(0..<60) { $0.initialKey = "30" }
        stage.load(10)
        let memory = Memory()
        _ = scrollNumber(memory, stage)
        #expect(memory.firstID == 30)
        var isLoaded = true
        stage.run { isLoaded = memory.go(to: .start, of: stage.list) }
        #expect(!isLoaded)
        _ = scrollNumber(memory, stage)
        #expect(memory.scroll == .goToStart)
        #expect(memory.firstID == 0)
    }

    @Test func `a row that comes after all rows of a screen went is its first`() {
        let stage = ShelfStage(0..<1)
        stage.load(1)
        let memory = Memory()
        _ = scrollNumber(memory, stage)
        show([0], in: memory, stage)
        stage.run { stage.list.edits.remove(0) }
        _ = scrollNumber(memory, stage)
        #expect(memory.firstID == nil)
        stage.run { stage.list.insertLive([SampleItem(id: 100, text: "live")]) }
        _ = scrollNumber(memory, stage)
        #expect(memory.firstID == 100)
    }

    @Test func `who scrolled to the end during a refresh that failed gets the next page`() {
        let stage = ShelfStage(0..<60)
        stage.load(20)
        let memory = Memory()
        _ = scrollNumber(memory, stage)
        stage.plan.script([.failure().and(.latency(.seconds(1)))])
        stage.run { stage.list.refresh() }
        _ = scrollNumber(memory, stage)
        show(15..<20, in: memory, stage)
        #expect(stage.list.snapshot.count == 20)
        stage.run { stage.clock.advance(by: .seconds(1)) }
        _ = scrollNumber(memory, stage)
        // What SwiftUI does as the refresh ends.
        stage.run { memory.didScroll(in: stage.list) }
        #expect(stage.list.snapshot.ids == Array(0..<30))
    }

    @Test func `the list is told what is visible once rows have come between`() {
        let stage = ShelfStage(0..<60) { $0.initialKey = "30" }
        stage.load(10)
        let memory = Memory()
        var anchor: Int?
        stage.list.observe(onMain: { anchor = $0.anchor })
        _ = scrollNumber(memory, stage)
        show(33..<36, in: memory, stage)
        #expect(anchor == 3)
        // Somebody else looks elsewhere.
        stage.run { stage.list.hint(visible: 7..<8) }
        stage.run { stage.list.loadPrevious() }
        #expect(anchor == 17)
        _ = scrollNumber(memory, stage)
        stage.run { memory.didScroll(in: stage.list) }
        stage.run { stage.list.loadNext() }
        #expect(anchor == 13)
    }

    @Test
    func `rows stand for items that are known to be missing, up to a bound, and pages load while one is on the screen`()
    {
        let stage = ShelfStage(0..<60, tellsTotal: true) { $0.addressing = .offset }
        let memory = Memory()
        _ = scrollNumber(memory, stage)
        #expect(memory.missing(atMost: 30).isEmpty)
        stage.load(10)
        _ = scrollNumber(memory, stage)
        #expect(memory.missing(atMost: 30) == 10..<40)
        #expect(memory.missing(atMost: 100) == 10..<60)
        #expect(memory.missing(atMost: 0).isEmpty)

        // What SwiftUI does: the rows that stay on the screen appear once.
        func settle() {
            for _ in 0..<10 {
                _ = scrollNumber(memory, stage)
                stage.run { memory.loadMissing(of: stage.list) }
            }
        }
        stage.run { for number in 31..<36 { memory.didAppear(missing: number, in: stage.list) } }
        settle()
        #expect(stage.list.snapshot.count == 40)
        #expect(memory.missing(atMost: 30) == 40..<60)

        stage.plan.always(.failure())
        stage.run { memory.didAppear(missing: 45, in: stage.list) }
        stage.plan.heal()
        settle()
        #expect(stage.list.snapshot.count == 40)
        memory.didDisappear(missing: 45)
        stage.run { stage.list.retry() }
        settle()
        #expect(stage.list.snapshot.count == 50)

        // A refresh that failed is no reason to stop.
        stage.plan.always(.failure())
        stage.run { stage.list.refresh() }
        stage.plan.heal()
        _ = scrollNumber(memory, stage)
        stage.run { memory.didAppear(missing: 55, in: stage.list) }
        settle()
        #expect(stage.list.snapshot.count == 60)
    }

    @Test func `placeholders that go because a load failed load nothing more once a retry has brought its page`() {
        let stage = ShelfStage(0..<60, tellsTotal: true) { $0.addressing = .offset }
        let memory = Memory()
        stage.load(10)
        _ = scrollNumber(memory, stage)
        stage.plan.always(.failure())
        stage.run { for number in 15..<25 { memory.didAppear(missing: number, in: stage.list) } }
        stage.plan.heal()
        _ = scrollNumber(memory, stage)
        #expect(memory.missing(atMost: 30).isEmpty)
        stage.run { stage.list.retry() }
        settle(memory, stage, { $0.firstMissing }) { memory.loadMissing(of: stage.list) }
        #expect(stage.list.snapshot.count == 20)
    }

    @Test func `pages load for a visible placeholder also while a window keeps the number of items`() {
        let stage = ShelfStage(0..<60, tellsTotal: true) { ($0.addressing, $0.windowItems) = (.offset, 20) }
        let memory = Memory()
        stage.load(20)
        _ = scrollNumber(memory, stage)
        #expect(memory.missing(atMost: 30) == 20..<50)
        stage.run { for number in 31..<36 { memory.didAppear(missing: number, in: stage.list) } }
        settle(memory, stage, { $0.firstMissing }) { memory.loadMissing(of: stage.list) }
        #expect(stage.list.snapshot.ids == Array(20..<40))
    }

    @Test func `who sees the end gets the rows behind a page that has only known ones`() {
        let stage = ShelfStage(0..<60)
        stage.load(20)
        let memory = Memory()
        _ = scrollNumber(memory, stage)
        stage.shelf.put(Array(100..<110) + Array(0..<60))
        show(15..<20, in: memory, stage)
        #expect(stage.list.snapshot.count == 20)
        settle(memory, stage, { $0.repeats }) { memory.didScroll(in: stage.list) }
        #expect(stage.list.snapshot.ids == Array(0..<30))
    }

    @Test func `a way to the start goes on if the view is made anew before the list tells of it`() {
        let stage = ShelfStage(0..<60) { $0.initialKey = "30" }
        stage.load(10)
        let view = FakeSwiftUIView(stage)
        view.follow()
        stage.run { for id in 30..<36 { view.memory.didAppear(id, in: stage.list) } }
        stage.plan.always(.failure())
        stage.run { stage.list.refresh() }
        let (items, status) = (stage.list.snapshot, stage.list.status)
        #expect(status.refresh.error != nil)
        _ = view.memory.follow(items, status, anchor: view.anchor, update: 1)
        _ = view.memory.takeScroll()
        stage.plan.heal()
        stage.plan.always(.latency(.seconds(1)))
        stage.run { _ = view.memory.go(to: .start, of: stage.list) }
        // With what the model has so far.
        _ = view.memory.follow(items, status, anchor: view.anchor, update: 1)
        view.follow()
        stage.run { stage.clock.advance(by: .seconds(1)) }
        view.follow()
        #expect(stage.list.snapshot.ids.first == 0)
        #expect(view.memory.takeScroll() == .goToStart)
    }
}

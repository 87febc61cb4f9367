import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@testable import PaginatorUI

/// What the buttons at the end of a SwiftUI view, and in its gaps, load again.
@MainActor @Suite struct RetryTests {
    private typealias Memory = ScreenMemory<SampleItem, Int>

    private func retryEnd(of stage: ShelfStage) {
        stage.run { Memory().retry(stage.list.status.footer, of: stage.list) { stage.list.loadNext() } }
    }

    @Test func `who retries the load at the end is not taken to the page of a jump that failed before`() {
        let stage = ShelfStage(0..<60)
        stage.load(20)
        stage.plan.always(.failure())
        stage.run { stage.list.jump(to: "50") }
        stage.run { stage.list.loadNext() }
        stage.plan.heal()
        #expect(stage.list.status.footer.error != nil)
        retryEnd(of: stage)
        #expect(stage.list.snapshot.ids == Array(0..<30))
        // It has a button of its own.
        #expect(stage.list.status.header.error != nil)
    }

    @Test func `who retries the load at the end, or in a gap, does not load all pages for a refresh that failed`() {
        let stage = ShelfStage(0..<100)
        stage.load(20)
        stage.run { stage.list.jump(to: "60") }
        stage.plan.always(.failure())
        stage.run { stage.list.refresh() }
        stage.run { stage.list.loadNext() }
        stage.run { stage.list.fillGap(at: 20) }
        stage.plan.heal()
        let calls = stage.shelf.calls
        retryEnd(of: stage)
        #expect(stage.list.snapshot.ids == Array(0..<20) + Array(60..<80))
        let (memory, state) = (Memory(), stage.list.status.gaps[20] ?? .idle)
        #expect(state.error != nil)
        stage.run { memory.retry(state, of: stage.list) { memory.fillGap(at: 20, of: stage.list) } }
        #expect(stage.list.snapshot.ids == Array(0..<30) + Array(60..<80))
        #expect(stage.shelf.calls == calls + 2)
    }

    @Test func `a pull that loads one page again begins a list whose first load failed`() {
        let stage = ShelfStage(0..<60) { $0.initialKey = "50" }
        func pull(_ key: String) { stage.run { stage.list.refresh(stage.list.status.pulled(.page(key))) } }
        stage.plan.always(.failure())
        stage.run { stage.list.loadNext() }
        stage.plan.heal()
        pull("50")
        #expect(stage.list.snapshot.ids == Array(50..<60) && stage.list.status.refresh == .idle)
        let calls = stage.shelf.calls
        pull("50")
        pull("0")
        #expect(stage.shelf.calls == calls + 1)
    }

    @Test func `a pull that loads one page again begins another search whose first load failed beside the old rows`() {
        let stage = ShelfStage(0..<60)
        stage.load(10)
        stage.plan.always(.failure())
        stage.run { stage.list.show(scope: "other") }
        stage.plan.heal()
        #expect(stage.list.snapshot.ids == Array(0..<10) && stage.list.status.refresh.error != nil)
        stage.shelf.put(100..<160)
        stage.run { stage.list.refresh(stage.list.status.pulled(.page("0"))) }
        #expect(stage.list.snapshot.ids == Array(100..<110))
    }

    @Test func `a key at the end that has expired twice is not tried again: the list begins anew`() {
        let stage = ShelfStage(0..<60)
        stage.load(10)
        let expired = Fault.failure(SourceError.keyExpired(PaginatorError(.expiredKey, "It is too old.")))
        stage.plan.script([expired])
        stage.run { stage.list.loadNext() }
        stage.plan.script([.failure(), expired])
        stage.run { stage.list.jump(to: "50") }
        stage.run { stage.list.loadNext() }
        #expect(stage.list.status.refresh.error != nil && stage.list.status.footer.error?.code == .expiredKey)
        let calls = stage.shelf.calls
        retryEnd(of: stage)
        #expect(stage.list.snapshot.ids == Array(0..<10))
        #expect(stage.shelf.calls == calls + 1)
    }

    @Test func `a load at the end that failed shows right after the last row, and placeholders return with its retry`()
    {
        let stage = ShelfStage(0..<60, tellsTotal: true) { $0.addressing = .offset }
        stage.load(10)
        let memory = Memory()
        func missing() -> Range<Int> {
            _ = memory.follow(stage.list.snapshot, stage.list.status)
            return memory.missing(atMost: 30)
        }
        #expect(missing() == 10..<40)
        stage.plan.always(.failure())
        stage.run { stage.list.loadNext() }
        #expect(missing().isEmpty)
        stage.plan.heal()
        stage.run { stage.list.retry() }
        #expect(missing() == 20..<50)
    }
}

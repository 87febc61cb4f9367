import Foundation
import Testing

@testable import PaginatorCore

@Suite struct CurrentThreadTests {
    /// `@unchecked Sendable`: it is only asked whether the state is still there.
    private struct Kept: @unchecked Sendable {
        weak var state: CurrentThread?
        var wasMade = false
    }

    @Test func `what is kept for a thread goes with the thread`() async {
        let kept = Guarded(Kept())
        Thread.detachNewThread { kept.withLock { $0 = Kept(state: CurrentThread.current, wasMade: true) } }
        func isOver() -> Bool { kept.withLock { $0.wasMade && $0.state == nil } }
        while !isOver() { await Task.yield() }
        #expect(isOver())
    }
}

import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct GoneListTests {
    /// What the closure of a list holds.
    private final class Held: Sendable {
        let ended: Guarded<Int>

        init(_ ended: Guarded<Int>) { self.ended = ended }

        deinit { ended.withLock { $0 += 1 } }
    }

    @Test func `a list that is gone is told nothing more, nothing is kept of it, and others are still told`() {
        let rig = FetchRig()
        let (told, ended, toldOther) = (Guarded(0), Guarded(0), Guarded(0))
        do {
            let held = Held(ended)
            _ = rig.paginator.tellEdits(scope: "") { _ in
                withExtendedLifetime(held) { told.withLock { $0 += 1 } }
                return false
            }
        }
        let other = rig.paginator.tellEdits(scope: "") { edit in
            if edit != nil { toldOther.withLock { $0 += 1 } }
            return true
        }
        rig.run()
        #expect(ended.withLock { $0 } == 1)
        let before = told.withLock { $0 }
        rig.paginator.edits(id: \.id).update(1) { $0 }
        rig.run()
        #expect(told.withLock { $0 } == before)
        #expect(toldOther.withLock { $0 } > 0)
        withExtendedLifetime(other) {}
    }
}

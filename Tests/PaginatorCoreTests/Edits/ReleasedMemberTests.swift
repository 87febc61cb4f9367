import PaginatorTesting
import Testing

@testable import PaginatorCore

/// Members of a group whose paginator is released.
@Suite struct ReleasedMemberTests {
    /// What the closure of a member holds.
    private final class Held: Sendable {
        let ended: Guarded<Int>

        init(_ ended: Guarded<Int>) { self.ended = ended }

        deinit { ended.withLock { $0 += 1 } }
    }

    @Test func `a group keeps nothing of a paginator that was released while another thread was in a call of it`() {
        let executor = SimulatedExecutor()
        let group = ConsistencyGroup<Int>(on: executor)
        let ended = Guarded(0)
        let rig = FetchRig()
        do {
            let held = Held(ended)
            group.join(rig.paginator.edits(id: \.id)) { id in withExtendedLifetime(held) { (id, { $0 }) } }
        }
        executor.runAll()
        // As that call does.
        var engine: FetchEngine? = rig.paginator.engine
        rig.release()
        rig.run()
        executor.runAll()
        withExtendedLifetime(engine) {}
        engine = nil
        rig.run()
        executor.runAll()
        #expect(ended.withLock { $0 } == 1)
    }
}

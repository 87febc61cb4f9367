import PaginatorTesting
import Testing

@testable import PaginatorCore

/// How many edits are kept for pages that lack them.
@Suite struct EditLogTests {
    private final class Held: Sendable {}

    @Test(arguments: [10, EditLog.limit / 2, EditLog.limit + 1])
    func `a load that outlasts the edits that are kept brings its page as stale`(_ count: Int) {
        let rig = FetchRig(hasStore: true)
        rig.hangSource()
        let caller = rig.fetch("1")
        weak var oldest: Held?
        do {
            let held = Held()
            oldest = held
            commit(in: rig) { withExtendedLifetime(held) { nil } }
        }
        for _ in 1..<count { commit(in: rig) { nil } }
        let isBeyond = count > EditLog.limit
        #expect((oldest == nil) == isBeyond)
        rig.answer("1")
        #expect(caller.version == 1)
        #expect(caller.isStale == isBeyond)
        #expect(rig.store?.pages[rig.identity("1")]?.isInvalidated == isBeyond)
        rig.script.withLock { $0.hangs = false }
        #expect(rig.fetch("1").origin == (isBeyond ? .source : .memory))
        #expect(rig.fetch("1").isStale == false)
    }

    private func commit(in rig: FetchRig, _ change: @escaping @Sendable () -> (any AnyObject & Sendable)?) {
        _ = rig.paginator.engine.edits.append({ _ in change() }, at: rig.clock.now)
    }
}

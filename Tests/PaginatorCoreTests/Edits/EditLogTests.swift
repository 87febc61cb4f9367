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

    @Test func `a page that is cached without an edit has it before the log forgets it`() {
        let edit = Guarded<(@Sendable () -> Void)?>(nil)
        let rig = FetchRig(
            validator: .closure { _, _ in
                edit.withLock { $0.take() }?()
                return .accept
            })
        let edits = rig.paginator.edits(id: \.id)
        // Committed when the answer has got the edits of before, and is not in memory yet.
        edit.withLock { $0 = { edits.update(1) { SampleItem(id: $0.id, text: "edited") } } }
        #expect(rig.fetch("1").version == 1)
        rig.advance(.minutes(2))
        commit(in: rig) { nil }
        let found = rig.paginator.peek(key: "1", pageSize: 10)
        #expect(found?.page.content.map(\.text) == ["edited"])
        #expect(found?.isStale == false)
    }

    private func commit(in rig: FetchRig, _ change: @escaping @Sendable () -> (any AnyObject & Sendable)?) {
        _ = rig.paginator.engine.edits.append({ _ in change() }, at: rig.clock.now)
    }
}

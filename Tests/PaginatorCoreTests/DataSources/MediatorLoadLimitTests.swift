import PaginatorTesting
import Testing

@testable import PaginatorCore

/// `maxRemoteLoads` says: "the greatest number of remote pages that one call waits for; … at least 1."
@Suite struct MediatorLoadLimitTests {
    @Test(arguments: [1, 0, Int.min])
    func `a call that may wait for one remote page waits for that one and for no other`(limit: Int) {
        let world = MediatorWorld(maxRemoteLoads: limit)
        let near = world.ask("0")
        world.answerRemote(world.remote.calls[0])
        #expect(near.answers.page?.content == [0, 1, 2])
        // The third page is two remote pages away.
        let far = world.ask("6")
        world.answerRemote(world.remote.calls[1])
        #expect((far.answers.error?.underlying as? RemoteLoadsExhausted)?.loads == 1)
        #expect(world.remote.calls.map(\.request.key) == ["r0", "r1"])
    }
}

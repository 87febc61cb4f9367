import PaginatorTesting
import Testing

@testable import PaginatorCore

/// A scheduler may outlive many screens. Who has ended is not told of its conditions any more.
@Suite struct EndedListenerTests {
    @Test func `a list that has ended does not hear of changed conditions`() {
        let rig = FetchRig()
        let heard = Guarded(0)
        let host = rig.paginator.makeListHost()
        host.listen(
            to: [ExactText("")], pageSize: 10, pagesChanged: {}, conditionsChanged: { heard.withLock { $0 += 1 } })
        rig.connectivity.set(.offline)
        #expect(heard.withLock { $0 } == 1)
        host.end()
        rig.connectivity.set([])
        #expect(heard.withLock { $0 } == 1)
    }

    @Test func `a follower that has stopped does not hear of changed conditions`() {
        let (connectivity, clock, executor) = (ScriptedConnectivity(), ManualPaginatorClock(), SimulatedExecutor())
        let scheduler = PaginatorScheduler(connectivity: connectivity, clock: clock, randomSeed: 1)
        let target = Follower<Int>.Target(
            run: { $0() }, take: { _ in }, tell: { _ in }, afterEdits: { $0() }, onApplied: { _ in }, onEnd: { _ in })
        let follower = Follower(
            PushSource<Int> { _, _ in .none }, from: nil, scheduler: scheduler, clock: clock, seed: 1,
            executor: executor, target: target)
        let endings = EndHandlers()
        let following = follower.start(until: endings)
        executor.runAll()
        connectivity.set(.offline)
        #expect(executor.count == 1)
        executor.runAll()
        following.cancel()
        executor.runAll()
        connectivity.set([])
        #expect(executor.count == 0)
        withExtendedLifetime((follower, endings)) {}
    }
}

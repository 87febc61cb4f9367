import PaginatorTesting
import Testing

@testable import PaginatorCore

/// A task that waits for a page depends on nobody's callback queue to learn that the page will not come.
@Suite struct AwaitedFailureTests {
    @Test func `a task whose fetch has had its time goes on while the callback queue stands still`() {
        let rig = FetchRig()
        rig.hangSource()
        let listener = RecordingListener<SampleItem>()
        let engine = rig.paginator.engine
        let request = PageRequest(key: "1", pageSize: 10, timeout: .seconds(1))
        let ticket = engine.resume(request, request.identity, memory: nil) { result, now in
            listener.fetchDidEnd(result.map { FetchedPage($0, at: now) })
        }
        rig.work.runAll()
        rig.clock.advance(by: .seconds(1))
        rig.clock.advance(by: .zero)
        rig.work.runAll()
        #expect(listener.error?.code == .timedOut)
        #expect(rig.callbacks.count == 0)
        #expect(!ticket.cancel())
    }
}

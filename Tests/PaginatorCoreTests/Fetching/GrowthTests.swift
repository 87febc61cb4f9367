import PaginatorTesting
import Testing

@testable import PaginatorCore

/// What is over leaves nothing behind, however long the process lives.
@Suite struct GrowthTests {
    @Test func `a suspended paginator forgets fetches that were cancelled`() {
        let rig = FetchRig(isObserved: false)
        rig.paginator.suspend()
        let waiting = rig.fetch("0")
        for key in 1...5_000 {
            let caller = rig.start("\(key)")
            rig.work.drain()
            caller.execution.cancel()
        }
        rig.run()
        let held = rig.paginator.engine.inspect { Self.count(of: "held", in: $0) }
        #expect(held < 200)
        rig.paginator.resume()
        rig.run()
        #expect(waiting.version == 1)
        #expect(rig.source.keys == ["0"])
    }

    @Test func `a mediator forgets the scopes of searches that are long over`() {
        let world = MediatorWorld()
        for scope in 0..<5_000 {
            let call = world.source.ask("0", scope: "query \(scope)")
            world.answerRemote(world.remote.calls[scope], last: true)
            #expect(call.answers.page != nil)
        }
        let boundaries = Mirror(reflecting: world.source).descendant("state", "value", "boundaries")
        let remembered = boundaries.map { Mirror(reflecting: $0).children.count } ?? .max
        #expect(remembered <= 1_024)
        let again = world.source.ask("0", scope: "query 4999")
        #expect(again.answers.page?.content.count == 3)
        #expect(world.remote.calls.count == 5_000, "of the last ones it is known where they end")
    }

    private static func count(of name: String, in value: Any) -> Int {
        Mirror(reflecting: value).descendant(name).map { Mirror(reflecting: $0).children.count } ?? .max
    }
}

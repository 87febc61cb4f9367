import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct MediatorScopesTests {
    @Test func `the next remote key of 1,024 scopes is remembered, however often they are used`() throws {
        let world = MediatorWorld()
        let scopes = (0..<1_024).map { "s\($0)" }
        for scope in scopes {
            _ = world.ask("0", scope: scope)
            let call = try #require(world.remote.calls.last)
            world.answerRemote(call)
        }
        for scope in scopes { _ = world.ask("3", scope: scope) }
        let later = world.remote.calls.dropFirst(scopes.count).map(\.request)
        #expect(later.map(\.scope) == scopes)
        #expect(later.allSatisfy { $0.key == "r1" }, "none begins again at the first remote page")
    }

    @Test func `the scopes used last are remembered when there are more, and no more than twice as many`() throws {
        let world = MediatorWorld()
        let scopes = (0..<2_100).map { "s\($0)" }
        var most = 0
        for scope in scopes {
            _ = world.ask("0", scope: scope)
            let call = try #require(world.remote.calls.last)
            world.answerRemote(call)
            most = max(most, world.source.state.withLock { $0.boundaries.count })
        }
        #expect(most == 2_048)
        for scope in scopes.suffix(1_024) { _ = world.ask("3", scope: scope) }
        let later = world.remote.calls.dropFirst(scopes.count).map(\.request)
        #expect(later.map(\.scope) == Array(scopes.suffix(1_024)))
        #expect(later.allSatisfy { $0.key == "r1" })
    }

    @Test func `a key that breaks the local source's rule is refused, and nobody is asked for it`() {
        let rig = FetchRig(over: { remote in
            MediatorDataSource(local: ArrayDataSource<SampleItem>([]), remote: remote) { _, _, _, completion in
                completion(.success(()))
            }
        })
        let caller = rig.fetch("no offset")
        #expect(caller.endedOnce && caller.code == .invalidKey)
        #expect(caller.listener.error?.attempts == 0)
        #expect(rig.source.calls.isEmpty)
    }
}

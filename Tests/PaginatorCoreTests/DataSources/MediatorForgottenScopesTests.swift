import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct MediatorForgottenScopesTests {
    @Test func `the scopes used last are remembered when there are more, and no more than twice as many`() throws {
        let world = MediatorWorld()
        let scopes = (0..<2_100).map { "s\($0)" }
        for scope in scopes {
            _ = world.ask("0", scope: scope)
            let call = try #require(world.remote.calls.last)
            world.answerRemote(call)
        }
        #expect(world.source.state.withLock { $0.boundaries.count } <= 2_048)
        for scope in scopes.suffix(1_024) { _ = world.ask("3", scope: scope) }
        let later = world.remote.calls.dropFirst(scopes.count).map(\.request)
        #expect(later.map(\.scope) == Array(scopes.suffix(1_024)))
        #expect(later.allSatisfy { $0.key == "r1" })
    }
}

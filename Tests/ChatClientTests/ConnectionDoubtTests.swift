import AppFoundation
import ChatClient
import ExampleBackend
import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

/// A chat whose server cannot be reached.
@Suite(.timeLimit(.minutes(3))) struct ConnectionDoubtTests {
    @Test func `a request that does not reach the server has the connection checked at once`() async throws {
        let world = try await ChatWorld.make()
        let bob = try await world.client("bob")
        let environment = AppEnvironment(AppEnvironment.State(link: .weak))
        let (checked, continuation) = AsyncStream<Void>.makeStream()
        let observation = environment.observeState { if $0.link == .good { continuation.finish() } }
        let checks = Handshake(0)
        // By this clock no interval ever ends.
        let probe = ConnectivityProbe(environment, clock: ManualPaginatorClock()) {
            checks.update { $0 += 1 }
            return true
        }
        // The first check has ended.
        for await _ in checked {}
        #expect(checks.read { $0 } == 1)
        let app = try await ChatApp.open(
            root: world.folder.appendingPathComponent("app"), at: world.url, signIn: "Ann", environment: environment,
            config: .impatient)
        // The system itself repeats a request whose old connection was closed.
        world.backend.faults.plan(Array(repeating: .lostRequest, count: 3), "POST", "/v1/messages")
        try await app.service.send("hello", to: bob.id)
        try await checks.wait { $0 >= 2 }
        try await bob.waitUntil { try $0.unreadCount(from: app.user.id) == 1 }
        withExtendedLifetime((observation, probe)) {}
        try await app.close()
        await world.end()
    }
}

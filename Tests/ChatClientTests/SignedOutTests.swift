import AppFoundation
import ChatClient
import Foundation
import GRDB
import PaginatorCore
import Testing

@testable import ExampleBackend

/// A server that does not take the token any more: the user sees it, loses nothing, and goes on after a sign-in.
@MainActor @Suite(.timeLimit(.minutes(3))) struct SignedOutTests {
    private func open(
        _ world: ChatWorld, signIn name: String? = nil, environment: AppEnvironment = AppEnvironment()
    ) async throws -> ChatApp {
        try await ChatApp.open(
            root: world.folder.appendingPathComponent("app"), at: world.url, signIn: name, environment: environment,
            config: .impatient)
    }

    /// Opens the list of an app's chats.
    private func openList(of app: ChatApp) async -> ChatListScreen {
        let list = ChatListScreen(app.service)
        await list.open()
        return list
    }

    /// Ends the session of an app behind its back, as when the user ends it on another device: the server closes the
    /// socket, and grants no other.
    private func endSession(of app: ChatApp, _ world: ChatWorld) async throws {
        let token = app.user.token
        _ = try await APIClient(baseURL: world.url) { token }.send(APIRequest("DELETE", "/v1/session"))
    }

    private func makePush(of app: ChatApp, _ world: ChatWorld, _ environment: AppEnvironment) -> PushComponent {
        PushComponent(
            app.service, provider: world.url, transport: ScriptedTransport(), environment: environment,
            deviceId: "device", pushToken: "token", askForConsent: { true }, raise: { _ in }, openConversation: { _ in }
        )
    }

    @Test func `the chat shows it keeps what is written and goes on after a sign in`() async throws {
        let world = try await ChatWorld.make()
        let bob = try await world.client("bob")
        try await bob.waitUntilLive()
        let app = try await open(world, signIn: "Ann")
        let list = await openList(of: app)
        try await list.first { $0.isLive }
        #expect(!ChatFrames.list(list.state).contains("signed out"))
        try await endSession(of: app, world)
        try await list.first { $0.isSignedOut && !$0.isLive }
        #expect(ChatFrames.list(list.state).contains("! You were signed out."))

        try await app.service.send("kept", to: bob.id)
        try await bob.chat.send("waits", to: app.user.id)
        try await bob.waitUntil { try $0.requests(to: app.user.id).isEmpty }
        // Nothing more is asked of a server that has refused.
        let requests = world.backend.faults.count(nil, "/v1/messages")
        app.service.updates.syncNow()
        #expect(try await app.service.database.read { try $0.requests(to: bob.id).map(\.content) } == ["kept"])
        try await app.service.shutDown()
        #expect(world.backend.faults.count(nil, "/v1/messages") == requests)

        // The next run knows it without asking, and still has the row.
        let again = try await open(world)
        let screen = await openList(of: again)
        try await screen.first { $0.isSignedOut }
        #expect(try await again.service.database.read { try $0.requests(to: bob.id).map(\.content) } == ["kept"])
        #expect(world.backend.faults.count(nil, "/v1/messages") == requests)
        try await again.session.signInAgain(at: world.url)
        try await screen.first { !$0.isSignedOut && $0.isLive && $0.unreadCount == 1 }
        try await bob.waitUntil { read in
            try read.history(.newest, with: app.user.id, limit: 9).messages.map(\.content) == ["waits", "kept"]
        }
        try await again.logOut()
        await world.end()
    }

    @Test func `what comes while it is signed out is there after a sign in although another device has it`()
        async throws
    {
        let world = try await ChatWorld.make()
        let bob = try await world.client("bob")
        let app = try await open(world, signIn: "Ann")
        let tablet = try await world.client("Ann", device: "tablet")
        let list = await openList(of: app)
        try await list.first { $0.isLive }
        try await endSession(of: app, world)
        try await list.first { $0.isSignedOut && !$0.isLive }
        try await bob.chat.send("missed", to: app.user.id)
        try await tablet.waitUntil { try $0.unreadCount(from: bob.id) == 1 }
        try await bob.chat.send("later", to: app.user.id)
        try await tablet.waitUntil { try $0.unreadCount(from: bob.id) == 2 }
        try await app.session.signInAgain(at: world.url)
        try await list.first { !$0.isSignedOut && $0.isLive && $0.unreadCount == 2 }
        let texts = try await app.service.database.read {
            try $0.history(.newest, with: bob.id, limit: 9).messages.map(\.content)
        }
        #expect(texts == ["missed", "later"])
        try await app.logOut()
        await world.end()
    }

    @Test func `a refused message stays in the outbox and is sent once after a sign in`() async throws {
        let world = try await ChatWorld.make()
        let bob = try await world.client("bob")
        let app = try await open(world, signIn: "Ann")
        let list = await openList(of: app)
        try await list.first { $0.isLive }
        world.backend.faults.plan([.status(401)], "POST", "/v1/messages")
        let request = try #require(try await app.service.send("once", to: bob.id))
        try await list.first { $0.isSignedOut && !$0.isLive }
        let waiting = try await app.service.database.read { try $0.requests(to: bob.id) }
        #expect(waiting.map(\.requestId) == [request.requestId])
        #expect(waiting.first?.status != .failed)
        try await app.session.signInAgain(at: world.url)
        try await bob.waitUntil { try $0.unreadCount(from: app.user.id) == 1 }
        #expect(world.backend.faults.count("POST", "/v1/messages") == 2)
        try await list.first { !$0.isSignedOut && $0.isLive }
        try await app.logOut()
        await world.end()
    }

    @Test func `the device is registered for push once more`() async throws {
        let world = try await ChatWorld.make()
        let environment = AppEnvironment()
        let app = try await open(world, signIn: "Ann", environment: environment)
        let push = makePush(of: app, world, environment)
        try await push.register()
        #expect(world.backend.faults.count("PUT", "/v1/devices") == 1)
        let list = await openList(of: app)
        try await endSession(of: app, world)
        try await list.first { $0.isSignedOut }
        // The first attempt fails, and the next change of the connection brings another.
        world.backend.faults.plan([.status(503)], "PUT", "/v1/devices")
        try await app.session.signInAgain(at: world.url)
        try await world.backend.faults.waitForRequests(2, "PUT", "/v1/devices")
        environment.update { $0.lifecycle = .background }
        try await list.first { !$0.isLive }
        environment.update { $0.lifecycle = .foreground }
        try await world.backend.faults.waitForRequests(3, "PUT", "/v1/devices")
        try await app.logOut(push)
        await world.end()
    }

    @Test func `the device is registered after each sign in although the last registration is not answered yet`()
        async throws
    {
        let world = try await ChatWorld.make()
        let bob = try await world.client("bob")
        let environment = AppEnvironment()
        let app = try await open(world, signIn: "Ann", environment: environment)
        let push = makePush(of: app, world, environment)
        try await push.register()
        let list = await openList(of: app)
        try await endSession(of: app, world)
        try await list.first { $0.isSignedOut }
        world.backend.faults.plan([.stall], "PUT", "/v1/devices")
        try await app.session.signInAgain(at: world.url)
        try await world.backend.faults.waitForRequests(2, "PUT", "/v1/devices")
        try await list.first { !$0.isSignedOut }
        world.backend.faults.plan([.status(401)], "POST", "/v1/messages")
        try await app.service.send("hello", to: bob.id)
        try await list.first { $0.isSignedOut }
        world.backend.faults.heal()
        var devices = 0
        while devices == 0 {
            try Task.checkCancellation()
            devices = try await world.backend.chat.database.queue.read { db in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM chatDevice") ?? 0
            }
        }
        try await app.session.signInAgain(at: world.url)
        try await world.backend.faults.waitForRequests(3, "PUT", "/v1/devices")
        try await app.logOut(push)
        await world.end()
    }
}

import AppFoundation
import ChatClient
import ExampleBackend
import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

/// A recipient without a socket is told through the push provider.
@Suite(.timeLimit(.minutes(3))) struct PushTests {
    private final class Seen: Sendable {
        let alerts = Guarded<[PushAlert]>([])
        let opened = Guarded<[String]>([])
        let arrival = AsyncStream.makeStream(of: PushAlert.self)
    }

    private func component(
        _ person: ChatPerson, _ provider: URL, _ seen: Seen, consent: Bool,
        transport: any ChatTransport = WebSocketTransport(), config: SocketConfig = SocketConfig(),
        clock: any PaginatorClock = SystemPaginatorClock(), seed: UInt64 = 1
    ) throws -> PushComponent {
        PushComponent(
            try person.chat,
            provider: try #require(URL(string: "ws://127.0.0.1:\(provider.port ?? 0)/v1/push")), transport: transport,
            config: config, clock: clock, seed: seed, environment: person.environment, deviceId: "device",
            pushToken: "token-\(person.name)",
            askForConsent: { consent },
            raise: { alert in
                seen.alerts.withLock { $0.append(alert) }
                seen.arrival.continuation.yield(alert)
            }, openConversation: { contact in seen.opened.withLock { $0.append(contact) } })
    }

    @Test func `the background raises an alert and a tap opens the conversation`() async throws {
        let provider = PushProvider()
        let url = try await provider.start()
        let world = try await ChatWorld.make { $0.chat.pushProvider = url }
        let ann = try await world.client("ann")
        let bob = try await world.client("bob")
        let seen = Seen()
        let push = try component(bob, url, seen, consent: true)
        try await push.register()
        try await bob.waitUntilLive()
        bob.environment.update { $0.lifecycle = .background }
        try await bob.waitUntilStatus { !$0.status.isLive }
        try await bob.waitUntilGone()
        try await ann.chat.send("are you there?", to: bob.id)
        var alerts = seen.arrival.stream.makeAsyncIterator()
        let alert = try #require(await alerts.next())
        #expect(alert == PushAlert(contactId: ann.id, title: "ann", text: "are you there?", unreadCount: 1))
        push.tap(alert)
        #expect(seen.opened.withLock { $0 } == [ann.id])
        // The message itself comes by the sync that the push has asked for, without a socket.
        try await bob.waitUntil { try $0.unreadCount(from: ann.id) == 1 }
        try await push.unregister()
        await provider.stop()
        await world.end()
    }

    @Test func `each message of a burst counts once, before the device has any of them`() async throws {
        let world = try await ChatWorld.make()
        let bob = try await world.client("bob")
        let (seen, transport) = (Seen(), ScriptedTransport())
        let push = try component(
            bob, world.url, seen, consent: true, transport: transport, clock: ManualPaginatorClock())
        try await push.register()
        bob.environment.update { $0.lifecycle = .background }
        var alerts = seen.arrival.stream.makeAsyncIterator()
        for (message, count) in [(901, 1), (902, 2), (902, 2), (903, 3)] {
            transport.receive(
                #"{"pushToken":"t","fromUserId":"7","messageId":\#(message),"title":"ann","text":"\#(message)"}"#)
            let alert = try #require(await alerts.next())
            #expect(alert.text == "\(message)" && alert.unreadCount == count)
        }
        try await push.unregister()
        await world.end()
    }

    @Test func `a refusal is remembered and registers nothing`() async throws {
        let world = try await ChatWorld.make()
        let bob = try await world.client("bob")
        let push = try component(bob, world.url, Seen(), consent: false)
        #expect(push.consent == .notAsked)
        try await push.register()
        #expect(push.consent == .refused)
        #expect(world.backend.faults.count("PUT", "/v1/devices") == 0)
        try await push.unregister()
        #expect(world.backend.faults.count("DELETE", "/v1/devices") == 0)
        await world.end()
    }

    @Test func `a message that a socket was told and the device did not take is announced when the socket is gone`()
        async throws
    {
        let provider = PushProvider()
        let url = try await provider.start()
        let world = try await ChatWorld.make {
            $0.chat.pushProvider = url
            $0.chat.silenceLimit = .milliseconds(300)
        }
        let ann = try await world.client("ann")
        // A device that is told everything by a socket, commits nothing, and then says nothing any more.
        let bob = try await world.client("bob", transport: DeafTransport())
        let seen = Seen()
        let push = try component(bob, url, seen, consent: true)
        try await push.register()
        bob.environment.update { $0.lifecycle = .background }
        try await bob.waitUntilStatus { !$0.status.isLive }
        let socket = try await WebSocketTransport().connect(try bob.socketURL, token: bob.token) { _ in }
        try await ann.chat.send("are you there?", to: bob.id)
        var alerts = seen.arrival.stream.makeAsyncIterator()
        #expect(await alerts.next()?.text == "are you there?")
        #expect(await world.backend.chat.socketCount(of: Int64(bob.id) ?? 0) == 0)
        socket.close()
        try await push.unregister()
        await provider.stop()
        await world.end()
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `a socket that drops is opened again with backoff and jitter`(seed: UInt64) async throws {
        let world = try await ChatWorld.make()
        let bob = try await world.client("bob")
        try await bob.waitUntilLive()
        let (clock, transport) = (ManualPaginatorClock(), ScriptedTransport())
        let push = try component(
            bob, world.url, Seen(), consent: true, transport: transport, clock: clock, seed: seed)
        try await push.register()
        #expect(transport.attempts == 1)
        // The foreground asks for nothing by itself meanwhile.
        bob.environment.update { $0.lifecycle = .background }
        try await bob.waitUntilStatus { !$0.status.isLive }
        let syncs = world.backend.faults.count("GET", "/v1/messages")

        let config = SocketConfig()
        let backoff = Backoff(base: config.backoffBase, cap: config.backoffCap)
        var random = SplitMix64(seed: seed)
        transport.fail(next: 3)
        transport.drop()
        for failures in 1...4 {
            let delay = backoff.delay(failures: failures, statedDelay: nil, using: &random)
            // The socket's opening has armed the timer once.
            try await clock.waitUntilTimesArmed(1 + failures)
            #expect(transport.attempts == failures)
            #expect(clock.armedDeadlines == [clock.now.advanced(by: delay)])
            clock.advance(by: delay - .nanoseconds(1))
            #expect(transport.attempts == failures)
            clock.advance(by: .nanoseconds(1))
        }
        try await transport.waitUntilOpen()
        #expect(transport.attempts == 5)
        // What was announced meanwhile is asked for.
        try await bob.waitUntilStatus { _ in world.backend.faults.count("GET", "/v1/messages") > syncs }
        try await push.unregister()
        await world.end()
    }

    @Test func `without a connection no socket is asked for and with one at once`() async throws {
        let world = try await ChatWorld.make()
        let bob = try await world.client("bob")
        let (clock, transport) = (ManualPaginatorClock(), ScriptedTransport())
        let push = try component(bob, world.url, Seen(), consent: true, transport: transport, clock: clock)
        try await push.register()
        bob.environment.update { $0.link = .none }
        try await transport.waitUntilClosed()
        bob.environment.update { $0.link = .good }
        // No time passes.
        try await transport.waitUntilOpen()
        #expect(transport.attempts == 2)
        try await push.unregister()
        await world.end()
    }

    @Test func `a device that cannot be registered holds no socket`() async throws {
        let world = try await ChatWorld.make()
        let bob = try await world.client("bob")
        let (clock, transport) = (ManualPaginatorClock(), ScriptedTransport())
        let push = try component(bob, world.url, Seen(), consent: true, transport: transport, clock: clock)
        transport.fail(next: 1)
        await #expect(throws: ChatTransportError.refused) { try await push.register() }
        #expect(world.backend.faults.count("PUT", "/v1/devices") == 0)
        // When the user asks again it is tried at once, without a wait: no time passes.
        world.backend.faults.plan([.lostRequest], "PUT", "/v1/devices")
        await #expect(throws: APIError.self) { try await push.register() }
        #expect(transport.attempts == 2)
        try await transport.waitUntilClosed()
        try await push.register()
        #expect(transport.attempts == 3)
        try await push.unregister()
        await world.end()
    }

    @Test func `what is sent after the push service has come back is announced`() async throws {
        let first = PushProvider()
        let url = try await first.start()
        let world = try await ChatWorld.make { $0.chat.pushProvider = url }
        let ann = try await world.client("ann")
        let bob = try await world.client("bob")
        let seen = Seen()
        var config = SocketConfig()
        config.backoffBase = .milliseconds(2)
        config.backoffCap = .milliseconds(30)
        let push = try component(bob, url, seen, consent: true, config: config)
        try await push.register()
        bob.environment.update { $0.lifecycle = .background }
        try await bob.waitUntilStatus { !$0.status.isLive }
        try await bob.waitUntilGone()
        await first.stop()
        let second = PushProvider()
        // A process that was started meanwhile may have inherited the socket, and holds it until it ends.
        while (try? await second.start(port: UInt16(url.port ?? 0))) == nil {
            try Task.checkCancellation()
            await Task.yield()
        }
        while !second.isConnected("token-bob") {
            try Task.checkCancellation()
            await Task.yield()
        }
        try await ann.chat.send("are you back?", to: bob.id)
        var alerts = seen.arrival.stream.makeAsyncIterator()
        #expect(await alerts.next()?.text == "are you back?")
        try await push.unregister()
        await second.stop()
        await world.end()
    }

    @MainActor @Test func `a refusal is shown in the list of chats`() async throws {
        let world = try await ChatWorld.make()
        let bob = try await world.client("bob")
        let list = ChatListScreen(try bob.chat)
        await list.open()
        #expect(!ChatFrames.list(list.state).contains("not announced"))
        await list.askForPush(try component(bob, world.url, Seen(), consent: false))
        #expect(list.state.pushConsent == .refused)
        #expect(ChatFrames.list(list.state).contains("not announced"))
        await world.end()
    }
}

/// Opens no socket of its own, and is not refused one.
private struct DeafTransport: ChatTransport {
    func connect(
        _ url: URL, token: String, onInput: @escaping @Sendable (SocketInput) -> Void
    ) async throws -> any ChatConnection {
        throw ChatTransportError.badAddress
    }
}

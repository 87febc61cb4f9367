import AppFoundation
import ChatClient
import ChatWire
import ExampleBackend
import Foundation
import NIOCore
import NIOPosix
import PaginatorCore
import PaginatorTesting
import Testing

/// What the chat expects of whatever carries it, shown of each transport against the backend.
@Suite(.timeLimit(.minutes(3))) struct TransportContractTests {
    enum Kind: CaseIterable, Sendable {
        case webSocket, eventStream

        var transport: any ChatTransport { transport(on: .singleton) }

        func transport(on group: MultiThreadedEventLoopGroup) -> any ChatTransport {
            switch self {
            case .webSocket: WebSocketTransport(group: group)
            case .eventStream: EventStreamTransport(group: group)
            }
        }

        var path: String {
            switch self {
            case .webSocket: "/v1/socket/updates"
            case .eventStream: "/v1/socket/events"
            }
        }
    }

    private func connect(
        _ kind: Kind, _ person: ChatPerson, token: String? = nil
    ) async throws -> (connection: any ChatConnection, inputs: AsyncStream<SocketInput>.Iterator) {
        let (inputs, continuation) = AsyncStream<SocketInput>.makeStream()
        let connection = try await kind.transport.connect(try person.socketURL, token: token ?? person.token) { input in
            continuation.yield(input)
            if input == .closed { continuation.finish() }
        }
        return (connection, inputs.makeAsyncIterator())
    }

    /// Lets others go on; throws when the test has run out of time.
    private func nextTurn() async throws {
        try Task.checkCancellation()
        await Task.yield()
    }

    @Test(arguments: Kind.allCases)
    func `a ping is answered and tells where the events stand`(_ kind: Kind) async throws {
        let world = try await ChatWorld.make()
        let ann = try await world.client("ann")
        try await ann.kill()
        var (connection, inputs) = try await connect(kind, ann)
        connection.ping()
        #expect(await inputs.next() == .heartbeat)
        guard case .text(let text)? = await inputs.next() else { throw StateNotReached("the position") }
        let event = try WireCoding.decoder().decode(ChatEvent.self, from: Data(text.utf8))
        #expect(event.content == .position(0))
        connection.close()
        #expect(await inputs.next() == .closed)
        #expect(await inputs.next() == nil)
        await world.end()
    }

    @Test(arguments: Kind.allCases)
    func `a token that is refused and a server that is not there are told apart`(_ kind: Kind) async throws {
        let world = try await ChatWorld.make()
        let ann = try await world.client("ann")
        try await ann.kill()
        await #expect(throws: ChatTransportError.refused) { try await connect(kind, ann, token: "another") }
        await world.backend.stop()
        await #expect {
            try await connect(kind, ann)
        } throws: {
            $0 as? ChatTransportError != .refused
        }
        await world.end()
    }

    @Test(arguments: Kind.allCases)
    func `the end of the server ends the connection once`(_ kind: Kind) async throws {
        let world = try await ChatWorld.make()
        let ann = try await world.client("ann")
        try await ann.kill()
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let inputs = Guarded<[SocketInput]>([])
        let connection = try await kind.transport(on: group).connect(try ann.socketURL, token: ann.token) { input in
            inputs.withLock { $0.append(input) }
        }
        await world.backend.chat.cutSockets()
        while inputs.withLock({ !$0.contains(.closed) }) { try await nextTurn() }
        // Everything that the connection still had to say has been said.
        try await group.shutdownGracefully()
        #expect(inputs.withLock { $0.filter { $0 == .closed } }.count == 1)
        connection.close()
        await world.end()
    }

    @Test(arguments: Kind.allCases)
    func `who closes is gone for a server that has nothing to say`(_ kind: Kind) async throws {
        let world = try await ChatWorld.make { $0.chat.silenceLimit = .seconds(3_600) }
        let ann = try await world.client("ann")
        try await ann.kill()
        let user = try #require(Int64(ann.id))
        try await ann.waitUntilGone()
        let (connection, _) = try await connect(kind, ann)
        while await world.backend.chat.socketCount(of: user) == 0 { try await nextTurn() }
        connection.close()
        try await ann.waitUntilGone()
        await world.end()
    }

    @Test(arguments: Kind.allCases)
    func `who closes is gone for the server`(_ kind: Kind) async throws {
        let world = try await ChatWorld.make()
        let (ann, bob) = (try await world.client("ann"), try await world.client("bob"))
        try await ann.chat.send("hello", to: bob.id)
        try await bob.waitUntil { try $0.history(.after(0), with: ann.id, limit: 10).messages.count == 1 }
        try await bob.kill()
        let (connection, _) = try await connect(kind, bob)
        try await ann.waitUntilStatus { $0.info(of: bob.id)?.onlineStatus == true }
        connection.close()
        try await ann.waitUntilStatus { $0.info(of: bob.id)?.onlineStatus != true }
        try await bob.waitUntilGone()
        await world.end()
    }

    @Test(arguments: Kind.allCases)
    func `two people chat with typing through an outage of the server`(_ kind: Kind) async throws {
        let world = try await ChatWorld.make()
        let ann = try await world.client("ann", transport: kind.transport)
        let bob = try await world.client("bob", transport: kind.transport)
        try await ann.waitUntilLive()
        try await bob.waitUntilLive()
        for number in 1...20 { try await ann.chat.send("\(number)", to: bob.id) }
        try await bob.waitUntil { try $0.history(.after(0), with: ann.id, limit: 100).messages.count == 20 }
        try await bob.chat.type("w", to: ann.id)
        try await ann.waitUntilStatus { $0.info(of: bob.id)?.typing == true }

        await world.backend.stop()
        try await bob.waitUntilStatus { !$0.status.isLive }
        try await ann.chat.send("21", to: bob.id)
        try await world.backend.start()
        try await bob.waitUntil { try $0.history(.after(0), with: ann.id, limit: 100).messages.count == 21 }
        try await bob.waitUntilLive()
        #expect(try await bob.history(with: ann).map(\.content) == (1...21).map(String.init))
        // No transport has used the other's address.
        let other: Kind = kind == .webSocket ? .eventStream : .webSocket
        #expect(world.backend.faults.count("GET", other.path) == 0)
        try await ann.kill()
        try await bob.kill()
        await world.end()
    }

    @Test func `events are taken where the socket is refused`() async throws {
        let world = try await ChatWorld.make()
        world.backend.faults.plan([.status(426)], "GET", Kind.webSocket.path)
        let ann = try await world.client("ann", transport: FallbackTransport())
        try await ann.waitUntilLive()
        #expect(world.backend.faults.count("GET", Kind.webSocket.path) == 1)
        #expect(world.backend.faults.count("GET", Kind.eventStream.path) == 1)
        try await ann.kill()
        await world.end()
    }

    @Test func `nobody speaks on the stream of somebody else`() async throws {
        let world = try await ChatWorld.make()
        let (ann, bob) = (try await world.client("ann"), try await world.client("bob"))
        var (connection, inputs) = try await connect(.eventStream, ann)
        let name = try #require(world.backend.chat.streams.names.first)
        let api = APIClient(baseURL: world.url) { [token = bob.token] in token }
        await #expect {
            try await api.send("POST", "/v1/socket/events/\(name)", body: ["type": "ping"])
        } throws: {
            ($0 as? APIError)?.status == 410
        }
        connection.ping()
        #expect(await inputs.next() != .closed)
        connection.close()
        try await ann.kill()
        try await bob.kill()
        await world.end()
    }
}

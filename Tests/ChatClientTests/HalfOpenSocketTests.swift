import AppFoundation
import ChatClient
import ExampleBackend
import Foundation
import NIOCore
import NIOWebSocket
import PaginatorCore
import PaginatorTesting
import Testing

/// A server that is gone without a word: the connection stays open, and nothing comes any more.
@Suite(.timeLimit(.minutes(3))) struct HalfOpenSocketTests {
    /// What the servers' ends of the sockets have seen.
    private struct Seen: Sendable {
        var pings: [Int: Int] = [:]
        var closed: Set<Int> = []
    }

    /// Takes frames, and answers pings unless it is mute.
    private final class Listener: ChannelInboundHandler {
        typealias InboundIn = WebSocketFrame
        typealias OutboundOut = WebSocketFrame

        private let number: Int
        private let isMute: Bool
        private let seen: Handshake<Seen>

        init(_ number: Int, isMute: Bool, _ seen: Handshake<Seen>) {
            self.number = number
            self.isMute = isMute
            self.seen = seen
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = unwrapInboundIn(data)
            guard frame.opcode == .ping else { return }
            seen.update { $0.pings[number, default: 0] += 1 }
            if isMute { return }
            let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            seen.update { _ = $0.closed.insert(number) }
            context.fireChannelInactive()
        }
    }

    @Test func `a socket of which nothing is heard is given up and another opened`() async throws {
        let world = try await ChatWorld.make()
        let ann = try await world.client("ann")
        let (id, token) = (ann.id, ann.token)
        try await ann.kill()
        let seen = Handshake(Seen())
        let server = try await SocketServer.start(isSecure: false) { number in
            Listener(number, isMute: number == 0, seen)
        }
        let clock = ManualPaginatorClock()
        var config = ChatServiceConfig()
        config.clock = clock
        config.seed = 1
        config.survivesPowerCuts = false
        let service = try await ChatService.open(
            world.folder.appendingPathComponent("half-open.sqlite"), userId: id,
            api: APIClient(baseURL: world.url) { token },
            socketURL: try #require(URL(string: "ws://127.0.0.1:\(server.port)/v1/socket/updates")), config: config,
            token: { token })
        let status = Handshake(service.updates.status)
        let subscription = service.updates.observe { [weak service] in
            if let now = service?.updates.status { status.update { $0 = now } }
        }
        let environment = AppEnvironment()
        service.follow(environment)
        try await status.wait { $0.isLive && $0.catchUps == 1 }

        // Silence is broken by a ping, which arrives, for the connection is there.
        let (interval, timeout) = (config.socket.heartbeatInterval, config.socket.heartbeatTimeout)
        let start = clock.now
        try await clock.waitForTimer(atOrBefore: start.advanced(by: interval))
        clock.advance(by: interval)
        try await seen.wait { $0.pings[0] == 1 }
        // Its answer does not come, and neither does an end of the connection.
        let end = start.advanced(by: interval + timeout)
        try await clock.waitForTimer(atOrBefore: end)
        clock.advance(to: start.advanced(by: interval + timeout - .nanoseconds(1)))
        #expect(service.updates.status.isLive && seen.read { $0.closed.isEmpty })
        clock.advance(to: end)
        try await status.wait { !$0.isLive }
        try await seen.wait { $0.closed == [0] }
        #expect(server.upgrades.withLock { $0.count } == 1)

        // The next one is opened after the back-off, and what was missed is asked for.
        try await clock.waitForTimer(atOrBefore: end.advanced(by: config.socket.backoffBase))
        clock.advanceToNextTimer()
        try await status.wait { $0.isLive && $0.catchUps == 2 }
        #expect(server.upgrades.withLock { $0.count } == 2)
        // This one answers, and is kept.
        for ping in 1...3 {
            let quietUntil = clock.now.advanced(by: interval)
            try await clock.waitForTimer(atOrBefore: quietUntil)
            let armed = clock.timesArmed
            clock.advance(to: quietUntil)
            try await seen.wait { $0.pings[1] == ping }
            // Once for the time-out, and once more with the answer, for the next silence.
            try await clock.waitUntilTimesArmed(armed + 2)
            #expect(clock.armedDeadlines == [quietUntil.advanced(by: interval)])
        }
        #expect(service.updates.status.isLive && seen.read { $0.closed == [0] })
        #expect(server.upgrades.withLock { $0.count } == 2)

        subscription.cancel()
        try await service.shutDown()
        try await server.stop()
        await world.end()
    }
}

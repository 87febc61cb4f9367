package import Foundation
import NIOCore
import NIOHTTP1
package import NIOPosix
package import NIOSSL
import NIOWebSocket

/// WebSocket (RFC 6455) on SwiftNIO: `ws` for loopback, `wss` elsewhere, where the server has to prove its identity
/// with a certificate.
package struct WebSocketTransport: ChatTransport {
    private let dialer: ChatDialer

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - trustRoots: the trusted root certificates; the system's by default.
    ///   - group: the threads of the sockets.
    ///   - connectTimeout: the timeout of opening, in seconds.
    package init(
        trustRoots: NIOSSLTrustRoots = .default, group: MultiThreadedEventLoopGroup = .singleton,
        connectTimeout: Int64 = 10
    ) {
        dialer = ChatDialer(trustRoots: trustRoots, group: group, timeout: connectTimeout)
    }

    package func connect(
        _ url: URL, token: String, onInput: @escaping @Sendable (SocketInput) -> Void
    ) async throws -> any ChatConnection {
        let head = ChatDialer.request(url, token: token)
        switch try await dialer.dial(url, { try Self.upgrade($0, head, onInput) }) {
        case .granted(let channel): return WebSocketConnection(channel)
        case .refused(let status): throw ChatTransportError(status: try await status.get())
        }
    }

    private enum Upgrade: Sendable {
        case granted(any Channel)
        case refused(EventLoopFuture<UInt>)
    }

    /// Requests the upgrade.
    private static func upgrade(
        _ channel: any Channel, _ head: HTTPRequestHead, _ onInput: @escaping @Sendable (SocketInput) -> Void
    ) throws -> EventLoopFuture<Upgrade> {
        let limit = ChatDialer.messageLimit
        let upgrader = NIOTypedWebSocketClientUpgrader<Upgrade>(maxFrameSize: limit) { channel, _ in
            channel.eventLoop.makeCompletedFuture {
                let frames = NIOWebSocketFrameAggregator(
                    minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 1_024, maxAccumulatedFrameSize: limit)
                try channel.pipeline.syncOperations.addHandlers([frames, WebSocketInputHandler(onInput: onInput)])
                return .granted(channel)
            }
        }
        let upgrade = NIOTypedHTTPClientUpgradeConfiguration<Upgrade>(
            upgradeRequestHead: head, upgraders: [upgrader],
            notUpgradingCompletionHandler: { channel in
                channel.eventLoop.makeCompletedFuture {
                    // Created before the request, because the answer needs it.
                    let status = channel.eventLoop.makePromise(of: UInt.self)
                    try channel.pipeline.syncOperations.addHandler(StatusHandler(status))
                    return .refused(status.futureResult)
                }
            })
        var configuration = NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: upgrade)
        // A server may send its first frames together with its answer.
        configuration.leftOverBytesStrategy = .forwardBytes
        return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(configuration: configuration)
    }
}

/// An open socket on a channel.
private final class WebSocketConnection: ChatConnection {
    private let channel: any Channel

    init(_ channel: any Channel) { self.channel = channel }

    deinit { close() }

    func send(text: String) { send(.text, ByteBuffer(string: text)) }

    func ping() { send(.ping, ByteBuffer()) }

    func close() { channel.close(mode: .all, promise: nil) }

    /// Frames of a client are masked, RFC 6455, section 5.3.
    private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
        channel.writeAndFlush(
            WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data), promise: nil)
    }
}

/// Converts frames to inputs, and answers control frames.
private final class WebSocketInputHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let onInput: @Sendable (SocketInput) -> Void
    private var hasClosed = false

    init(onInput: @escaping @Sendable (SocketInput) -> Void) { self.onInput = onInput }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text: onInput(.text(String(buffer: frame.unmaskedData)))
        case .pong: onInput(.heartbeat)
        case .ping:
            onInput(.heartbeat)
            answer(.pong, frame.unmaskedData, context)
        case .connectionClose:
            answer(.connectionClose, frame.unmaskedData, context)
            context.close(promise: nil)
        default: context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func answer(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext) {
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }

    private func end() {
        guard !hasClosed else { return }
        hasClosed = true
        onInput(.closed)
    }
}

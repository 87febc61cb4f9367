package import Foundation
import NIOCore
import NIOHTTP1
package import NIOPosix
package import NIOSSL
import NIOWebSocket
import PaginatorCore

/// WebSocket (RFC 6455) on SwiftNIO: `ws` for loopback, `wss` elsewhere, where the server has to prove with a certificate
/// that it is who the address names.
package struct WebSocketTransport: ChatTransport {
    /// The longest message that is taken, in bytes.
    private static let messageLimit = 1 << 20

    private let group: MultiThreadedEventLoopGroup
    private let connectTimeout: TimeAmount
    private let trustRoots: NIOSSLTrustRoots

    /// Makes a transport.
    ///
    /// - Parameters:
    ///   - trustRoots: whose certificates are believed; the system's by default.
    ///   - group: the threads that sockets run on.
    ///   - connectTimeout: how long opening may take, in seconds.
    package init(
        trustRoots: NIOSSLTrustRoots = .default, group: MultiThreadedEventLoopGroup = .singleton,
        connectTimeout: Int64 = 10
    ) {
        self.trustRoots = trustRoots
        self.group = group
        self.connectTimeout = .seconds(connectTimeout)
    }

    package func connect(
        _ url: URL, token: String, onInput: @escaping @Sendable (SocketInput) -> Void
    ) async throws -> any ChatConnection {
        guard let host = url.host, let scheme = url.scheme, scheme == "ws" || scheme == "wss" else {
            throw ChatTransportError.badAddress
        }
        let isSecure = scheme == "wss"
        let tls = isSecure ? try makeTLS() : nil
        let head = Self.request(url, host: host, isSecure: isSecure, token: token)
        let opening = Guarded<(channels: [any Channel], isCancelled: Bool)>(([], false))
        let channel = try await withTaskCancellationHandler {
            let upgraded = try await connect(host: host, port: url.port ?? (isSecure ? 443 : 80), head, tls, onInput) {
                channel in
                let isCancelled = opening.withLock { opening in
                    opening.channels.append(channel)
                    return opening.isCancelled
                }
                if isCancelled { channel.close(promise: nil) }
            }
            return try await upgraded.get()
        } onCancel: {
            let channels = opening.withLock { opening in
                opening.isCancelled = true
                return opening.channels
            }
            for channel in channels { channel.close(promise: nil) }
        }
        guard let channel else { throw ChatTransportError.refused }
        return WebSocketConnection(channel)
    }

    private func makeTLS() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = trustRoots
        return try NIOSSLContext(configuration: configuration)
    }

    /// Connects and asks for the upgrade; the channel is `nil` where the server does not grant it.
    private func connect(
        host: String, port: Int, _ head: HTTPRequestHead, _ tls: NIOSSLContext?,
        _ onInput: @escaping @Sendable (SocketInput) -> Void, onChannel: @escaping @Sendable (any Channel) -> Void
    ) async throws -> EventLoopFuture<(any Channel)?> {
        let (limit, connectTimeout) = (Self.messageLimit, connectTimeout)
        return try await ClientBootstrap(group: group)
            .connectTimeout(connectTimeout)
            .channelOption(.socketOption(.so_reuseaddr), value: 1)
            .connect(host: host, port: port) { channel in
                onChannel(channel)
                // A server that takes the connection and says nothing is given up, too.
                let patience = channel.eventLoop.scheduleTask(in: connectTimeout) { channel.close(promise: nil) }
                return channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: tls, serverHostname: Self.isAddress(host) ? nil : host))
                    }
                    let upgrader = NIOTypedWebSocketClientUpgrader<(any Channel)?>(maxFrameSize: limit) { channel, _ in
                        patience.cancel()
                        return channel.eventLoop.makeCompletedFuture {
                            let frames = NIOWebSocketFrameAggregator(
                                minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 1_024,
                                maxAccumulatedFrameSize: limit)
                            try channel.pipeline.syncOperations.addHandlers([
                                frames, WebSocketInputHandler(onInput: onInput),
                            ])
                            return channel
                        }
                    }
                    let upgrade = NIOTypedHTTPClientUpgradeConfiguration<(any Channel)?>(
                        upgradeRequestHead: head, upgraders: [upgrader],
                        notUpgradingCompletionHandler: { channel in channel.close().map { nil } })
                    var configuration = NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: upgrade)
                    // A server may send its first frames together with its answer.
                    configuration.leftOverBytesStrategy = .forwardBytes
                    return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
                        configuration: configuration)
                }
            }
    }

    private static func request(_ url: URL, host: String, isSecure: Bool, token: String) -> HTTPRequestHead {
        let isDefault = url.port == nil || url.port == (isSecure ? 443 : 80)
        var headers = HTTPHeaders()
        headers.add(name: "Host", value: isDefault ? host : "\(host):\(url.port ?? 0)")
        headers.add(name: "Authorization", value: "Bearer \(token)")
        var path = url.path.isEmpty ? "/" : url.path
        if let query = url.query { path += "?" + query }
        return HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: headers)
    }

    /// Server name indication takes names only.
    private static func isAddress(_ host: String) -> Bool {
        // A failure means that it is no address.
        (try? SocketAddress(ipAddress: host, port: 0)) != nil
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

/// Turns frames into inputs, and answers the protocol's own ones.
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

import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import PaginatorCore

/// A WebSocket server on loopback, behind TLS unless it is told otherwise, which answers each text with the same one. It
/// proves to be `localhost`, by a certificate that nobody but these tests believes.
final class SocketServer: Sendable {
    let port: Int
    /// The paths of the upgrades that were asked for.
    let upgrades: Guarded<[String]>
    private let channel: any Channel

    private init(port: Int, upgrades: Guarded<[String]>, channel: any Channel) {
        self.port = port
        self.upgrades = upgrades
        self.channel = channel
    }

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - certificate: one of `Tests/Network/certificates`; `nil` for the server's own.
    ///   - greetsAtOnce: whether a first frame goes out together with the answer to the upgrade, in one packet.
    ///   - handler: makes what answers the frames of a socket, of which there were so many before.
    static func start(
        isSecure: Bool = true, certificate: String? = nil, greetsAtOnce: Bool = false,
        handler: @escaping @Sendable (_ number: Int) -> any ChannelHandler = { _ in Echo() }
    ) async throws -> SocketServer {
        let context = try tls(certificate)
        let upgrades = Guarded<[String]>([])
        let sockets = Guarded(0)
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let upgrader = NIOWebSocketServerUpgrader(
                        shouldUpgrade: { channel, head in
                            upgrades.withLock { $0.append(head.uri) }
                            return channel.eventLoop.makeSucceededFuture([:])
                        },
                        upgradePipelineHandler: { channel, _ in
                            channel.eventLoop.makeCompletedFuture {
                                let number = sockets.withLock { sockets in
                                    defer { sockets += 1 }
                                    return sockets
                                }
                                try channel.pipeline.syncOperations.addHandler(handler(number))
                                guard greetsAtOnce else { return }
                                let greeting = WebSocketFrame(
                                    fin: true, opcode: .text, data: ByteBuffer(string: "hello"))
                                channel.writeAndFlush(greeting, promise: nil)
                            }
                        })
                    if isSecure {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    }
                    if greetsAtOnce { try channel.pipeline.syncOperations.addHandler(Joiner()) }
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(
                        withServerUpgrade: ([upgrader], { _ in }))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return SocketServer(port: channel.localAddress?.port ?? 0, upgrades: upgrades, channel: channel)
    }

    func stop() async throws { try await channel.close() }

    /// What the server proves who it is with: its own certificate, or one of `Tests/Network/certificates`.
    static func tls(_ name: String? = nil) throws -> NIOSSLContext {
        let file = name.map { certificates.appending(path: "\($0).pem").path }
        let pem = try file.map { try NIOSSLCertificate.fromPEMFile($0) }
        let own = try NIOSSLCertificate(bytes: Array(certificate.utf8), format: .pem)
        let privateKey =
            if let file { try NIOSSLPrivateKey(file: file, format: .pem) } else {
                try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem)
            }
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: (pem ?? [own]).map { .certificate($0) }, privateKey: .privateKey(privateKey)))
    }

    /// The root of the certificates in `Tests/Network/certificates`, as the one that is believed.
    static func networkRoots() throws -> NIOSSLTrustRoots { .file(certificates.appending(path: "ca.pem").path) }

    private static let certificates = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Network/certificates")

    /// The server's certificate as the one root that is believed.
    static func trustRoots() throws -> NIOSSLTrustRoots {
        .certificates([try NIOSSLCertificate(bytes: Array(certificate.utf8), format: .pem)])
    }

    private final class Echo: ChannelInboundHandler {
        typealias InboundIn = WebSocketFrame
        typealias OutboundOut = WebSocketFrame

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = unwrapInboundIn(data)
            guard frame.opcode == .text else { return }
            let answer = WebSocketFrame(fin: true, opcode: .text, data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    /// Holds the answer to the upgrade back, and sends it in one packet with the first frame.
    private final class Joiner: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        private var held = ByteBuffer()
        private var holds = true

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            var bytes = unwrapOutboundIn(data)
            // A server's frames begin with 0x81 where they are texts.
            holds = holds && bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) != 0x81
            held.writeBuffer(&bytes)
            if holds {
                promise?.succeed()
            } else {
                context.write(wrapOutboundOut(held), promise: promise)
                held.clear()
            }
        }
    }

    // For `localhost` alone, until 2126; the key guards nothing.
    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBlDCCATugAwIBAgIUKcnzGPwl0xsFjIvYBzjvghW1e2YwCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA5NDUyOFoYDzIxMjYxMDI4
        MDk0NTI4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAAT6MFoYezT4brElYJtFmv25WNwCjLhhUsLKoYl4RvdM+yal1Y+vcOe+
        pGMk7iJM0AhGFLMFujgk0J/3B78Zjq1Ho2kwZzAdBgNVHQ4EFgQUIWz3rcdUhO4X
        jOQydau5DnMgVf4wHwYDVR0jBBgwFoAUIWz3rcdUhO4XjOQydau5DnMgVf4wFAYD
        VR0RBA0wC4IJbG9jYWxob3N0MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwID
        RwAwRAIgVgLEtT6TIjEgfjhm9OZeQdLPnSZnaiiopif5mFRkIy4CICbokaHasdgl
        52OHQViT81T1iwRKZ7iDSm3m/nwiGwa0
        -----END CERTIFICATE-----
        """
    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgWyILyID58n4cip4X
        l/3gMfIyibeeHwhDLVhnpqTT8LGhRANCAAT6MFoYezT4brElYJtFmv25WNwCjLhh
        UsLKoYl4RvdM+yal1Y+vcOe+pGMk7iJM0AhGFLMFujgk0J/3B78Zjq1H
        -----END PRIVATE KEY-----
        """
}

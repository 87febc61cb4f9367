import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import PaginatorTesting

/// A server of event streams on loopback: each `GET` is answered with the same bytes and stays open, and each `POST` is
/// written down and answered as a test says.
final class StreamServer: Sendable {
    let port: Int
    /// The bodies of the posts, in the order in which they came.
    let posts: Handshake<[String]>
    private let channel: any Channel

    private init(port: Int, posts: Handshake<[String]>, channel: any Channel) {
        self.port = port
        self.posts = posts
        self.channel = channel
    }

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - pieces: what a stream brings, piece by piece.
    ///   - answer: the status for a post; `nil` where none ever comes.
    static func start(
        isSecure: Bool = false, _ pieces: [String], status: UInt = 200,
        answer: @escaping @Sendable (String) -> UInt? = { _ in 204 }
    ) async throws -> StreamServer {
        let tls = isSecure ? try SocketServer.tls() : nil
        let posts = Handshake<[String]>([])
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Answerer(pieces, status, posts, answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return StreamServer(port: channel.localAddress?.port ?? 0, posts: posts, channel: channel)
    }

    func stop() async throws { try await channel.close() }

    private final class Answerer: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let pieces: [String]
        private let status: UInt
        private let posts: Handshake<[String]>
        private let answer: @Sendable (String) -> UInt?
        private var isPost = false
        private var body = ""

        init(
            _ pieces: [String], _ status: UInt, _ posts: Handshake<[String]>,
            _ answer: @escaping @Sendable (String) -> UInt?
        ) {
            self.pieces = pieces
            self.status = status
            self.posts = posts
            self.answer = answer
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): (isPost, body) = (head.method == .POST, "")
            case .body(let bytes): body += String(buffer: bytes)
            case .end: isPost ? take(context) : stream(context)
            }
        }

        private func stream(_ context: ChannelHandlerContext) {
            write(status, ["Content-Type": "text/event-stream"], context)
            for piece in pieces {
                context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: piece)))), promise: nil)
            }
        }

        private func take(_ context: ChannelHandlerContext) {
            let status = answer(body)
            posts.update { [body] in $0.append(body) }
            guard let status else { return }
            write(status, ["Content-Length": "0"], context)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }

        private func write(_ status: UInt, _ headers: HTTPHeaders, _ context: ChannelHandlerContext) {
            let head = HTTPResponseHead(
                version: .http1_1, status: HTTPResponseStatus(statusCode: Int(status)), headers: headers)
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}

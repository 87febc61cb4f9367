import NIOCore
import NIOHTTP1

/// Reads the status of an answer, and closes the connection.
final class StatusHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private var status: EventLoopPromise<UInt>?

    init(_ status: EventLoopPromise<UInt>) { self.status = status }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data), head.status.code >= 200 else { return }
        status?.succeed(head.status.code)
        status = nil
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(ChannelError.eof)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { fail(ChannelError.eof) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(error)
        context.close(promise: nil)
    }

    private func fail(_ error: any Error) {
        status?.fail(error)
        status = nil
    }
}

/// Sends a request with a body once the connection is open.
final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let head: HTTPRequestHead
    private let body: String

    init(_ head: HTTPRequestHead, _ body: String) {
        self.head = head
        self.body = body
    }

    func channelActive(context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.fireChannelActive()
    }
}

package import Foundation
import NIOCore
import NIOHTTP1
package import NIOPosix
package import NIOSSL
import PaginatorCore
import PaginatorHTTP

/// Server-sent events for incoming frames, and a request for each outgoing text and ping: for networks that block
/// WebSockets.
///
/// The stream is `events` next to the socket's address. Its first event, `open`, names the address for outgoing frames;
/// `pong` answers a ping, and every other event is a text.
package struct EventStreamTransport: ChatTransport {
    private let dialer: ChatDialer

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - trustRoots: the trusted root certificates; the system's by default.
    ///   - group: the threads of the connections.
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
        let url = url.deletingLastPathComponent().appendingPathComponent("events")
        var head = ChatDialer.request(url, token: token)
        head.headers.add(name: "Accept", value: "text/event-stream")
        let request = head
        let (channel, stream) = try await dialer.dial(url) { channel in
            let opened = channel.eventLoop.makePromise(of: String.self)
            try channel.pipeline.syncOperations.addHTTPClientHandlers()
            try channel.pipeline.syncOperations.addHandler(
                EventStreamHandler(request, opened: opened, onInput: onInput))
            return opened.futureResult.map { (channel, $0) }
        }
        let address = url.appendingPathComponent(stream)
        return EventStreamConnection(channel) { [dialer] frame in
            try await Self.post(frame, to: address, token, dialer)
        }
    }

    /// Sends a frame over its own connection, and returns the status.
    private static func post(
        _ frame: String, to url: URL, _ token: String, _ dialer: ChatDialer
    ) async throws -> UInt {
        var head = ChatDialer.request(url, token: token)
        head.method = .POST
        head.headers.add(name: "Content-Type", value: "application/json")
        head.headers.add(name: "Content-Length", value: "\(frame.utf8.count)")
        head.headers.add(name: "Connection", value: "close")
        let request = head
        return try await dialer.dial(url) { channel in
            let status = channel.eventLoop.makePromise(of: UInt.self)
            try channel.pipeline.syncOperations.addHTTPClientHandlers()
            try channel.pipeline.syncOperations.addHandlers([RequestHandler(request, frame), StatusHandler(status)])
            return status.futureResult
        }
    }
}

/// An open stream, and its outgoing frames.
private final class EventStreamConnection: ChatConnection {
    private let channel: any Channel
    private let post: @Sendable (String) async throws -> UInt
    private let lanes: (texts: Lane, pings: Lane)
    private let isClosed = OnceFlag()

    init(_ channel: any Channel, post: @escaping @Sendable (String) async throws -> UInt) {
        self.channel = channel
        self.post = post
        let deliver: @Sendable (String) async -> Void = { frame in
            do {
                let status = try await post(frame)
                // The server no longer knows the stream or its user.
                if (400...599).contains(status), !ChatTransportError.isPassing(status) { channel.close(promise: nil) }
            } catch {
                // A frame that did not arrive is lost, as on a socket.
            }
        }
        // A slow connection keeps the last few: typing is best effort, and a ping is answered once.
        lanes = (Lane(limit: 16, deliver), Lane(limit: 1, deliver))
    }

    deinit { close() }

    func send(text: String) { lanes.texts.send(text) }

    func ping() { lanes.pings.send(#"{"type":"ping"}"#) }

    func close() {
        guard isClosed.take() else { return }
        lanes.texts.stop()
        lanes.pings.stop()
        // A server does not read while it writes, so the close is a request. If that fails, the server notices the
        // closed connection later, and no caller is left to report the failure to.
        if channel.isActive { Task.detached { [post] in _ = try? await post(#"{"type":"close"}"#) } }
        channel.close(mode: .all, promise: nil)
    }

    /// Frames that are sent one after the other; a ping must not wait for typing notices.
    private struct Lane: Sendable {
        private let frames: AsyncStream<String>.Continuation
        private let task: Task<Void, Never>

        init(limit: Int, _ deliver: @escaping @Sendable (String) async -> Void) {
            let (stream, frames) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingNewest(limit))
            self.frames = frames
            task = Task.detached { for await frame in stream { await deliver(frame) } }
        }

        func send(_ frame: String) { frames.yield(frame) }

        func stop() { task.cancel() }
    }
}

/// Requests the stream, and converts its events to inputs.
private final class EventStreamHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let request: HTTPRequestHead
    private let onInput: @Sendable (SocketInput) -> Void
    /// The waiter for the first event; `nil` after it.
    private var opening: EventLoopPromise<String>?
    private var isOpen = false
    private var parser = ServerSentEventParser(maxBytes: ChatDialer.messageLimit)

    init(
        _ request: HTTPRequestHead, opened: EventLoopPromise<String>, onInput: @escaping @Sendable (SocketInput) -> Void
    ) {
        self.request = request
        self.onInput = onInput
        opening = opened
    }

    func channelActive(context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(request)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            let type = head.headers.first(name: "Content-Type") ?? ""
            guard head.status != .ok || !type.hasPrefix("text/event-stream") else { break }
            fail(ChatTransportError(status: head.status.code))
            context.close(promise: nil)
        case .body(let bytes): take(bytes, context)
        case .end: context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(error)
        context.close(promise: nil)
    }

    private func fail(_ error: any Error) {
        opening?.fail(error)
        opening = nil
    }

    private func end() {
        fail(ChannelError.eof)
        guard isOpen else { return }
        isOpen = false
        onInput(.closed)
    }

    private func take(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        do throws(ServerSentEventParser.TooLong) {
            for event in try parser.take(bytes.readableBytesView) { take(event) }
        } catch {
            for event in error.before { take(event) }
            context.close(promise: nil)
        }
    }

    private func take(_ event: ServerSentEvent) {
        switch event.name {
        case "open":
            opening?.succeed(event.data)
            (opening, isOpen) = (nil, true)
        case "pong": onInput(.heartbeat)
        default: onInput(.text(event.data))
        }
    }
}

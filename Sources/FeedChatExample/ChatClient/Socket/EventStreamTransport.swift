import AppFoundation
package import Foundation
import NIOCore
import NIOHTTP1
package import NIOPosix
package import NIOSSL

/// Server-sent events for what comes, and a request for each text and each ping that goes: for networks that let no
/// WebSocket through.
///
/// The stream is `events` beside the socket's address. Its first event, `open`, names the address below it that takes what
/// goes; `pong` answers a ping, and every other event is a text.
package struct EventStreamTransport: ChatTransport {
    private let dialer: ChatDialer

    /// Makes a transport.
    ///
    /// - Parameters:
    ///   - trustRoots: whose certificates are believed on the stream; the system's by default.
    ///   - group: the threads that streams run on.
    ///   - connectTimeout: how long opening may take, in seconds.
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
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            throw ChatTransportError.badAddress
        }
        (parts.scheme, parts.path) = (parts.scheme == "wss" ? "https" : "http", "")
        guard let baseURL = parts.url else { throw ChatTransportError.badAddress }
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
        return EventStreamConnection(
            channel, APIClient(baseURL: baseURL) { token }, path: url.path + "/" + stream)
    }
}

/// An open stream, and what goes to the server meanwhile: one request after the other.
private final class EventStreamConnection: ChatConnection {
    private let channel: any Channel
    private let outgoing: AsyncStream<String>.Continuation

    init(_ channel: any Channel, _ api: APIClient, path: String) {
        self.channel = channel
        // Who cannot be told keeps the last few: typing is best effort, and a ping is answered once.
        let (frames, outgoing) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingNewest(16))
        self.outgoing = outgoing
        Task.detached {
            for await frame in frames {
                do throws(APIError) {
                    _ = try await api.send(
                        APIRequest(
                            "POST", path, headers: ["Content-Type": "application/json"], body: Data(frame.utf8),
                            timeout: .seconds(10)))
                } catch {
                    // The server knows the stream no more. What did not reach it is lost, as a frame of a socket may be.
                    if error.kind == .status, error.status == 410 { channel.close(promise: nil) }
                }
            }
        }
    }

    deinit { close() }

    func send(text: String) { outgoing.yield(text) }

    func ping() { outgoing.yield(#"{"type":"ping"}"#) }

    func close() {
        // A server does not read while it writes: it is told.
        outgoing.yield(#"{"type":"close"}"#)
        outgoing.finish()
        channel.close(mode: .all, promise: nil)
    }
}

/// Asks for the stream, and turns its events into inputs.
private final class EventStreamHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let request: HTTPRequestHead
    private let onInput: @Sendable (SocketInput) -> Void
    /// What waits for the first event; `nil` after it.
    private var opening: EventLoopPromise<String>?
    private var isOpen = false
    private var line: [UInt8] = []
    private var name = ""
    private var data = ""

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
            fail(ChatTransportError.refused)
            context.close(promise: nil)
        case .body(let bytes): for byte in bytes.readableBytesView { take(byte, context) }
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

    /// Takes a byte of the stream, whose lines end with line feeds.
    private func take(_ byte: UInt8, _ context: ChannelHandlerContext) {
        guard byte == UInt8(ascii: "\n") else {
            line.append(byte)
            if line.count > ChatDialer.messageLimit { context.close(promise: nil) }
            return
        }
        let text = String(decoding: line, as: UTF8.self)
        line.removeAll(keepingCapacity: true)
        switch text {
        case "": endEvent()
        case let field where field.hasPrefix("event: "): name = String(field.dropFirst(7))
        case let field where field.hasPrefix("data: "): data = String(field.dropFirst(6))
        default: break
        }
    }

    private func endEvent() {
        switch name {
        case "open":
            opening?.succeed(data)
            (opening, isOpen) = (nil, true)
        case "pong": onInput(.heartbeat)
        default: if !data.isEmpty { onInput(.text(data)) }
        }
        (name, data) = ("", "")
    }
}

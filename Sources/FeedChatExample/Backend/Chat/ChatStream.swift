import ChatWire
import FlyingFox
import FlyingSocks
import Foundation
import PaginatorCore

/// The replacement of a socket: outgoing frames are server-sent events, and each incoming frame is a request.
package struct ChatStreams: Sendable {
    typealias Frames = AsyncThrowingStream<WSFrame, any Error>
    /// The maximum number of frames that wait for a stream, and the maximum bytes of each.
    private static let limits = (frames: 64, bytes: 64 << 10)

    private let open = Guarded<[String: (caller: ChatCaller, frames: Frames.Continuation)]>([:])

    /// The open streams; for tests.
    package var names: [String] { open.withLock { Array($0.keys) } }

    /// Creates a stream's name, and the frames that arrive under it until it is no longer read.
    func make(of caller: ChatCaller) -> (name: String, frames: Frames) {
        let (frames, continuation) = Frames.makeStream(bufferingPolicy: .bufferingOldest(Self.limits.frames))
        let name = UUID().uuidString
        open.withLock { $0[name] = (caller, continuation) }
        continuation.onTermination = { [open] _ in open.withLock { _ = $0.removeValue(forKey: name) } }
        return (name, frames)
    }

    /// Passes a frame on, if the caller has such a stream.
    func take(_ frame: WSFrame, from caller: ChatCaller, to name: String) throws {
        guard let stream = open.withLock({ $0[name] }), stream.caller == caller else {
            throw BackendRefusal(410, "there is no such stream")
        }
        guard frame.payload.count <= Self.limits.bytes else { throw BackendRefusal(413, "the frame is too long") }
        if case .dropped = stream.frames.yield(frame) { throw BackendRefusal(429, "too many frames wait") }
    }
}

extension ChatRelay {
    nonisolated func addStreamRoutes(to routes: inout BackendRoutes) {
        routes.add("GET /v1/socket/events") { [self] request, user in
            let caller = request.caller(user)
            let (name, frames) = streams.make(of: caller)
            let socket = ChatSocketHandler(relay: self, caller: caller, silenceLimit: configuration.silenceLimit)
            // The last header asks proxies not to buffer.
            var response = BackendResponse(headers: [
                "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
            ])
            response.stream = HTTPBodySequence(
                from: ChatStreamBody(name: name, frames: try await socket.makeFrames(for: frames)))
            return response
        }
        routes.add("POST /v1/socket/events/:stream") { [self] request, user in
            let type: FrameType = try request.decoded()
            let opcode: WSFrame.Opcode =
                switch type.type {
                case "ping": .ping
                case "close": .close
                default: .text
                }
            try streams.take(
                WSFrame(fin: true, opcode: opcode, mask: nil, payload: opcode == .text ? request.body : Data()),
                from: request.caller(user), to: request.parameters["stream"] ?? "")
            return BackendResponse(status: 204)
        }
    }

    private struct FrameType: Decodable { let type: String }
}

/// Frames as events, after an event with the stream's name.
private struct ChatStreamBody: AsyncBufferedSequence {
    typealias Element = UInt8

    let name: String
    let frames: AsyncStream<WSFrame>

    func makeAsyncIterator() -> Iterator { Iterator(name: name, frames: frames) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        var name: String?
        let frames: AsyncStream<WSFrame>

        mutating func next() async throws -> UInt8? { throw BackendFailure.cut }

        mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
            if let name {
                self.name = nil
                return Array("event: open\ndata: \(name)\n\n".utf8)
            }
            for await frame in frames {
                switch frame.opcode {
                case .text: return Array("data: ".utf8) + frame.payload + Array("\n\n".utf8)
                case .pong: return Array("event: pong\ndata:\n\n".utf8)
                case .close: return nil
                default: continue
                }
            }
            return nil
        }
    }
}

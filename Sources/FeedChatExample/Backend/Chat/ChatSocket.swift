import ChatWire
import FlyingFox
import Foundation
import PaginatorCore

/// One socket of a user: frames go out in order; a recipient that does not read loses frames, notices the gap and asks.
final class ChatSocket: Sendable {
    /// How many frames wait for a slow recipient at most.
    private static let frameLimit = 4_096

    let frames: AsyncStream<WSFrame>
    private let continuation: AsyncStream<WSFrame>.Continuation

    init() {
        (frames, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.frameLimit))
    }

    func send(_ event: ChatEvent) {
        do {
            let text = try BackendJSON.encoder.encode(event)
            continuation.yield(WSFrame(fin: true, opcode: .text, mask: nil, payload: text))
        } catch {
            // What cannot be said ends the conversation; the recipient asks for it.
            close()
        }
    }

    func send(_ status: ContactStatus) { send(ChatEvent(content: .contactStatusUpdate(status))) }

    func answer(_ opcode: WSFrame.Opcode, _ payload: Data) {
        continuation.yield(WSFrame(fin: true, opcode: opcode, mask: nil, payload: payload))
    }

    func close() { continuation.finish() }
}

/// Takes over the connection of `ws .../v1/socket/updates`.
struct ChatSocketHandler: WSHandler {
    let relay: ChatRelay
    let user: Int64
    let silenceLimit: Duration

    func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
        let socket = ChatSocket()
        let id = await relay.connect(user, socket)
        let lastHeard = Guarded(ContinuousClock.now)
        let reading = Task {
            do {
                for try await frame in client {
                    lastHeard.withLock { $0 = .now }
                    guard await take(frame, socket) else { break }
                }
            } catch {
                // A broken connection ends as a closed one does.
            }
            socket.close()
            await relay.disconnect(user, id)
        }
        // A connection whose other end vanished stays writable: silence is what tells.
        Task {
            while true {
                let silence = ContinuousClock.now - lastHeard.withLock { $0 }
                guard silence < silenceLimit, !reading.isCancelled else { break }
                // A cancelled wait only means an earlier look.
                try? await Task.sleep(for: silenceLimit - silence)
                if await relay.isGone(user, id) { return }
            }
            socket.close()
            await relay.disconnect(user, id)
            reading.cancel()
        }
        return socket.frames
    }

    /// Returns whether the conversation goes on.
    private func take(_ frame: WSFrame, _ socket: ChatSocket) async -> Bool {
        switch frame.opcode {
        case .ping:
            socket.answer(.pong, frame.payload)
            await relay.heard(user, socket)
        case .text:
            // Typing is best effort: a frame that is none is none.
            if let typing = try? BackendJSON.decoder.decode(TypingFrame.self, from: frame.payload),
                typing.type == "typing"
            {
                await relay.typing(user, typing)
            }
        case .close:
            socket.answer(.close, frame.payload)
            return false
        default: break
        }
        return true
    }
}

extension ChatRelay {
    func isGone(_ user: Int64, _ id: Int) -> Bool { sockets[user]?[id] == nil }
}

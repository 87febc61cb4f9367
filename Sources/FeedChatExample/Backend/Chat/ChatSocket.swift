import ChatWire
package import FlyingFox
import Foundation
import PaginatorCore

/// One socket of a user. Frames are sent in order; a slow recipient loses frames, notices the gap and requests them.
package final class ChatSocket: Sendable {
    /// The maximum number of frames that wait for a slow recipient.
    private static let frameLimit = 4_096

    private let continuation: AsyncStream<WSFrame>.Continuation
    private let reading = Guarded<(task: Task<Void, Never>?, isClosed: Bool)>((nil, false))

    private init(_ continuation: AsyncStream<WSFrame>.Continuation) {
        self.continuation = continuation
        // If frames can no longer be written, reading ends, too.
        continuation.onTermination = { [weak self] _ in self?.close() }
    }

    /// Creates a socket and its outgoing frames. Only the writer retains them, so that they end with the writing.
    package static func make() -> (socket: ChatSocket, frames: AsyncStream<WSFrame>) {
        let (frames, continuation) = AsyncStream<WSFrame>.makeStream(
            bufferingPolicy: .bufferingOldest(frameLimit))
        return (ChatSocket(continuation), frames)
    }

    /// Reads frames of the recipient until one side closes.
    ///
    /// The connection is closed after reading has ended: a server that still waits for a closed descriptor would treat
    /// the next connection with the same descriptor as broken.
    ///
    /// - Parameters:
    ///   - take: handles a frame, and returns whether to continue.
    ///   - end: called once, after the last frame.
    package func read(
        _ client: AsyncThrowingStream<WSFrame, any Error>, _ take: @escaping @Sendable (WSFrame) async -> Bool,
        end: @escaping @Sendable () async -> Void
    ) {
        let task = Task { [continuation] in
            do {
                for try await frame in client {
                    guard await take(frame) else { break }
                }
            } catch {
                // A broken connection ends like a closed one.
            }
            continuation.finish()
            // Cancelled reading ends like any other.
            await Task { await end() }.value
        }
        let isClosed = reading.withLock { reading in
            reading.task = task
            return reading.isClosed
        }
        if isClosed { task.cancel() }
    }

    func send(_ event: ChatEvent) {
        do {
            let text = try BackendJSON.encoder.encode(event)
            continuation.yield(WSFrame(fin: true, opcode: .text, mask: nil, payload: text))
        } catch {
            // A frame that cannot be sent ends the connection; the recipient requests it again.
            close()
        }
    }

    func send(_ status: ContactStatus) { send(ChatEvent(content: .contactStatusUpdate(status))) }

    func answer(_ opcode: WSFrame.Opcode, _ payload: Data) {
        continuation.yield(WSFrame(fin: true, opcode: opcode, mask: nil, payload: payload))
    }

    /// Closes the connection, asynchronously.
    func close() {
        let task = reading.withLock { reading in
            reading.isClosed = true
            return reading.task
        }
        task?.cancel()
    }
}

/// The WebSocket handler of `ws .../v1/socket/updates`.
struct ChatSocketHandler: WSHandler {
    let relay: ChatRelay
    let caller: ChatCaller
    let silenceLimit: Duration

    func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
        let (socket, frames) = ChatSocket.make()
        let id = try await relay.connect(caller, socket)
        let lastHeard = Guarded(ContinuousClock.now)
        // A connection whose other end has vanished stays writable, so only silence shows it.
        let watching = Task {
            while true {
                let silence = ContinuousClock.now - lastHeard.withLock { $0 }
                guard silence < silenceLimit else { return socket.close() }
                try await Task.sleep(for: silenceLimit - silence)
            }
        }
        socket.read(client) { frame in
            lastHeard.withLock { $0 = .now }
            return await take(frame, socket)
        } end: {
            watching.cancel()
            await relay.disconnect(caller.user, id)
        }
        return frames
    }

    /// Handles a frame, and returns whether to continue.
    private func take(_ frame: WSFrame, _ socket: ChatSocket) async -> Bool {
        switch frame.opcode {
        case .ping:
            socket.answer(.pong, frame.payload)
            await relay.noteActivity(of: caller, on: socket)
        case .text:
            // Typing is best effort: an invalid frame is ignored.
            if let typing = try? BackendJSON.decoder.decode(TypingFrame.self, from: frame.payload),
                typing.type == "typing"
            {
                await relay.typing(caller.user, typing)
            }
        case .close:
            socket.answer(.close, frame.payload)
            return false
        default: break
        }
        return true
    }
}

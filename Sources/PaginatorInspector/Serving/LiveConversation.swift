#if Inspector
    import FlyingFox
    import Foundation
    import PaginatorCore

    /// A conversation over one WebSocket: recorded data, changes, and commands with their answers.
    ///
    /// Nothing waits for a slow browser: the next message is made of all changes when the last one has been sent. If
    /// more changed than is kept, the recorder begins again.
    final class LiveConversation: Sendable {
        /// The greatest number of bytes of a message, unless a single chunk has more.
        private static let messageLimit = 1 << 20
        /// The greatest number of bytes of a command.
        private static let commandLimit = 1 << 16
        /// The greatest number of answers that wait for a browser that sends commands without reading.
        private static let answerLimit = 64
        /// The pause after everything was sent.
        private static let pause = Duration.milliseconds(100)

        /// The rest of changes that exceeded a message; only the writer uses it.
        private struct Sending: Sendable {
            var cursor: Recorder.Cursor?
            var bytes: [UInt8] = []
            var sent = 0
        }

        private enum End: Sendable {
            case none
            case asked(WSFrame)
            case said
        }

        private let source: LiveSource
        private let visitor: (any Sendable)?
        private let sending = Guarded(Sending())
        private let waiting = Guarded<(answers: [WSFrame], end: End)>(([], .none))
        private let reading = Guarded<Task<Void, Never>?>(nil)

        init(_ source: LiveSource) {
            self.source = source
            visitor = source.visitor()
        }

        // The writer has released it.
        deinit {
            reading.withLock { $0 }?.cancel()
        }

        // MARK: - Reading

        func read(_ client: AsyncThrowingStream<WSFrame, any Error>) {
            let task = Task { [weak self] in
                do {
                    for try await frame in client {
                        guard self?.take(frame) == true else { return }
                    }
                } catch {
                    // A broken connection ends like a closed one.
                }
                self?.end(.normalClosure)
            }
            reading.withLock { $0 = task }
        }

        /// Returns whether the conversation continues.
        private func take(_ frame: WSFrame) -> Bool {
            switch frame.opcode {
            case .ping where frame.payload.count <= 125:
                say(WSFrame(fin: true, opcode: .pong, mask: nil, payload: frame.payload))
            case .pong: break
            case .binary where frame.fin && frame.payload.count <= Self.commandLimit:
                let bytes = [UInt8](frame.payload)
                guard let answers = answers(to: bytes) else { return end(.invalidFramePayload) }
                answers.forEach(say)
            case .close: return end(.normalClosure)
            case .binary, .continuation: return end(.messageTooBig)
            default: return end(.unsupportedData)
            }
            return waiting.withLock { if case .none = $0.end { true } else { false } }
        }

        // `nil` if the message does not consist of commands.
        private func answers(to message: [UInt8]) -> [WSFrame]? {
            var answers: [WSFrame] = []
            var place = 0
            while place < message.count {
                let chunk = message.chunks(from: place, limit: 0)
                guard chunk.first == ChunkType.command.rawValue else { return nil }
                place = chunk.endIndex
                let answer = source.answer([UInt8](chunk.dropFirst(5)))
                answers.append(WSFrame(fin: true, opcode: .binary, mask: nil, payload: Data(answer)))
            }
            return answers
        }

        private func say(_ frame: WSFrame) {
            let isFull = waiting.withLock { waiting in
                guard waiting.answers.count < Self.answerLimit else { return true }
                waiting.answers.append(frame)
                return false
            }
            if isFull { end(.policyViolation) }
        }

        @discardableResult
        private func end(_ code: WSCloseCode) -> Bool {
            waiting.withLock { waiting in
                if case .none = waiting.end { waiting.end = .asked(.close(code: code)) }
            }
            return false
        }

        // MARK: - Writing

        /// Returns the next frame, waiting for it; `nil` after the last.
        func next() async -> WSFrame? {
            while true {
                let (frame, isOver) = waiting.withLock { waiting -> (WSFrame?, Bool) in
                    if !waiting.answers.isEmpty { return (waiting.answers.removeFirst(), false) }
                    switch waiting.end {
                    case .none: return (nil, false)
                    case .asked(let frame):
                        waiting.end = .said
                        return (frame, false)
                    case .said: return (nil, true)
                    }
                }
                if isOver { return nil }
                if let frame { return frame }
                if let message = nextMessage() {
                    return WSFrame(fin: true, opcode: .binary, mask: nil, payload: message)
                }
                do { try await Task.sleep(for: Self.pause) } catch { return nil }
            }
        }

        // Only one call runs at a time. `nil` if there is nothing to send.
        private func nextMessage() -> Data? {
            var sending = sending.withLock { sending in
                // Moved out, so that it is not copied when it is changed.
                defer { sending = Sending() }
                return sending
            }
            defer { self.sending.withLock { $0 = sending } }
            if sending.sent == sending.bytes.count {
                guard let changes = source.changes(&sending.cursor) else {
                    end(.goingAway)
                    return nil
                }
                (sending.bytes, sending.sent) = (changes, 0)
            }
            let message = sending.bytes.chunks(from: sending.sent, limit: Self.messageLimit)
            sending.sent = message.endIndex
            return message.isEmpty ? nil : Data(message)
        }
    }

    /// Handles the connections to `/live`.
    struct LiveHandler: WSHandler {
        let source: LiveSource

        func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
            let conversation = LiveConversation(source)
            conversation.read(client)
            return AsyncStream { await conversation.next() }
        }
    }
#endif

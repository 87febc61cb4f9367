import FlyingFox
import Foundation
import PaginatorCore

/// Handles the connections to `/app`, each of which is one window of the page.
struct WindowHandler: WSHandler {
    let model: AppModel

    func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
        let conversation = await WindowConversation(model)
        await conversation.read(client)
        // The next frame is made when the last one has been sent.
        return AsyncStream { await conversation.next() }
    }
}

/// The conversation over one WebSocket.
@MainActor final class WindowConversation {
    /// The maximum bytes of one message of the page.
    private static let messageLimit = 1 << 16

    private let model: AppModel
    private let window: AppWindow
    private var control: [WSFrame] = []
    private var reading: Task<Void, Never>?
    private var isClosed = false

    init(_ model: AppModel) {
        self.model = model
        window = model.makeWindow()
    }

    // The writer has released the stream.
    deinit {
        reading?.cancel()
        Task { @MainActor [model, window] in model.remove(window) }
    }

    func read(_ client: AsyncThrowingStream<WSFrame, any Error>) {
        let window = window
        reading = Task { [weak self] in
            do {
                for try await frame in client {
                    guard await self?.take(frame) == true else { break }
                }
            } catch {
                // A broken connection ends like a closed one.
            }
            window.end()
        }
    }

    /// Handles a frame, and returns whether the conversation continues.
    private func take(_ frame: WSFrame) async -> Bool {
        switch frame.opcode {
        case .ping where frame.payload.count <= 125:
            control.append(WSFrame(fin: true, opcode: .pong, mask: nil, payload: frame.payload))
            window.wakeUp()
        case .pong: break
        case .text where frame.fin && frame.payload.count <= Self.messageLimit:
            if let message = AppJSON(frame.payload) { await window.take(message) }
        default: return false
        }
        return true
    }

    /// Returns the next frame; `nil` after the last.
    func next() async -> WSFrame? {
        guard !isClosed else { return nil }
        if let frame = await window.next(unless: { [weak self] in self?.control.isEmpty == false }) {
            return WSFrame(fin: true, opcode: .text, mask: nil, payload: frame)
        }
        if !control.isEmpty { return control.removeFirst() }
        isClosed = true
        return .close(code: .normalClosure)
    }
}

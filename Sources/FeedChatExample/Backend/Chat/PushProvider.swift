import ChatWire
import FlyingFox
import FlyingSocks
package import Foundation
import PaginatorCore

/// The push service of the example, on its own port: backends post notifications, and devices connect by a socket.
///
/// `POST /v1/notifications` forwards one; `ws .../v1/push?token=` is a device. Notifications for an absent device are
/// dropped, as push services may do.
package final class PushProvider: Sendable {
    private let devices = Guarded<[String: ChatSocket]>([:])
    private let running = Guarded<HTTPServer?>(nil)

    package init() {}

    /// Starts listening.
    ///
    /// - Returns: the base address.
    @discardableResult
    package func start(port: UInt16 = 0) async throws -> URL {
        let server = HTTPServer(config: try .loopback(port: port))
        await server.appendRoute("POST /v1/notifications") { [self] request in
            let body = try await request.bodyData
            // Anything but a notification is refused.
            guard let notification = try? BackendJSON.decoder.decode(PushNotification.self, from: body) else {
                return HTTPResponse(statusCode: .badRequest)
            }
            pass(notification)
            return HTTPResponse(statusCode: .accepted)
        }
        await server.appendRoute("GET /v1/push") { [self] request in
            guard let token = request.query["token"] else { return HTTPResponse(statusCode: .badRequest) }
            return try await WebSocketHTTPHandler(handler: PushDevice(provider: self, token: token))
                .handleRequest(request)
        }
        let url = try await server.serve().url
        running.withLock { $0 = server }
        return url
    }

    package func stop() async {
        await running.withLock { $0 }?.stop(timeout: 0)
    }

    /// Returns whether a device is connected.
    package func isConnected(_ token: String) -> Bool { devices.withLock { $0[token] != nil } }

    private func pass(_ notification: PushNotification) {
        guard let socket = devices.withLock({ $0[notification.pushToken] }),
            // A notification is received and sent as JSON.
            let payload = try? BackendJSON.encoder.encode(notification)
        else { return }
        socket.answer(.text, payload)
    }

    fileprivate func add(_ socket: ChatSocket, _ token: String) { devices.withLock { $0[token] = socket } }

    fileprivate func remove(_ socket: ChatSocket, _ token: String) {
        devices.withLock { if $0[token] === socket { $0[token] = nil } }
    }

    private struct PushDevice: WSHandler {
        let provider: PushProvider
        let token: String

        func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
            let (socket, frames) = ChatSocket.make()
            provider.add(socket, token)
            socket.read(client) { frame in
                if frame.opcode == .ping { socket.answer(.pong, frame.payload) }
                return frame.opcode != .close
            } end: {
                provider.remove(socket, token)
            }
            return frames
        }
    }
}

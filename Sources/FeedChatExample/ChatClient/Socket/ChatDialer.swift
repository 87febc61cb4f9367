import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import PaginatorCore

/// Opens the connections of the transports: `ws` for loopback, `wss` elsewhere, where the server has to prove its
/// identity with a certificate.
struct ChatDialer: Sendable {
    /// The maximum length of a message, in bytes.
    static let messageLimit = 1 << 20

    let trustRoots: NIOSSLTrustRoots
    let group: MultiThreadedEventLoopGroup
    /// The timeout of opening, in seconds: until the server is connected, and again until it has answered.
    let timeout: Int64

    /// Connects, and waits until the handshake is complete.
    ///
    /// Cancelling the task closes the connection, and so does the timeout.
    ///
    /// - Parameter begin: adds handlers to the connection, and returns the result of the handshake.
    func dial<Opened: Sendable>(
        _ url: URL, _ begin: @escaping @Sendable (any Channel) throws -> EventLoopFuture<Opened>
    ) async throws -> Opened {
        guard let host = url.host, let scheme = url.scheme, scheme == "ws" || scheme == "wss" else {
            throw ChatTransportError.badAddress
        }
        let isSecure = scheme == "wss"
        let tls = isSecure ? try makeTLS() : nil
        let timeout = TimeAmount.seconds(timeout)
        let opening = Guarded<(channels: [any Channel], isCancelled: Bool)>(([], false))
        return try await withTaskCancellationHandler {
            let opened = try await ClientBootstrap(group: group)
                .connectTimeout(timeout)
                .channelOption(.socketOption(.so_reuseaddr), value: 1)
                .connect(host: host, port: url.port ?? (isSecure ? 443 : 80)) { channel in
                    let isCancelled = opening.withLock { opening in
                        opening.channels.append(channel)
                        return opening.isCancelled
                    }
                    if isCancelled { channel.close(promise: nil) }
                    // Also ends with a server that accepts the connection and does not answer.
                    let patience = channel.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
                    return channel.eventLoop.makeCompletedFuture {
                        if let tls {
                            try channel.pipeline.syncOperations.addHandler(
                                NIOSSLClientHandler(context: tls, serverHostname: Self.isAddress(host) ? nil : host))
                        }
                        let opened = try begin(channel)
                        opened.whenComplete { _ in patience.cancel() }
                        return opened
                    }
                }
            return try await opened.get()
        } onCancel: {
            let channels = opening.withLock { opening in
                opening.isCancelled = true
                return opening.channels
            }
            for channel in channels { channel.close(promise: nil) }
        }
    }

    /// Returns the head of a request for an address.
    static func request(_ url: URL, token: String) -> HTTPRequestHead {
        let host = url.host ?? ""
        let isDefault = url.port == nil || url.port == (url.scheme == "wss" ? 443 : 80)
        var headers = HTTPHeaders()
        headers.add(name: "Host", value: isDefault ? host : "\(host):\(url.port ?? 0)")
        headers.add(name: "Authorization", value: "Bearer \(token)")
        var path = url.path.isEmpty ? "/" : url.path
        if let query = url.query { path += "?" + query }
        return HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: headers)
    }

    private func makeTLS() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = trustRoots
        return try NIOSSLContext(configuration: configuration)
    }

    /// Server name indication accepts only names.
    private static func isAddress(_ host: String) -> Bool {
        // A failure means that it is not an address.
        (try? SocketAddress(ipAddress: host, port: 0)) != nil
    }
}

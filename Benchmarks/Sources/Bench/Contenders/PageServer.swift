import NIOCore
import NIOHTTP1
import NIOPosix

/// An HTTP server on this machine whose one route answers `/KEY` with the bytes that `page` gives for the key.
struct PageServer: Sendable {
    private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    let page: @Sendable (_ key: String) async throws -> [UInt8]

    /// Serves while `body` runs, which blocks and gets the port.
    func serve(_ body: @escaping @Sendable (_ port: Int) throws -> Void) async throws {
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 256)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
        let port = server.channel.localAddress?.port ?? 0
        try await server.executeThenClose { connections in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    try await withThrowingDiscardingTaskGroup { group in
                        for try await connection in connections { group.addTask { try await answer(connection) } }
                    }
                    return false
                }
                group.addTask {
                    try await NIOThreadPool.singleton.runIfActive { try body(port) }
                    return true
                }
                while let isDone = try await group.next(), !isDone {}
                group.cancelAll()
            }
        }
    }

    private func answer(_ connection: Connection) async throws {
        try await connection.executeThenClose { requests, answers in
            var key = ""
            for try await part in requests {
                switch part {
                case .head(let head): key = String(head.uri.dropFirst())
                case .body: break
                case .end:
                    let bytes = try await page(key)
                    let head = HTTPResponseHead(
                        version: .http1_1, status: .ok, headers: ["Content-Length": "\(bytes.count)"])
                    try await answers.write(
                        contentsOf: [.head(head), .body(.byteBuffer(ByteBuffer(bytes: bytes))), .end(nil)])
                }
            }
        }
    }
}

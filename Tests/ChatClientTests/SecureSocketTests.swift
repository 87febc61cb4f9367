import AppFoundation
import ChatClient
import Foundation
import NIOSSL
import PaginatorCore
import Testing

/// The socket speaks TLS where the address says so, and only with who the address names.
@Suite(.timeLimit(.minutes(3))) struct SecureSocketTests {
    private func connect(
        _ server: SocketServer, host: String, _ transport: WebSocketTransport
    ) async throws -> (connection: any ChatConnection, inputs: AsyncStream<SocketInput>) {
        let (inputs, continuation) = AsyncStream<SocketInput>.makeStream()
        let url = try #require(URL(string: "wss://\(host):\(server.port)/v1/socket/updates"))
        return (try await transport.connect(url, token: "t") { continuation.yield($0) }, inputs)
    }

    @Test func `a server that is believed is spoken to encrypted`() async throws {
        let server = try await SocketServer.start()
        let transport = WebSocketTransport(trustRoots: try SocketServer.trustRoots())
        let (connection, inputs) = try await connect(server, host: "localhost", transport)
        connection.send(text: "is anybody there?")
        var answers = inputs.makeAsyncIterator()
        #expect(await answers.next() == .text("is anybody there?"))
        #expect(server.upgrades.withLock { $0 } == ["/v1/socket/updates"])
        connection.close()
        #expect(await answers.next() == .closed)
        try await server.stop()
    }

    @Test(arguments: [true, false])
    func `a frame that comes together with the server's answer is not lost`(isSecure: Bool) async throws {
        let server = try await SocketServer.start(isSecure: isSecure, greetsAtOnce: true)
        let transport = WebSocketTransport(trustRoots: try SocketServer.trustRoots())
        let (inputs, continuation) = AsyncStream<SocketInput>.makeStream()
        let url = try #require(URL(string: "\(isSecure ? "wss" : "ws")://localhost:\(server.port)/"))
        let connection = try await transport.connect(url, token: "t") { continuation.yield($0) }
        connection.send(text: "is anybody there?")
        var answers = inputs.makeAsyncIterator()
        #expect(await answers.next() == .text("hello"))
        #expect(await answers.next() == .text("is anybody there?"))
        connection.close()
        #expect(await answers.next() == .closed)
        try await server.stop()
    }

    @Test func `a certificate that nobody vouches for is refused`() async throws {
        let server = try await SocketServer.start()
        await #expect(throws: (any Error).self) {
            try await connect(server, host: "localhost", WebSocketTransport())
        }
        #expect(server.upgrades.withLock { $0 }.isEmpty)
        try await server.stop()
    }

    @Test func `a certificate for another name is refused`() async throws {
        let server = try await SocketServer.start()
        let transport = WebSocketTransport(trustRoots: try SocketServer.trustRoots())
        await #expect(throws: (any Error).self) { try await connect(server, host: "127.0.0.1", transport) }
        #expect(server.upgrades.withLock { $0 }.isEmpty)
        try await server.stop()
    }

    @Test(arguments: ["good", "expired", "other-host", "unknown-root"])
    func `a certificate has to be valid now, for this host, and from a root that is believed`(
        _ name: String
    ) async throws {
        let server = try await SocketServer.start(certificate: name)
        let transport = WebSocketTransport(trustRoots: try SocketServer.networkRoots())
        if name == "good" {
            try await connect(server, host: "localhost", transport).connection.close()
        } else {
            await #expect(throws: (any Error).self) { try await connect(server, host: "localhost", transport) }
            #expect(server.upgrades.withLock { $0 }.isEmpty)
        }
        try await server.stop()
    }

    @Test func `the scheme comes from the configuration and is open on loopback only`() throws {
        let taken = [
            "https://chat.example.org/": "wss://chat.example.org/v1/socket/updates",
            "https://127.0.0.1:8443": "wss://127.0.0.1:8443/v1/socket/updates",
            "http://127.0.0.1:8080": "ws://127.0.0.1:8080/v1/socket/updates",
            "http://localhost:8080": "ws://localhost:8080/v1/socket/updates",
        ]
        for (base, socket) in taken {
            #expect(try ChatApp.socketURL(of: #require(URL(string: base))).absoluteString == socket)
        }
        for base in ["http://chat.example.org", "http://10.0.0.1", "ftp://localhost", "localhost"] {
            #expect(throws: ChatApp.OpenError.self) { try ChatApp.socketURL(of: #require(URL(string: base))) }
        }
    }
}

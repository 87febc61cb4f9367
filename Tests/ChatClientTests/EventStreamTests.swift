import ChatClient
import Foundation
import NIOSSL
import PaginatorTesting
import Testing

/// The chat over server-sent events, against servers that are not the example's own.
@Suite(.timeLimit(.minutes(1))) struct EventStreamTests {
    private func connect(
        _ server: StreamServer, isSecure: Bool = false
    ) async throws -> (connection: any ChatConnection, inputs: AsyncStream<SocketInput>.Iterator) {
        let (inputs, continuation) = AsyncStream<SocketInput>.makeStream()
        let url = try #require(URL(string: "\(isSecure ? "wss" : "ws")://localhost:\(server.port)/v1/socket/updates"))
        let roots = isSecure ? try SocketServer.trustRoots() : .default
        let connection = try await EventStreamTransport(trustRoots: roots).connect(url, token: "t") {
            continuation.yield($0)
        }
        return (connection, inputs.makeAsyncIterator())
    }

    private let opening = "event: open\ndata: s\n\n"

    @Test(arguments: ["\n", "\r\n", "\r"])
    func `every form of an event stream is read`(_ end: String) async throws {
        let lines = [
            "\u{FEFF}: a comment", "event: open", "data:s", "", "data: one", "data: and two", "", ": nothing", "",
            "data", "", "event: pong", "data:", "", "id: 7", "data:  spaced", "", "data: after", "",
        ]
        let bytes = lines.joined(separator: end) + end
        // Each byte in a piece of its own, so that no piece ends where a line does.
        let server = try await StreamServer.start(bytes.unicodeScalars.map { String($0) } + ["\n"])
        var (connection, inputs) = try await connect(server)
        for text in ["one\nand two", ""] { #expect(await inputs.next() == .text(text)) }
        #expect(await inputs.next() == .heartbeat)
        for text in [" spaced", "after"] { #expect(await inputs.next() == .text(text)) }
        connection.close()
        #expect(await inputs.next() == .closed)
        try await server.stop()
    }

    @Test func `what goes out trusts whom the stream trusts`() async throws {
        let server = try await StreamServer.start(isSecure: true, [opening])
        let (connection, _) = try await connect(server, isSecure: true)
        connection.send(text: "hello")
        try await server.posts.wait { $0 == ["hello"] }
        connection.close()
        try await server.stop()
    }

    @Test func `a ping does not wait for what is typed`() async throws {
        let server = try await StreamServer.start([opening]) { $0.contains("ping") ? 204 : nil }
        let (connection, _) = try await connect(server)
        for number in 0..<3 { connection.send(text: "typing \(number)") }
        connection.ping()
        try await server.posts.wait { $0.contains(#"{"type":"ping"}"#) }
        connection.close()
        try await server.stop()
    }

    @Test func `what waits when the connection is closed is not sent`() async throws {
        let server = try await StreamServer.start([opening]) { $0.contains("close") ? 204 : nil }
        let (connection, _) = try await connect(server)
        for number in 0..<10 { connection.send(text: "typing \(number)") }
        try await server.posts.wait { $0 == ["typing 0"] }
        connection.close()
        connection.close()
        try await server.posts.wait { $0.count == 2 }
        #expect(server.posts.read { $0 } == ["typing 0", #"{"type":"close"}"#])
        try await server.stop()
    }

    @Test(arguments: [400, 401, 403, 404, 410] as [UInt])
    func `a post that is refused for good ends the stream`(_ status: UInt) async throws {
        let server = try await StreamServer.start([opening]) { _ in status }
        var (connection, inputs) = try await connect(server)
        connection.ping()
        #expect(await inputs.next() == .closed)
        connection.close()
        try await server.stop()
    }

    @Test(arguments: [429, 500, 503] as [UInt])
    func `a post that is refused for now does not end the stream`(_ status: UInt) async throws {
        let server = try await StreamServer.start([opening, "data: hello\n\n"]) { _ in status }
        var (connection, inputs) = try await connect(server)
        for _ in 0..<3 {
            let posts = server.posts.read { $0.count }
            connection.ping()
            try await server.posts.wait { $0.count > posts }
        }
        #expect(await inputs.next() == .text("hello"))
        connection.close()
        #expect(await inputs.next() == .closed)
        try await server.stop()
    }

    @Test(
        arguments: [(503, .busy), (429, .busy), (404, .refused), (401, .refused), (204, .refused)]
            as [(UInt, ChatTransportError)])
    func `an answer without a stream tells whether to come again`(
        _ status: UInt, _ error: ChatTransportError
    ) async throws {
        let server = try await StreamServer.start([], status: status)
        await #expect(throws: error) { try await connect(server) }
        let url = try #require(URL(string: "ws://localhost:\(server.port)/v1/socket/updates"))
        await #expect(throws: error) { try await WebSocketTransport().connect(url, token: "t") { _ in } }
        try await server.stop()
    }
}

import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers that are taken while they come, over a real connection.
struct StreamedTransferTests {
    private static func head(_ type: String, _ more: String = "") -> WireStep {
        .send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: \(type)\r\n\(more)\r\n")
    }

    private struct Seen: Sendable {
        var events: [String] = []
        var opened = 0
    }

    @Test func `hands on events before the stream ends, and says where to go on`() async throws {
        let server = try LoopbackServer { _ in
            [
                Self.head("text/event-stream; charset=utf-8"), .hold("open"), .send("id: 7\ndata: one\n"), .send("\n"),
                .hold("second"), .send("retry: 50\ndata: two\n\ndata: half"), .close,
            ]
        }
        let seen = Handshake(Seen())
        let session = HTTPSession()
        let stream = Task {
            await session.events(of: HTTPEndpoint(server.url), after: "6") {
                seen.update { $0.opened += 1 }
            } onEvent: { event in
                seen.update { $0.events.append("\(event.lastID) \(event.data)") }
            }
        }
        try await seen.wait { $0.opened == 1 }
        server.open("open")
        try await seen.wait { $0.events == ["7 one"] }
        server.open("second")
        let end = await stream.value
        #expect(seen.read { $0.events } == ["7 one", "7 two"])
        #expect(seen.read { $0.opened } == 1)
        #expect(end.lastID == "7")
        #expect(end.retryDelay == .milliseconds(50))
        #expect(end.error == nil)
        #expect(server.requests.first?.headers["last-event-id"] == "6")
        #expect(server.requests.first?.headers["accept"] == "text/event-stream")
    }

    @Test func `closes the connection when the task is cancelled`() async throws {
        let server = try LoopbackServer { _ in
            [Self.head("text/event-stream"), .send("data: 1\n\n"), .hold("never")]
        }
        let seen = Handshake(0)
        let stream = Task {
            await HTTPSession.shared.events(of: HTTPEndpoint(server.url)) { _ in seen.update { $0 += 1 } }
        }
        try await seen.wait { $0 == 1 }
        stream.cancel()
        #expect(await stream.value.error?.code == .cancelled)
        try await server.log.wait { $0.lost == 1 }
    }

    @Test func `renews credentials before it streams`() async throws {
        let server = try LoopbackServer { request in
            guard request.headers["authorization"] == "Bearer 1" else {
                return LoopbackServer.reply("data: refused\n\n", status: 401)
            }
            return [Self.head("text/event-stream"), .send("data: yes\n\n"), .close]
        }
        let token = Handshake(0)
        let account = HTTPAuthentication.bearer {
            String(token.read { $0 })
        } refresh: {
            token.update { $0 = 1 }
        }
        let seen = Handshake<[String]>([])
        let end = await HTTPSession.shared.events(of: HTTPEndpoint(server.url), authentication: account) { event in
            seen.update { $0.append(event.data) }
        }
        #expect(seen.read { $0 } == ["yes"])
        #expect(end.error == nil)
    }

    @Test(arguments: [
        ("HTTP/1.1 500 No\r\nContent-Length: 0\r\nRetry-After: 3\r\n\r\n", HTTPSourceError.Code.status),
        ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\ndata: 1\n\n", .wrongType),
        ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 12345678901234567890\n\n", .limitExceeded),
    ])
    func `says why there are no events`(_ answer: String, _ code: HTTPSourceError.Code) async throws {
        let server = try LoopbackServer { _ in [.send(answer), .close] }
        var limits = HTTPLimits()
        limits.bodyBytes = 20
        let end = await HTTPSession.shared.events(of: HTTPEndpoint(server.url), limits: limits) { _ in
            Issue.record("There is no event.")
        }
        #expect(end.error?.code == code)
        #expect(end.headers["Retry-After"] == (code == .status ? "3" : nil))
    }

    @Test func `hands on the events before one that is too long`() async throws {
        let server = try LoopbackServer { _ in
            [
                .send(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nid: 1\ndata: a\n\ndata: 1234567890123456\n\n"
                ), .close,
            ]
        }
        var limits = HTTPLimits()
        limits.bodyBytes = 20
        let seen = Handshake<[String]>([])
        let end = await HTTPSession.shared.events(of: HTTPEndpoint(server.url), limits: limits) { event in
            seen.update { $0.append(event.data) }
        }
        #expect(seen.read { $0 } == ["a"] && end.lastID == "1")
        #expect(end.error?.code == .limitExceeded)
    }

    @Test func `of a refusal without end only the beginning is taken`() throws {
        var rules = TransferRules(expectsJSON: false, receiver: { _, _ in nil }, keepsBody: false)
        rules.limits.bodyBytes = .max
        rules.limits.errorBodyBytes = 1_000
        let url = try #require(URL(string: "https://h/a"))
        var machine = TransferMachine(url: url, hasBody: false, rules: rules)
        try machine.received(status: 500, headers: [:], url: url, at: .zero)
        #expect(try machine.received(Array(repeating: 0, count: 900)) == .go)
        #expect(try machine.received(Array(repeating: 0, count: 900)) == .enough)
        #expect(try machine.ended(nil).body.count == 1_000)
    }

    @Test func `asks no more after 204`() async throws {
        let server = try LoopbackServer { _ in [.send("HTTP/1.1 204 No Content\r\n\r\n"), .close] }
        let end = await HTTPSession.shared.events(of: HTTPEndpoint(server.url)) { _ in }
        #expect(end.isOver)
        #expect(end.error == nil)
    }

    @Test func `keeps a stream's limits by the piece, and nothing of its bytes`() throws {
        var rules = TransferRules(expectsJSON: false, receiver: { _, _ in nil }, keepsBody: false)
        rules.limits.bodyBytes = 10
        let url = try #require(URL(string: "https://h/a"))
        var machine = TransferMachine(url: url, hasBody: false, rules: rules)
        try machine.received(status: 200, headers: [:], url: url, at: .zero)
        #expect(try machine.received(Array("12345678".utf8)) == .go)
        #expect(throws: HTTPSourceError.self) { try machine.received(Array("901".utf8)) }
        let response = try machine.ended(nil)
        #expect(response.body.isEmpty)
        #expect(response.byteCount == 8)
        // What a failure says is kept, whoever takes the rest.
        var failing = TransferMachine(url: url, hasBody: false, rules: rules)
        try failing.received(status: 500, headers: [:], url: url, at: .zero)
        _ = try failing.received(Array("no".utf8))
        #expect(failing.streaming == nil)
        #expect(try failing.ended(nil).body == Array("no".utf8))
    }
}

import AppFoundation
import FlyingFox
import FlyingSocks
import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

/// The client against a real server on loopback.
@Suite(.timeLimit(.minutes(3))) struct APIClientTests {
    private struct Greeting: Codable, Sendable, Equatable {
        let text: String
        let at: Date
    }

    @Test func `a call carries token query and body`() async throws {
        try await withServer { request in
            let body = String(decoding: try await request.bodyData, as: UTF8.self)
            let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
            let token = request.headers[HTTPHeader("Authorization")] ?? ""
            return HTTPResponse(
                statusCode: .ok, body: Data("\(request.method.rawValue) \(query) \(token) \(body)".utf8))
        } test: { url in
            let api = APIClient(baseURL: url) { "secret" }
            let answer = try await api.send(
                APIRequest("POST", "/v1/x", query: [("after", "a+b&c"), ("no", nil)], body: Data("{}".utf8)))
            #expect(String(decoding: answer.body, as: UTF8.self) == "POST after=a+b&c Bearer secret {}")
        }
    }

    @Test func `bodies are JSON with milliseconds`() async throws {
        let sent = Greeting(text: "hello/you", at: Date(timeIntervalSince1970: 1_767_225_600.123))
        try await withServer { request in
            HTTPResponse(statusCode: .created, headers: [.location: "/v1/x/7"], body: try await request.bodyData)
        } test: { url in
            let api = APIClient(baseURL: url) { nil }
            let answer = try await api.send("POST", "/v1/x", body: sent)
            #expect(String(decoding: answer.body, as: UTF8.self) == #"{"at":1767225600123,"text":"hello/you"}"#)
            #expect(try answer.decoded(Greeting.self) == sent)
            #expect(answer.headers["location"] == "/v1/x/7")
            await #expect(throws: APIError(.undecodable, status: 201)) {
                try await api.get([Int].self, APIRequest("GET", "/v1/x"))
            }
        }
    }

    @Test func `failures are values that say what follows`() async throws {
        try await withServer { request in
            let status = Int(request.path.dropFirst("/status/".count)) ?? 0
            var headers = HTTPHeaders()
            headers[HTTPHeader("Retry-After")] = "3"
            let code = HTTPStatusCode(status, phrase: "")
            return HTTPResponse(statusCode: code, headers: headers, body: Data("why".utf8))
        } test: { url in
            let api = APIClient(baseURL: url) { nil }
            let kinds: [(Int, OutboxFailure.Kind)] = [
                (400, .refused), (404, .refused), (409, .refused), (408, .retry), (500, .retry), (501, .retry),
                (429, .unreachable), (502, .unreachable), (503, .unreachable), (504, .unreachable), (401, .signedOut),
            ]
            for (status, kind) in kinds {
                let error = await #expect(throws: APIError.self) {
                    try await api.send(APIRequest("GET", "/status/\(status)"))
                }
                #expect(error?.status == status)
                #expect(error?.body == Data("why".utf8))
                #expect(error?.outboxFailure.kind == kind)
                if status != 401 { #expect(error?.retryAfter == .seconds(3)) }
            }
        }
    }

    @Test func `a stated delay counts up to an hour`() async throws {
        try await withServer { _ in
            var headers = HTTPHeaders()
            headers[HTTPHeader("Retry-After")] = "864000"
            return HTTPResponse(statusCode: .serviceUnavailable, headers: headers)
        } test: { url in
            let api = APIClient(baseURL: url) { nil }
            let error = await #expect(throws: APIError.self) { try await api.send(APIRequest("GET", "/v1/x")) }
            #expect(error?.retryAfter == .hours(1))
        }
    }

    @Test(
        arguments: [
            ("Sun, 29 Nov 2026 18:02:00 GMT", .seconds(120)), ("Sun, 29 Nov 2026 17:00:00 GMT", .zero),
            ("1.5", .seconds(2)), ("soon", nil),
        ] as [(String, Duration?)])
    func `a delay is stated in seconds or as a date of the server's clock`(field: String, delay: Duration?) async throws
    {
        try await withServer { _ in
            var headers = HTTPHeaders()
            headers[HTTPHeader("Date")] = "Sun, 29 Nov 2026 18:00:00 GMT"
            headers[HTTPHeader("Retry-After")] = field
            return HTTPResponse(statusCode: .serviceUnavailable, headers: headers)
        } test: { url in
            let api = APIClient(baseURL: url) { nil }
            let error = await #expect(throws: APIError.self) { try await api.send(APIRequest("GET", "/v1/x")) }
            #expect(error?.retryAfter == delay)
        }
    }

    @Test func `a call whose token was replaced is made again with the new one`() async throws {
        try await withServer { request in
            let isNew = request.headers[HTTPHeader("Authorization")] == "Bearer new"
            return HTTPResponse(statusCode: isNew ? .ok : .unauthorized)
        } test: { url in
            let tokens = Guarded(["old", "new"])
            let api = APIClient(baseURL: url) { tokens.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
            let answer = try await api.send(APIRequest("GET", "/v1/x"))
            #expect(answer.status == 200)
        }
    }

    @Test func `a refused token is told and never written`() async throws {
        try await withServer { _ in
            HTTPResponse(statusCode: .unauthorized)
        } test: { url in
            let refused = Guarded<[String]>([])
            let api = APIClient(baseURL: url, tokenRefused: { token in refused.withLock { $0.append(token) } }) {
                "s3cret"
            }
            let error = await #expect(throws: APIError.self) { try await api.send(APIRequest("GET", "/v1/x")) }
            #expect(error?.kind == .tokenRefused)
            #expect(refused.withLock { $0 } == ["s3cret"])
            #expect(!String(reflecting: error).contains("s3cret"))
        }
    }

    @Test func `redirects are not followed`() async throws {
        try await withServer { request in
            guard request.path == "/a" else { return HTTPResponse(statusCode: .ok) }
            var headers = HTTPHeaders()
            headers[.location] = "/b"
            return HTTPResponse(statusCode: .movedPermanently, headers: headers)
        } test: { url in
            let api = APIClient(baseURL: url) { "token" }
            let error = await #expect(throws: APIError.self) { try await api.send(APIRequest("GET", "/a")) }
            #expect(error?.status == 301)
        }
    }

    @Test func `a network that answers for the server, as one that asks for a sign-in, counts as no connection`()
        async throws
    {
        try await withServer { request in
            let status = Int(request.path.dropFirst("/status/".count)) ?? 0
            var headers = HTTPHeaders()
            headers[HTTPHeader("Content-Type")] = "Text/HTML; charset=utf-8"
            if status != 200, status != 511 { headers[.location] = "/status/200" }
            return HTTPResponse(
                statusCode: HTTPStatusCode(status, phrase: ""), headers: headers, body: Data("<html>Welcome".utf8))
        } test: { url in
            let doubts = Guarded(0)
            let api = APIClient(baseURL: url, unreachable: { doubts.withLock { $0 += 1 } }) { nil }
            for (index, status) in [200, 302, 303, 307, 511].enumerated() {
                let error = await #expect(throws: APIError.self) {
                    try await api.send(APIRequest("DELETE", "/status/\(status)"))
                }
                #expect(error == APIError(.unreachable))
                #expect(error?.outboxFailure.kind == .unreachable)
                #expect(doubts.withLock { $0 } == index + 1)
            }
            // The server's own page of an error tells its status.
            let error = await #expect(throws: APIError.self) { try await api.send(APIRequest("GET", "/status/404")) }
            #expect(error?.status == 404)
        }
    }

    @Test func `an answer that is too long is not taken`() async throws {
        try await withServer { _ in
            HTTPResponse(statusCode: .ok, body: Data(repeating: 1, count: 100_000))
        } test: { url in
            let api = APIClient(baseURL: url, bodyLimit: 50_000) { nil }
            await #expect(throws: APIError(.tooLarge)) { try await api.send(APIRequest("GET", "/a")) }
        }
    }

    @Test func `no server is unreachable`() async throws {
        let address = Guarded<URL?>(nil)
        try await withServer { _ in
            HTTPResponse(statusCode: .ok)
        } test: { url in
            address.withLock { $0 = url }
        }
        let api = APIClient(baseURL: try #require(address.withLock { $0 })) { nil }
        await #expect(throws: APIError(.unreachable)) { try await api.send(APIRequest("GET", "/a")) }
    }

    @Test func `silence is a time out and a cancelled task stops at once`() async throws {
        let arrived = Handshake<[AsyncStream<Never>.Continuation]>([])
        try await withServer { _ in
            let (stream, continuation) = AsyncStream<Never>.makeStream()
            arrived.update { $0.append(continuation) }
            for await _ in stream {}
            return HTTPResponse(statusCode: .ok)
        } test: { url in
            let api = APIClient(baseURL: url) { nil }
            await #expect(throws: APIError(.timedOut)) {
                try await api.send(APIRequest("GET", "/a", timeout: .seconds(1)))
            }
            let call = Task { try await api.send(APIRequest("GET", "/a")) }
            try await arrived.wait { $0.count == 2 }
            call.cancel()
            await #expect(throws: APIError(.cancelled)) { try await call.value }
            for stalled in arrived.read({ $0 }) { stalled.finish() }
        }
    }

    private func withServer(
        _ handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse,
        test: (URL) async throws -> Void
    ) async throws {
        let server = HTTPServer(
            config: .init(address: try .inet(ip4: "127.0.0.1", port: 0), timeout: 60, logger: .disabled),
            handler: ClosureHTTPHandler(handler))
        let serving = Task { try await server.run() }
        try await server.waitUntilListening()
        guard case .ip4(_, port: let port)? = await server.listeningAddress else {
            Issue.record("no address")
            return
        }
        do {
            try await test(try #require(URL(string: "http://127.0.0.1:\(port)")))
        } catch {
            Issue.record(error)
        }
        await server.stop(timeout: 0)
        serving.cancel()
        // The server's own cancellation is how it ends.
        _ = try? await serving.value
    }
}

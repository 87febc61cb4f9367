import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct OwnTransportTests {
    private static func answer(
        _ request: URLRequest, _ body: String, status: Int = 200, headers: [String: String] = [:], url: String? = nil
    ) throws -> (Data, HTTPURLResponse) {
        let url = try #require(url.flatMap { URL(string: $0) } ?? request.url)
        let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: headers)
        return (Data(body.utf8), try #require(response))
    }

    private func source(_ session: HTTPSession) -> HTTPDataSource<Row> {
        var options = HTTPSourceOptions()
        options.session = session
        options.authentication = .header("X-Key", "s3cret")
        return HTTPDataSource<Row>("https://api.example.com/rows", style: .linkHeader, options: options)
    }

    @Test func `an app's own client makes the requests`() async throws {
        let seen = Handshake<[URLRequest]>([])
        let session = HTTPSession(transport: { request in
            seen.update { $0.append(request) }
            return try Self.answer(
                request, rows(1...2), headers: ["Link": "</rows?page=2>; rel=\"next\"", "Content-Length": "3"])
        })
        let page = try await source(session).page(size: 5).get()
        #expect(page.content.map(\.id) == [1, 2])
        #expect(page.nextKey == "/rows?page=2")
        let request = try #require(seen.read { $0 }.first)
        #expect(request.url?.absoluteString == "https://api.example.com/rows?per_page=5")
        #expect(request.value(forHTTPHeaderField: "X-Key") == "s3cret")
    }

    @Test func `an answer of another origin is refused`() async throws {
        let session = HTTPSession(transport: { try Self.answer($0, rows(1...2), url: "https://evil.example.org/rows") })
        #expect(await source(session).failure()?.httpError?.code == .otherOrigin)
    }

    @Test func `the limits hold`() async throws {
        var options = HTTPSourceOptions()
        options.limits.bodyBytes = 10
        options.session = HTTPSession(transport: { try Self.answer($0, rows(1...2)) })
        let source = HTTPDataSource<Row>("https://api.example.com", style: .linkHeader, options: options)
        #expect(await source.failure()?.httpError?.field == "bodyBytes")
    }

    @Test func `a lost connection may be tried again, another error may not`() async throws {
        let lost = await source(HTTPSession(transport: { _ in throw URLError(.networkConnectionLost) })).failure()
        #expect(lost?.isRetryable == true)
        #expect(lost?.httpError?.urlErrorCode == .networkConnectionLost)
        struct Broken: Error {}
        let broken = await source(HTTPSession(transport: { _ in throw Broken() })).failure()
        #expect(broken?.isRetryable == false)
        #expect(broken?.httpError?.underlying is Broken)
    }

    @Test func `each exchange is told, without secrets`() async throws {
        let server = try LoopbackServer { request in
            request.path == "/rows" ? LoopbackServer.reply(rows(1...2)) : LoopbackServer.reply("gone", status: 410)
        }
        let told = Handshake<[HTTPExchange]>([])
        let session = HTTPSession(onExchange: { exchange in told.update { $0.append(exchange) } })
        var options = HTTPSourceOptions()
        options.session = session
        options.authentication = .query("signature", "hush")
        let endpoint = HTTPEndpoint(
            server.url + "/rows?q=it's&api_key=quiet", headers: ["Authorization": "Bearer hidden", "X-Own": "hidden"])
        _ = try await HTTPDataSource<Row>(endpoint, style: .linkHeader, options: options).page(size: 2).get()
        let gone = HTTPEndpoint(server.url + "/old?token=quiet", method: "PUT", body: #"{"a": 1}"#)
        await #expect(throws: HTTPSourceError.self) { _ = try await session.send(gone) }
        let exchanges = told.read { $0 }
        try #require(exchanges.count == 2)
        #expect(exchanges[0].method == "GET")
        #expect(exchanges[0].status == 200)
        #expect(exchanges[0].receivedBytes == rows(1...2).utf8.count)
        #expect(exchanges[0].url.query() == "q=it's&per_page=2")
        #expect(exchanges[1].status == 410)
        #expect(exchanges[1].sentBytes == 8)
        #expect(exchanges[1].url.absoluteString == server.url + "/old")
        for exchange in exchanges {
            for text in [exchange.curl, exchange.description, exchange.url.absoluteString] {
                for secret in ["hush", "quiet", "hidden"] { #expect(!text.contains(secret), "\(text)") }
            }
        }
        #expect(exchanges[0].curl.contains("-H 'Authorization: …'"))
        #expect(exchanges[0].curl.hasSuffix(#"'\#(server.url)/rows?q=it'\''s&per_page=2'"#))
        #expect(exchanges[1].curl.contains("-X 'PUT'"))
        #expect(exchanges[1].curl.contains("--data-binary @body"))
    }

    @Test func `neither a name in the address nor a link's own token is shown`() async throws {
        let told = Handshake<[HTTPExchange]>([])
        let session = HTTPSession(onExchange: { exchange in told.update { $0.append(exchange) } }) { request in
            try Self.answer(request, "[]")
        }
        _ = try await session.send(
            HTTPEndpoint("https://me:hush@api.example.com/rows?page=2&access_token=quiet&x_tok=still#hidden"),
            secretParameters: ["X_Tok"])
        let exchange = try #require(told.read { $0 }.first)
        #expect(exchange.url.absoluteString == "https://api.example.com/rows?page=2")
        for secret in ["hush", "quiet", "still", "hidden"] { #expect(!exchange.curl.contains(secret)) }
    }

    @Test func `a failure of the app's own client is told without the address behind it`() async throws {
        let told = Handshake<[HTTPExchange]>([])
        let session = HTTPSession(onExchange: { exchange in told.update { $0.append(exchange) } }) { request in
            throw URLError(.timedOut, userInfo: ["NSErrorFailingURLStringKey": "https://x/?token=quiet"])
        }
        await #expect(throws: HTTPSourceError.self) { _ = try await session.send("https://x.example/?token=quiet") }
        let exchange = try #require(told.read { $0 }.first)
        #expect(exchange.status == nil)
        #expect(exchange.error?.urlErrorCode == .timedOut)
        #expect(exchange.error?.underlying == nil)
    }

    @Test func `a long body of a failure is cut, not lost`() async throws {
        var limits = HTTPLimits()
        limits.bodyBytes = 20
        let session = HTTPSession(transport: { try Self.answer($0, "It is down for repairs until noon.", status: 503) })
        let error = await #expect(throws: HTTPSourceError.self) {
            _ = try await session.send("https://api.example.com", limits: limits)
        }
        #expect(error?.body.map { String(decoding: $0.data, as: UTF8.self) } == "It is down for repai")
    }

    @Test func `a cancelled call ends`() async throws {
        let entered = Handshake(false)
        let session = HTTPSession(transport: { request in
            entered.update { $0 = true }
            while !Task.isCancelled { await Task.yield() }
            throw URLError(.cancelled)
        })
        var options = HTTPSourceOptions()
        options.session = session
        let answers = Handshake<[HTTPSourceError.Code?]>([])
        let request = SourceRequest(identity: PageIdentity(key: "first", pageSize: 2), isFirst: true)
        let call = HTTPDataSource<Row>("https://api.example.com", style: .linkHeader, options: options)
            .fetch(request) { result in answers.update { $0.append(result.httpError?.code) } }
        try await entered.wait { $0 }
        call.cancel()
        try await answers.wait { $0 == [.cancelled] }
    }
}

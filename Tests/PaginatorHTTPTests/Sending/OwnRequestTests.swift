import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct OwnRequestTests {
    @Test func `a request of the app's own has the sources' credentials, also renewed ones`() async throws {
        let server = try LoopbackServer { request in
            request.headers["authorization"] == "Bearer token-1"
                ? LoopbackServer.reply(#"{"liked": true}"#, headers: ["X-Likes": "7"])
                : LoopbackServer.reply("", status: 401)
        }
        let token = Handshake(0)
        let account = HTTPAuthentication.bearer {
            "token-\(token.read { $0 })"
        } refresh: {
            token.update { $0 = 1 }
        }
        let like = HTTPEndpoint(server.url + "/posts/1/like", method: "PUT", body: #"{"by": "me"}"#)
        let answer = try await HTTPSession.shared.send(like, authentication: account)
        #expect(answer.status == 200)
        #expect(answer.headers["x-likes"] == "7")
        #expect(String(decoding: answer.body, as: UTF8.self) == #"{"liked": true}"#)
        #expect(server.requests.map(\.method) == ["PUT", "PUT"])
        #expect(server.requests.last?.body == #"{"by": "me"}"#)
        #expect(server.requests.last?.headers["content-type"] == "application/json")
    }

    @Test func `a status of failure is thrown with what the server says`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackServer.reply(#"{"message": "No such post."}"#, status: 404)
        }
        let error = await #expect(throws: HTTPSourceError.self) {
            _ = try await HTTPSession.shared.send(HTTPEndpoint(server.url + "/posts/9", method: "DELETE"))
        }
        #expect(error?.code == .status)
        #expect(error?.status == 404)
        #expect(error?.body?.messages == ["No such post."])
    }

    @Test func `a body that is no JSON is returned as it came`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackServer.reply("plain, not JSON", headers: ["Content-Type": "text/plain"])
        }
        let answer = try await HTTPSession.shared.send(HTTPEndpoint(server.url))
        #expect(String(decoding: answer.body, as: UTF8.self) == "plain, not JSON")
    }

    @Test(arguments: [nil, "text/csv", "text/html", "*/*"])
    func `a web page is an answer only to a request that accepts one`(_ accept: String?) async throws {
        let page = "\n<!DOCTYPE html><html><body>Sign in</body></html>"
        let server = try LoopbackServer { request in
            LoopbackServer.reply(
                request.path == "/word" ? "saved" : page, headers: ["Content-Type": "text/html; charset=utf-8"])
        }
        let headers = accept.map { ["Accept": $0] } ?? [:]
        func send(_ path: String) async throws -> String {
            let answer = try await HTTPSession.shared.send(
                HTTPEndpoint(server.url + path, method: "PUT", headers: headers, body: "{}"))
            return String(decoding: answer.body, as: UTF8.self)
        }
        if accept == nil || accept == "text/csv" {
            let error = await #expect(throws: HTTPSourceError.self) { _ = try await send("/post") }
            #expect(error?.code == .webPage)
        } else {
            #expect(try await send("/post") == page)
        }
        #expect(try await send("/word") == "saved", "a label alone tells nothing")
    }

    /// Calls that ended each took one of the system's threads to be cancelled, until none was left to take what came.
    @Test func `a hundred requests at once are all answered`() async throws {
        let body = String(repeating: "x", count: 100_000)
        let server = try LoopbackServer { _ in LoopbackServer.reply(body) }
        let session = HTTPSession(configuration: .ephemeral)
        let sizes = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<100 {
                group.addTask { try? await session.send(HTTPEndpoint("\(server.url)/\(number)")).body.count }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sizes == Array(repeating: 100_000, count: 100))
    }

    @Test(arguments: [
        #"{"b": 1, "a": [ "\u00e9\/", 1.0 ]}"#, #"{"sort": {"date": "desc", "_id": "asc"}, "sort": {}}"#, "[]", " 5\n",
    ])
    func `a body of JSON is sent as it is written, so that a signature of it holds`(_ body: String) async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("", status: 204) }
        let request = HTTPEndpoint(server.url, method: "POST", body: body)
        _ = try await HTTPSession.shared.send(request, authentication: .header("X-Token", "1"))
        #expect(server.requests.last?.body == body)
        #expect(server.requests.last?.headers["content-type"] == "application/json")
        // A style that sets nothing in the body leaves it alone, too.
        let source = HTTPDataSource<Row>(request, style: .linkHeader)
        #expect(try source.request().body == Data(body.utf8))
    }

    @Test func `data and forms are sent as they are`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("", status: 204) }
        let image = HTTPEndpoint(
            server.url + "/avatar", method: "PUT", data: Data("pixels".utf8), contentType: "image/png")
        #expect(try await HTTPSession.shared.send(image).status == 204)
        #expect(server.requests.last?.body == "pixels")
        #expect(server.requests.last?.headers["content-type"] == "image/png")
        let login = HTTPEndpoint.form(server.url + "/login", ["user": "Zoë & co", "pass": "a+b=c"])
        _ = try await HTTPSession.shared.send(login)
        #expect(server.requests.last?.method == "POST")
        #expect(server.requests.last?.body == "pass=a%2Bb%3Dc&user=Zo%C3%AB%20%26%20co")
        #expect(server.requests.last?.headers["content-type"] == "application/x-www-form-urlencoded")
    }

    @Test func `a style sets its parameters in a form, and refuses a body of data`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply(rows(1...2)) }
        let style = HTTPStyle.pageNumber(page: .body("page"), size: .body("rows"))
        let source = HTTPDataSource<Row>(.form(server.url, ["q": "swift"]), style: style)
        _ = try await source.page(size: 2).get()
        #expect(server.requests.last?.body == "page=1&q=swift&rows=2")
        let upload = HTTPEndpoint(server.url, method: "POST", data: Data(), contentType: "text/csv")
        let error = await HTTPDataSource<Row>(upload, style: style).failure()
        #expect(error?.httpError?.field == "endpoint")
        #expect(server.requests.count == 1)
    }

    @Test func `the answer to a HEAD has no body, whatever length it tells`() async throws {
        let server = try LoopbackServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 99000000\r\nConnection: close\r\n\r\n"), .close]
        }
        let answer = try await HTTPSession.shared.send(HTTPEndpoint(server.url, method: "HEAD"))
        #expect(answer.status == 200)
        #expect(answer.headers["content-length"] == "99000000")
        #expect(answer.body.isEmpty)
    }

    @Test(arguments: [("POST", 302), ("DELETE", 303), ("POST", 301)])
    func `a redirect that would ask for something else is refused`(method: String, status: Int) async throws {
        let server = try LoopbackServer { request in
            request.path == "/login"
                ? LoopbackServer.reply("[]")
                : LoopbackServer.reply("", status: status, headers: ["Location": "/login"])
        }
        let error = await #expect(throws: HTTPSourceError.self) {
            _ = try await HTTPSession.shared.send(HTTPEndpoint(server.url + "/logout", method: method))
        }
        #expect(error?.code == .redirect)
        #expect(server.requests.map(\.path) == ["/logout"])
    }

    @Test func `an authentication cannot drop a body of data`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("") }
        let account = HTTPAuthentication(adapt: { $0.set(.body("token"), to: "t") })
        let image = HTTPEndpoint(server.url, method: "PUT", data: Data("pixels".utf8), contentType: "image/png")
        let error = await #expect(throws: HTTPSourceError.self) {
            _ = try await HTTPSession.shared.send(image, authentication: account)
        }
        #expect(error?.field == "endpoint")
        #expect(server.requests.isEmpty)
    }

    @Test func `a body says its own type, also in a session with fields of its own`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("") }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["Content-Type": "application/json", "X-App": "tests"]
        let session = HTTPSession(configuration: configuration)
        _ = try await session.send(.form(server.url, ["a": "b"]))
        #expect(server.requests.last?.headers["content-type"] == "application/x-www-form-urlencoded")
        #expect(server.requests.last?.headers["x-app"] == "tests")
        // The caller's configuration is as it was.
        #expect(configuration.httpAdditionalHeaders?["X-App"] as? String == "tests")
    }

    @Test func `a call that is cancelled while it waits for a token is cancelled`() async throws {
        let account = HTTPAuthentication.bearer {
            while true {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
        let call = Task { try await HTTPSession.shared.send("https://api.example.com", authentication: account) }
        call.cancel()
        let result = await call.result
        let error = #expect(throws: HTTPSourceError.self) { _ = try result.get() }
        #expect(error?.code == .cancelled)
    }

    @Test(arguments: ["", "no address", "ftp://example.com", "/relative"])
    func `an address that is none of HTTP is found at once`(address: String) {
        let error = #expect(throws: HTTPSourceError.self) { _ = try HTTPEndpoint(address).validated() }
        #expect(error?.code == .badAddress)
    }

    @Test func `a good address passes, and a body that is no JSON does not`() throws {
        _ = try HTTPEndpoint("https://example.com/rows?page=1").validated()
        let error = #expect(throws: HTTPSourceError.self) {
            _ = try HTTPEndpoint("https://example.com", method: "POST", body: "{").validated()
        }
        #expect(error?.code == .notJSON)
    }

    @Test func `a name and password, and a key in the query, go with every request`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("[]") }
        _ = try await HTTPSession.shared.send(
            HTTPEndpoint(server.url), authentication: .basic(user: "Aladdin", password: "open sesame"))
        // The example of RFC 7617, section 2.
        #expect(server.requests.last?.headers["authorization"] == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        var options = HTTPSourceOptions()
        options.authentication = .query("apikey", "s3cret")
        let source = HTTPDataSource<Row>(HTTPEndpoint(server.url + "/?q=a"), style: .linkHeader, options: options)
        _ = try await source.page().get()
        #expect(server.requests.last?.query == ["q": "a", "apikey": "s3cret", "per_page": "10"])
    }

    @Test func `the page size is sent alike, with a total and without`() throws {
        let plain = HTTPDataSource<Row>("https://example.com/rows", style: .linkHeader)
        let counted = HTTPDataSource<Row>("https://example.com/rows", style: .linkHeader(total: .header("X-Total")))
        #expect(try plain.request(size: 7).url.query() == "per_page=7")
        #expect(try counted.request(size: 7).url.query() == "per_page=7")
    }

    @Test func `a host gets as many connections as the scheduler allows`() async throws {
        let server = try LoopbackServer { _ in [.hold("all")] + LoopbackServer.reply("[]") }
        var scheduling = PaginatorSchedulerConfig()
        scheduling.maxParallelCalls = 12
        var config = PaginatorConfig()
        config.scheduling = scheduling
        let source = HTTPDataSource<Row>(HTTPEndpoint(server.url), style: .pageNumber(page: "page", size: "rows"))
        let feed = CallbackPaginator(dataSource: source, config: config)
        let answers = Handshake(0)
        for page in 1...12 {
            feed.fetch(key: "\(page)", pageSize: 2) { _ in answers.update { $0 += 1 } }
        }
        // All twelve are at the server at once, or this waits for ever.
        try await server.log.wait { $0.heldAt.count == 12 }
        server.open("all")
        try await answers.wait { $0 == 12 }
    }
}

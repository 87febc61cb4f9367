import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

/// Pages whose first rows are there before the others, over a real connection.
struct StreamedPageTests {
    private static let formats: [HTTPBodyFormat] = [.streamedJSON, .jsonLines, .serverSentEvents]

    private static func row(_ id: Int) -> String { "{\"id\":\(id),\"name\":\"row \(id)\"}" }

    /// The body of rows, cut behind each of them.
    private static func pieces(_ ids: Range<Int>, _ format: HTTPBodyFormat) -> [String] {
        switch format {
        case .jsonLines: ids.map { row($0) + "\n" }
        case .serverSentEvents: ids.map { "data: \(row($0))\n\n" }
        default: ids.map { ($0 == ids.lowerBound ? "[" : ",") + row($0) } + ["]"]
        }
    }

    private static let head = WireStep.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")

    private func source(
        _ server: LoopbackServer, _ format: HTTPBodyFormat, _ style: HTTPStyle = .offset(),
        _ adjust: (inout HTTPSourceOptions) -> Void = { _ in }
    ) -> HTTPDataSource<Row> {
        var options = HTTPSourceOptions()
        options.format = format
        adjust(&options)
        return HTTPDataSource<Row>(HTTPEndpoint(server.url), style: style, options: options)
    }

    private func paginator(_ source: HTTPDataSource<Row>) -> CallbackPaginator<Row> {
        var config = PaginatorConfig()
        config.maxAttempts = 1
        return CallbackPaginator(dataSource: source, config: config)
    }

    @Test(arguments: formats)
    func `the first row is there with a quarter of the page's bytes, and the page is whole then`(
        _ format: HTTPBodyFormat
    ) async throws {
        let pieces = Self.pieces(0..<20, format)
        // The rest is not sent before the first row was seen: with no preview this does not end.
        let server = try LoopbackServer { _ in
            [Self.head, .send(pieces[..<4].joined()), .hold("rest"), .send(pieces[4...].joined()), .close]
        }
        let paginator = paginator(source(server, format))
        let ended = Handshake<Result<FetchedPage<Row>, PaginatorError>?>(nil)
        let early = Handshake<[FetchedPage<Row>]>([])
        let listener = RecordingListener<Row> { page in
            early.update { $0.append(page) }
        } onEnd: { result in
            ended.update { $0 = result }
        }
        paginator.fetch(PageRequest(key: "0", pageSize: 20), listener: listener)
        try await early.wait { !$0.isEmpty }
        let first = try #require(early.read { $0.first })
        #expect(first.isPartial && first.content.first == Row(id: 0, name: "row 0"))
        #expect(paginator.peek(key: "0", pageSize: 20) == nil, "it is not the page")
        server.open("rest")
        try await ended.wait { $0 != nil }
        let page = try #require(try ended.read { $0 }?.get())
        #expect(page.content.map(\.id) == Array(0..<20) && !page.isPartial && page.nextKey == "20")
        #expect(early.read { $0.allSatisfy { early in page.content.starts(with: early.content) } })
        #expect(server.requests.count == 1)
    }

    @Test(arguments: formats)
    func `when the connection breaks the next fetch asks for the rest only`(_ format: HTTPBodyFormat) async throws {
        let server = try LoopbackServer { request in
            let offset = Int(request.query["offset"] ?? "") ?? -1
            let limit = Int(request.query["limit"] ?? "") ?? -1
            let pieces = Self.pieces(offset..<offset + limit, format)
            guard offset == 0 else { return LoopbackServer.reply(pieces.joined()) }
            let head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 100000\r\n\r\n"
            return [.send(head + pieces[..<6].joined()), .hold("break"), .close]
        }
        let paginator = paginator(source(server, format, .offset(total: .untilEmpty)))
        let early = Handshake(0)
        let listener = RecordingListener<Row> { page in early.update { $0 = page.content.count } }
        paginator.fetch(PageRequest(key: "0", pageSize: 20), listener: listener)
        try await early.wait { $0 > 0 }
        server.open("break")
        _ = try await listener.waitForEnd()
        #expect(listener.error?.code == .sourceFailed)
        let shown = early.read { $0 }
        let again = RecordingListener<Row>()
        paginator.fetch(PageRequest(key: "0", pageSize: 20), listener: again)
        _ = try await again.waitForEnd()
        #expect(again.page?.content.map(\.id) == Array(0..<20) && again.page?.nextKey == "20")
        #expect(server.requests.map { $0.query["offset"] } == ["0", String(shown)])
        #expect(server.requests.last?.query["limit"] == String(20 - shown))
    }

    @Test func `the early rows of a request that is repeated with another token are those of its own body`()
        async throws
    {
        let pieces = Self.pieces(0..<20, .serverSentEvents)
        let server = try LoopbackServer { request in
            guard request.headers["authorization"] == "Bearer 1" else {
                return LoopbackServer.reply(#"{"ok": false, "error": "token_expired"}"#)
            }
            return [Self.head, .send(pieces[..<4].joined()), .hold("rest"), .send(pieces[4...].joined()), .close]
        }
        let token = Handshake("0")
        let authentication = HTTPAuthentication.bearer {
            token.read { $0 }
        } refresh: {
            token.update { $0 = "1" }
        }
        let paginator = paginator(source(server, .serverSentEvents) { $0.authentication = authentication })
        let early = Handshake<[FetchedPage<Row>]>([])
        let listener = RecordingListener<Row> { page in early.update { $0.append(page) } }
        paginator.fetch(PageRequest(key: "0", pageSize: 20), listener: listener)
        try await early.wait { !$0.isEmpty }
        server.open("rest")
        _ = try await listener.waitForEnd()
        #expect(listener.page?.content.map(\.id) == Array(0..<20))
        #expect(early.read { $0.allSatisfy { $0.content.first == Row(id: 0, name: "row 0") } })
        #expect(paginator.peek(key: "0", pageSize: 20)?.content.count == 20)
    }

    /// Fetches page 40 over a connection that breaks behind the first rows, and once more after `between`.
    private func fetchTwice(
        _ fields: String = "", _ style: HTTPStyle = .offset(total: .untilEmpty), hiding hidden: Set<Int> = [],
        _ adjust: (inout HTTPSourceOptions) -> Void = { _ in }, between: (CallbackPaginator<Row>) -> Void
    ) async throws -> (page: PaginatorPage<Row>?, offsets: [String?]) {
        let broken = Handshake(false)
        let server = try LoopbackServer { request in
            let offset = Int(request.query["offset"] ?? "") ?? -1
            let limit = Int(request.query["limit"] ?? "") ?? -1
            let pieces = (offset..<offset + limit).filter { !hidden.contains($0) }.map { Self.row($0) + "\n" }
            guard !broken.read({ $0 }) else {
                return LoopbackServer.reply(pieces.joined(), headers: ["X-Total-Count": "90"])
            }
            let length = "Content-Length: 100000\r\nX-Total-Count: 90\r\n"
            let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\(length)\(fields)\r\n"
            return [.send(head + pieces[..<6].joined()), .hold("break"), .close]
        }
        let paginator = paginator(source(server, .jsonLines, style, adjust))
        let early = Handshake(0)
        let listener = RecordingListener<Row> { page in early.update { $0 = page.content.count } }
        paginator.fetch(PageRequest(key: "40", pageSize: 20), listener: listener)
        try await early.wait { $0 > 0 }
        broken.update { $0 = true }
        server.open("break")
        _ = try await listener.waitForEnd()
        between(paginator)
        let again = RecordingListener<Row>()
        paginator.fetch(PageRequest(key: "40", pageSize: 20), listener: again)
        _ = try await again.waitForEnd()
        return (again.page, server.requests.map { $0.query["offset"] })
    }

    @Test func `what is kept of a broken page knows the page before, and how long it is good`() async throws {
        let answer = try await fetchTwice("Cache-Control: max-age=600\r\n") { paginator in
            let part = paginator.peek(key: "40", pageSize: 20)?.page
            #expect(part?.prevKey == "20" && part?.expirationTime != nil && part?.continuation != nil)
        }
        #expect(answer.page?.prevKey == "20" && answer.page?.content.map(\.id) == Array(40..<60))
        #expect(answer.page?.expirationTime != nil && answer.offsets.last != "40")
        let old = try await fetchTwice("Cache-Control: max-age=0\r\n") { _ in }
        #expect(old.offsets == ["40", "40"], "what is stale at once is nothing to go on from")
    }

    /// An offset counts the rows that a server hides, and the number of those that came does not.
    @Test(arguments: [.offset(), .offset(total: .items(.header("X-Total-Count")))] as [HTTPStyle])
    func `a broken page that may lack rows is loaded again from its start`(_ style: HTTPStyle) async throws {
        let answer = try await fetchTwice("", style, hiding: [41, 45]) { _ in }
        #expect(answer.page?.content.map(\.id) == (40..<60).filter { $0 != 41 && $0 != 45 })
        #expect(answer.offsets == ["40", "40"])
    }

    @Test func `of a page that must not be kept nothing is kept when it breaks`() async throws {
        let answer = try await fetchTwice("Cache-Control: no-store\r\n") { paginator in
            #expect(paginator.peek(key: "40", pageSize: 20) == nil)
        }
        #expect(answer.offsets == ["40", "40"])
    }

    @Test func `what is kept of a broken page is invalidated by its tags`() async throws {
        let answer = try await fetchTwice {
            $0.tags = { _ in ["rows"] }
        } between: { paginator in
            paginator.invalidate(tags: ["rows"])
        }
        #expect(answer.offsets == ["40", "40"] && answer.page?.tags == ["rows"])
    }

    @Test func `lines and events are strict pages`() async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/two": LoopbackServer.reply("{\"id\":1},{\"id\":2}\n")
            case "/broken": LoopbackServer.reply("{\"id\":1}\n{\"id\":\"x\"}\n")
            case "/many": LoopbackServer.reply(Self.pieces(0..<11, .jsonLines).joined())
            default: LoopbackServer.reply("{\"id\":1}\n\n{\"id\":2}")
            }
        }
        func load(
            _ path: String, _ adjust: (inout HTTPSourceOptions) -> Void = { _ in }
        ) async
            -> Result<PaginatorPage<Row>, SourceError>
        {
            var options = HTTPSourceOptions()
            options.format = .jsonLines
            adjust(&options)
            return await HTTPDataSource<Row>(HTTPEndpoint(server.url + path), style: .offset(), options: options).page()
        }
        #expect(try await load("/").get().content.map(\.id) == [1, 2])
        #expect(await load("/two").httpError?.code == .notJSON)
        #expect(await load("/broken").httpError?.code == .brokenItem)
        #expect(await load("/many").httpError?.code == .pageSizeDiffers)
        #expect(try await load("/broken") { $0.skipsBrokenItems = true }.get().content.map(\.id) == [1])
        #expect(server.requests.first?.headers["accept"]?.contains("ndjson") == true)
    }

    @Test func `other events are fields for the style`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackServer.reply(
                "data: {\"id\":1}\n\nevent: page\ndata: {\"next\":\"abc\",\"of\":7}\n\ndata: {\"id\":2}\n\n")
        }
        var options = HTTPSourceOptions()
        options.format = .serverSentEvents
        let source = HTTPDataSource<Row>(
            HTTPEndpoint(server.url), style: .cursor("c", from: "page.next", size: "n", total: "page.of"),
            options: options)
        let page = try await source.page().get()
        #expect(page.content.map(\.id) == [1, 2] && page.nextKey == "abc" && page.total == 7)
    }

    @Test(arguments: [
        "event: end\ndata: \n\n", "event: done\ndata: [DONE]\n\n", "event: ping\ndata: keep-alive\n\n", "data:\n\n",
        "data:  \n\n", "event: a\ndata: {\n\n", "data: [DONE]\n\n",
    ])
    func `events without JSON and empty messages are no items and no failure`(_ other: String) async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("\(other)data: {\"id\":1}\n\n\(other)") }
        let page = try await source(server, .serverSentEvents).page().get()
        #expect(page.content.map(\.id) == [1])
    }

    @Test(arguments: ["data: {\"id\":2}", "data: {\"id\":2}\nid: 7", "data: {\"i", "event: page\ndata: {\"next\":"])
    func `events that end inside of a line are no whole page`(_ rest: String) async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("data: {\"id\":1}\n\n\(rest)") }
        let error = await source(server, .serverSentEvents).failure()
        #expect(error?.httpError?.code == .endedEarly && error?.isRetryable == true)
    }

    @Test(arguments: [
        ("data: {\"id\":2}\n", 2), ("data: {\"id\":2}\nid: 7\r\n", 2), ("data: {\"id\":2}\n: ping", 2),
        (": keep-alive", 1), (": keep-alive\n", 1), ("data: [DONE]\n", 1), ("event: end\n", 1), ("", 1),
    ])
    func `the last event of a page needs no empty line`(_ rest: String, _ count: Int) async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("data: {\"id\":1}\n\n\(rest)") }
        let page = try await source(server, .serverSentEvents).page().get()
        #expect(page.content.map(\.id) == Array(1...count))
    }

    @Test(arguments: ["\u{FEFF}", "\u{FEFF}: nothing yet", ": nothing yet", ": nothing\n\n", ""])
    func `a page of events may be empty`(_ body: String) async throws {
        let server = try LoopbackServer { _ in
            LoopbackServer.reply(body, headers: ["Content-Type": "text/event-stream"])
        }
        #expect(try await source(server, .serverSentEvents).page().get().content.isEmpty)
    }

    @Test(
        arguments: [
            ("text/html", "<!DOCTYPE html>\n<p>Please sign in.</p>\n", .webPage, true),
            ("text/html; charset=utf-8", "<p>Please sign in.</p>", .webPage, true),
            ("application/json", "{\"error\": \"ratelimited\"}\n", .refusedInBody, true),
            ("application/problem+json", "{\"title\": \"no\"}", .wrongType, false),
        ] as [(String, String, HTTPSourceError.Code, Bool)])
    func `a body of another type is no empty page of events`(
        _ type: String, _ body: String, _ code: HTTPSourceError.Code, _ isRetryable: Bool
    ) async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply(body, headers: ["Content-Type": type]) }
        let error = try #require(await source(server, .serverSentEvents).failure())
        #expect(error.httpError?.code == code && error.isRetryable == isRetryable)
    }

    @Test func `the data of an event is its text where it is not JSON`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackServer.reply("data: {\"id\":1}\n\nevent: next\ndata: abc\n\n")
        }
        var options = HTTPSourceOptions()
        options.format = .serverSentEvents
        let source = HTTPDataSource<Row>(
            HTTPEndpoint(server.url), style: .cursor("c", from: "next"), options: options)
        #expect(try await source.page().get().nextKey == "abc")
    }

    @Test(arguments: ["{\"id\":2", "{\"id\":2,\"name\":\"ro", "{", "[1,"])
    func `lines that end inside of an item are no whole page`(_ rest: String) async throws {
        // Only the end of the connection ends the body, so nothing else tells that it was cut.
        let server = try LoopbackServer { _ in [Self.head, .send("{\"id\":1}\n\(rest)"), .close] }
        let error = await source(server, .jsonLines).failure()
        #expect(error?.httpError?.code == .endedEarly && error?.isRetryable == true)
    }

    @Test(arguments: ["{\"id\":2]", "{\"id\":2},{\"id\":3", "row 2"])
    func `lines that are no JSON stay so`(_ rest: String) async throws {
        let server = try LoopbackServer { _ in [Self.head, .send("{\"id\":1}\n\(rest)"), .close] }
        let error = await source(server, .jsonLines).failure()
        #expect(error?.httpError?.code == .notJSON && error?.isRetryable == false)
    }

    @Test func `lines may begin with a byte order mark`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("\u{FEFF}{\"id\":1}\n{\"id\":2}\n") }
        #expect(try await source(server, .jsonLines).page().get().content.map(\.id) == [1, 2])
    }
}

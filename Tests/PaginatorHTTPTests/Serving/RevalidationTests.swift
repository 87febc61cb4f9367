import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

/// Which pages are revalidated, and how long they are fresh then: RFC 9110, section 13, and RFC 9111, section 4.3.
struct RevalidationTests {
    private let clock = ManualPaginatorClock()

    /// A server that keeps to RFC 9110, section 13.1.2: for other methods than `GET` a matching tag is a failure.
    private func server(_ headers: [String: String] = [:], later: [String: String] = [:]) throws -> LoopbackServer {
        try LoopbackServer { request in
            guard request.headers["if-none-match"] == "\"v1\"" else {
                return LoopbackServer.reply(rows(1...2), headers: headers.merging(["ETag": "\"v1\""]) { $1 })
            }
            return LoopbackServer.reply("", status: request.method == "GET" ? 304 : 412, headers: later)
        }
    }

    private func source(
        _ endpoint: HTTPEndpoint, lifetime: Duration? = .minutes(5), authentication: HTTPAuthentication? = nil
    ) -> HTTPDataSource<Row> {
        var options = HTTPSourceOptions()
        options.clock = clock
        options.lifetime = lifetime
        options.authentication = authentication
        return HTTPDataSource<Row>(endpoint, style: .offset(limit: nil), options: options)
    }

    @Test func `a page of a search by POST is loaded again, without a condition`() async throws {
        let server = try server()
        let source = source(.search(server.url))
        let first = try await source.page().get()
        #expect(try await source.page(known: first).get().content.map(\.id) == [1, 2])
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, nil])
    }

    @Test func `a page in another language is loaded in full, and one for another number of the request is not`()
        async throws
    {
        let server = try server()
        func source(_ name: String, _ language: String, _ number: String) -> HTTPDataSource<Row> {
            self.source(HTTPEndpoint(server.url, headers: [name: language, "X-Request-ID": number]))
        }
        let english = try await source("Accept-Language", "en", "1").page().get()
        _ = await source("Accept-Language", "de", "1").page(known: english)
        _ = await source("accept-language", "en", "2").page(known: english)
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, nil, "\"v1\""])
    }

    @Test func `a page for another value of a field that the server names is loaded in full`() async throws {
        let server = try server(["Vary": "Accept-Encoding, X-Mode"])
        func source(_ mode: String) -> HTTPDataSource<Row> {
            self.source(HTTPEndpoint(server.url, headers: ["X-Mode": mode]))
        }
        let short = try await source("short").page().get()
        _ = await source("long").page(known: short)
        _ = await source("short").page(known: short)
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, nil, "\"v1\""])
    }

    /// RFC 9110, section 12.5.5: `Vary: *` says that a request alone does not tell which answer it has.
    @Test func `a page that depends on more than its request is loaded in full`() async throws {
        let server = try server(["Vary": "*"])
        let source = source(HTTPEndpoint(server.url))
        let first = try await source.page().get()
        #expect(try await source.page(known: first).get().content.map(\.id) == [1, 2])
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, nil])
    }

    /// RFC 9111, section 4.3.4: the header fields of a 304 replace those of the page.
    @Test func `a server is asked with the time of its last answer, also if that had no body`() async throws {
        let times = ["Sun, 06 Nov 1994 08:49:37 GMT", "Mon, 07 Nov 1994 08:49:37 GMT"]
        let server = try LoopbackServer { request in
            request.headers["if-modified-since"] == nil
                ? LoopbackServer.reply(rows(1...2), headers: ["Last-Modified": times[0]])
                : LoopbackServer.reply("", status: 304, headers: ["Last-Modified": times[1]])
        }
        let source = source(HTTPEndpoint(server.url))
        var page = try await source.page().get()
        for _ in 0..<3 { page = try await source.page(known: page).get() }
        #expect(page.content.map(\.id) == [1, 2])
        #expect(server.requests.map { $0.headers["if-modified-since"] } == [nil, times[0], times[1], times[1]])
    }

    @Test func `an item that a newer version of the app can decode appears although the page has not changed`()
        async throws
    {
        struct IsUnknown: Error {}
        let server = try LoopbackServer { request in
            request.headers["if-none-match"] == nil
                ? LoopbackServer.reply("[{\"id\": 1}, {\"id\": 2, \"name\": \"new\"}]", headers: ["ETag": "\"v1\""])
                : LoopbackServer.reply("", status: 304)
        }
        var options = HTTPSourceOptions()
        options.skipsBrokenItems = true
        func source(knowsNew: Bool) -> HTTPDataSource<Row> {
            HTTPDataSource<Row>(
                HTTPEndpoint(server.url), style: .offset(limit: nil), options: options,
                decode: { item in
                    let row = try JSONDecoder().decode(Row.self, from: item)
                    guard knowsNew || row.name != "new" else { throw IsUnknown() }
                    return row
                })
        }
        let old = try await source(knowsNew: false).page().get()
        #expect(old.content.map(\.id) == [1])
        let new = try await source(knowsNew: true).page(known: old).get()
        #expect(new.content.map(\.id) == [1, 2])
        // A page without such items is revalidated.
        #expect(try await source(knowsNew: false).page(known: new).get().content.map(\.id) == [1, 2])
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, nil, "\"v1\""])
    }

    @Test func `a renewed token does not hinder the revalidation`() async throws {
        let server = try server()
        let first = try await source(HTTPEndpoint(server.url), authentication: .header("X-Token", "1")).page().get()
        _ = await source(HTTPEndpoint(server.url), authentication: .header("X-Token", "2")).page(known: first)
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, "\"v1\""])
    }

    @Test(
        arguments: [
            (["Cache-Control": "max-age=60"], [:], 60), (["Cache-Control": "max-age=86400"], [:], 86_400),
            (["Cache-Control": "no-cache"], [:], 0),
            (["Cache-Control": "max-age=60"], ["Cache-Control": "max-age=10"], 10),
            (["Cache-Control": "max-age=60"], ["Age": "45"], 15),
            (["Cache-Control": "max-age=60", "Age": "45"], [:], 60),
            (["Expires": "Thu, 01 Jan 1970 00:00:00 GMT"], ["Cache-Control": "max-age=10"], 10),
            (["Cache-Control": "max-age=60"], ["Expires": "0"], 0), ([:], [:], nil),
        ] as [([String: String], [String: String], TimeInterval?)], [Duration?.none, .minutes(5)])
    func `a page that has not changed is as fresh as its answer said, unless the new one says otherwise`(
        _ answers: (first: [String: String], later: [String: String], seconds: TimeInterval?), _ lifetime: Duration?
    ) async throws {
        let server = try server(answers.first, later: answers.later)
        let source = source(HTTPEndpoint(server.url), lifetime: lifetime)
        var page = try await source.page().get()
        // Also after it has been renewed before.
        for _ in 0..<2 {
            page = try await source.page(known: page).get()
            let fresh = page.expirationTime?.timeIntervalSince(clock.wallTime)
            #expect(fresh == answers.seconds ?? lifetime?.inSeconds)
        }
        #expect(server.requests.count { $0.headers["if-none-match"] != nil } == 2)
    }

    /// RFC 9111, section 3.2: header fields of a 304 replace those of the page. Many servers make the tag of the body.
    @Test(
        arguments: [
            (.linkHeader(size: nil, total: .header("X-Total-Count")), "/rows?page=2"),
            (.offset(total: .items(.header("X-Total-Count"))), "2"),
            (.pageNumber(total: .items(.header("X-Total-Count"))), "2"),
            (.cursor("c", from: .header("X-Next"), total: .header("X-Total-Count")), "n"),
            (.nextURL(.header("X-Next"), total: .header("X-Total-Count")), "/n"),
        ] as [(HTTPStyle, String)], [true, false])
    func `a page that has not changed leads on where its new header fields say so`(
        _ style: (style: HTTPStyle, next: String), _ repeatsFields: Bool
    ) async throws {
        let hasGrown = Handshake(false)
        let server = try LoopbackServer { request in
            let total = ["ETag": "\"v1\"", "X-Total-Count": hasGrown.read { $0 } ? "3" : "2"]
            let fields = hasGrown.read { $0 } ? ["Link": "</rows?page=2>; rel=\"next\"", "X-Next": "n"] : [:]
            guard request.headers["if-none-match"] != nil else {
                return LoopbackServer.reply(rows(1...2), headers: total.merging(fields) { $1 })
            }
            return LoopbackServer.reply("", status: 304, headers: repeatsFields ? total.merging(fields) { $1 } : [:])
        }
        let source = HTTPDataSource<Row>(HTTPEndpoint(server.url + "/rows"), style: style.style)
        let first = try await source.page(size: 2).get()
        #expect(first.nextKey == nil && first.total == 2)
        hasGrown.update { $0 = true }
        let renewed = try await source.page(size: 2, known: first).get()
        #expect(renewed.content.map(\.id) == [1, 2])
        #expect(renewed.nextKey == (repeatsFields ? style.next : nil) && renewed.total == (repeatsFields ? 3 : 2))
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, "\"v1\""])
        // What a page knows stays without the fields.
        let grown = try await source.page(size: 2).get()
        let again = try await source.page(size: 2, known: grown).get()
        #expect(again.nextKey == style.next && again.total == 3)
    }

    /// WordPress, proxies and content networks add links of their own to every answer.
    @Test(
        arguments: [
            ("</a.css>; rel=preload; as=style", "/rows?page=2"),
            ("<https://h/wp-json/>; rel=\"https://api.w.org/\"", "/rows?page=2"),
            ("</rows?page=9>; rel=next; anchor=\"/other\"", "/rows?page=2"),
            ("</a.css>; rel=preload, </rows?page=3>; rel=next", "/rows?page=3"), ("</rows?page=1>; rel=first", nil),
        ] as [(String, String?)])
    func `links that are not those of pages do not end a list whose page has not changed`(
        _ link: String, _ next: String?
    ) async throws {
        let server = try server(["Link": "</rows?page=2>; rel=next"], later: ["Link": link])
        let source = HTTPDataSource<Row>(HTTPEndpoint(server.url + "/rows"), style: .linkHeader(size: nil))
        let first = try await source.page().get()
        #expect(first.nextKey == "/rows?page=2")
        #expect(try await source.page(known: first).get().nextKey == next)
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, "\"v1\""])
    }

    /// A feed by score: two of its later pages have changed places since it was last read.
    @Test func `a first page that has not changed begins a new walk`() async throws {
        let isSwapped = Handshake(false)
        let server = try LoopbackServer { request in
            if request.headers["if-none-match"] != nil { return LoopbackServer.reply("", status: 304) }
            let order = isSwapped.read { $0 } ? ["", "a", "c", "b"] : ["", "a", "b", "c"]
            let place = order.firstIndex(of: request.query["c"] ?? "") ?? 0
            let next = place < 3 ? "\"\(order[place + 1])\"" : "null"
            return LoopbackServer.reply(
                "{\"rows\": \(rows(place...place)), \"next\": \(next)}", headers: place == 0 ? ["ETag": "\"v1\""] : [:])
        }
        let source = HTTPDataSource<Row>(HTTPEndpoint(server.url), items: "rows", style: .cursor("c", from: "next"))
        func walk(from first: PaginatorPage<Row>) async throws -> [String] {
            var keys: [String] = []
            var key = first.nextKey
            while let now = key {
                keys.append(now)
                key = try await source.page(now).get().nextKey
            }
            return keys
        }
        let first = try await source.page().get()
        #expect(try await walk(from: first) == ["a", "b", "c"])
        isSwapped.update { $0 = true }
        let renewed = try await source.page(known: first).get()
        #expect(try await walk(from: renewed) == ["a", "c", "b"])
        #expect(server.requests.compactMap { $0.headers["if-none-match"] } == ["\"v1\""])
    }

    @Test func `a later page that has not changed does not lead back to an earlier one`() async throws {
        let server = try LoopbackServer { request in
            let isRenewed = request.headers["if-none-match"] != nil
            let nexts = ["": "a", "a": "b", "b": isRenewed ? "a" : "c"]
            let headers = ["ETag": "\"v1\"", "X-Next": nexts[request.query["c"] ?? ""] ?? ""]
            return LoopbackServer.reply(
                isRenewed ? "" : rows(1...2), status: isRenewed ? 304 : 200, headers: headers)
        }
        let source = HTTPDataSource<Row>(HTTPEndpoint(server.url), style: .cursor("c", from: .header("X-Next")))
        #expect(try await source.page().get().nextKey == "a")
        #expect(try await source.page("a").get().nextKey == "b")
        let last = try await source.page("b").get()
        #expect(last.nextKey == "c")
        #expect(await source.page("b", known: last).httpError?.code == .repeatedCursor)
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, nil, nil, "\"v1\""])
    }

    @Test(arguments: [([:], false), (["Cache-Control": "max-age=60"], true)] as [([String: String], Bool)])
    func `what must not be stored stays so, until the server says otherwise`(
        _ later: [String: String], _ isStorable: Bool
    ) async throws {
        let server = try server(["Cache-Control": "no-store"], later: later)
        let source = source(HTTPEndpoint(server.url))
        let first = try await source.page().get()
        #expect(!first.isStorable)
        #expect(try await source.page(known: first).get().isStorable == isStorable)
    }
}

import Foundation
import PaginatorAsync
import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import StorageTesting
import Testing

@testable import PaginatorHTTP

/// What becomes of answers that keep to the protocol: statuses, waiting times, freshness, revalidation.
struct AnswerTests {
    private func source(
        _ server: LoopbackServer, _ adjust: (inout HTTPSourceOptions) -> Void = { _ in }
    ) -> HTTPDataSource<Row> {
        var options = HTTPSourceOptions()
        adjust(&options)
        return HTTPDataSource<Row>(
            HTTPEndpoint(server.url + "/rows"), items: "rows", style: .cursor("c", from: "next"), options: options)
    }

    private static let body = "{\"rows\": \(rows(1...2)), \"next\": \"n\"}"
    private static let lastBody = "{\"rows\": \(rows(3...4)), \"next\": null}"

    @Test(
        arguments: [
            (400, nil, false, false), (400, "x", true, false), (404, "x", true, false), (404, nil, false, false),
            (410, "x", true, false), (401, "x", false, false), (403, "x", false, false), (408, nil, false, true),
            (425, nil, false, true), (429, "x", false, true), (500, nil, false, true), (502, nil, false, true),
            (503, "x", false, true), (501, nil, false, false), (422, "x", false, false),
        ] as [(Int, String?, Bool, Bool)])
    func `reads statuses`(_ status: Int, _ key: String?, _ isExpired: Bool, _ isRetryable: Bool) async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("{}", status: status) }
        let error = await source(server).failure(key)
        #expect(error?.isKeyExpired == isExpired)
        #expect(error?.isRetryable == isRetryable)
        #expect(error?.httpError?.status == status)
    }

    @Test func `obeys the users rules`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("{\"code\": \"gone_fishing\"}", status: 418) }
        let error = await source(server) { options in
            options.decide = { error, _ in
                error.body?.code == "gone_fishing" && error.status == 418 ? .retry(error) : nil
            }
        }.failure()
        #expect(error?.isRetryable == true)
        let expired = await source(server) { $0.expiredStatuses = [418] }.failure("c")
        #expect(expired?.isKeyExpired == true)
    }

    @Test func `tells throttling from an expired cursor`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackServer.reply("{\"__type\": \"com.amazonaws#ThrottlingException\"}", status: 400)
        }
        let error = await source(server).failure("c")
        #expect(error?.isRetryable == true)
    }

    /// Facebook and AWS answer 400 also where the cursor is good.
    @Test(
        arguments: [
            (#""error": {"type": "OAuthException", "message": "(#17) Limit", "is_transient": true}"#, true, false),
            (#""error": {"type": "OAuthException", "message": "Session has expired", "code": 190}"#, false, false),
            (#""error": {"type": "OAuthException", "message": "(#100) Invalid cursor"}"#, false, true),
            (#""__type": "com.amazon.coral.service#ExpiredTokenException""#, false, false),
            (#""__type": "com.amazon.coral.service#UnrecognizedClientException""#, false, false),
            (#""__type": "com.amazon.coral.service#InvalidSignatureException""#, false, false),
            (#""__type": "com.amazon.coral.service#AccessDeniedException""#, false, false),
            (#""__type": "com.amazon.coral.validate#ValidationException""#, false, true),
        ] as [(String, Bool, Bool)])
    func `a rate limit or a refusal with 400 does not take a list to its start`(
        _ body: String, _ isRetryable: Bool, _ isExpired: Bool
    ) async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("{\(body)}", status: 400) }
        let error = try #require(await source(server).failure("c"))
        #expect(error.isRetryable == isRetryable && error.isKeyExpired == isExpired)
    }

    /// Mastodon answers 206 while it makes a home feed. A range that was asked for has `Content-Range`, RFC 9110,
    /// section 15.3.7.
    @Test(
        arguments: [
            (202, "[]", [:], true), (202, rows(1...2), [:], true), (206, "[]", [:], true),
            (206, rows(1...2), [:], false), (206, "[]", ["Content-Range": "*/0"], false),
        ] as [(Int, String, [String: String], Bool)])
    func `a page that the server is still making is requested again, and is not the end`(
        _ status: Int, _ rows: String, _ headers: [String: String], _ isRetried: Bool
    ) async throws {
        let server = try LoopbackServer { _ in
            LoopbackServer.reply("{\"rows\": \(rows)}", status: status, headers: headers)
        }
        let error = await source(server).failure()
        #expect(error?.isRetryable == (isRetried ? true : nil))
        #expect(error?.httpError?.status == (isRetried ? status : nil))
        let taken = await source(server) { $0.retryableStatuses.remove(status) }.failure()
        #expect(taken == nil)
    }

    /// Google says only in the body whether a 403 is a rate limit that passes.
    @Test(arguments: [
        ("userRateLimitExceeded", true), ("rateLimitExceeded", true), ("dailyLimitExceeded", false),
        ("insufficientPermissions", false),
    ])
    func `tells a rate limit from a refusal`(_ reason: String, _ isRetryable: Bool) async throws {
        let body = #"{"error": {"errors": [{"reason": "\#(reason)"}], "code": 403, "status": "PERMISSION_DENIED"}}"#
        let server = try LoopbackServer { _ in LoopbackServer.reply(body, status: 403) }
        let error = await source(server).failure()
        #expect(error?.isRetryable == isRetryable)
        #expect(error?.httpError?.body?.code == reason)
    }

    @Test(arguments: [
        (429, ["Retry-After": "7"], 7),
        (503, ["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:07 GMT"], 30),
        (403, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "12"], 12),
        (429, ["RateLimit": "\"default\";r=0;t=9"], 9),
    ])
    func `passes on when to ask again`(_ status: Int, _ headers: [String: String], _ seconds: Int) async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("", status: status, headers: headers) }
        let error = await source(server).failure()
        #expect(error?.statedDelay == .seconds(seconds))
        #expect(error?.isRetryable == true)
    }

    @Test(arguments: [
        ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30"],
        ["RateLimit": "\"default\";r=0;t=30", "RateLimit-Policy": "\"default\";q=100;w=60"],
        ["RateLimit-Limit": "100", "RateLimit-Remaining": "0", "RateLimit-Reset": "30"],
    ])
    func `a rate limit that a success spent delays the next request`(_ headers: [String: String]) async throws {
        let server = try LoopbackServer {
            LoopbackServer.reply(
                $0.query["c"] == nil ? Self.body : Self.lastBody, headers: $0.query["c"] == nil ? headers : [:])
        }
        let clock = ManualPaginatorClock()
        let observer = RecordingObserver()
        var config = DefaultPaginatorConfig()
        config.clock = clock
        config.observer = observer
        config.attemptTimeout = .seconds(3_600)
        let source = source(server) { $0.clock = clock }
        let paginator = CallbackPaginator(dataSource: source, config: config)
        #expect(try await paginator.fetch(key: source.firstKey, pageSize: 10).nextKey == "n")
        async let next = paginator.fetch(key: "n", pageSize: 10, timeout: .seconds(60))
        let held = try await observer.waitForEvents(of: .throttled)
        #expect(held.map(\.identity?.key) == ["n"] && held.map(\.duration) == [.seconds(30)])
        #expect(server.requests.count == 1)
        clock.advance(by: .seconds(30))
        #expect(try await next.content.count == 2)
        #expect(server.requests.count == 2)
        #expect(observer.count(of: .sourcePaused) == 1)
    }

    @Test func `a rate limit that is not spent delays nothing`() async throws {
        let server = try LoopbackServer {
            LoopbackServer.reply(
                $0.query["c"] == nil ? Self.body : Self.lastBody,
                headers: ["X-RateLimit-Remaining": "3", "X-RateLimit-Reset": "30"])
        }
        let observer = RecordingObserver()
        var config = DefaultPaginatorConfig()
        config.observer = observer
        let source = source(server)
        let paginator = CallbackPaginator(dataSource: source, config: config)
        for key in [source.firstKey, "n"] { _ = try await paginator.fetch(key: key, pageSize: 10) }
        #expect(observer.count(of: .sourcePaused) == 0 && server.requests.count == 2)
    }

    /// A request that may have been carried out is not repeated, unless that does no harm.
    @Test func `repeats only what does no harm`() async throws {
        let server = try LoopbackServer { LoopbackServer.reply("", status: $0.path == "/busy" ? 503 : 500) }
        func failure(_ path: String, isIdempotent: Bool?) async -> SourceError? {
            let endpoint = HTTPEndpoint(server.url + path, method: "POST", body: "{}", isIdempotent: isIdempotent)
            return await HTTPDataSource<Row>(endpoint, style: .cursor("c", from: "next")).failure()
        }
        #expect(await failure("/", isIdempotent: nil)?.isRetryable == false)
        #expect(await failure("/", isIdempotent: true)?.isRetryable == true)
        #expect(await failure("/busy", isIdempotent: nil)?.isRetryable == true)
    }

    @Test func `tries again where nobody listens`() async throws {
        let server = try LoopbackServer { _ in [.close] }
        server.stop()
        let error = await HTTPDataSource<Row>(HTTPEndpoint(server.url), style: .linkHeader).failure()
        #expect(error?.isRetryable == true)
        #expect(error?.httpError?.code == .connection)
        #expect(error?.httpError?.urlErrorCode != nil)
    }

    @Test(arguments: ["", "no address", "ftp://h/", "http://", "/relative"])
    func `refuses addresses of another kind`(_ address: String) async {
        let error = await HTTPDataSource<Row>(HTTPEndpoint(address), style: .linkHeader).failure()
        #expect(error?.httpError?.code == .badAddress)
        #expect(error?.isRetryable == false)
    }

    @Test func `takes the lifetime of the header`() async throws {
        let clock = ManualPaginatorClock()
        let server = try LoopbackServer { request in
            LoopbackServer.reply(Self.body, headers: request.path == "/rows" ? ["Cache-Control": "max-age=60"] : [:])
        }
        func expiration(_ adjust: (inout HTTPSourceOptions) -> Void) async throws -> TimeInterval? {
            let page = try await source(server) { options in
                options.clock = clock
                adjust(&options)
            }.page().get()
            return page.expirationTime?.timeIntervalSince(clock.wallTime)
        }
        #expect(try await expiration { _ in } == 60)
        #expect(try await expiration { ($0.obeysFreshness, $0.lifetime) = (false, nil) } == nil)
        #expect(try await expiration { ($0.obeysFreshness, $0.lifetime) = (false, .seconds(5)) } == 5)
    }

    @Test func `renews a page without its body`() async throws {
        let server = try LoopbackServer { request in
            request.headers["if-none-match"] == "\"v1\""
                ? LoopbackServer.reply("", status: 304, headers: ["Cache-Control": "max-age=30", "ETag": "\"v1\""])
                : LoopbackServer.reply(
                    Self.body, headers: ["ETag": "\"v1\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"])
        }
        let source = source(server)
        let first = try await source.page().get()
        #expect(first.expirationTime != nil)
        let second = try await source.page(known: first).get()
        #expect(second.content.map(\.id) == [1, 2])
        #expect(second.nextKey == "n")
        #expect(second.expirationTime != nil)
        // The renewed page can be renewed again.
        #expect(try await source.page(known: second).get().content.count == 2)
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, "\"v1\"", "\"v1\""])
        #expect(server.requests[1].headers["if-modified-since"] == "Sun, 06 Nov 1994 08:49:37 GMT")
        // Another page, and one that nobody has, are asked for in full; so is what another address called so.
        _ = await source.page("other", known: first)
        _ = await source.page()
        let elsewhere = HTTPDataSource<Row>(
            HTTPEndpoint(server.url + "/rows?lang=de"), items: "rows", style: .cursor("c", from: "next"))
        _ = await elsewhere.page(known: first)
        #expect(server.requests.suffix(3).map { $0.headers["if-none-match"] } == [nil, nil, nil])
    }

    @Test func `renews an expired page of an earlier run without its body`() async throws {
        let server = try LoopbackServer { request in
            request.headers["if-none-match"] == "\"v1\""
                ? LoopbackServer.reply("", status: 304, headers: ["Cache-Control": "max-age=60"])
                : LoopbackServer.reply(Self.body, headers: ["ETag": "\"v1\"", "Cache-Control": "max-age=60"])
        }
        let file = ScriptedPageFile()
        let clock = ManualPaginatorClock()
        func paginator() -> (CallbackPaginator<Row>, String) {
            var config = DefaultPaginatorConfig()
            config.clock = clock
            config.attemptTimeout = .seconds(3_600)
            let source = source(server) { $0.clock = clock }
            let store = PageFileStore<Row>(file: file, codec: CompactPageCodec())
            return (CallbackPaginator(dataSource: source, store: store, config: config), source.firstKey)
        }
        let (earlier, key) = paginator()
        #expect(try await earlier.fetch(key: key, pageSize: 10).origin == .source)
        try await earlier.shutdownAndWait()
        clock.advance(by: .seconds(61))

        let (later, _) = paginator()
        let renewed = try await later.fetch(key: key, pageSize: 10)
        #expect(renewed.origin == .source && !renewed.isStale)
        #expect(renewed.page.content.map(\.id) == [1, 2] && renewed.page.nextKey == "n")
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, "\"v1\""])
        #expect(try await later.fetch(key: key, pageSize: 10).origin == .memory)
        try await later.shutdownAndWait()
        clock.advance(by: .seconds(61))

        // What was renewed has kept its validator on disk. The store alone is fresh enough for nobody now.
        let (last, _) = paginator()
        #expect(try await last.fetch(key: key, pageSize: 10).page.content.count == 2)
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, "\"v1\"", "\"v1\""])
    }

    @Test func `refuses a renewal that nobody asked for`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("", status: 304) }
        #expect(await source(server).failure()?.httpError?.code == .status)
    }

    @Test func `skips and reports broken items`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackServer.reply("{\"rows\": [{\"id\": 1}, {\"id\": \"secret\"}, {\"name\": \"x\"}, {\"id\": 4}]}")
        }
        let failure = await source(server).failure()
        #expect(failure?.httpError?.code == .brokenItem)
        #expect(failure?.httpError?.field == "rows[1].id")
        #expect(failure?.isRetryable == false)
        let events = Handshake<[String?]>([])
        let page = try await source(server) { options in
            options.skipsBrokenItems = true
            options.onSkippedItem = { error, _ in events.update { $0.append(error.field) } }
        }.page().get()
        #expect(page.content.map(\.id) == [1, 4])
        #expect(events.read { $0 } == ["rows[1].id", "rows[2].id"])
    }

    @Test func `gives pages tags by request, items and header, also those that are renewed and those without content`()
        async throws
    {
        let server = try LoopbackServer { request in
            if request.query["c"] == "none" { return LoopbackServer.reply("", status: 204) }
            return request.headers["if-none-match"] == nil
                ? LoopbackServer.reply(Self.body, headers: ["ETag": "\"v1\"", "Cache-Tag": "all"])
                : LoopbackServer.reply("", status: 304)
        }
        let tagged = source(server) { options in
            options.tags = { response throws(HTTPSourceError) in
                var tags = ["rows of \(response.request.key)"]
                if let tag = try response.text(of: .header("Cache-Tag")) { tags.append(tag) }
                for item in 0..<response.itemCount {
                    tags.append("row \(try response.text(of: "id", ofItem: item) ?? "")")
                }
                return tags
            }
        }
        let page = try await tagged.page().get()
        #expect(page.tags.first == "rows of \(page.key)")
        #expect(page.tags.contains("all"))
        #expect(page.tags.count { $0.hasPrefix("row ") } == page.content.count)
        #expect(page.content.allSatisfy { page.tags.contains("row \($0.id)") })
        #expect(try await tagged.page(known: page).get().tags == page.tags)
        #expect(try await tagged.page("none").get().tags == ["rows of none"])
        #expect(try await source(server).page().get().tags == [])
    }

    @Test func `takes an empty page with a next key`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("{\"rows\": [], \"next\": \"n\"}") }
        let page = try await source(server).page().get()
        #expect(page.content.isEmpty && page.nextKey == "n")
    }

    @Test func `takes null for an empty list`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("{\"rows\": null}") }
        #expect(try await source(server).page().get().content.isEmpty)
    }

    @Test func `ends numbered pages at not found`() async throws {
        let server = try LoopbackServer {
            $0.query["page"] == "1" ? LoopbackServer.reply(rows(1...10)) : LoopbackServer.reply("", status: 404)
        }
        let pages = HTTPDataSource<Row>(HTTPEndpoint(server.url), style: .pageNumber())
        let first = try await pages.page().get()
        #expect(first.nextKey == "2")
        let second = try await pages.page("2").get()
        #expect(second.content.isEmpty && second.nextKey == nil && second.prevKey == "1")
    }
}

import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

/// Where pages end, as servers' documentation says that they end.
struct EndOfPagesTests {
    @Test func `a last page that the server answers with 404 leads back`() async throws {
        let server = try LoopbackServer { request in
            request.query["page"] == "1" || request.query["offset"] == "0"
                ? LoopbackServer.reply(rows(1...10)) : LoopbackServer.reply("", status: 404)
        }
        let pages = HTTPDataSource<Row>(HTTPEndpoint(server.url), style: .pageNumber(total: .untilEmpty))
        let last = try await pages.page("2").get()
        #expect(last.content.isEmpty && last.nextKey == nil && last.prevKey == "1")
        let offsets = HTTPDataSource<Row>(HTTPEndpoint(server.url), style: .offset(total: .untilEmpty))
        #expect(try await offsets.page("10").get().prevKey == "0")
    }

    /// Elasticsearch and Spotify refuse offsets beyond a limit.
    @Test(arguments: [.pageNumber(), .offset()] as [HTTPStyle], [400, 410])
    func `a number that the server refuses has not expired, so a list keeps its rows`(
        _ style: HTTPStyle, _ status: Int
    ) async throws {
        let server = try LoopbackServer { _ in
            LoopbackServer.reply("{\"message\": \"no such cursor\"}", status: status)
        }
        let error = await HTTPDataSource<Row>(HTTPEndpoint(server.url), style: style).failure("20")
        #expect(error?.isKeyExpired == false && error?.isRetryable == false && error?.httpError?.status == status)
    }

    /// WordPress: "The page number requested is larger than the number of pages available."
    @Test(arguments: ["rest_post_invalid_page_number", "rest_search_invalid_page_number"])
    func `a page number that WordPress calls invalid is past the last page`(_ code: String) async throws {
        let server = try LoopbackServer { _ in
            LoopbackServer.reply("{\"code\": \"\(code)\", \"data\": {\"status\": 400}}", status: 400)
        }
        let source = HTTPDataSource<Row>(
            HTTPEndpoint(server.url), style: .pageNumber(total: .pages(.header("X-WP-TotalPages")), maxSize: 100))
        let end = try await source.page("3").get()
        #expect(end.content.isEmpty && end.nextKey == nil && end.prevKey == "2")
        #expect(await source.failure()?.httpError?.status == 400)
    }

    /// Django REST framework answers 404, "Invalid page.", once the last page is gone.
    @Test func `an address with the number of a page that is gone is past the last page`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("{\"detail\": \"Invalid page.\"}", status: 404) }
        for style in [HTTPStyle.nextURL(), .linkHeader] {
            let source = HTTPDataSource<Row>(HTTPEndpoint(server.url + "/rows?page=1"), items: "results", style: style)
            for query in ["page=5", "size=2&page%5Bnumber%5D=5"] {
                let end = try await source.page("/rows?\(query)").get()
                #expect(end.content.isEmpty && end.nextKey == nil)
            }
            #expect(await source.failure("/rows?page=cD0y")?.isKeyExpired == true)
            #expect(await source.failure("/rows?cursor=5")?.isKeyExpired == true)
            #expect(await source.failure()?.httpError?.status == 404)
        }
        // GitHub answers so to those who may no longer see it.
        let lost = try LoopbackServer { _ in LoopbackServer.reply("{\"message\": \"Not Found\"}", status: 404) }
        let source = HTTPDataSource<Row>(HTTPEndpoint(lost.url), style: .linkHeader)
        #expect(await source.failure("/rows?page=5")?.isKeyExpired == true)
    }

    /// CloudWatch Logs, `GetLogEvents`: "If you have reached the end of the stream, it returns the same token you passed
    /// in", both ways.
    @Test func `a server that repeats the cursor it was sent has no more`() async throws {
        let server = try LoopbackServer { request in
            func token(_ text: String) -> String { "\"\(text)\"" }
            let asked =
                request.body.contains("\"nextToken\":\"f/2\"")
                ? 2 : request.body.contains("\"nextToken\":\"b/0\"") ? 0 : 1
            switch asked {
            case 1:
                return LoopbackServer.reply(
                    "{\"events\": \(rows(1...2)), \"nextForwardToken\": \"f/2\", \"nextBackwardToken\": \"b/0\"}")
            case 2:
                return LoopbackServer.reply(
                    "{\"events\": [], \"nextForwardToken\": \"f/2\", \"nextBackwardToken\": \"b/1\"}")
            default:
                return LoopbackServer.reply(
                    "{\"events\": \(rows(0...0)), \"nextForwardToken\": \"f/1\", \"nextBackwardToken\": \"b/0\"}")
            }
        }
        let source = HTTPDataSource<Row>(
            .search(server.url, body: #"{"logStreamName": "s", "startFromHead": true}"#), items: "events",
            style: .cursor(
                .body("nextToken"), from: "nextForwardToken", previous: "nextBackwardToken", size: .body("limit"),
                endsAtSameCursor: true))
        let first = try await source.page().get()
        #expect(first.nextKey == "f/2")
        let end = try await source.page("f/2").get()
        #expect(end.content.isEmpty && end.nextKey == nil && end.prevKey == "b/1")
        let start = try await source.page("b/0").get()
        #expect(start.content.map(\.id) == [0] && start.prevKey == nil && start.nextKey == "f/1")
    }

    @Test func `a walk ends at its limit, however high that is`() throws {
        var options = HTTPSourceOptions()
        options.limits.pagesPerWalk = 25_000
        let source = HTTPDataSource<Row>(
            "https://h/rows", items: "rows", style: .cursor("c", from: "next"), options: options)
        var key: String? = source.firstKey
        var pages = 0
        var end: HTTPSourceError?
        while let now = key, pages < 30_000 {
            switch source.read("{\"rows\": [], \"next\": \"\(pages + 1)\"}", key: now) {
            case .success(let page): key = page.nextKey
            case .failure(let error):
                end = error.httpError
                key = nil
            }
            pages += 1
        }
        #expect(end?.code == .limitExceeded && end?.field == "pagesPerWalk")
        #expect(pages == 25_000)
    }

    /// RFC 9110, section 15.3.5: there is no content to send.
    @Test(arguments: [204, 205]) func `an answer without content is an empty page`(_ status: Int) async throws {
        let server = try LoopbackServer { _ in
            [
                .send(
                    "HTTP/1.1 \(status) No Content\r\nConnection: close\r\n\(status == 205 ? "Content-Length: 0\r\n" : "")\r\n"
                ), .close,
            ]
        }
        let styles: [any HTTPPagingStyle] = [
            HTTPStyle.pageNumber(), HTTPStyle.offset(total: .items("total")),
            HTTPStyle.cursor("c", from: "next"), HTTPStyle.linkHeader, HTTPStyle.lastItem("after"),
        ]
        for style in styles {
            func page(_ style: some HTTPPagingStyle) async throws -> PaginatorPage<Row> {
                try await HTTPDataSource<Row>(HTTPEndpoint(server.url), items: "rows", style: style).page().get()
            }
            let page = try await page(style)
            #expect(page.content.isEmpty && page.nextKey == nil && page.prevKey == nil)
        }
        #expect(server.requests.count == styles.count)
    }

    /// Sentry names a next page always, "even if there are no results on these pages", and says so in `results`.
    @Test func `a link without results is no page`() async throws {
        @Sendable func link(_ cursor: String, _ relation: String, _ results: Bool) -> String {
            "</issues/?&cursor=\(cursor)>; rel=\"\(relation)\"; results=\"\(results)\"; cursor=\"\(cursor)\""
        }
        let server = try LoopbackServer { request in
            let start =
                request.query["cursor"].flatMap { $0.split(separator: ":").dropFirst().first }.flatMap { Int($0) } ?? 0
            let links = [
                link("0:\(max(0, start - 2)):1", "previous", start > 0), link("0:\(start + 2):0", "next", start < 4),
            ]
            return LoopbackServer.reply(
                rows(min(start, 6)..<min(start + 2, 6)), headers: ["Link": links.joined(separator: ", ")])
        }
        let source = HTTPDataSource<Row>(
            HTTPEndpoint(server.url + "/issues/"), style: .linkHeader(size: nil, previous: "previous"))
        var ids: [Int] = []
        var page = try await source.page().get()
        #expect(page.prevKey == nil)
        for _ in 0..<10 {
            ids += page.content.map(\.id)
            guard let next = page.nextKey else { break }
            page = try await source.page(next).get()
        }
        #expect(ids == [0, 1, 2, 3, 4, 5])
        #expect(page.prevKey != nil && page.nextKey == nil)
        #expect(server.requests.count == 3)
    }
}

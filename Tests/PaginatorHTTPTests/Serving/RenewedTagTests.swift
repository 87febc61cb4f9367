import PaginatorCore
import Testing

@testable import PaginatorHTTP

/// RFC 9110, section 15.4.5, and RFC 9111, section 4.3.4: a 304 may have a tag, which replaces that of the page.
struct RenewedTagTests {
    @Test(
        arguments: [["ETag": "W/\"v1\""], ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"]] as [[String: String]])
    func `a server is asked with the tag of its last answer, also if that had no body`(
        _ first: [String: String]
    ) async throws {
        let server = try LoopbackServer { request in
            let isAsked = request.headers["if-none-match"] != nil || request.headers["if-modified-since"] != nil
            return isAsked
                ? LoopbackServer.reply("", status: 304, headers: ["ETag": "\"v1\""])
                : LoopbackServer.reply(rows(1...2), headers: first)
        }
        let source = HTTPDataSource<Row>(HTTPEndpoint(server.url), style: .offset(limit: nil))
        var page = try await source.page().get()
        for _ in 0..<3 { page = try await source.page(known: page).get() }
        #expect(page.content.map(\.id) == [1, 2])
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, first["ETag"], "\"v1\"", "\"v1\""])
        #expect(server.requests.last?.headers["if-modified-since"] == first["Last-Modified"])
    }
}

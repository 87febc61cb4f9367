import PaginatorCore
import Testing

@testable import PaginatorHTTP

/// A style of one's own that computes the keys of neighbors: a page is a week, and the server says whether one follows.
private struct Weeks: HTTPPagingStyle {
    let firstKey = "0"
    let endStatuses: Set<Int> = [404]

    func prepare(_ request: inout HTTPPageRequest) { request.set("week", to: request.key) }

    func keys(in response: HTTPPageResponse) throws(HTTPSourceError) -> HTTPPageKeys {
        HTTPPageKeys(
            previous: neighborKeys(of: response.request.key, pageSize: 1)?.previous,
            next: try response.text(of: "next"))
    }

    func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        guard let week = Int(key) else { return nil }
        return NeighborKeys(previous: week > 0 ? "\(week - 1)" : nil, next: "\(week + 1)")
    }
}

/// What a source makes of the keys that such a style computes.
struct OwnComputedStyleTests {
    private func source(_ server: LoopbackServer) -> HTTPDataSource<Row> {
        HTTPDataSource<Row>(HTTPEndpoint(server.url), items: "rows", style: Weeks())
    }

    @Test func `the source tells neighbors before the page is there, so that they load in parallel`() throws {
        let source = source(try LoopbackServer { _ in LoopbackServer.reply("") })
        #expect(source.neighborKeys(of: "0", pageSize: 7) == NeighborKeys(previous: nil, next: "1"))
        #expect(source.neighborKeys(of: "5", pageSize: 7) == NeighborKeys(previous: "4", next: "6"))
        #expect(source.neighborKeys(of: "now", pageSize: 7) == nil)
    }

    @Test(arguments: [404, 204])
    func `an answer without a body, as past the last page, is an empty page that leads back`(
        _ status: Int
    ) async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("", status: status) }
        let page = try await source(server).page("3").get()
        #expect(page.content.isEmpty && page.nextKey == nil && page.prevKey == "2")
    }

    @Test func `a page that has not changed keeps the keys that only its body had`() async throws {
        let server = try LoopbackServer { request in
            request.headers["if-none-match"] == nil
                ? LoopbackServer.reply("{\"rows\": \(rows(1...2)), \"next\": \"4\"}", headers: ["ETag": "\"v1\""])
                : LoopbackServer.reply("", status: 304)
        }
        let source = source(server)
        let page = try await source.page("3").get()
        let renewed = try await source.page("3", known: page).get()
        #expect(renewed.content.map(\.id) == [1, 2] && renewed.prevKey == "2" && renewed.nextKey == "4")
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, "\"v1\""])
    }
}

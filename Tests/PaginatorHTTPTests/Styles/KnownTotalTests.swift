import Foundation
import PaginatorAsync
import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

/// A server that gives fewer items than asked for, silently, and tells how many there are.
struct KnownTotalTests {
    /// 150 rows, at most 100 a page; the totals of all the places where APIs put them.
    private func server(rows count: Int = 150, cap: Int = 100) throws -> LoopbackServer {
        try LoopbackServer { request in
            let limit = min(cap, request.query["limit"].flatMap { Int($0) } ?? cap)
            let number = request.query["page"].flatMap { Int($0) }
            let start = min(count, number.map { ($0 - 1) * limit } ?? request.query["offset"].flatMap { Int($0) } ?? 0)
            let after = request.query["after"].flatMap { Int($0) } ?? 0
            let first = max(start, after)
            let end = min(count, first + limit)
            return LoopbackServer.reply(
                "{\"rows\": \(rows(first + 1..<end + 1)), \"total\": \(count), \"pages\": \((count + limit - 1) / limit)}",
                headers: ["X-Total-Count": "\(count)", "Content-Range": "\(first)-\(end - 1)/\(count)"])
        }
    }

    private func source(_ server: LoopbackServer, _ style: some HTTPPagingStyle) -> HTTPDataSource<Row> {
        HTTPDataSource<Row>(HTTPEndpoint(server.url), items: "rows", style: style)
    }

    /// Walks to the end, or to an error.
    private func walk(_ source: HTTPDataSource<Row>, size: Int) async -> (ids: [Int], error: HTTPSourceError?) {
        var ids: [Int] = []
        var key: String? = source.firstKey
        while let now = key {
            switch await source.page(now, size: size) {
            case .success(let page):
                ids += page.content.map(\.id)
                key = page.nextKey
            case .failure(let error): return (ids, error.httpError)
            }
        }
        return (ids, nil)
    }

    private static let styles: [HTTPStyle] = [
        .offset(total: .items("total")), .offset(total: .items(.header("X-Total-Count"))),
        .offset(total: .contentRange()), .pageNumber(size: "limit", total: .items("total")),
        .offset(total: .pages("pages")),
    ]

    @Test(arguments: styles.prefix(4))
    func `a list tells the total, and what it has not loaded yet`(_ style: HTTPStyle) async throws {
        var config = PaginatorListConfig()
        config.pageSize = 50
        config.prefetchDistance = 0
        let source = source(try server(), style)
        for _ in 0..<2 {
            let list = PaginatorList(CallbackPaginator(dataSource: source), id: \.id, config: config)
            try await list.loadAllAndWait(limit: 50)
            #expect(list.status.total == 150 && list.status.placeholdersAfter == 100 && list.status.hasNext)
            try await list.loadAllAndWait()
            #expect(list.status.total == 150 && list.status.placeholdersAfter == 0 && !list.status.hasNext)
        }
    }

    @Test(arguments: styles, [150, 151, 200, 1_000])
    func `a known total never turns a server's cap into a silent end`(_ style: HTTPStyle, _ size: Int) async throws {
        let (ids, error) = await walk(source(try server(), style), size: size)
        #expect(ids == Array(1...150) || error?.code == .pageSizeDiffers, "\(ids.count) rows and the end")
    }

    @Test(arguments: styles, [1, 7, 50, 75, 99, 100])
    func `every row comes where the server gives what was asked for`(_ style: HTTPStyle, _ size: Int) async throws {
        let (ids, error) = await walk(source(try server(), style), size: size)
        #expect(error == nil && ids == Array(1...150), "\(ids.count) rows, \(String(describing: error))")
    }

    @Test(arguments: [1, 99, 100, 101, 150, 199, 200, 250, 301])
    func `the last page is neither a gap nor an error, whatever the number of rows`(_ count: Int) async throws {
        for style in Self.styles {
            let (ids, error) = await walk(source(try server(rows: count), style), size: 100)
            #expect(error == nil && ids == Array(1...count), "\(ids.count) rows, \(String(describing: error))")
        }
    }

    @Test func `an empty table is an empty page`() async throws {
        for style in Self.styles {
            let (ids, error) = await walk(source(try server(rows: 0), style), size: 100)
            #expect(error == nil && ids.isEmpty)
        }
    }

    @Test func `a page size of the server's own is not taken for the end either`() async throws {
        // The API takes no size: it gives 20 a page, and the app asks for 50.
        let server = try server(rows: 60, cap: 20)
        for style in [
            HTTPStyle.pageNumber(size: nil, total: .items("total")), .offset(limit: nil, total: .items("total")),
        ] {
            let (ids, error) = await walk(source(server, style), size: 60)
            #expect(ids == Array(1...60) || error?.code == .pageSizeDiffers, "\(ids.count) rows and the end")
            let (all, none) = await walk(source(server, style), size: 20)
            #expect(none == nil && all == Array(1...60))
        }
    }

    @Test(arguments: [150, 200])
    func `a walk by the last item tells a cap where the first page tells the total`(_ size: Int) async throws {
        let style = HTTPStyle.lastItem("after", total: "total")
        let (ids, error) = await walk(source(try server(), style), size: size)
        #expect(ids == Array(1...150) || error?.code == .pageSizeDiffers, "\(ids.count) rows and the end")
        let (all, none) = await walk(source(try server(), style), size: 100)
        #expect(none == nil && all == Array(1...150))
        let patient = HTTPStyle.lastItem("after", total: "total", untilEmpty: true)
        let (whole, nothing) = await walk(source(try server(), patient), size: size)
        #expect(nothing == nil && whole == Array(1...150))
    }

    /// A server that cuts its pages and then leaves rows out, such as those that the user may not see.
    @Test(
        arguments: [.offset(total: .items("total")), .pageNumber(size: "limit", total: .items("total"))]
            as [HTTPStyle])
    func `rows that a server leaves out of later pages cost no other rows`(_ style: HTTPStyle) async throws {
        let hidden = Set([45, 99] + Array(62...80))
        let server = try LoopbackServer { request in
            let limit = request.query["limit"].flatMap { Int($0) } ?? 1
            let page = request.query["page"].flatMap { Int($0) }
            let start = page.map { ($0 - 1) * limit } ?? request.query["offset"].flatMap { Int($0) } ?? 0
            let ids = (1...100).dropFirst(start).prefix(limit).filter { !hidden.contains($0) }
            return LoopbackServer.reply("{\"rows\": \(rows(ids)), \"total\": 100}")
        }
        let (ids, error) = await walk(source(server, style), size: 20)
        // Once each: a list would take those that come twice for rows that have moved.
        #expect(error == nil && ids == (1...100).filter { !hidden.contains($0) })
        #expect(server.requests.count == 5)
    }

    /// A search that counts all its results, and gives only the first of them.
    @Test(
        arguments: [.offset(total: .items("total")), .pageNumber(size: "limit", total: .items("total"))]
            as [HTTPStyle], [60, 65])
    func `a list ends where the server gives nothing more, however much it counts`(
        _ style: HTTPStyle, _ given: Int
    ) async throws {
        let server = try LoopbackServer { request in
            let limit = request.query["limit"].flatMap { Int($0) } ?? 1
            let page = request.query["page"].flatMap { Int($0) }
            let start = page.map { ($0 - 1) * limit } ?? request.query["offset"].flatMap { Int($0) } ?? 0
            return LoopbackServer.reply(
                "{\"rows\": \(rows((1...given).dropFirst(start).prefix(limit))), \"total\": 5000}")
        }
        let (ids, error) = await walk(source(server, style), size: 20)
        #expect(error == nil && ids == Array(1...given))
        #expect(server.requests.count == (given + 19) / 20 + 1)
    }
}

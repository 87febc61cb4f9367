import Foundation
import PaginatorAsync
import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

/// A table that grows at its head while somebody reads it: after a refresh every row is there, once and in order.
struct RefreshedWalkTests {
    /// How the table is addressed.
    enum Style: String, CaseIterable, Sendable {
        case offset, page, next

        func source(_ url: String) -> HTTPDataSource<Row> {
            let endpoint = HTTPEndpoint(url + "/" + rawValue)
            return switch self {
            case .offset: HTTPDataSource(endpoint, items: "rows", style: .offset(total: .items("total")))
            case .page:
                HTTPDataSource(endpoint, items: "rows", style: .pageNumber(size: "limit", total: .items("total")))
            case .next:
                HTTPDataSource(endpoint, items: "rows", style: .nextURL("next", previous: "previous", size: "limit"))
            }
        }
    }

    /// 300 rows, the newest first, and as many more as are inserted.
    private final class Table: Sendable {
        let newest = Handshake(300)

        var ids: [Int] { Array((1...newest.read { $0 }).reversed()) }

        func answer(_ request: WireRequest, _ headers: [String: String]) -> [WireStep] {
            let limit = request.query["limit"].flatMap { Int($0) } ?? 20
            let page = request.query["page"].flatMap { Int($0) }
            let start = page.map { ($0 - 1) * limit } ?? request.query["offset"].flatMap { Int($0) } ?? 0
            let ids = ids
            let slice = ids.dropFirst(start).prefix(limit)
            func link(_ start: Int?) -> String { start.map { "\"/next?offset=\($0)&limit=\(limit)\"" } ?? "null" }
            return LoopbackServer.reply(
                """
                {"rows": \(rows(slice)), "total": \(ids.count),
                "next": \(link(start + limit < ids.count ? start + limit : nil)),
                "previous": \(link(start > 0 ? max(0, start - limit) : nil))}
                """, headers: headers)
        }
    }

    private func world(
        _ style: Style, _ headers: [String: String] = [:]
    ) throws -> (table: Table, server: LoopbackServer, list: PaginatorList<Row, Int>) {
        let table = Table()
        let server = try LoopbackServer { table.answer($0, headers) }
        var config = PaginatorListConfig()
        config.pageSize = 10
        let list = PaginatorList(CallbackPaginator(dataSource: style.source(server.url)), id: \.id, config: config)
        return (table, server, list)
    }

    private static let servers: [[String: String]] = [
        [:], ["Cache-Control": "max-age=600"], ["Cache-Control": "no-store"],
    ]

    @Test(arguments: Style.allCases, servers)
    func `no row is lost after a refresh of everything`(_ style: Style, _ headers: [String: String]) async throws {
        let (table, server, list) = try world(style, headers)
        defer { server.stop() }
        #expect(await list.walk() == .endReached)
        #expect(list.snapshot.map(\.id) == table.ids)
        table.newest.update { $0 += 5 }
        try await list.refreshAndWait(.all)
        #expect(await list.walk() == .endReached)
        #expect(list.snapshot.map(\.id) == Array((1...305).reversed()))
        #expect(list.snapshot.gaps.isEmpty)
    }

    @Test(arguments: Style.allCases)
    func `no row is lost after a refresh half way down`(_ style: Style) async throws {
        let (table, server, list) = try world(style)
        defer { server.stop() }
        for count in [10, 20, 30, 40, 50] {
            let loaded = Handshake(0)
            let observation = list.observe { update in loaded.update { $0 = update.snapshot.count } }
            list.loadNext()
            try await loaded.wait { $0 == count }
            observation.cancel()
        }
        table.newest.update { $0 += 5 }
        try await list.refreshAndWait(.all)
        #expect(await list.walk() == .endReached)
        #expect(list.snapshot.map(\.id) == Array((1...305).reversed()))
        #expect(list.snapshot.gaps.isEmpty)
    }

    @Test(arguments: Style.allCases, servers)
    func `a list that was reset shows what the server has now`(_ style: Style, _ headers: [String: String]) async throws
    {
        let (table, server, list) = try world(style, headers)
        defer { server.stop() }
        #expect(await list.walk() == .endReached)
        table.newest.update { $0 += 5 }
        list.reset()
        #expect(await list.walk() == .endReached)
        #expect(list.snapshot.map(\.id) == Array((1...305).reversed()))
    }
}

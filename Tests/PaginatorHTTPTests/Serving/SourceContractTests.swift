import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

/// The kit's contract of data sources, over a server on loopback and real connections, in every style.
@Suite(.serialized) struct SourceContractTests {
    /// A way to page, and a server of 24 rows that pages so.
    enum Way: String, CaseIterable, Sendable {
        case page, offset, cursor, link, address, lastItem, relay

        static let count = 24

        func source(_ server: LoopbackServer) -> HTTPDataSource<Row> {
            let address = HTTPEndpoint(server.url + "/" + rawValue)
            return switch self {
            case .page: HTTPDataSource(address, items: "rows", style: .pageNumber(total: .items("total")))
            case .offset: HTTPDataSource(address, items: "rows", style: .offset(total: .items("total")))
            case .cursor:
                HTTPDataSource(
                    address, items: "rows", style: .cursor("from", from: "next", previous: "previous", size: "limit"))
            case .link: HTTPDataSource(address, items: "", style: .linkHeader(size: "limit"))
            case .address:
                HTTPDataSource(
                    address, items: "rows", style: .nextURL("next", previous: "previous", size: "limit"))
            case .lastItem: HTTPDataSource(address, items: "rows", style: .lastItem("after", hasMore: "more"))
            case .relay:
                HTTPDataSource(
                    .graphQL(server.url + "/relay", query: "query"),
                    style: .relayConnection("data.rows", last: "last", before: "before"))
            }
        }

        func answer(_ request: WireRequest) -> [WireStep] {
            let query = request.query
            let limit = number(query["limit"] ?? query["per_page"]) ?? 10
            switch self {
            case .page:
                guard let page = number(query["page"]), page >= 1 else { return refusal }
                return reply(page: (page - 1) * limit, limit)
            case .offset:
                guard let offset = number(query["offset"]) else { return refusal }
                return reply(page: offset, limit)
            case .cursor:
                guard let start = query["from"].map({ position($0) }) ?? 0 else { return refusal }
                let (previous, next) = neighbors(start, limit).cursors
                return LoopbackServer.reply(
                    "{\"rows\": \(items(start, limit)), \"previous\": \(previous), \"next\": \(next)}")
            case .link, .address:
                guard let start = query["start"].map({ number($0) }) ?? 0 else { return refusal }
                let (before, after) = neighbors(start, limit).starts
                let previous = before.map { "/\(rawValue)?start=\($0)&limit=\(limit)" }
                let next = after.map { "/\(rawValue)?start=\($0)&limit=\(limit)" }
                if self == .address {
                    func text(_ address: String?) -> String { address.map { "\"\($0)\"" } ?? "null" }
                    return LoopbackServer.reply(
                        "{\"rows\": \(items(start, limit)), \"previous\": \(text(previous)), \"next\": \(text(next))}")
                }
                let links = [previous.map { "<\($0)>; rel=\"prev\"" }, next.map { "<\($0)>; rel=\"next\"" }]
                return LoopbackServer.reply(
                    items(start, limit), headers: ["Link": links.compactMap { $0 }.joined(separator: ", ")])
            case .lastItem:
                guard let start = query["after"].map({ number($0) }) ?? 0 else { return refusal }
                return LoopbackServer.reply(
                    "{\"rows\": \(items(start, limit)), \"more\": \(start + limit < Self.count)}")
            case .relay: return connection(request.body)
            }
        }

        private var refusal: [WireStep] { LoopbackServer.reply("{\"error\": \"no such place\"}", status: 400) }

        private func reply(page start: Int, _ limit: Int) -> [WireStep] {
            LoopbackServer.reply("{\"rows\": \(items(start, limit)), \"total\": \(Self.count)}")
        }

        private func number(_ text: String?) -> Int? {
            text.flatMap { Int($0) }.flatMap { (0..<1 << 40).contains($0) ? $0 : nil }
        }

        private func position(_ cursor: String) -> Int? {
            cursor.hasPrefix("c") ? number(String(cursor.dropFirst())) : nil
        }

        private func items(_ start: Int, _ limit: Int) -> String {
            rows(min(start, Self.count) + 1..<min(start + limit, Self.count) + 1)
        }

        /// Where the neighbors begin, and the same as cursors in JSON.
        private func neighbors(
            _ start: Int, _ limit: Int
        ) -> (starts: (before: Int?, after: Int?), cursors: (String, String)) {
            let before = start > 0 ? max(0, start - limit) : nil
            let after = start + limit < Self.count ? start + limit : nil
            func text(_ start: Int?) -> String { start.map { "\"c\($0)\"" } ?? "null" }
            return ((before, after), (text(before), text(after)))
        }

        /// A connection of GraphQL, whose cursors are the numbers of rows.
        private func connection(_ body: String) -> [WireStep] {
            struct Asked: Decodable {
                struct Variables: Decodable {
                    var first: Int?
                    var after: String?
                    var last: Int?
                    var before: String?
                }
                var variables: Variables
            }
            guard let asked = try? JSONDecoder().decode(Asked.self, from: Data(body.utf8)) else { return refusal }
            let variables = asked.variables
            var start = 0
            var end = Self.count
            if let after = variables.after {
                guard let after = number(after) else { return refusal }
                start = min(after, end)
            }
            if let before = variables.before {
                guard let before = number(before), before >= 1 else { return refusal }
                end = min(before - 1, end)
            }
            if let first = variables.first { end = min(end, start + first) }
            if let last = variables.last { start = max(start, end - last) }
            let nodes = (start + 1..<max(start, end) + 1).map { "{\"node\": {\"id\": \($0)}}" }
            return LoopbackServer.reply(
                """
                {"data": {"rows": {"edges": [\(nodes.joined(separator: ","))], "pageInfo": {
                "hasNextPage": \(end < Self.count), "hasPreviousPage": \(start > 0),
                "startCursor": "\(start + 1)", "endCursor": "\(end)"}}}}
                """)
        }
    }

    @Test(arguments: Way.allCases) func `keeps the contract`(_ way: Way) async throws {
        let server = try LoopbackServer { way.answer($0) }
        defer { server.stop() }
        await Contract.dataSource(itemCount: Way.count) { way.source(server) }.checkAll { message, _, _ in
            Issue.record("\(way): \(message)")
        }
        #expect(server.requests.count { $0.path == "/" + way.rawValue } > 60)
    }
}

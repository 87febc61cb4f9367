import PaginatorCore
import PaginatorHTTP
import PaginatorTesting
import Testing

/// The sources over HTTP keep the contract of data sources, against a server of 45 rows.
struct SourceContractTests {
    /// Addresses rows by offset, page or cursor, whichever the request names.
    private static func server() throws -> LoopbackServer {
        try LoopbackServer { request in
            guard let size = Int(request.query["limit"] ?? ""), size > 0 else {
                return LoopbackServer.reply("{}", status: 400)
            }
            let page = request.query["page"].map { (Int($0) ?? 0) - 1 }
            let named = page.map { $0.multipliedReportingOverflow(by: size).partialValue }
            guard let start = named ?? Int(request.query["offset"] ?? request.query["after"] ?? "0"),
                (0...45).contains(start)
            else { return LoopbackServer.reply("{}", status: 404) }
            let end = min(45, start + min(size, 45))
            let next = end < 45 ? "\"\(end)\"" : "null"
            return LoopbackServer.reply("{\"rows\": \(rows(start..<end)), \"next\": \(next), \"total\": 45}")
        }
    }

    @Test(arguments: DataSourceContract<Row>.cases)
    func keepsTheContract(_ name: String) throws {
        let server = try Self.server()
        let url = server.url + "/rows"
        let sources: [any PaginatorDataSource<Row>] = [
            HTTPDataSource<Row>(
                HTTPEndpoint(url), items: "rows", style: .offset(limit: "limit", total: .items("total"))),
            HTTPDataSource<Row>(
                HTTPEndpoint(url), items: "rows", style: .pageNumber(size: "limit", total: .items("total"))),
            HTTPDataSource<Row>(
                HTTPEndpoint(url), items: "rows", style: .cursor("after", from: "next", size: "limit")),
        ]
        for source in sources {
            DataSourceContract(itemCount: 45, make: { source }).check(name) { message, file, line in
                Issue.record("\(source.firstKey): \(message) (\(file):\(line))")
            }
        }
    }
}

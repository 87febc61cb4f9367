import PaginatorCore
import Testing

@testable import PaginatorHTTP

/// How deep what a server sends may nest: a body of JSON as a whole, and each line and each event alone.
struct ItemDepthTests {
    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    /// A row of a nesting depth of 2 or more.
    private static func row(_ depth: Int) -> String { "{\"id\":1,\"more\":\(nested(depth - 1))}" }

    private func source(_ format: HTTPBodyFormat, depth: Int) -> HTTPDataSource<Row> {
        var options = HTTPSourceOptions()
        options.format = format
        options.limits.jsonDepth = depth
        return HTTPDataSource<Row>("https://h/rows", style: .offset(), options: options)
    }

    @Test(
        arguments: [
            (.json, "[\(row(7))]", "[\(row(8))]"), (.streamedJSON, "[\(row(7))]", "[\(row(8))]"),
            (.jsonLines, "\(row(8))\n", "\(row(9))\n"),
            (.serverSentEvents, "data: \(row(8))\n\n", "data: \(row(9))\n\n"),
            (
                .serverSentEvents, "event: page\ndata: \(nested(8))\n\ndata: \(row(2))\n\n",
                "event: page\ndata: \(nested(9))\n\ndata: \(row(2))\n\n"
            ),
        ] as [(HTTPBodyFormat, String, String)])
    func `what nests as deep as it may is read, and one level more is an error that names the limit`(
        _ format: HTTPBodyFormat, _ deep: String, _ tooDeep: String
    ) throws {
        let source = source(format, depth: 8)
        #expect(try source.read(deep).get().content == [Row(id: 1)])
        let error = source.read(tooDeep).httpError
        #expect(error?.code == .limitExceeded && error?.field == "jsonDepth")
        #expect(error?.message.contains("deeper than 8 levels") == true)
    }

    @Test(arguments: [HTTPBodyFormat.json, .jsonLines, .serverSentEvents])
    func `no limit is a limit, too`(_ format: HTTPBodyFormat) throws {
        let body = format == .serverSentEvents ? "data: \(Self.row(80))" : Self.row(80)
        for limit in [Int.max, .max - 1] {
            let page = source(format, depth: limit).read(format == .json ? "[\(body)]" : "\(body)\n\n")
            #expect(try page.get().content == [Row(id: 1)])
        }
    }
}

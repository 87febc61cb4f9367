import PaginatorCore
import Testing

@testable import PaginatorHTTP

/// A limit is the greatest size that is allowed.
struct ExactLimitTests {
    private func source(_ cursorBytes: Int, _ itemsPerPage: Int) -> HTTPDataSource<Row> {
        var options = HTTPSourceOptions()
        options.limits.cursorBytes = cursorBytes
        options.limits.itemsPerPage = itemsPerPage
        return HTTPDataSource<Row>(
            "https://example.com/rows", items: "rows", style: .cursor("c", from: "next", size: "n"), options: options)
    }

    @Test func `A page with as many items and as long a cursor as allowed is read, and a larger one is not`() throws {
        let body = "{\"rows\": \(rows(0..<2)), \"next\": \"abcd\"}"
        #expect(try source(4, 2).read(body).get().nextKey == "abcd")
        #expect(throws: SourceError.self) { try source(3, 2).read(body).get() }
        #expect(throws: SourceError.self) { try source(4, 1).read(body).get() }
    }
}

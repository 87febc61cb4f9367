import Foundation
import PaginatorCore
import Testing

@testable import PaginatorHTTP

struct NumberedStyleTests {
    private func source(
        _ style: HTTPStyle, items: String = "items",
        address: HTTPEndpoint = "https://api.example.com/v1/rows?q=a%20b"
    ) -> HTTPDataSource<Row> {
        HTTPDataSource<Row>(address, items: items, style: style)
    }

    private func body(_ ids: some Sequence<Int>, _ more: String = "") -> String { "{\"items\": \(rows(ids))\(more)}" }

    @Test(arguments: ["abc", "-1", "0", "1.5"])
    func `a key that is no number from the first is refused by the paginator`(_ key: String) async {
        for style in [HTTPStyle.pageNumber(), .offset(first: 1)] {
            let paginator = CallbackPaginator(dataSource: source(style))
            let error: PaginatorError? = await withCheckedContinuation { continuation in
                paginator.fetch(key: key, pageSize: 2) { result in
                    if case .failure(let error) = result { continuation.resume(returning: error) }
                }
            }
            #expect(error?.code == .invalidKey)
            #expect(error?.attempts == 0)
        }
    }

    @Test func `asks for a page`() throws {
        let pages = source(.pageNumber())
        #expect(try pages.request().url.absoluteString == "https://api.example.com/v1/rows?q=a%20b&page=1&per_page=2")
        #expect(try pages.request("7", size: 30).url.query() == "q=a%20b&page=7&per_page=30")
        let offsets = source(.offset("skip", limit: .header("X-Limit")))
        let request = try offsets.request("60", size: 30)
        #expect(request.url.absoluteString == "https://api.example.com/v1/rows?q=a%20b&skip=60")
        #expect(request.headers["x-limit"] == "30")
        #expect(try source(.pageNumber(first: 0)).request().url.absoluteString.contains("page=0&"))
        #expect(try source(.offset("startIndex", limit: "count", first: 1)).request().key == "1")
    }

    @Test func `replaces a parameter of the address`() throws {
        let pages = source(.pageNumber(size: "n"), address: "https://api.example.com/?page=9&n=5&x=+%2B")
        #expect(try pages.request("2").url.absoluteString == "https://api.example.com/?page=2&n=2&x=+%2B")
    }

    @Test(arguments: ["0", "01", "-1", "x", "1.0", "", " 1", "99999999999999999999"])
    func `refuses keys of another kind`(_ key: String) {
        #expect(throws: SourceError.self) { try source(.pageNumber()).request(key) }
    }

    @Test(
        arguments: [
            (HTTPStyle.pageNumber(), "1", 2, "", nil, "2"),
            (.pageNumber(), "1", 1, "", nil, nil),
            (.pageNumber(), "3", 0, "", "2", nil),
            (.pageNumber(first: 0), "1", 2, "", "0", "2"),
            (.pageNumber(total: .untilEmpty), "2", 1, "", "1", "3"),
            (.pageNumber(total: .items("total")), "2", 2, ", \"total\": 5", "1", "3"),
            (.pageNumber(total: .items("total")), "3", 1, ", \"total\": 5", "2", nil),
            (.pageNumber(total: .items("total")), "2", 2, ", \"total\": 4", "1", nil),
            (.pageNumber(total: .pages("pages")), "2", 2, ", \"pages\": 3", "1", "3"),
            (.pageNumber(total: .pages("pages")), "3", 2, ", \"pages\": 3", "2", nil),
            (.pageNumber(first: 0, total: .pages("pages")), "2", 2, ", \"pages\": 3", "1", nil),
            (.pageNumber(total: .hasMore("more")), "1", 1, ", \"more\": true", nil, "2"),
            (.pageNumber(total: .hasMore("more")), "1", 2, ", \"more\": false", nil, nil),
            (.pageNumber(total: .nextField("next")), "1", 2, ", \"next\": null", nil, nil),
            (.pageNumber(total: .nextField("next")), "1", 1, ", \"next\": \"u\"", nil, "2"),
            (.offset(), "0", 2, "", nil, "2"),
            (.offset(), "1", 2, "", "0", "3"),
            (.offset(total: .items("total")), "4", 1, ", \"total\": 5", "2", nil),
            // The total counts rows that the server does not give.
            (.offset(total: .items("total")), "4", 1, ", \"total\": 6", "2", nil),
            (.offset(total: .items("total")), "4", 0, ", \"total\": 6", "2", nil),
            (.pageNumber(total: .items("total")), "3", 1, ", \"total\": 6", "2", nil),
            // The server leaves out rows of a page in the middle.
            (.offset(total: .items("total")), "4", 1, ", \"total\": 9", "2", "6"),
            (.offset(total: .hasMore("more")), "4", 1, ", \"more\": true", "2", "6"),
            (.pageNumber(total: .items("total")), "3", 1, ", \"total\": 9", "2", "4"),
            (.pageNumber(total: .hasMore("more")), "3", 0, ", \"more\": true", "2", "4"),
            // It gives nothing from there on, whatever it counts.
            (.offset(total: .items("total")), "4", 0, ", \"total\": 9", "2", nil),
            (.pageNumber(total: .items("total")), "3", 0, ", \"total\": 9", "2", nil),
            (.offset(total: .untilEmpty), "4", 1, "", "2", "5"),
            (.offset(total: .untilEmpty), "5", 0, "", "3", nil),
            (.offset(first: 1, total: .items("total")), "3", 2, ", \"total\": 4", "1", nil),
            (.offset(first: 1, total: .items("total")), "3", 2, ", \"total\": 5.0", "1", "5"),
            (.offset(total: .items("total")), "0", 0, ", \"total\": 0.0", nil, nil),
        ] as [(HTTPStyle, String, Int, String, String?, String?)])
    func `names the neighbors`(
        _ style: HTTPStyle, _ key: String, _ count: Int, _ more: String, _ previous: String?, _ next: String?
    ) throws {
        let page = try source(style).read(body(0..<count, more), key: key).get()
        #expect(page.prevKey == previous)
        #expect(page.nextKey == next)
        #expect(page.content.map(\.id) == Array(0..<count))
        #expect(page.key == key)
    }

    @Test func `reads totals of headers`() throws {
        let pages = source(.pageNumber(total: .items(.header("X-Total-Count"))), items: "")
        let first = try pages.read(rows(0..<2), headers: ["x-total-count": "3"]).get()
        #expect(first.nextKey == "2" && first.total == 3)
        let ranged = source(.offset(total: .contentRange()), items: "")
        let part = try ranged.read(rows(0..<2), headers: ["Content-Range": "0-1/3573"]).get()
        #expect(part.nextKey == "2" && part.total == 3_573)
        let unknown = try ranged.read(rows(0..<1), headers: ["Content-Range": "0-0/*"]).get()
        #expect(unknown.nextKey == nil && unknown.total == nil)
        let counted = source(.pageNumber(total: .pages(.header("X-WP-TotalPages"))), items: "")
        #expect(try counted.read(rows(0..<2), headers: ["X-WP-TotalPages": "1"]).get().nextKey == nil)
    }

    @Test(
        arguments: [
            (HTTPStyle.pageNumber(total: .items("total")), "", HTTPSourceError.Code.missingField, "total"),
            (.pageNumber(total: .items("total")), ", \"total\": \"many\"", .wrongType, "total"),
            (.pageNumber(total: .items("total")), ", \"total\": -1", .wrongType, "total"),
            (.pageNumber(total: .hasMore("more")), ", \"more\": 1", .wrongType, "more"),
            (.pageNumber(total: .items(.header("X-Total"))), "", .missingField, "header X-Total"),
            (.pageNumber(sizeField: "size"), ", \"size\": 50", .pageSizeDiffers, "size"),
            (.offset(total: .items("total")), ", \"total\": 50", .pageSizeDiffers, "items"),
        ] as [(HTTPStyle, String, HTTPSourceError.Code, String)])
    func `names what is wrong`(_ style: HTTPStyle, _ more: String, _ code: HTTPSourceError.Code, _ field: String) {
        let error = source(style).read(body(0..<1, more)).httpError
        #expect(error?.code == code)
        #expect(error?.field == field)
    }

    @Test func `an offset without items where the server says that there is more is an error`() {
        let error = source(.offset(total: .hasMore("more"))).read(body([], ", \"more\": true"), key: "4").httpError
        #expect(error?.code == .missingField && error?.field == "items")
    }

    @Test func `computes neighbors for prefetch`() {
        #expect(source(.offset()).neighborKeys(of: "30", pageSize: 30) == NeighborKeys(previous: "0", next: "60"))
        #expect(source(.pageNumber()).neighborKeys(of: "1", pageSize: 30) == NeighborKeys(previous: nil, next: "2"))
        #expect(source(.pageNumber(total: .untilEmpty)).neighborKeys(of: "1", pageSize: 30) == nil)
        let last = String(Int.max)
        #expect(source(.offset()).neighborKeys(of: last, pageSize: 30)?.next == nil)
    }

    @Test func `refuses sizes that the API caps`() async throws {
        let capped = source(.pageNumber(maxSize: 100))
        #expect(try capped.request(size: 100).url.query() == "q=a%20b&page=1&per_page=100")
        let error = await capped.failure(size: 200)
        #expect(error?.httpError?.code == .pageSizeTooLarge)
        #expect(error?.isRetryable == false)
    }
}

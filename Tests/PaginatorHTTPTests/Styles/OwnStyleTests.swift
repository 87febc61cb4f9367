import Foundation
import PaginatorCore
import Testing

@testable import PaginatorHTTP

/// A style of one's own, as the documentation shows it.
private struct SinceID: HTTPPagingStyle {
    let firstKey = "start"

    func prepare(_ request: inout HTTPPageRequest) {
        request.set("count", to: request.pageSize)
        if !request.isFirst { request.set("since_id", to: request.key) }
    }

    func keys(in response: HTTPPageResponse) throws(HTTPSourceError) -> HTTPPageKeys {
        HTTPPageKeys(next: try response.text(of: "newest_id"))
    }
}

struct OwnStyleTests {
    @Test func `serves pages`() throws {
        let source = HTTPDataSource<Row>("https://h/", items: "rows", style: SinceID())
        #expect(try source.request().url.absoluteString == "https://h/?count=2")
        #expect(try source.request("9").url.absoluteString == "https://h/?count=2&since_id=9")
        #expect(try source.read("{\"rows\": [], \"newest_id\": \"9\"}").get().nextKey == "9")
    }

    @Test func `decodes with a closure`() throws {
        let source = HTTPDataSource<String>("https://h/", items: "rows", style: SinceID()) { item in
            let row = try JSONDecoder().decode([String: [String: String]].self, from: item)
            guard let name = row["person"]?["name"] else {
                throw HTTPSourceError(.missingField, "There is no name.", field: "person.name")
            }
            return name
        }
        #expect(try source.read("{\"rows\": [{\"person\": {\"name\": \"Ada\"}}]}").get().content == ["Ada"])
        #expect(source.read("{\"rows\": [{\"person\": {}}]}").httpError?.field == "rows[0].person.name")
    }

    @Test func `asks otherwise for the first page`() throws {
        let source = HTTPDataSource<Row>("https://h/next", first: "https://h/start?x=1", style: SinceID())
        #expect(try source.request().url.absoluteString == "https://h/start?x=1&count=2")
        #expect(try source.request("9").url.absoluteString == "https://h/next?count=2&since_id=9")
    }

    @Test func `lends the request its scope`() throws {
        var options = HTTPSourceOptions()
        options.prepare = { $0.set("q", to: $0.scope) }
        let source = HTTPDataSource<Row>("https://h/", style: SinceID(), options: options)
        let identity = PageIdentity(key: "start", pageSize: 5, scope: "a b")
        #expect(
            try source.makeRequest(SourceRequest(identity: identity)).url.absoluteString == "https://h/?q=a%20b&count=5"
        )
    }
}

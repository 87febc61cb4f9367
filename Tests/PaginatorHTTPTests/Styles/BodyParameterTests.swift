import Foundation
import PaginatorCore
import Testing

@testable import PaginatorHTTP

/// Where a style's parameters go in the body of an endpoint.
struct BodyParameterTests {
    private func source(_ body: String, _ path: String, _ address: String = "https://h/x") -> HTTPDataSource<Row> {
        HTTPDataSource<Row>(
            .search(address, body: body), style: .pageNumber(page: .body(path), size: nil, first: 0))
    }

    private func text(of request: HTTPPageRequest) -> String? {
        request.body.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        ("a.b.page", #"{"q": 1}"#, #"{"q":1,"a":{"b":{"page":0}}}"#), ("a.page", #"{"a": null}"#, #"{"a":{"page":0}}"#),
        ("page", #"{"a": 1, "page": "x", "b": 2, "page": 7}"#, #"{"a":1,"page":0,"b":2}"#),
        ("page.number", #"{"page": {"number": 9, "of": 3}}"#, #"{"page":{"number":0,"of":3}}"#),
        // Algolia's queries of several indices.
        (
            "requests.1.page", #"{"requests": [{"indexName": "a"}, {"indexName": "b"}]}"#,
            #"{"requests":[{"indexName":"a"},{"indexName":"b","page":0}]}"#
        ),
        ("args.1.0", #"{"args": [true, [5, 6]]}"#, #"{"args":[true,[0,6]]}"#), ("0.page", "[{}]", #"[{"page":0}]"#),
    ])
    func `a parameter is set inside of what the body has`(_ path: String, _ body: String, _ sent: String) throws {
        #expect(try text(of: source(body, path).request()) == sent)
    }

    @Test(arguments: [
        ("requests.1.page", #"{"requests": [{}]}"#), ("requests.-1.page", #"{"requests": [{}]}"#),
        ("requests.page", #"{"requests": [{}]}"#), ("query.page", #"{"query": "text"}"#), ("n.page", #"{"n": 5}"#),
        ("on.page", #"{"on": true}"#), ("page", "[]"), ("page", "5"),
    ])
    func `a body without a place for a parameter is refused, and nothing in it is replaced`(
        _ path: String, _ body: String
    ) async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("[]") }
        let error = await source(body, path, server.url).failure()
        #expect(error?.httpError?.field == "endpoint" && error?.isRetryable == false)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["query.x", "list.4", "list.x", "none.x", "null.x", "none"])
    func `removing a parameter that the body does not have changes nothing`(_ path: String) throws {
        var request = try source(#"{"query": "text", "list": [1], "null": null}"#, "page").request()
        request.set(.body(path), to: nil)
        #expect(text(of: request) == #"{"query":"text","list":[1],"null":null,"page":0}"#)
        request.set(.body("list"), to: nil)
        #expect(text(of: request) == #"{"query":"text","null":null,"page":0}"#)
    }

    @Test func `an element that is removed from a list leaves the others at their places`() throws {
        var request = try source(#"{"args": [1, {"a": 2, "b": 3}, 4]}"#, "args.2").request()
        request.set(.body("args.0"), to: nil)
        request.set(.body("args.1.a"), to: nil)
        #expect(text(of: request) == #"{"args":[null,{"b":3},0]}"#)
    }
}

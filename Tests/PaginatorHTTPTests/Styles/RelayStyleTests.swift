import PaginatorCore
import Testing

@testable import PaginatorHTTP

struct RelayStyleTests {
    private let source = HTTPDataSource<Row>(
        .graphQL("https://h/graphql", query: "query($first: Int) { viewer }", variables: #"{"login": "me"}"#),
        style: .relayConnection(
            "data.viewer.repos", last: "last", before: "before", total: "data.viewer.repos.totalCount"))

    private func body(next: Bool?, previous: Bool?, start: String? = "s", end: String? = "e") -> String {
        func text(_ flag: Bool?) -> String { flag.map { "\($0)" } ?? "null" }
        func cursor(_ cursor: String?) -> String { cursor.map { "\"\($0)\"" } ?? "null" }
        return """
            {"data": {"viewer": {"repos": {"totalCount": 7,
              "edges": [{"cursor": "s", "node": {"id": 1}}, {"cursor": "e", "node": {"id": 2}}],
              "pageInfo": {"hasNextPage": \(text(next)), "hasPreviousPage": \(text(previous)),
                "startCursor": \(cursor(start)), "endCursor": \(cursor(end))}}}}}
            """
    }

    @Test func `sets variables`() throws {
        let first = try source.request()
        #expect(first.json == ["query": "query($first: Int) { viewer }", "variables": ["login": "me", "first": 2]])
        #expect(
            try source.request("c").json?.text.contains(#""variables":{"after":"c","first":2,"login":"me"}"#) == true)
        #expect(
            try source.request("prev:c").json?.text.contains(#""variables":{"before":"c","last":2,"login":"me"}"#)
                == true)
    }

    @Test(
        arguments: [
            (nil, true, false, nil, "e"), (nil, false, nil, nil, nil), ("c", true, false, "prev:s", "e"),
            ("c", false, nil, "prev:s", nil), ("prev:c", false, true, "prev:s", "e"), ("prev:c", nil, false, nil, "e"),
        ] as [(String?, Bool?, Bool?, String?, String?)])
    func `goes both ways`(_ key: String?, _ next: Bool?, _ previous: Bool?, _ before: String?, _ after: String?) throws
    {
        let page = try source.read(body(next: next, previous: previous), key: key).get()
        #expect(page.content.map(\.id) == [1, 2])
        #expect(page.prevKey == before)
        #expect(page.nextKey == after)
        #expect(page.total == 7)
    }

    @Test func `starts at the end of a chat`() throws {
        let chat = HTTPDataSource<Row>(
            .graphQL("https://h/graphql", query: "query"),
            style: .relayConnection("data.viewer.repos", last: "last", before: "before", startsAtEnd: true))
        #expect(try chat.request().json?.text.contains(#""variables":{"last":2}"#) == true)
        let page = try chat.read(body(next: nil, previous: true)).get()
        #expect(page.prevKey == "prev:s")
        #expect(page.nextKey == nil)
    }

    @Test func `names what the query forgot`() {
        #expect(
            source.read(body(next: nil, previous: nil)).httpError?.field == "data.viewer.repos.pageInfo.hasNextPage")
        #expect(
            source.read(body(next: true, previous: nil, end: nil)).httpError?.field
                == "data.viewer.repos.pageInfo.endCursor")
        #expect(source.read("{\"data\": {}}").httpError?.field == "data.viewer.repos.edges")
    }

    @Test(
        arguments: [
            (#"{"type": "INVALID_CURSOR_ARGUMENTS", "message": "no valid cursor"}"#, "c", true, false),
            (#"{"message": "The cursor has expired"}"#, "c", true, false),
            (#"{"message": "The cursor has expired"}"#, nil, false, false),
            (#"{"type": "RATE_LIMITED", "message": "slow down"}"#, "c", false, true),
            (#"{"extensions": {"code": "THROTTLED"}, "message": "slow down"}"#, nil, false, true),
            (#"{"type": "NOT_FOUND", "message": "nobody"}"#, "c", false, false),
        ] as [(String, String?, Bool, Bool)])
    func `takes GraphQL errors`(_ error: String, _ key: String?, _ isExpired: Bool, _ isRetryable: Bool) throws {
        let result = source.read("{\"data\": {\"viewer\": null}, \"errors\": [\(error)]}", key: key)
        guard case .failure(let failure) = result else {
            Issue.record("there was a page")
            return
        }
        #expect(failure.isKeyExpired == isExpired)
        #expect(failure.isRetryable == isRetryable)
        #expect(failure.httpError?.code == .refusedInBody)
    }

    /// A page that came is a page, whatever else went wrong beside it.
    @Test func `takes a page with errors beside`() throws {
        let text = body(next: false, previous: nil).dropLast() + #", "errors": [{"message": "some field"}]}"#
        #expect(try source.read(String(text)).get().content.count == 2)
    }
}

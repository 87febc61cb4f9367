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
            try source.request("c").json?.text.contains(#""variables":{"login":"me","first":2,"after":"c"}"#) == true)
        #expect(
            try source.request("prev:c").json?.text.contains(#""variables":{"login":"me","last":2,"before":"c"}"#)
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

    @Test(arguments: [false, true])
    func `a first page with an endpoint of its own has pages on both sides`(_ startsAtEnd: Bool) throws {
        let source = HTTPDataSource<Row>(
            .graphQL("https://h/graphql", query: "query"),
            first: .graphQL("https://h/graphql", query: "around", variables: #"{"id": "m5"}"#),
            style: .relayConnection("data.viewer.repos", last: "last", before: "before", startsAtEnd: startsAtEnd))
        let page = try source.read(body(next: true, previous: true)).get()
        #expect(page.prevKey == "prev:s" && page.nextKey == "e")
        // By the specification, a server may deny the side that was not requested, whatever is there.
        let denied = try source.read(body(next: !startsAtEnd, previous: startsAtEnd)).get()
        #expect(denied.prevKey == "prev:s" && denied.nextKey == "e")
    }

    @Test func `nothing is before a first page with an endpoint of its own if the query does not go back`() throws {
        let source = HTTPDataSource<Row>(
            .graphQL("https://h/graphql", query: "query"), first: .graphQL("https://h/graphql", query: "top"),
            style: .relayConnection("data.viewer.repos"))
        let page = try source.read(body(next: true, previous: true)).get()
        #expect(page.prevKey == nil && page.nextKey == "e")
    }

    @Test(arguments: ["edges", "nodes"])
    func `tags and IDs are those of the items inside the edges`(_ list: String) throws {
        var options = HTTPSourceOptions()
        options.itemID = "id"
        options.tags = { response throws(HTTPSourceError) in
            var tags: [String] = []
            for item in 0..<response.itemCount {
                if let id = try response.text(of: "id", ofItem: item) { tags.append("post \(id)") }
            }
            return tags
        }
        let source = HTTPDataSource<Row>(
            .graphQL("https://h/graphql", query: "query"), style: .relayConnection("data.posts"), options: options)
        func read(_ ids: [Int]) -> Result<PaginatorPage<Row>, SourceError> {
            let items = ids.map { list == "edges" ? #"{"cursor": "c", "node": {"id": \#($0)}}"# : #"{"id": \#($0)}"# }
            let connection = #"{"\#(list)": [\#(items.joined(separator: ","))], "pageInfo": {"hasNextPage": false}}"#
            return source.read(#"{"data": {"posts": \#(connection)}}"#)
        }
        #expect(try read([7, 8]).get().tags == ["post 7", "post 8"])
        let error = read([7, 7]).httpError
        let place = list == "edges" ? "edges[1].node.id" : "nodes[1].id"
        #expect(error?.code == .duplicateID && error?.field == "data.posts.\(place)")
    }

    @Test func `names what the query forgot`() {
        #expect(
            source.read(body(next: nil, previous: nil)).httpError?.field == "data.viewer.repos.pageInfo.hasNextPage")
        #expect(
            source.read(body(next: true, previous: nil, end: nil)).httpError?.field
                == "data.viewer.repos.pageInfo.endCursor")
        #expect(source.read("{\"data\": {}}").httpError?.field == "data.viewer.repos.edges")
    }

    /// As GitHub answers a query for `nodes` instead of `edges`.
    @Test func `reads the nodes of a connection whose edges the query does not request`() throws {
        func body(_ next: Bool, _ list: String = rows(1...2), beside: String = "") -> String {
            """
            {"data": {"viewer": {"repos": {"totalCount": 7, "nodes": \(list), \(beside)
              "pageInfo": {"endCursor": "Y3Vyc29yOnYyOpHOAAE=", "hasNextPage": \(next)}}}}}
            """
        }
        let page = try source.read(body(true)).get()
        #expect(page.content == [Row(id: 1, name: "row 1"), Row(id: 2, name: "row 2")])
        #expect(page.nextKey == "Y3Vyc29yOnYyOpHOAAE=" && page.prevKey == nil && page.total == 7)
        let last = try source.read(body(false), key: "c").get()
        #expect(last.content.map(\.id) == [1, 2] && last.nextKey == nil)
        let empty = try source.read(body(false, "[]"), key: "c").get()
        #expect(empty.content.isEmpty && empty.nextKey == nil)
        // Where both are, the edges are the items.
        let both = try source.read(body(true, beside: #""edges": [{"node": {"id": 3}}],"#)).get()
        #expect(both.content.map(\.id) == [3])
        let larger = source.read(body(true, rows(1...3))).httpError
        #expect(larger?.code == .pageSizeDiffers && larger?.field == "data.viewer.repos.nodes")
        let broken = source.read(body(true, #"[{"id": 1}, {"name": "no id"}]"#)).httpError
        #expect(broken?.code == .brokenItem && broken?.field == "data.viewer.repos.nodes[1].id")
    }

    @Test(
        arguments: [
            (#""pageInfo": {"hasNextPage": false}"#, "", .missingField, "edges"),
            (#""pageInfo": {"hasNextPage": false}"#, #", "errors": [{"message": "no"}]"#, .refusedInBody, "edges"),
            (#""nodes": null"#, #", "errors": [{"message": "no"}]"#, .refusedInBody, "nodes"),
            (#""nodes": []"#, #", "errors": [{"type": "SOME", "message": "no"}]"#, .refusedInBody, "nodes"),
            (#""nodes": {}"#, "", .wrongType, "nodes"), (#""nodes": []"#, "", .missingField, "pageInfo.hasNextPage"),
        ] as [(String, String, HTTPSourceError.Code, String)])
    func `a connection without a list is no end`(
        _ connection: String, _ errors: String, _ code: HTTPSourceError.Code, _ field: String
    ) {
        let error = source.read(#"{"data": {"viewer": {"repos": {\#(connection)}}}\#(errors)}"#, key: "c").httpError
        #expect(error?.code == code && error?.field == "data.viewer.repos.\(field)")
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

import Foundation
import PaginatorCore
import Testing

@testable import PaginatorHTTP

struct KeysetStyleTests {
    private let charges = HTTPDataSource<Row>(
        "https://stripe.example.com/v1/charges", items: "data",
        style: .lastItem("starting_after", previous: "ending_before", hasMore: "has_more"))

    @Test(
        arguments: [
            (nil, true, nil, "5"), (nil, false, nil, nil), ("3", true, "prev:4", "5"), ("3", false, "prev:4", nil),
            ("prev:6", true, "prev:4", "5"), ("prev:6", false, nil, "5"),
        ] as [(String?, Bool, String?, String?)])
    func `goes by the last item`(_ key: String?, _ more: Bool, _ previous: String?, _ next: String?) throws {
        let page = try charges.read("{\"data\": [{\"id\": 4}, {\"id\": 5}], \"has_more\": \(more)}", key: key).get()
        #expect(page.prevKey.map { $0.replacing("prevjson:", with: "prev:") } == previous)
        #expect(page.nextKey.map { $0.replacing("nextjson:", with: "") } == next)
        if let key = page.nextKey {
            #expect(
                try charges.request(key).url.absoluteString
                    == "https://stripe.example.com/v1/charges?limit=2&starting_after=5")
        }
        if let key = page.prevKey { #expect(try charges.request(key).url.query() == "limit=2&ending_before=4") }
    }

    /// A chat that opens around a message, as Discord's `around`: newest first, `before` goes down and `after` up.
    @Test func `a first page with an endpoint of its own has pages on both sides`() throws {
        func source(_ style: HTTPStyle) -> HTTPDataSource<Row> {
            HTTPDataSource<Row>(
                "https://h/messages", first: "https://h/messages?around=5", items: "rows", style: style)
        }
        let both = source(.lastItem("before", previous: "after", total: "n"))
        let page = try both.read("{\"rows\": \(rows([6, 5]))}").get()
        #expect(page.prevKey == "prevjson:6" && page.nextKey == "nextjson:5")
        #expect(try both.request().url.query() == "around=5&limit=2")
        #expect(try both.request("prevjson:6").url.query() == "limit=2&after=6")
        // Where the items end on one side, the page is short, and the other side goes on.
        for total in ["", ", \"n\": 9"] {
            let short = try both.read("{\"rows\": \(rows([6]))\(total)}").get()
            #expect(short.prevKey == "prevjson:6" && short.nextKey == "nextjson:6")
        }
        let all = try both.read("{\"rows\": \(rows([6])), \"n\": 1}").get()
        #expect(all.prevKey == nil && all.nextKey == nil)
        let top = try both.read("{\"rows\": \(rows([7]))}", key: "prevjson:6").get()
        #expect(top.prevKey == nil && top.nextKey == "nextjson:7")
        // The server's word is about the side that goes on.
        let stated = source(.lastItem("before", previous: "after", hasMore: "more"))
        let last = try stated.read("{\"rows\": \(rows([6, 5])), \"more\": false}").get()
        #expect(last.prevKey == "prevjson:6" && last.nextKey == nil)
        let more = try stated.read("{\"rows\": \(rows([6])), \"more\": true}").get()
        #expect(more.prevKey == "prevjson:6" && more.nextKey == "nextjson:6")
        // An API that does not go back has no middle.
        let oneWay = try source(.lastItem("before")).read("{\"rows\": \(rows([6]))}").get()
        #expect(oneWay.prevKey == nil && oneWay.nextKey == nil)
    }

    @Test func `ends with a short page where nothing else tells`() throws {
        let source = HTTPDataSource<Row>("https://h/", style: .lastItem("since_id"))
        #expect(try source.read(rows(1...2)).get().nextKey == "nextjson:2")
        #expect(try source.read(rows(1...1)).get().nextKey == nil)
        #expect(try source.read("[]").get().nextKey == nil)
    }

    @Test(
        arguments: [
            .lastItem("after", size: nil), .lastItem("after", untilEmpty: true),
            .keyset(["id": "after"], size: nil), .keyset(["id": "after"], untilEmpty: true),
        ] as [HTTPStyle])
    func `only an empty page is the end where the server may give fewer items than asked for`(
        _ style: HTTPStyle
    ) throws {
        let source = HTTPDataSource<Row>("https://h/", style: style)
        #expect(try source.read(rows(1...1)).get().nextKey == "nextjson:1")
        #expect(try source.read(rows(2...2), key: "nextjson:1").get().nextKey == "nextjson:2")
        #expect(try source.read("[]", key: "nextjson:2").get().nextKey == nil)
    }

    @Test(
        arguments: [.lastItem("after", size: nil, total: "n"), .lastItem("after", total: "n", untilEmpty: true)]
            as [HTTPStyle])
    func `a first page with all items is the last`(_ style: HTTPStyle) throws {
        let source = HTTPDataSource<Row>("https://h/", items: "rows", style: style)
        #expect(try source.read("{\"rows\": \(rows(1...1)), \"n\": 1}").get().nextKey == nil)
        #expect(try source.read("{\"rows\": \(rows(1...1)), \"n\": 3}").get().nextKey == "nextjson:1")
        let later = try source.read("{\"rows\": \(rows(2...2)), \"n\": 1}", key: "nextjson:1").get()
        #expect(later.nextKey == "nextjson:2")
    }

    @Test func `the server's own word is the end, whatever the size`() throws {
        let style = HTTPStyle.lastItem("after", size: nil, hasMore: "more", untilEmpty: true)
        let source = HTTPDataSource<Row>("https://h/", items: "rows", style: style)
        #expect(try source.read("{\"rows\": \(rows(1...1)), \"more\": false}").get().nextKey == nil)
    }

    @Test func `refuses two items with one ID`() {
        let error = charges.read("{\"data\": [{\"id\": 4}, {\"id\": 4}], \"has_more\": true}").httpError
        #expect(error?.code == .duplicateID)
        #expect(error?.field == "data[1].id")
    }

    @Test func `tells IDs apart by their bytes`() throws {
        let source = HTTPDataSource<Data>("https://h/", style: .lastItem("after")) { $0 }
        let page = try source.read("[{\"id\": \"\u{e9}\"}, {\"id\": \"e\u{301}\"}]").get()
        #expect(page.content.count == 2)
    }

    @Test func `names the field that a last item lacks`() {
        let source = HTTPDataSource<Row>("https://h/", style: .lastItem("after", id: "meta.uid"))
        #expect(source.read(rows(1...2)).httpError?.field == "[1].meta.uid")
        #expect(charges.read("{\"data\": [], \"has_more\": true}").httpError?.code == .missingField)
    }

    @Test func `an item without the field is no error where no page is asked for by it`() throws {
        let source = HTTPDataSource<Data>(
            "https://h/", items: "rows", style: .lastItem("after", previous: "before", hasMore: "more")
        ) { $0 }
        let last = try source.read("{\"rows\": [{\"id\": 4}, {\"ad\": 1}], \"more\": false}", key: "nextjson:3").get()
        #expect(last.content.count == 2 && last.nextKey == nil && last.prevKey == "prevjson:4")
        let first = try source.read("{\"rows\": [{\"ad\": 1}, {\"id\": 5}], \"more\": true}").get()
        #expect(first.prevKey == nil && first.nextKey == "nextjson:5")
        let newest = try source.read("{\"rows\": [{\"ad\": 1}, {\"id\": 5}], \"more\": false}", key: "prevjson:6").get()
        #expect(newest.prevKey == nil && newest.nextKey == "nextjson:5")
    }

    /// Reddit: each item is inside a wrapper.
    @Test func `goes by the last item inside its wrapper`() throws {
        let source = HTTPDataSource<Data>(
            "https://h/", items: "data.children[].data", style: .lastItem("after", id: "name")
        ) { $0 }
        func body(_ names: [String]) -> String {
            let children = names.map { #"{"kind": "t3", "data": {"name": "\#($0)"}}"# }
            return #"{"data": {"children": [\#(children.joined(separator: ","))]}}"#
        }
        #expect(try source.read(body(["t3_a", "t3_b"])).get().nextKey == "t3_b")
        #expect(source.read(body(["t3_a", "t3_a"])).httpError?.code == .duplicateID)
    }

    @Test func `takes several fields`() throws {
        let source = HTTPDataSource<Row>(
            "https://h/", style: .keyset(["name": "name_before", "id": .body("after.id")], size: nil))
        let page = try source.read(rows(1...2)).get()
        #expect(page.nextKey == #"nextjson:["row 2",2]"#)
        let next = try source.request(page.nextKey)
        #expect(next.url.absoluteString == "https://h/?name_before=row%202")
        #expect(next.json == ["after": ["id": 2]])
        #expect(throws: SourceError.self) { try source.request("nextjson:[1]") }
    }

    /// Elasticsearch and MongoDB sort by the members of an object in their order.
    @Test func `what a style sets leaves the order of a body's members as it is`() throws {
        let sort = #""sort":{"date":"desc","_id":"asc"}"#
        let source = HTTPDataSource<Row>(
            .search("https://h/posts/_search", body: "{ \"size\": 1, \(sort), \"query\": {\"match_all\": {}}}"),
            items: "hits.hits[]._source", style: .keyset(["sort": .body("search_after")], size: .body("size")))
        func body(_ key: String?) throws -> String {
            String(decoding: try source.request(key).body ?? Data(), as: UTF8.self)
        }
        #expect(try body(nil) == "{\"size\":2,\(sort),\"query\":{\"match_all\":{}}}")
        #expect(
            try body(#"nextjson:[9,"b"]"#)
                == "{\"size\":2,\(sort),\"query\":{\"match_all\":{}},\"search_after\":[9,\"b\"]}")
    }

    /// Elasticsearch: items inside of hits, sort values beside them.
    @Test func `searches after sort values`() throws {
        let source = HTTPDataSource<Row>(
            .search("https://h/posts/_search", body: #"{"sort": [{"date": "desc"}, "_id"]}"#),
            items: "hits.hits[]._source",
            style: .keyset(["sort": .body("search_after")], size: .body("size"), total: "hits.total.value"))
        let body = """
            {"hits": {"total": {"value": 9}, "hits": [
              {"_id": "a", "_source": {"id": 1}, "sort": [1700, "a"]},
              {"_id": "b", "_source": {"id": 2, "sort": "an item's own"}, "sort": [1690, "b"]}]}}
            """
        let page = try source.read(body).get()
        #expect(page.content.map(\.id) == [1, 2])
        #expect(page.total == 9)
        #expect(
            try source.request(page.nextKey).json
                == ["sort": [["date": "desc"], "_id"], "size": 2, "search_after": [1690, "b"]])
    }
}

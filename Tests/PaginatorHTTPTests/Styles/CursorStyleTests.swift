import Foundation
import PaginatorCore
import Testing

@testable import PaginatorHTTP

struct CursorStyleTests {
    @Test func `follows a text cursor`() throws {
        let source = HTTPDataSource<Row>(
            "https://slack.example.com/list", items: "members",
            style: .cursor("cursor", from: "response_metadata.next_cursor", size: "limit"))
        #expect(try source.request().url.absoluteString == "https://slack.example.com/list?limit=2")
        let body = "{\"members\": \(rows(0..<2)), \"response_metadata\": {\"next_cursor\": \"dXNl+cjpV=/&?\"}}"
        let page = try source.read(body).get()
        #expect(page.nextKey == "dXNl+cjpV=/&?")
        #expect(page.prevKey == nil)
        let next = try source.request(page.nextKey)
        #expect(next.url.absoluteString == "https://slack.example.com/list?limit=2&cursor=dXNl%2BcjpV%3D%2F%26%3F")
    }

    @Test(arguments: [
        "", ", \"next\": null", ", \"next\": \"\"", ", \"next\": {}", ", \"next\": []", ", \"next\": \"0\"",
        ", \"next\": 0", ", \"next\": false",
    ])
    func `ends without a cursor`(_ more: String) throws {
        let source = HTTPDataSource<Row>("https://h/", items: "d", style: .cursor("c", from: "next", ends: ["0"]))
        #expect(try source.read("{\"d\": []\(more)}").get().nextKey == nil)
    }

    @Test func `refuses a cursor of a wrong type`() {
        let source = HTTPDataSource<Row>("https://h/", items: "d", style: .cursor("c", from: "p.next"))
        let error = source.read("{\"d\": [], \"p\": {\"next\": true}}").httpError
        #expect(error?.code == .wrongType)
        #expect(error?.field == "p.next")
    }

    @Test func `wants a cursor when there is more`() throws {
        let source = HTTPDataSource<Row>(
            "https://h/", items: "d", style: .cursor("c", from: "next", hasMore: "has_more"))
        #expect(source.read("{\"d\": [], \"has_more\": true}").httpError?.field == "next")
        #expect(try source.read("{\"d\": [], \"has_more\": false, \"next\": \"x\"}").get().nextKey == nil)
    }

    @Test func `goes both ways`() throws {
        let source = HTTPDataSource<Row>(
            "https://h/", items: "data",
            style: .cursor("after", from: "paging.next", previous: "paging.prev", previousParameter: "before"))
        let body = "{\"data\": [], \"paging\": {\"next\": \"n\", \"prev\": \"p\"}}"
        #expect(try source.read(body).get().prevKey == nil)
        let page = try source.read(body, key: "m").get()
        #expect(page.nextKey == "n")
        #expect(page.prevKey == "prev:p")
        #expect(try source.request("prev:p").url.absoluteString == "https://h/?before=p")
    }

    /// Where both cursors go to one place, a page has one key from both sides.
    @Test func `names a page the same from both sides`() throws {
        let source = HTTPDataSource<Row>(
            "https://h/", items: "data",
            style: .cursor("at", from: "next", previous: "prev", emptyPreviousIsFirst: true))
        #expect(try source.read("{\"data\": [], \"prev\": \"b\"}", key: "c").get().prevKey == "b")
        #expect(try source.read("{\"data\": [], \"prev\": \"\"}", key: "b").get().prevKey == "first")
        #expect(try source.read("{\"data\": [], \"prev\": null}", key: "b").get().prevKey == nil)
    }

    @Test func `a first page with an endpoint of its own has the pages on both sides that it names`() throws {
        func source(_ style: HTTPStyle) -> HTTPDataSource<Row> {
            HTTPDataSource<Row>("https://h/", first: "https://h/?around=5", items: "data", style: style)
        }
        let both = source(.cursor("after", from: "next", previous: "prev", previousParameter: "before"))
        let page = try both.read("{\"data\": [], \"next\": \"n\", \"prev\": \"p\"}").get()
        #expect(page.prevKey == "prev:p" && page.nextKey == "n")
        #expect(try both.read("{\"data\": [], \"next\": \"n\", \"prev\": null}").get().prevKey == nil)
        // It is not before itself.
        let one = source(.cursor("at", from: "next", previous: "prev", emptyPreviousIsFirst: true))
        #expect(try one.read("{\"data\": [], \"prev\": \"\"}").get().prevKey == nil)
        #expect(try one.read("{\"data\": [], \"prev\": \"b\"}").get().prevKey == "b")
    }

    /// DynamoDB's cursors are objects, and go back as they came.
    @Test func `keeps objects as they are`() throws {
        let source = HTTPDataSource<Row>(
            .search("https://h/", body: #"{"TableName": "posts"}"#, headers: ["X-Amz-Target": "Query"]), items: "Items",
            style: .cursor(.body("ExclusiveStartKey"), from: "LastEvaluatedKey", size: .body("Limit")))
        let first = try source.request()
        #expect(first.json == ["TableName": "posts", "Limit": 2])
        #expect(first.method == "POST")
        let page = try source.read(
            "{\"Items\": [], \"LastEvaluatedKey\": {\"n\": {\"N\": \"1\"}, \"id\": {\"S\": \"a\"}}}"
        ).get()
        let next = try source.request(page.nextKey)
        #expect(
            next.json == [
                "TableName": "posts", "Limit": 2, "ExclusiveStartKey": ["n": ["N": "1"], "id": ["S": "a"]],
            ])
    }

    @Test func `reads and writes headers`() throws {
        let source = HTTPDataSource<Row>(
            "https://h/", items: "Documents",
            style: .cursor(
                .header("x-ms-continuation"), from: .header("x-ms-continuation"), size: .header("x-ms-max-item-count")))
        let page = try source.read("{\"Documents\": []}", headers: ["X-MS-Continuation": "tok"]).get()
        #expect(page.nextKey == "tok")
        let next = try source.request("tok")
        #expect(next.headers["x-ms-continuation"] == "tok")
        #expect(next.headers["x-ms-max-item-count"] == "2")
        #expect(next.url.absoluteString == "https://h/")
    }

    @Test func `refuses a cursor that repeats`() {
        let source = HTTPDataSource<Row>("https://h/", items: "d", style: .cursor("c", from: "next"))
        let error = source.read("{\"d\": [], \"next\": \"same\"}", key: "same").httpError
        #expect(error?.code == .repeatedCursor)
        #expect(error?.field == "next")
    }

    @Test func `refuses a cursor that is too long`() {
        let source = HTTPDataSource<Row>("https://h/", items: "d", style: .cursor("c", from: "next"))
        let long = String(repeating: "x", count: 5_000)
        #expect(source.read("{\"d\": [], \"next\": \"\(long)\"}").httpError?.code == .limitExceeded)
        #expect(source.read("{\"d\": [], \"next\": \"a\\u0000b\"}").httpError?.field == "cursor")
    }

    @Test func `a cursor that only looks like the one that means the end is none`() throws {
        let source = HTTPDataSource<Row>(
            "https://h/", items: "d", style: .cursor("c", from: "next", ends: ["caf\u{e9}"]))
        #expect(try source.read("{\"d\": [], \"next\": \"caf\u{e9}\"}").get().nextKey == nil)
        let other = try source.read("{\"d\": [], \"next\": \"cafe\u{301}\"}").get().nextKey
        #expect(other.map { Array($0.utf8) } == Array("cafe\u{301}".utf8))
    }

    @Test func `members of a cursor whose names differ in their bytes alone are all sent back`() throws {
        let source = HTTPDataSource<Row>(
            .search("https://h/"), items: "d", style: .cursor(.body("c"), from: "next"))
        let page = try source.read("{\"d\": [], \"next\": {\"caf\u{e9}\": 1, \"cafe\u{301}\": 2}}").get()
        let text = try #require(try source.request(page.nextKey).json?.text)
        #expect(Array(text.utf8) == Array("{\"c\":{\"cafe\u{301}\":2,\"caf\u{e9}\":1}}".utf8))
    }
}

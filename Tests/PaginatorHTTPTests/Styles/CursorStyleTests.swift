import Foundation
import PaginatorCore
import PaginatorHTTP
import Testing

struct CursorStyleTests {
    @Test func followsATextCursor() throws {
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
        "", ", \"next\": null", ", \"next\": \"\"", ", \"next\": {}", ", \"next\": \"0\"", ", \"next\": 0",
    ])
    func endsWithoutACursor(_ more: String) throws {
        let source = HTTPDataSource<Row>("https://h/", items: "d", style: .cursor("c", from: "next", ends: ["0"]))
        #expect(try source.read("{\"d\": []\(more)}").get().nextKey == nil)
    }

    @Test func refusesACursorOfAWrongType() {
        let source = HTTPDataSource<Row>("https://h/", items: "d", style: .cursor("c", from: "p.next"))
        let error = source.read("{\"d\": [], \"p\": {\"next\": true}}").httpError
        #expect(error?.code == .wrongType)
        #expect(error?.field == "p.next")
    }

    @Test func wantsACursorWhenThereIsMore() throws {
        let source = HTTPDataSource<Row>(
            "https://h/", items: "d", style: .cursor("c", from: "next", hasMore: "has_more"))
        #expect(source.read("{\"d\": [], \"has_more\": true}").httpError?.field == "next")
        #expect(try source.read("{\"d\": [], \"has_more\": false, \"next\": \"x\"}").get().nextKey == nil)
    }

    @Test func goesBothWays() throws {
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
    @Test func namesAPageTheSameFromBothSides() throws {
        let source = HTTPDataSource<Row>(
            "https://h/", items: "data",
            style: .cursor("at", from: "next", previous: "prev", emptyPreviousIsFirst: true))
        #expect(try source.read("{\"data\": [], \"prev\": \"b\"}", key: "c").get().prevKey == "b")
        #expect(try source.read("{\"data\": [], \"prev\": \"\"}", key: "b").get().prevKey == "first")
        #expect(try source.read("{\"data\": [], \"prev\": null}", key: "b").get().prevKey == nil)
    }

    /// DynamoDB's cursors are objects, and go back as they came.
    @Test func keepsObjectsAsTheyAre() throws {
        let source = HTTPDataSource<Row>(
            .search("https://h/", body: ["TableName": "posts"], headers: ["X-Amz-Target": "Query"]), items: "Items",
            style: .cursor(.body("ExclusiveStartKey"), from: "LastEvaluatedKey", size: .body("Limit")))
        let first = try source.request()
        #expect(first.body == ["TableName": "posts", "Limit": 2])
        #expect(first.method == "POST")
        let page = try source.read(
            "{\"Items\": [], \"LastEvaluatedKey\": {\"id\": {\"S\": \"a\"}, \"n\": {\"N\": \"1\"}}}"
        ).get()
        let next = try source.request(page.nextKey)
        #expect(
            next.body == [
                "TableName": "posts", "Limit": 2, "ExclusiveStartKey": ["id": ["S": "a"], "n": ["N": "1"]],
            ])
    }

    @Test func readsAndWritesHeaders() throws {
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

    @Test func refusesACursorThatRepeats() {
        let source = HTTPDataSource<Row>("https://h/", items: "d", style: .cursor("c", from: "next"))
        let error = source.read("{\"d\": [], \"next\": \"same\"}", key: "same").httpError
        #expect(error?.code == .repeatedCursor)
        #expect(error?.field == "next")
    }

    @Test func refusesACursorThatIsTooLong() {
        let source = HTTPDataSource<Row>("https://h/", items: "d", style: .cursor("c", from: "next"))
        let long = String(repeating: "x", count: 5_000)
        #expect(source.read("{\"d\": [], \"next\": \"\(long)\"}").httpError?.code == .cursorTooLong)
        #expect(source.read("{\"d\": [], \"next\": \"a\\u0000b\"}").httpError?.field == "cursorBytes")
    }
}

import Foundation
import PaginatorCore
import Testing

@testable import PaginatorHTTP

/// The lines of docs/http-styles.md, each with a response of the form that the API's documentation shows.
struct PublicAPITests {
    private struct Thing: Sendable {}

    private func check(
        _ items: String?, _ style: some HTTPPagingStyle, _ body: String, key: String? = nil, next: String?,
        previous: String? = nil, asks: String, headers: HTTPHeaderFields = [:], endpoint: HTTPEndpoint = "https://h/x",
        options: HTTPSourceOptions = HTTPSourceOptions(), count: Int = 2,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let source = HTTPDataSource<Thing>(endpoint, items: items, style: style, options: options) { _ in Thing() }
        let page = try source.read(body, key: key, headers: headers).get()
        #expect(page.content.count == count, sourceLocation: sourceLocation)
        #expect(page.nextKey == next, sourceLocation: sourceLocation)
        #expect(page.prevKey == previous, sourceLocation: sourceLocation)
        let request = try source.request(next ?? source.firstKey)
        let sent = (request.url.query(percentEncoded: true) ?? "") + (request.json?.text ?? "")
        #expect(sent == asks, sourceLocation: sourceLocation)
        let location = page.key
        #expect(location == key ?? source.firstKey, sourceLocation: sourceLocation)
    }

    private let two = #"[{"id": "a"}, {"id": "b"}]"#

    @Test func `links in headers`() throws {
        let link: HTTPHeaderFields = ["Link": #"<https://h/x?page=2>; rel="next", <https://h/x?page=0>; rel="prev""#]
        try check(
            nil, .linkHeader, two, key: "/x?page=1", next: "/x?page=2", previous: "/x?page=0", asks: "page=2",
            headers: link)
        try check(
            "items", .linkHeader, #"{"total_count": 9, "items": \#(two)}"#, key: "/x?page=1", next: "/x?page=2",
            previous: "/x?page=0", asks: "page=2", headers: link)
        let shopify: HTTPHeaderFields = [
            "Link": #"<https://h/x?page_info=p&limit=2>; rel="previous", <https://h/x?page_info=n&limit=2>; rel="next""#
        ]
        try check(
            "products", .linkHeader(size: "limit", previous: "previous"), #"{"products": \#(two)}"#,
            key: "/x?page_info=m&limit=2", next: "/x?page_info=n&limit=2", previous: "/x?page_info=p&limit=2",
            asks: "page_info=n&limit=2", headers: shopify)
        let mastodon: HTTPHeaderFields = [
            "Link": #"<https://h/x?max_id=9>; rel="next", <https://h/x?min_id=11>; rel="prev""#
        ]
        try check(
            nil, .linkHeader(size: "limit"), two, key: "/x?max_id=12", next: "/x?max_id=9", previous: "/x?min_id=11",
            asks: "max_id=9", headers: mastodon)
    }

    @Test func `addresses in bodies`() throws {
        try check(
            "value", .nextURL("@odata.nextLink", size: "$top"),
            #"{"@odata.context": "c", "@odata.nextLink": "https://h/x?$top=2&$skiptoken=t", "value": \#(two)}"#,
            next: "/x?$top=2&$skiptoken=t", asks: "$top=2&$skiptoken=t")
        try check(
            "data", .nextURL("paging.next", previous: "paging.previous", size: "limit"),
            #"{"data": \#(two), "paging": {"cursors": {}, "next": "https://h/x?access_token=s&after=n"}}"#,
            next: "/x?after=n", asks: "after=n&access_token=s", endpoint: "https://h/x?access_token=s")
        try check(
            "results", .nextURL("next", previous: "previous", size: "page_size", total: "count"),
            #"{"count": 9, "next": "https://h/x?page=3", "previous": "https://h/x", "results": \#(two)}"#,
            key: "/x?page=2", next: "/x?page=3", previous: "/x", asks: "page=3")
        try check(
            "data", .nextURL("links.next", previous: "links.prev", size: "page[size]"),
            #"{"data": \#(two), "links": {"next": "/x?page[number]=2", "prev": null}}"#, next: "/x?page%5Bnumber%5D=2",
            asks: "page%5Bnumber%5D=2")
    }

    @Test func `cursors in queries`() throws {
        try check(
            "members", .cursor("cursor", from: "response_metadata.next_cursor", size: "limit"),
            #"{"ok": true, "members": \#(two), "response_metadata": {"next_cursor": "n="}}"#, next: "n=",
            asks: "limit=2&cursor=n%3D")
        let x = HTTPStyle.cursor(
            "pagination_token", from: "meta.next_token", previous: "meta.previous_token", size: "max_results")
        var options = HTTPSourceOptions()
        options.missingItemsAreEmpty = true
        try check(
            "data", x, #"{"data": \#(two), "meta": {"result_count": 2, "next_token": "n", "previous_token": "p"}}"#,
            key: "m", next: "n", previous: "p", asks: "max_results=2&pagination_token=n", options: options)
        // Without a result there is no list.
        try check(
            "data", x, #"{"meta": {"result_count": 0}}"#, next: nil, asks: "max_results=2", options: options, count: 0)
        try check(
            "items",
            .cursor(
                "pageToken", from: "nextPageToken", previous: "prevPageToken", size: "maxResults",
                total: "pageInfo.totalResults"),
            #"{"nextPageToken": "n", "pageInfo": {"totalResults": 99, "resultsPerPage": 2}, "items": \#(two)}"#,
            next: "n", asks: "maxResults=2&pageToken=n")
        try check(
            "files", .cursor("pageToken", from: "nextPageToken", size: "pageSize"),
            #"{"nextPageToken": "n", "incompleteSearch": false, "files": \#(two)}"#, next: "n",
            asks: "pageSize=2&pageToken=n")
        options = HTTPSourceOptions()
        options.allowsLargerPages = true
        // The first page of a subreddit has its pinned posts beside those that were asked for.
        for count in [1, 3] {
            let children = Array(repeating: #"{"kind": "t3", "data": {}}"#, count: count).joined(separator: ", ")
            try check(
                "data.children[].data", .cursor("after", from: "data.after", size: "limit"),
                #"{"kind": "Listing", "data": {"after": "t3_b", "children": [\#(children)]}}"#, next: "t3_b",
                asks: "limit=2&after=t3_b", options: options, count: count)
        }
        try check(
            "items", .cursor("cursor", from: "next_page", previous: "previous_page", size: "size"),
            #"{"items": \#(two), "total": 9, "previous_page": null, "next_page": "Pmk6%3D"}"#, next: "Pmk6%3D",
            asks: "size=2&cursor=Pmk6%253D")
    }

    @Test func `cursors in bodies`() throws {
        try check(
            "results",
            .cursor(.body("start_cursor"), from: "next_cursor", size: .body("page_size"), hasMore: "has_more"),
            #"{"object": "list", "results": \#(two), "next_cursor": "n", "has_more": true}"#, next: "n",
            asks: #"{"page_size":2,"start_cursor":"n"}"#, endpoint: .search("https://h/x"))
        try check(
            "Items", .cursor(.body("ExclusiveStartKey"), from: "LastEvaluatedKey", size: .body("Limit")),
            #"{"Items": \#(two), "Count": 2, "LastEvaluatedKey": {"id": {"S": "b"}}}"#,
            next: #"nextjson:{"id":{"S":"b"}}"#, asks: #"{"Limit":2,"ExclusiveStartKey":{"id":{"S":"b"}}}"#,
            endpoint: .search("https://h/x"))
        try check(
            "hits.hits[]._source", .keyset(["sort": .body("search_after")], size: .body("size")),
            #"{"hits": {"hits": [{"_source": {}, "sort": [2, "a"]}, {"_source": {}, "sort": [1, "b"]}]}}"#,
            next: #"nextjson:[1,"b"]"#, asks: #"{"size":2,"search_after":[1,"b"]}"#, endpoint: .search("https://h/x"))
    }

    @Test func `GraphQL connections`() throws {
        for connection in ["data.viewer.repositories", "data.products"] as [String] {
            let names = connection.split(separator: ".")
            let open = names.map { "{\"\($0)\": " }.joined()
            let page = #"{"edges": [{"node": {}}, {"node": {}}], "pageInfo": {"hasNextPage": true, "endCursor": "n"}}"#
            try check(
                nil, .relayConnection(connection, last: "last", before: "before"),
                open + page + String(repeating: "}", count: names.count), next: "n",
                asks: #"{"query":"q","variables":{"first":2,"after":"n"}}"#,
                endpoint: .graphQL("https://h/x", query: "q"))
        }
    }

    @Test func `last items`() throws {
        try check(
            "data", .lastItem("starting_after", previous: "ending_before", hasMore: "has_more"),
            #"{"object": "list", "data": \#(two), "has_more": true}"#, key: "x", next: "b", previous: "prev:a",
            asks: "limit=2&starting_after=b")
    }

    @Test func `numbers`() throws {
        try check(
            "items", .offset(total: .items("total"), maxSize: 50), #"{"items": \#(two), "total": 9, "offset": 0}"#,
            next: "2", asks: "offset=2&limit=2")
        try check(
            nil, .pageNumber(total: .pages(.header("X-WP-TotalPages")), maxSize: 100), two, next: "2",
            asks: "page=2&per_page=2", headers: ["X-WP-Total": "9", "X-WP-TotalPages": "5"])
        try check(
            "values", .offset("startAt", limit: "maxResults", total: .items("total"), sizeField: "maxResults"),
            #"{"startAt": 0, "maxResults": 2, "total": 9, "isLast": false, "values": \#(two)}"#, next: "2",
            asks: "startAt=2&maxResults=2")
        try check(
            "items", .pageNumber(size: "size", total: .items("total"), sizeField: "size"),
            #"{"items": \#(two), "total": 9, "page": 1, "size": 2, "pages": 5}"#, next: "2", asks: "page=2&size=2")
        try check(
            "items", .offset(total: .items("total"), sizeField: "limit"),
            #"{"items": \#(two), "total": 9, "limit": 2, "offset": 0}"#, next: "2", asks: "offset=2&limit=2")
        try check(
            "_embedded.things", .pageNumber(size: "size", first: 0, total: .pages("page.totalPages")),
            #"{"_embedded": {"things": \#(two)}, "page": {"size": 2, "totalPages": 5, "number": 0}}"#, next: "1",
            asks: "page=1&size=2")
        try check(
            "data", .pageNumber(total: .pages("last_page")),
            #"{"current_page": 1, "data": \#(two), "last_page": 5, "per_page": 2}"#, next: "2",
            asks: "page=2&per_page=2")
        try check(
            nil, .offset(total: .contentRange()), two, next: "2", asks: "offset=2&limit=2",
            headers: ["Content-Range": "0-1/9"])
    }
}

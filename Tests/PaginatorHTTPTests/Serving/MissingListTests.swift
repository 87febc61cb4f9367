import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

/// Servers that leave out an empty list: proto3's JSON form leaves out every field that has its default value.
struct MissingListTests {
    private func source(
        _ body: String, status: Int = 200, items: String = "kvs", _ style: some HTTPPagingStyle,
        missingIsEmpty: Bool? = nil
    ) throws -> HTTPDataSource<Row> {
        let server = try LoopbackServer { _ in LoopbackServer.reply(body, status: status) }
        var options = HTTPSourceOptions()
        options.missingItemsAreEmpty = missingIsEmpty
        return HTTPDataSource<Row>(.search(server.url), items: items, style: style, options: options)
    }

    /// etcd, `/v3/kv/range`: `kvs` and `more` are not there when nothing is found, and 64-bit counts are texts.
    @Test func `a page of a server that leaves out empty lists is empty`() async throws {
        let header = "\"header\": {\"cluster_id\": \"1\", \"revision\": \"3\"}"
        let style = HTTPStyle.lastItem(.body("key"), id: "key", size: .body("limit"), hasMore: "more", total: "count")
        for body in ["{\(header)}", "{\(header), \"count\": \"0\"}"] {
            let page = try await source(body, style, missingIsEmpty: true).page().get()
            #expect(page.content.isEmpty && page.nextKey == nil)
        }
        let google = HTTPStyle.cursor("pageToken", from: "nextPageToken", size: "pageSize")
        #expect(try await source("{}", items: "files", google, missingIsEmpty: true).page().get().content.isEmpty)
        let more = try await source("{\"nextPageToken\": \"n\"}", items: "files", google, missingIsEmpty: true).page()
            .get()
        #expect(more.content.isEmpty && more.nextKey == "n")
        let nested = try await source("{\"data\": {}}", items: "data.files", google, missingIsEmpty: true).page().get()
        #expect(nested.content.isEmpty)
    }

    @Test func `a style that is told that there is nothing needs no option`() async throws {
        let keyset = HTTPStyle.lastItem(.body("key"), id: "key", size: .body("limit"), total: "count")
        #expect(try await source("{\"count\": \"0\"}", keyset).page().get().content.isEmpty)
        #expect(try await source("{\"count\": 0}", .offset(total: .items("count"))).page().get().content.isEmpty)
        let past = try await source("{\"count\": 20}", .offset(total: .items("count"))).page("20").get()
        #expect(past.content.isEmpty && past.nextKey == nil && past.prevKey == "10")
        let cursors = HTTPStyle.cursor("c", from: "next", total: "count")
        #expect(try await source("{\"count\": 0}", cursors).page().get().content.isEmpty)
        let addresses = HTTPStyle.nextURL("next", total: "count")
        #expect(try await source("{\"count\": 0}", addresses).page().get().content.isEmpty)
    }

    /// Spring HATEOAS leaves out `_embedded` when there is nothing in it.
    @Test func `a number of pages that is reached needs no option either`() async throws {
        let style = HTTPStyle.pageNumber(size: "size", first: 0, total: .pages("page.totalPages"))
        for (pages, key) in [(0, "0"), (3, "3")] {
            let body = "{\"page\": {\"totalElements\": 0, \"totalPages\": \(pages)}}"
            let page = try await source(body, items: "_embedded.things", style).page(key).get()
            #expect(page.content.isEmpty && page.nextKey == nil, "page \(key) of \(pages)")
        }
        let told = try await source("{\"page\": {\"totalPages\": 3}}", items: "_embedded.things", style).failure("2")
        #expect(told?.httpError?.code == .missingField)
    }

    @Test(arguments: [
        "{\"error\": \"\", \"kvs\": null}", "{\"message\": \"\", \"count\": 0}",
        "{\"code\": 0, \"message\": \"success\", \"kvs\": null}", "{\"code\": \"OK\", \"count\": 0}",
        "{\"code\": \"\", \"message\": \"Ok\", \"kvs\": null}",
    ])
    func `empty fields for an error, and those that report success, are no error`(_ body: String) async throws {
        let style = body.contains("count") ? HTTPStyle.offset(total: .items("count")) : .offset()
        let page = try await source(body, style).page().get()
        #expect(page.content.isEmpty && page.nextKey == nil)
    }

    /// Go writes a list that is `nil` as `null`.
    @Test(arguments: ["null", " null\n"]) func `a body that is null is an empty list`(_ body: String) async throws {
        let page = try await source(body, items: "", .offset()).page().get()
        #expect(page.content.isEmpty && page.nextKey == nil)
    }

    @Test func `a list that is missing where there should be items stays an error`() async throws {
        let told = try await source("{\"count\": 20}", .offset(total: .items("count"))).failure()
        #expect(told?.httpError?.code == .missingField && told?.httpError?.field == "kvs")
        let untold = try await source("{}", .offset()).failure()
        #expect(untold?.httpError?.code == .missingField)
        let refused = try await source("{\"count\": 0}", .offset(total: .items("count")), missingIsEmpty: false)
            .failure()
        #expect(refused?.httpError?.code == .missingField)
    }

    @Test(arguments: [
        "{\"error\": \"no\"}", "{\"errors\": [{\"message\": \"no\"}]}", "{\"code\": 5, \"message\": \"no\"}",
        "{\"status\": 404, \"message\": \"no\"}", "{\"error\": \"no\", \"message\": \"OK\"}",
        "{\"error\": \"\", \"errors\": [{}]}", "{\"ok\": false}", "{\"success\": false, \"kvs\": null}",
    ])
    func `an error without a list is no empty page`(_ body: String) async throws {
        #expect(try await source(body, .offset(), missingIsEmpty: true).failure()?.httpError?.code == .refusedInBody)
    }

    @Test(arguments: [
        "{\"status\": 200, \"message\": \"Posts fetched successfully\", \"kvs\": null, \"count\": 0}",
        "{\"code\": 0, \"detail\": \"Nothing here.\", \"count\": 0}",
    ])
    func `a message beside a missing list is no error if that list may be missing`(_ body: String) async throws {
        #expect(try await source(body, .offset(), missingIsEmpty: true).page().get().content.isEmpty)
        #expect(try await source(body, .offset(total: .items("count"))).page().get().content.isEmpty)
        #expect(try await source(body, .offset()).failure()?.httpError?.code == .refusedInBody)
    }

    @Test(
        arguments: [
            ("\"ok\": false, \"error\": \"ratelimited\"", true), ("\"error\": \"no\"", false),
            ("\"success\": false, \"message\": \"no\"", false), ("\"error\": {\"status\": \"DENIED\"}", false),
            ("\"error\": true, \"code\": 5", false),
            ("\"errors\": [{\"message\": \"no\", \"extensions\": {\"code\": \"FORBIDDEN\"}}]", false),
        ] as [(String, Bool)])
    func `an error beside an empty list is not the end`(_ fields: String, _ isRetryable: Bool) async throws {
        let error = try #require(await source("{\(fields), \"kvs\": []}", .offset()).failure())
        #expect(error.httpError?.code == .refusedInBody && error.isRetryable == isRetryable)
    }

    @Test(arguments: [
        "\"ok\": true, \"error\": \"\"", "\"error\": null", "\"error\": false, \"message\": \"Nothing found.\"",
        "\"code\": \"COMMON200\", \"message\": \"Nothing found.\"", "\"errors\": []", "\"error\": \"Nothing found.\"",
        "\"errors\": [{\"message\": \"Another field failed.\"}]", "\"error\": \"none\"",
        "\"error\": {\"code\": \"0\", \"message\": \"Nothing found.\"}",
    ])
    func `an empty list beside a mere message or code is the end`(_ fields: String) async throws {
        let page = try await source("{\(fields), \"kvs\": []}", .offset()).page().get()
        #expect(page.content.isEmpty && page.nextKey == nil)
    }

    @Test(
        arguments: [
            ("{\"b\": [1], \"count\": 2, \"a\": []}", "The lists in it are: a, b."), ("{\"count\": 2}", nil),
            ("\"none\"", nil),
        ] as [(String, String?)])
    func `the error for an object in the list's place names the lists in that object`(
        _ value: String, _ hint: String?
    ) async throws {
        let error = try #require(await source("{\"kvs\": \(value)}", .offset()).failure()?.httpError)
        #expect(error.code == .wrongType && error.field == "kvs")
        #expect(error.message.contains(hint ?? "The lists in it are") == (hint != nil), "\(error.message)")
    }

    @Test(arguments: ["[]", "{\"kvs\": {}}", "{\"kvs\": \"none\"}", "null"])
    func `something else in the list's place is no empty page`(_ body: String) async throws {
        #expect(try await source(body, .offset(), missingIsEmpty: true).failure() != nil)
    }
}

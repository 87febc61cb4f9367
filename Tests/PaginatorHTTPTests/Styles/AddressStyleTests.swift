import Foundation
import PaginatorCore
import Testing

@testable import PaginatorHTTP

struct AddressStyleTests {
    private let repos = HTTPDataSource<Row>(
        "https://api.github.com/orgs/swiftlang/repos?type=all", style: .linkHeader)

    @Test func `follows the link header`() throws {
        #expect(
            try repos.request().url.absoluteString == "https://api.github.com/orgs/swiftlang/repos?type=all&per_page=2")
        let link = """
            <https://api.github.com/organizations/42816656/repos?type=all&per_page=2&page=2>; rel="next", \
            <https://api.github.com/organizations/42816656/repos?type=all&per_page=2&page=9>; rel="last"
            """
        let page = try repos.read(rows(1...2), headers: ["Link": link]).get()
        #expect(page.nextKey == "/organizations/42816656/repos?type=all&per_page=2&page=2")
        #expect(page.prevKey == nil)
        #expect(
            try repos.request(page.nextKey).url.absoluteString
                == "https://api.github.com/organizations/42816656/repos?type=all&per_page=2&page=2")
    }

    @Test func `ends without a link`() throws {
        #expect(try repos.read(rows(1...2)).get().nextKey == nil)
        #expect(try repos.read(rows(1...2), headers: ["Link": "<x>; rel=\"last\""]).get().nextKey == nil)
    }

    @Test(arguments: [nil, "/orgs/swiftlang/repos?per_page=2&page=2"] as [String?])
    func `a page with more rows than were asked for is refused, a later one too, unless the size cannot be chosen`(
        _ key: String?
    ) throws {
        #expect(repos.read(rows(1...3), key: key).httpError?.code == .pageSizeDiffers)
        let fixed = HTTPDataSource<Row>("https://h/rows", style: .linkHeader(size: nil))
        #expect(try fixed.read(rows(1...3), key: key).get().content.count == 3)
    }

    @Test func `resolves relative links`() throws {
        let source = HTTPDataSource<Row>("https://h/a/b?x=1", style: .linkHeader(size: nil))
        let links = ["<?page=2>": "/a/b?page=2", "<c?page=2>": "/a/c?page=2", "</d>": "/d", "<//h/e#top>": "/e"]
        for (link, key) in links {
            #expect(try source.read("[]", headers: ["Link": "\(link); rel=next"]).get().nextKey == key)
        }
    }

    @Test func `passes over links of other pages`() throws {
        let source = HTTPDataSource<Row>("https://h/a", style: .linkHeader(size: nil))
        let link = "</b>; rel=next; anchor=\"/other\", </c>; rel=next; anchor=\"https://h/a\""
        #expect(try source.read("[]", headers: ["Link": link]).get().nextKey == "/c")
    }

    @Test(arguments: [
        ("next", "{\"results\": [], \"next\": \"https://h/rows?page=3\", \"previous\": \"https://h/rows\"}"),
        ("links.next", "{\"results\": [], \"links\": {\"next\": \"/rows?page=3\"}, \"previous\": \"/rows\"}"),
        (
            "links.next",
            "{\"results\": [], \"links\": {\"next\": {\"href\": \"/rows?page=3\"}}, \"previous\": \"/rows\"}"
        ),
        (
            "@odata.nextLink",
            "{\"results\": [], \"@odata.nextLink\": \"https://h:443/rows?page=3\", \"previous\": \"/rows\"}"
        ),
    ])
    func `follows addresses in the body`(_ field: String, _ body: String) throws {
        let source = HTTPDataSource<Row>(
            "https://h/rows", items: "results",
            style: .nextURL(HTTPField(stringLiteral: field), previous: "previous"))
        let page = try source.read(body, key: "/rows?page=2").get()
        #expect(page.nextKey == "/rows?page=3")
        #expect(page.prevKey == "/rows")
    }

    @Test(arguments: ["null", "\"\"", "false"])
    func `ends with nothing`(_ value: String) throws {
        let source = HTTPDataSource<Row>("https://h/rows", items: "results", style: .nextURL())
        #expect(try source.read("{\"results\": [], \"next\": \(value)}").get().nextKey == nil)
    }

    @Test(arguments: [
        "5", "true", "[]", "{\"url\": \"x\"}", "\"ftp://h/x\"", "\"https://me:pw@h/x\"", "\"mailto:a@b\"",
    ])
    func `refuses what is no address`(_ value: String) {
        let source = HTTPDataSource<Row>("https://h/rows", items: "results", style: .nextURL())
        let error = source.read("{\"results\": [], \"next\": \(value)}").httpError
        #expect(error?.code == .wrongType)
        #expect(error?.field == "next")
    }

    /// An address elsewhere is a key like any other, and asking for it is refused: nothing is sent.
    @Test(arguments: [
        "https://evil.example.com/x", "http://h:8080/rows?page=2", "https://h:8443/rows", "//evil.example.com/x",
        "http://evil.example.com/x", "http://h:443/rows", "https://h:80/rows",
    ])
    func `refuses other origins`(_ address: String) throws {
        let source = HTTPDataSource<Row>("https://h/rows", items: "results", style: .nextURL())
        let page = try source.read("{\"results\": [], \"next\": \"\(address)\"}").get()
        let key = try #require(page.nextKey)
        do {
            _ = try source.request(key)
            Issue.record("the request was made")
        } catch {
            #expect(error.httpError?.code == .otherOrigin)
        }
    }

    /// A server behind a proxy with TLS, such as Django, does not know that it is asked by `https`.
    @Test(arguments: [
        ("https://h/rows", "http://h/rows?page=2"), ("https://h:443/rows", "http://H:80/rows?page=2"),
        ("https://h:8443/rows", "http://h:8443/rows?page=2"),
    ])
    func `an address of the endpoint's own server without TLS is read as one with it`(
        _ endpoint: String, _ next: String
    ) throws {
        let source = HTTPDataSource<Row>(HTTPEndpoint(endpoint), items: "results", style: .nextURL())
        let page = try source.read("{\"results\": [], \"next\": \"\(next)\"}").get()
        #expect(page.nextKey == "/rows?page=2")
        #expect(try source.request(page.nextKey).url.absoluteString == endpoint + "?page=2")
    }

    /// Mastodon and Facebook name a page before the newest one, for rows that will come.
    @Test(arguments: [(nil, nil), ("/rows?max_id=20", "/rows?min_id=9")] as [(String?, String?)])
    func `no page is before the first one, whose new rows come by a refresh`(
        _ key: String?, _ previous: String?
    ) throws {
        let headers = HTTPDataSource<Row>("https://h/rows", style: .linkHeader(size: nil))
        let link = "</rows?max_id=1>; rel=next, </rows?min_id=9>; rel=prev"
        #expect(try headers.read(rows(1...2), key: key, headers: ["Link": link]).get().prevKey == previous)
        let fields = HTTPDataSource<Row>("https://h/rows", items: "rows", style: .nextURL(previous: "previous"))
        let body = "{\"rows\": [], \"next\": \"/rows?max_id=1\", \"previous\": \"/rows?min_id=9\"}"
        #expect(try fields.read(body, key: key).get().prevKey == previous)
    }

    @Test func `a list that opens in the middle has a page before its first one`() throws {
        let around = HTTPEndpoint("https://h/rows?around=5")
        let headers = HTTPDataSource<Row>("https://h/rows", first: around, style: .linkHeader(size: nil))
        let link = "</rows?max_id=1>; rel=next, </rows?min_id=9>; rel=prev"
        #expect(try headers.read(rows(1...2), headers: ["Link": link]).get().prevKey == "/rows?min_id=9")
        let fields = HTTPDataSource<Row>(
            "https://h/rows", first: around, items: "rows", style: .nextURL(previous: "previous"))
        let body = "{\"rows\": [], \"next\": \"/rows?max_id=1\", \"previous\": \"/rows?min_id=9\"}"
        #expect(try fields.read(body).get().prevKey == "/rows?min_id=9")
    }

    @Test func `sends nothing secret to allowed origins`() throws {
        var options = HTTPSourceOptions()
        options.allowedOrigins = ["https://cdn.example.com"]
        let source = HTTPDataSource<Row>(
            HTTPEndpoint(
                "https://h/rows?api_key=s3cret", headers: ["Authorization": "Bearer s3cret", "X-Own": "s3cret"]),
            items: "results", style: .nextURL(), options: options)
        let request = try source.request("https://cdn.example.com/rows?page=2")
        #expect(request.headers.fields.isEmpty)
        #expect(request.url.absoluteString == "https://cdn.example.com/rows?page=2")
    }

    /// A secret that the server repeats in its links is not part of a key, and is put back.
    @Test func `keeps secrets out of keys`() throws {
        let source = HTTPDataSource<Row>(
            "https://h/rows?access_token=s3cret&limit=2", items: "data", style: .nextURL("paging.next"))
        let body = "{\"data\": [], \"paging\": {\"next\": \"https://h/rows?limit=2&access_token=s3cret&after=a%2Bb\"}}"
        let page = try source.read(body).get()
        #expect(page.nextKey == "/rows?limit=2&after=a%2Bb")
        #expect(
            try source.request(page.nextKey).url.absoluteString
                == "https://h/rows?limit=2&after=a%2Bb&access_token=s3cret")
    }

    @Test(arguments: [
        ("/rows?page[after]=a%3D%3D", "/rows?page%5Bafter%5D=a%3D%3D"),
        ("/rows?q=küche&after=a%3D", "/rows?q=k%C3%BCche&after=a%3D"),
        ("/a%2Fb c?x=100%&y=%zz", "/a%2Fb%20c?x=100%25&y=%25zz"),
        ("https://h/rows?a={%7B}#top", "/rows?a=%7B%7B%7D"),
        ("?a b=%5B1]", "/rows?a%20b=%5B1%5D"),
        ("/rows?after=a%3D%3D", "/rows?after=a%3D%3D"),
        ("https://[::1]/rows?a[]=%20", "https://[::1]/rows?a%5B%5D=%20"),
        ("https://cdn.example/rows?page=2#top", "https://cdn.example/rows?page=2"),
        ("https://münchen.example/%C3%BC?a[]=%20", "https://xn--mnchen-3ya.example/%C3%BC?a%5B%5D=%20"),
    ])
    func `a character that may not stand in an address is encoded, and what is encoded stays so`(
        _ address: String, _ key: String
    ) throws {
        let fields = HTTPDataSource<Row>("https://h/rows", items: "results", style: .nextURL())
        #expect(try fields.read("{\"results\": [], \"next\": \"\(address)\"}").get().nextKey == key)
        let headers = HTTPDataSource<Row>("https://h/rows", style: .linkHeader(size: nil))
        #expect(try headers.read("[]", headers: ["Link": "<\(address)>; rel=next"]).get().nextKey == key)
    }

    @Test func `an endpoint's address keeps its escapes`() throws {
        let source = HTTPDataSource<Row>("https://h/rows?filter[title]=a%20b", style: .linkHeader(size: nil))
        #expect(try source.request().url.absoluteString == "https://h/rows?filter%5Btitle%5D=a%20b")
    }

    @Test func `a next address with brackets and escapes is requested as the server wrote it`() async throws {
        let server = try LoopbackServer { request in
            let next = request.target == "/rows" ? "\"/rows?page[after]=a%3D%3D\"" : "null"
            return LoopbackServer.reply("{\"data\": \(rows([1])), \"links\": {\"next\": \(next)}}")
        }
        let source = HTTPDataSource<Row>(
            HTTPEndpoint(server.url + "/rows"), items: "data", style: .nextURL("links.next"))
        let key = try #require(try await source.page().get().nextKey)
        #expect(try await source.page(key).get().nextKey == nil)
        #expect(server.requests.map(\.target) == ["/rows", "/rows?page%5Bafter%5D=a%3D%3D"])
    }
}

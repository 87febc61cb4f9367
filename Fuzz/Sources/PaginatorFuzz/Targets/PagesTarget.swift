import Foundation

@testable import PaginatorCore
@testable import PaginatorHTTP

/// Whole answers under every style: a page, or an error that says where; and the keys of a page lead on safely.
@Sendable
func fuzzPages(_ bytes: [UInt8]) {
    var input = FuzzInput(bytes)
    let source = sources[Int(input.byte()) % sources.count]
    let status = input.element(of: [200, 200, 200, 206, 404, 400, 429, 500, 304])
    let size = Int(input.byte() & 3) + 1
    let key = input.bool() ? source.firstKey : input.text()
    let headers = input.text()
    let body = input.rest()

    let identity = PageIdentity(key: key.isEmpty ? source.firstKey : key, pageSize: size)
    guard
        let request = accepted({ () throws(HTTPSourceError) in
            try source.makeRequest(SourceRequest(identity: identity))
        })
    else { return }
    let response = TransferResponse(status: status, headers: fields(headers), url: request.url, body: body)
    switch source.page(in: response, to: request) {
    case .success(let page): check(page, of: source, size: size)
    case .failure(let error): require(!"\(error)".isEmpty, "an error says something")
    }
}

private func check(_ page: PaginatorPage<FuzzItem>, of source: HTTPDataSource<FuzzItem>, size: Int) {
    require(page.content.count <= HTTPLimits().itemsPerPage, "a page keeps to the limit of items")
    for key in [page.prevKey, page.nextKey] {
        guard let key else { continue }
        require(!key.isEmpty && key.utf8.count <= 4_096 && !key.utf8.contains(0), "a key that came out goes in")
        require(!key.hasSameBytes(as: page.key), "no page is beside itself")
        let identity = PageIdentity(key: key, pageSize: size)
        do throws(HTTPSourceError) {
            let request = try source.makeRequest(SourceRequest(identity: identity))
            checkRequest(request)
        } catch {
            require(
                [.otherOrigin, .badKey].contains(error.code),
                "a key of a page is asked for, or leads elsewhere: \(key.debugDescription) \(error)")
        }
    }
}

/// What is secret goes to the endpoint's own origin only.
private func checkRequest(_ request: HTTPPageRequest) {
    let origin = HTTPOrigin(request.url)
    require(origin != nil, "an address that is asked for is one of HTTP")
    if origin != HTTPOrigin(request.endpointURL) {
        require(origin == HTTPOrigin("https://cdn.example.com"), "only allowed origins are asked")
        require(request.headers["X-Secret"] == nil && request.body == nil, "another origin learns no secret")
        require(!request.url.absoluteString.contains("s3cr3t"), "another origin learns no secret of the address")
    }
}

/// The header fields of lines such as `Link: ...`.
private func fields(_ text: String) -> HTTPHeaderFields {
    var headers: HTTPHeaderFields = [:]
    for line in text.split(separator: "\n") {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { continue }
        headers[String(parts[0])] = String(parts[1].drop { $0 == " " })
    }
    return headers
}

struct FuzzItem: Decodable, Sendable {
    var id: Int?
    var name: String?
}

private let sources: [HTTPDataSource<FuzzItem>] = {
    let secret = ["X-Secret": "s3cr3t"]
    let endpoint = HTTPEndpoint("https://api.example.com/v1/items?q=a%20b&api_key=s3cr3t", headers: secret)
    let search = HTTPEndpoint(
        "https://api.example.com/search", method: "POST", headers: secret, body: #"{"query": {"match_all": {}}}"#)
    var options = HTTPSourceOptions()
    options.allowedOrigins = ["https://cdn.example.com"]
    var loose = options
    loose.skipsBrokenItems = true
    loose.allowsLargerPages = true
    loose.itemID = "id"
    return [
        HTTPDataSource(endpoint, style: .pageNumber(total: .items(.header("X-Total-Count"))), options: options),
        HTTPDataSource(
            endpoint, items: "items", style: .pageNumber(total: .pages("pages"), maxSize: 100), options: loose),
        HTTPDataSource(endpoint, style: .offset(total: .contentRange(), sizeField: "limit"), options: loose),
        HTTPDataSource(endpoint, items: "results", style: .offset(total: .nextField("next")), options: options),
        HTTPDataSource(endpoint, items: "items", style: .offset(total: .hasMore("more")), options: options),
        HTTPDataSource(
            endpoint, items: "data", style: .cursor("cursor", from: "meta.next", size: "limit"), options: loose),
        HTTPDataSource(
            search, items: "Items", style: .cursor(.body("StartKey"), from: "LastKey", size: .body("Limit")),
            options: loose),
        HTTPDataSource(endpoint, style: .linkHeader, options: options),
        HTTPDataSource(endpoint, style: .linkHeader, options: loose),
        HTTPDataSource(endpoint, items: "results", style: .nextURL("next", previous: "previous"), options: options),
        HTTPDataSource(endpoint, items: "value", style: .nextURL("@odata.nextLink"), options: loose),
        HTTPDataSource(endpoint, style: .lastItem("since", previous: "until"), options: loose),
        HTTPDataSource(
            search, items: "hits.hits[]._source", style: .keyset(["sort": .body("search_after")], size: .body("size")),
            options: loose),
        HTTPDataSource(
            search, style: .relayConnection("data.viewer.items", last: "last", before: "before"), options: options),
        HTTPDataSource(
            search, style: .relayConnection("items", last: "last", before: "before", startsAtEnd: true), options: loose),
    ]
}()

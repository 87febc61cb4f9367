import Foundation

@testable import PaginatorCore
@testable import PaginatorHTTP

/// Addresses that a server names, and queries: they lead where they may, and single parameters are changed and no other.
@Sendable
func fuzzAddresses(_ bytes: [UInt8]) {
    var input = FuzzInput(bytes)
    let name = input.text()
    let value = input.text()
    let named = String(decoding: input.rest(), as: UTF8.self)
    checkQuery(name: name, value: value, address: named)
    checkNext(named)
    _ = HTTPOrigin(named)
    let path = JSONPath(named)
    require(path.names.allSatisfy { !$0.isEmpty }, "a path's names are not empty")
}

private func checkQuery(name: String, value: String, address: String) {
    guard let url = URL(string: address), URLComponents(url: url, resolvingAgainstBaseURL: true) != nil else { return }
    let before = QueryEditor.parameters(of: url)
    let changed = QueryEditor.setting(name, to: value, in: url)
    let after = QueryEditor.parameters(of: changed)
    let found = after.filter { $0.name.allBytes == name.allBytes }
    require(found.count == 1 && found[0].value.allBytes == value.allBytes, "a parameter is set: \(name) in \(changed)")
    let others = { (all: [(name: String, value: String)]) in
        all.filter { $0.name.allBytes != name.allBytes }.map { $0.name.allBytes + [0x3D] + $0.value.allBytes }
    }
    require(others(before) == others(after), "other parameters stay: \(url) and \(changed)")
    let removed = QueryEditor.setting(name, to: nil, in: changed)
    require(others(QueryEditor.parameters(of: removed)) == others(before), "a parameter is taken away")
    require(HTTPOrigin(changed) == HTTPOrigin(url), "a query changes no origin")
}

/// Follows an address as the next page's, and the one after that.
private func checkNext(_ named: String) {
    var options = HTTPSourceOptions()
    options.allowedOrigins = ["https://cdn.example.com"]
    let endpoint = HTTPEndpoint("https://api.example.com/v1/items?token=s3cr3t", headers: ["X-Secret": "s3cr3t"])
    let source = HTTPDataSource<FuzzItem>(endpoint, style: .linkHeader, options: options)
    guard let first = request(source, source.firstKey) else { return require(false, "the first page is asked for") }
    let body = Array("[]".utf8)
    let clean = named.replacing(">", with: "")
    let headers: HTTPHeaderFields = ["Link": "<\(clean)>; rel=next"]
    let answer = TransferResponse(status: 200, headers: headers, url: first.url, body: body)
    guard case .success(let page) = source.page(in: answer, to: first), let next = page.nextKey else { return }
    // By bytes: in characters, a text has no "t" where an accent follows it, and its percent-encoded form has.
    require(
        !next.utf8.contains("s3cr3t".utf8) || clean.utf8.contains("s3cr3t".utf8),
        "a key has no secret that the server did not say")
    guard let second = request(source, next) else { return }
    let origin = HTTPOrigin(second.url)
    let own = HTTPOrigin(first.url)
    require(origin == own || origin == HTTPOrigin("https://cdn.example.com"), "only allowed origins are asked")
    if origin != own { require(second.headers["X-Secret"] == nil, "another origin learns no secret") }
    // The address of a key is where the server's own address leads, but for the secrets and the fragment. Foundation
    // encodes the escapes of an address with other characters once more, so it is a judge of valid ones only.
    let said = clean.drop { $0 == " " }.description
    if URL(string: said, encodingInvalidCharacters: false) != nil,
        let target = URL(string: said, relativeTo: first.url)?.absoluteURL, origin == own
    {
        let ours = URLComponents(url: second.url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        let theirs = URLComponents(url: target, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        require(ours == (theirs.isEmpty ? "/" : theirs), "the path is what the server said: \(ours) for \(theirs)")
    }
}

private func request(_ source: HTTPDataSource<FuzzItem>, _ key: String) -> HTTPPageRequest? {
    accepted { () throws(HTTPSourceError) in
        try source.makeRequest(SourceRequest(identity: PageIdentity(key: key, pageSize: 2)))
    }
}

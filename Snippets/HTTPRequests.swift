// Addresses from the user, the app's other requests, bodies that are not JSON, signed requests, and recorded responses.
// It makes no request.
import Foundation
import PaginatorCore
import PaginatorHTTP

nonisolated struct Post: Decodable, Sendable {
    let id: Int
}

// An address that is known only at run time: a wrong one is found here, not at the first fetch.
func posts(at address: String) throws -> HTTPDataSource<Post> {
    HTTPDataSource<Post>(try HTTPEndpoint(address).validated(), style: .linkHeader)
}

// A session that reports each request and its outcome, without secrets.
let session = HTTPSession(onExchange: { exchange in print(exchange, exchange.curl) })
let account = HTTPAuthentication.basic(user: "me", password: "from the keychain")

// Another request of the app, over the same connections and with the same credentials.
func like(_ id: Int) async throws {
    let request = HTTPEndpoint("https://api.example.com/posts/\(id)/like", method: "PUT", body: "{}")
    _ = try await session.send(request, authentication: account)
}

// Bodies that are not JSON: one number per line.
struct NotANumber: Error {}
let numbers = HTTPDataSource<Int>(
    "https://api.example.com/numbers.txt", style: .pageNumber(page: "page", size: "rows")
) { body in
    let items = try String(decoding: body, as: UTF8.self).split(separator: "\n").map { line in
        guard let number = Int(line) else { throw NotANumber() }
        return number
    }
    return (items, fields: [:])
}

// Requests that are signed with AWS Signature Version 4.
var options = HTTPSourceOptions()
options.session = session
options.authentication = .awsSignature(region: "eu-central-1", service: "execute-api") {
    (accessKey: "from the keychain", secretKey: "too", sessionToken: nil)
}
let signed = HTTPDataSource<Post>(
    "https://api.example.com/posts", style: .cursor("after", from: "next"), options: options)

// In tests: responses from files beside the test's own, which are recorded without credentials of requests.
let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Recordings")
// `RECORD=1 swift test` asks the server for what is missing.
let records = ProcessInfo.processInfo.environment["RECORD"] != nil
var replayed = HTTPSourceOptions()
replayed.session = HTTPSession(replaying: folder, recordingFrom: records ? session : nil)
let recorded = HTTPDataSource<Post>("https://api.example.com/posts", style: .offset(), options: replayed)

print(try posts(at: "https://api.example.com/posts").firstKey, numbers.firstKey, signed.firstKey, recorded.firstKey)

// Addresses of the user, requests of the app's own beside the pages, bodies that are no JSON, signed requests, and
// recorded answers. It makes no request.
import Foundation
import PaginatorCore
import PaginatorHTTP

nonisolated struct Post: Decodable, Sendable {
    let id: Int
}

// An address that is known when the program runs: a wrong one is found here, and not at the first fetch.
func posts(at address: String) throws -> HTTPDataSource<Post> {
    HTTPDataSource<Post>(try HTTPEndpoint(address).validated(), style: .linkHeader)
}

// A session that tells each request and what came of it, without secrets.
let session = HTTPSession(onExchange: { exchange in print(exchange, exchange.curl) })
let account = HTTPAuthentication.basic(user: "me", password: "from the keychain")

// A request of the app's own, with the connections and credentials of the pages.
func like(_ id: Int) async throws {
    let request = HTTPEndpoint("https://api.example.com/posts/\(id)/like", method: "PUT", body: "{}")
    _ = try await session.send(request, authentication: account)
}

// Bodies that are no JSON: one number a line.
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

// Requests that AWS's Signature Version 4 signs.
var options = HTTPSourceOptions()
options.session = session
options.authentication = .awsSignature(region: "eu-central-1", service: "execute-api") {
    (accessKey: "from the keychain", secretKey: "too", sessionToken: nil)
}
let signed = HTTPDataSource<Post>(
    "https://api.example.com/posts", style: .cursor("after", from: "next"), options: options)

// In tests: answers from files, which the first run with the server has recorded, without secrets.
var replayed = HTTPSourceOptions()
let folder = URL(fileURLWithPath: "Tests/Recordings", isDirectory: true)
replayed.session = HTTPSession(replaying: folder, recordingFrom: session)
let recorded = HTTPDataSource<Post>("https://api.example.com/posts", style: .offset(), options: replayed)

print(try posts(at: "https://api.example.com/posts").firstKey, numbers.firstKey, signed.firstKey, recorded.firstKey)

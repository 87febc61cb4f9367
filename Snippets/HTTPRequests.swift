// Addresses from the user, tokens that expire, the app's other requests, bodies that are not JSON, signed requests, and
// recorded responses.
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

// Tokens that expire. An app keeps them in the keychain.
struct SignedOut: Error {}

actor Tokens {
    struct Pair: Decodable, Sendable {
        enum CodingKeys: String, CodingKey {
            case access = "access_token"
            case refresh = "refresh_token"
        }

        let access: String
        let refresh: String
    }

    private var pair: Pair?

    func signIn(_ pair: Pair) { self.pair = pair }

    func current() throws -> String {
        guard let pair else { throw SignedOut() }
        return pair.access
    }

    /// To return means that there is a new token, and the refused requests are repeated with it.
    func renew() async throws {
        guard let old = pair else { throw SignedOut() }
        do {
            let request = HTTPEndpoint.form(
                "https://api.example.com/token", ["grant_type": "refresh_token", "refresh_token": old.refresh])
            let answer = try await session.send(request)
            pair = try JSONDecoder().decode(Pair.self, from: answer.body)
        } catch let error as HTTPSourceError where error.status == 400 || error.status == 401 {
            // The refresh token has ended, too. After any other failure, such as a lost connection, it is tried again.
            pair = nil
            throw SignedOut()
        }
    }
}

let tokens = Tokens()
let user = HTTPAuthentication.bearer {
    try await tokens.current()
} refresh: {
    try await tokens.renew()
}

/// Whether a load failed because the user has to sign in.
func isSignedOut(_ error: PaginatorError) -> Bool {
    guard let error = error.underlying as? HTTPSourceError else { return false }
    return error.code == .unauthorized || error.underlying is SignedOut
}

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

package import FlyingFox
package import Foundation

/// A request for a route.
package struct BackendRequest: Sendable {
    package let path: String
    /// The values of the path's names with a colon.
    package let parameters: [String: String]
    package let query: [String: String]
    package let headers: @Sendable (String) -> String?
    package let body: Data
    /// The session of the token, which is one device of a user; zero without a token.
    package var session: Int64 = 0

    /// The token of `Authorization: Bearer`, RFC 6750, section 2.1.
    package var bearerToken: String? {
        guard let field = headers("Authorization"), field.lowercased().hasPrefix("bearer ") else { return nil }
        return String(field.dropFirst(7))
    }

    /// Decodes the JSON body; anything else is refused with 400.
    package func decoded<T: Decodable>(_ type: T.Type = T.self) throws -> T {
        do {
            return try BackendJSON.decoder.decode(type, from: body)
        } catch {
            throw BackendRefusal(400, "the body is not what this request takes")
        }
    }

    /// Returns a number of the path, such as an id; anything else is 404.
    package func id(_ name: String) throws -> Int64 {
        guard let text = parameters[name], let id = Int64(text) else {
            throw BackendRefusal(404, "there is no such id")
        }
        return id
    }

    /// Returns the requested page size, 1 to 100; 30 by default.
    package func limit() throws -> Int {
        let limit = query["limit"].map { Int($0) ?? 0 } ?? 30
        guard (1...100).contains(limit) else { throw BackendRefusal(400, "limit is a number from 1 to 100") }
        return limit
    }
}

/// An answer.
package struct BackendResponse: Sendable {
    package var status: Int
    package var headers: [String: String]
    package var body: Data
    /// The handler of the connection as a WebSocket, if the answer is 101.
    package var webSocket: WebSocketHTTPHandler?
    /// A streamed body, instead of the other one.
    var stream: HTTPBodySequence?

    package init(status: Int = 200, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Creates an answer with a JSON body.
    package static func json(
        _ value: some Encodable, status: Int = 200, headers: [String: String] = [:]
    ) throws -> BackendResponse {
        var headers = headers
        headers["Content-Type"] = "application/json"
        return BackendResponse(status: status, headers: headers, body: try BackendJSON.encoder.encode(value))
    }

    /// Switches to a WebSocket if the request is a handshake for one.
    package static func webSocket(_ handler: some WSHandler) -> BackendResponse {
        var response = BackendResponse(status: 101)
        response.webSocket = WebSocketHTTPHandler(handler: handler)
        return response
    }

    var http: HTTPResponse {
        var fields = HTTPHeaders()
        for (name, value) in headers { fields[HTTPHeader(name)] = value }
        let body = stream ?? HTTPBodySequence(data: body)
        return HTTPResponse(statusCode: HTTPStatusCode(status, phrase: "Status"), headers: fields, body: body)
    }
}

/// The refusal of a request: a status and a reason for people.
package struct BackendRefusal: Error, Sendable {
    package let status: Int
    package let reason: String

    package init(_ status: Int, _ reason: String) {
        self.status = status
        self.reason = reason
    }

    var response: BackendResponse {
        let body = Data("{\"error\":\"\(reason)\"}".utf8)
        return BackendResponse(status: status, headers: ["Content-Type": "application/json"], body: body)
    }
}

/// The JSON of the API: times are milliseconds since 1970, ids are numbers of 64 bits.
package enum BackendJSON {
    package static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .millisecondsSince1970
        return encoder
    }

    package static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .millisecondsSince1970
        return decoder
    }
}

/// The routing table: a method, a path with names for its variable parts, and the required authentication.
package struct BackendRoutes: Sendable {
    package typealias OpenAction = @Sendable (BackendRequest) async throws -> BackendResponse
    package typealias SignedInAction = @Sendable (BackendRequest, BackendUser) async throws -> BackendResponse

    enum Action {
        case open(OpenAction)
        case signedIn(SignedInAction)
    }

    struct Route {
        let method: String
        let path: [Substring]
        let action: Action
    }

    private var routes: [Route] = []

    package init() {}

    /// Adds a route for signed-in users; the user comes from the token.
    ///
    /// - Parameter pattern: such as `GET /v1/posts/:id`.
    package mutating func add(_ pattern: String, _ action: @escaping SignedInAction) {
        append(pattern, .signedIn(action))
    }

    /// Adds a route without authentication.
    package mutating func addOpen(_ pattern: String, _ action: @escaping OpenAction) {
        append(pattern, .open(action))
    }

    private mutating func append(_ pattern: String, _ action: Action) {
        let parts = pattern.split(separator: " ")
        routes.append(Route(method: String(parts[0]), path: parts[1].split(separator: "/"), action: action))
    }

    func route(method: String, path: String) -> (Route, [String: String])? {
        let path = path.split(separator: "/")
        for route in routes where route.method == method && route.path.count == path.count {
            var parameters: [String: String] = [:]
            let fits = zip(route.path, path).allSatisfy { pattern, part in
                guard pattern.hasPrefix(":") else { return pattern == part }
                parameters[String(pattern.dropFirst())] = String(part)
                return true
            }
            if fits { return (route, parameters) }
        }
        return nil
    }
}

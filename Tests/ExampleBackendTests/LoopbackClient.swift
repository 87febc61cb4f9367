import ExampleBackend
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A backend that serves, and somebody who asks it.
struct LoopbackClient {
    let server: BackendServer
    let url: URL
    var token = ""

    static func signedIn(_ name: String = "Test", posts: Int = 95) async throws -> LoopbackClient {
        var configuration = BackendConfiguration()
        configuration.corpusSize = posts
        let server = try BackendServer(configuration)
        var client = LoopbackClient(server: server, url: try await server.start())
        client.token = try await client.newToken(name)
        return client
    }

    func newToken(_ name: String, device: String? = nil) async throws -> String {
        try await ask("POST", "/v1/sessions", ["name": name, "device": device].compactMapValues { $0 })
            .json["token"] as? String ?? ""
    }

    struct Answer {
        let status: Int
        let headers: [String: String]
        let body: Data
        var json: [String: Any] {
            get throws { try JSONSerialization.jsonObject(with: body) as? [String: Any] ?? [:] }
        }
    }

    func ask(
        _ method: String, _ path: String, _ json: [String: Any]? = nil, body: Data? = nil,
        headers: [String: String] = [:]
    ) async throws -> Answer {
        var request = URLRequest(url: URL(string: path, relativeTo: url)!)
        request.httpMethod = method
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        request.httpBody = try json.map { try JSONSerialization.data(withJSONObject: $0) } ?? body
        let (data, response) = try await URLSession.shared.data(for: request)
        let http = response as! HTTPURLResponse
        let headers = Dictionary(
            uniqueKeysWithValues: http.allHeaderFields.map { ("\($0.key)".lowercased(), "\($0.value)") })
        return Answer(status: http.statusCode, headers: headers, body: data)
    }

    func posts(_ path: String) async throws -> (posts: [[String: Any]], next: String?) {
        let json = try await ask("GET", path).json
        return (json["feed"] as! [[String: Any]], (json["paging"] as! [String: Any])["next"] as? String)
    }

    func firstPostID() async throws -> Int { try await posts("/v1/feed?limit=1").posts[0]["postId"] as! Int }

    static func query(_ cursor: String) -> String {
        cursor.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
    }
}

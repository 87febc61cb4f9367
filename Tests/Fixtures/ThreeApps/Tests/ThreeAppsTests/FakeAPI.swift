import Browser
import FlyingFox
import Foundation
import Synchronization

/// The API on loopback: pages by number with `Link` headers, search by text, and stars for who has the token.
final class FakeAPI: Sendable {
    let table: Table
    let gate = Gate()
    private let calls = Mutex<[String]>([])

    init(_ table: Table) { self.table = table }

    /// The requests so far, in order: method, path and query.
    var requests: [String] { calls.withLock { $0 } }

    /// Runs the API for as long as `body` takes.
    nonisolated(nonsending) func serve<Result>(
        _ body: nonisolated(nonsending) (_ address: String) async throws -> Result
    ) async throws -> Result {
        let http = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
        await http.appendRoute("GET /search/repositories") { try await self.page($0) }
        await http.appendRoute("PUT,DELETE /user/starred/:name") { (request: HTTPRequest, name: String) in
            self.star(request, name)
        }
        return try await withServer({ try await http.run() }) {
            try await http.waitUntilListening()
            guard case .ip4(_, let port) = await http.listeningAddress else { throw URLError(.badURL) }
            return try await body("http://127.0.0.1:\(port)")
        }
    }

    private func note(_ request: HTTPRequest) {
        let query = request.query.map { "\($0.name)=\($0.value)" }.sorted().joined(separator: "&")
        calls.withLock { $0.append("\(request.method.rawValue) \(request.path)\(query.isEmpty ? "" : "?")\(query)") }
    }

    private func page(_ request: HTTPRequest) async throws -> HTTPResponse {
        note(request)
        await gate.pass()
        let (text, number) = (request.query["q"] ?? "", Int(request.query["page"] ?? "1") ?? 1)
        let size = Int(request.query["per_page"] ?? "30") ?? 30
        let (items, total) = table.find(text, page: number, size: size)
        func link(_ page: Int, _ relation: String) -> String {
            "<\(request.path)?q=\(text)&per_page=\(size)&page=\(page)>; rel=\"\(relation)\""
        }
        let links = [
            number > 1 ? link(number - 1, "prev") : nil, number * size < total ? link(number + 1, "next") : nil,
        ]
        let body = try JSONSerialization.data(withJSONObject: [
            "total_count": total, "items": try JSONSerialization.jsonObject(with: JSONEncoder().encode(items)),
        ])
        let header = links.compactMap(\.self).joined(separator: ", ")
        return HTTPResponse(statusCode: .ok, headers: [HTTPHeader("Link"): header], body: body)
    }

    /// Nobody may star the first repository.
    private func star(_ request: HTTPRequest, _ name: String) -> HTTPResponse {
        note(request)
        guard request.headers[.authorization] == "Bearer secret" else { return HTTPResponse(statusCode: .unauthorized) }
        guard name != "a-0" else {
            return HTTPResponse(statusCode: .forbidden, body: Data(#"{"message": "You cannot star this."}"#.utf8))
        }
        table.change { rows in
            guard let index = rows.firstIndex(where: { $0.name == name }) else { return }
            rows[index].isStarred = request.method == .PUT
            rows[index].stars += request.method == .PUT ? 1 : -1
        }
        return HTTPResponse(statusCode: .noContent)
    }
}

/// Holds up who wants to pass while it is closed.
actor Gate {
    private var isOpen = true
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func close() { isOpen = false }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    func pass() async {
        if !isOpen { await withCheckedContinuation { waiting.append($0) } }
    }
}

/// Runs a server for as long as `body` takes, and waits for its end.
nonisolated(nonsending) func withServer<Result>(
    _ run: @escaping @Sendable () async throws -> Void, _ body: nonisolated(nonsending) () async throws -> Result
) async throws -> Result {
    let server = Task { try await run() }
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    server.cancel()
    _ = await server.result
    return try result.get()
}

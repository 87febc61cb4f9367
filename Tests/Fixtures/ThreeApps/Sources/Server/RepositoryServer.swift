import FlyingFox
import Foundation
import PaginatorAsync
public import PaginatorCore
import PaginatorHTTP
import PaginatorSQLiteStore

/// A server in front of a slow API: one call of the API for each page, however many clients ask for it.
public struct RepositoryServer: Sendable {
    private static let maxPageSize = 100

    private let http: HTTPServer
    private let pages: CallbackPaginator<Data>
    private let upstream: String
    private let session = HTTPSession()
    private let authentication: HTTPAuthentication

    /// Makes a server, which begins to listen with `run()`.
    ///
    /// - Parameters:
    ///   - upstream: the address of the API.
    ///   - folder: where pages are kept on disk.
    ///   - token: the server's own token for the API.
    ///   - port: where it listens on loopback; a free one by default.
    ///   - config: a base for the paginator's configuration, such as an observer.
    public init(
        upstream: String, folder: String, token: String, port: UInt16 = 0,
        config: PaginatorConfig = PaginatorConfig()
    ) throws {
        self.upstream = upstream
        authentication = .bearer { token }
        var options = HTTPSourceOptions()
        options.session = session
        options.authentication = authentication
        options.clock = config.clock
        options.prepare = { $0.set("q", to: $0.scope) }
        options.tags = { response throws(HTTPSourceError) in
            var names: [String] = []
            for item in 0..<response.itemCount {
                if let name = try response.text(of: "name", ofItem: item) { names.append(name) }
            }
            return names
        }
        let source = HTTPDataSource<Data>(
            HTTPEndpoint(upstream + "/search/repositories"), items: "items",
            style: .pageNumber(total: .items("total_count"), maxSize: Self.maxPageSize), options: options,
            decode: { $0 })

        var config = config
        config.maxPageSize = Self.maxPageSize
        config.maxKeyBytes = 256
        config.keyRule = .offset
        config.fetchTimeout = .seconds(10)
        config.scheduling.maxParallelCalls = 8
        config.scheduling.rateLimit = .init(permits: 100, per: .seconds(1), burst: 20)
        config.inMemoryEvictionStrategy = .adaptive(maxPages: 1_000, maxBytes: 50_000_000)
        config.storeEvictionStrategy = .adaptive(maxBytes: 500_000_000)
        let store = try SQLitePageStore<Data>(path: folder + "/pages.sqlite")
        pages = CallbackPaginator(dataSource: source, store: store, config: config)

        http = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: port), logger: .disabled)
    }

    /// Serves until the task is cancelled; writes to disk what is not there yet.
    public func run() async throws {
        await http.appendRoute("GET /search/repositories") { try await page($0) }
        await http.appendRoute("PUT,DELETE /user/starred/*") { try await write($0) }
        await http.appendRoute("GET /metrics") { _ in metrics }
        do {
            try await http.run()
        } catch {
            guard Task.isCancelled else { throw error }
        }
        try await pages.shutdownAndWait()
    }

    /// Where it listens, as soon as it does.
    public var address: String {
        get async throws {
            try await http.waitUntilListening()
            guard case .ip4(_, let port) = await http.listeningAddress else { throw URLError(.badURL) }
            return "http://127.0.0.1:\(port)"
        }
    }

    /// Answers with a page: a stale one at once, while it is loaded anew.
    private func page(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (scope, key) = (request.query["q"] ?? "", request.query["page"] ?? "1")
        guard let pageSize = Int(request.query["per_page"] ?? "30") else {
            return HTTPResponse(statusCode: .badRequest)
        }
        do {
            // What a write has changed is waited for; what is only old is sent, and loaded for who asks next.
            let fetched = try await pages.fetch(key: key, pageSize: pageSize, scope: scope, policy: .cacheThenRenew)
            return response(fetched, request)
        } catch {
            return HTTPResponse(statusCode: status(of: error))
        }
    }

    private func response(_ fetched: FetchedPage<Data>, _ request: HTTPRequest) -> HTTPResponse {
        let total = fetched.page.total.map { "\"total_count\":\($0)," } ?? ""
        let body =
            Data("{\(total)\"items\":[".utf8) + Data(fetched.content.joined(separator: Data(",".utf8)))
            + Data("]}".utf8)
        let links = [("prev", fetched.prevKey), ("next", fetched.nextKey)].compactMap { relation, key in
            key.map { "<\(link(to: $0, request))>; rel=\"\(relation)\"" }
        }
        var headers: HTTPHeaders = [
            .contentType: "application/json",
            HTTPHeader("Age"): String(fetched.age.components.seconds),
            HTTPHeader("X-Cache"): fetched.isStale ? "stale" : fetched.origin.rawValue,
        ]
        headers[HTTPHeader("Link")] = links.isEmpty ? nil : links.joined(separator: ", ")
        return HTTPResponse(statusCode: .ok, headers: headers, body: body)
    }

    private func link(to key: String, _ request: HTTPRequest) -> String {
        var components = URLComponents()
        components.path = request.path
        components.queryItems = request.query.filter { $0.name != "page" }.map {
            URLQueryItem(name: $0.name, value: $0.value)
        }
        components.queryItems?.append(URLQueryItem(name: "page", value: key))
        return components.string ?? request.path
    }

    private func status(of error: PaginatorError) -> HTTPStatusCode {
        switch error.code {
        case .invalidKey, .invalidPageSize: .badRequest
        case .expiredKey: .notFound
        case .timedOut: .gatewayTimeout
        case .throttled, .offline, .heldBack, .released: .serviceUnavailable
        default: .badGateway
        }
    }

    /// Passes a write on; then no page that has what was written is as new as it.
    private func write(_ request: HTTPRequest) async throws -> HTTPResponse {
        do {
            let endpoint = HTTPEndpoint(upstream + request.path, method: request.method.rawValue)
            let answer = try await session.send(endpoint, authentication: authentication)
            // Of the pages that have it.
            if let name = request.path.split(separator: "/").last { pages.invalidate(tags: [String(name)]) }
            return HTTPResponse(statusCode: HTTPStatusCode(answer.status, phrase: ""))
        } catch {
            return HTTPResponse(
                statusCode: error.status.map { HTTPStatusCode($0, phrase: "") } ?? .badGateway,
                body: error.body?.data ?? Data())
        }
    }

    /// The library's counters, as Prometheus reads them.
    private var metrics: HTTPResponse {
        let counters = pages.counters
        var lines = PaginatorEvent.Kind.allCases.map { "pages_events{kind=\"\($0)\"} \(counters[$0])" }
        lines += PageOrigin.allCases.map { "pages_answers{origin=\"\($0)\"} \(counters.answers[$0] ?? 0)" }
        lines += counters.failures.map { "pages_failures{code=\"\($0)\"} \($1)" }.sorted()
        let upstream = counters.durations(of: .attemptEnded).percentile(0.99)
        lines.append("pages_upstream_seconds{quantile=\"0.99\"} \(upstream / .seconds(1))")
        return HTTPResponse(statusCode: .ok, body: Data((lines.joined(separator: "\n") + "\n").utf8))
    }
}

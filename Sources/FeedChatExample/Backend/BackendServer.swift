package import FlyingFox
import FlyingSocks
package import Foundation
import GRDB
import PaginatorCore

/// How a backend is made. Every variable has a default, stated with it.
package struct BackendConfiguration: Sendable {
    /// The port to listen on; 0, the default, takes a free one, which later starts keep.
    package var port: UInt16 = 0
    /// The file that keeps everything; `nil`, the default, keeps it in memory.
    package var databasePath: String?
    /// Whether a commit is on the disk before it is answered; if not, it survives the end of the process only. On by default.
    package var survivesPowerCuts = true
    /// How many posts the feed has when the database is new, 3,000 by default.
    package var corpusSize = 3_000
    /// What they are about; awkward texts by default.
    package var corpus = PostCorpus.Kind.awkward
    /// What clients are told by `GET /v1/config`.
    package var clientConfig = ClientConfigAnswer()
    /// Whether `PUT /control/faults` is answered, for those who run the backend as a process of its own; off by default.
    package var hasControl = false
    /// How the chat works.
    package var chat = ChatConfiguration()
    /// Seeds the corpus and the faults.
    package var seed: UInt64 = 2_024

    package init() {}
}

/// The backend of the example on the loopback interface: accounts, feed, uploads and media over HTTP with JSON.
package final class BackendServer: Sendable {
    package let faults: BackendFaults
    package let accounts: Accounts
    package let feed: FeedBackend
    package let chat: ChatRelay

    private struct Running {
        let server: HTTPServer
        let serving: Task<Void, any Error>
    }

    private struct State {
        var port: UInt16
        var running: Running?
    }

    private let routes: BackendRoutes
    private let state: Guarded<State>

    /// Opens the database and makes the routes; nothing listens yet.
    package init(_ configuration: BackendConfiguration = BackendConfiguration()) throws {
        let database = try BackendDatabase(
            path: configuration.databasePath, survivesPowerCuts: configuration.survivesPowerCuts)
        faults = BackendFaults(seed: configuration.seed)
        accounts = try Accounts(database)
        feed = try FeedBackend(database, configuration: configuration)
        chat = try ChatRelay(database, configuration: configuration.chat)
        var routes = BackendRoutes()
        accounts.addRoutes(to: &routes) { [chat, feed] session in
            feed.tick()
            await chat.closeSockets(ofSession: session)
        }
        feed.addRoutes(to: &routes)
        chat.addRoutes(to: &routes)
        if configuration.hasControl { faults.addRoutes(to: &routes) }
        self.routes = routes
        state = Guarded(State(port: configuration.port))
    }

    /// Begins to listen; after a ``stop()`` on the same port as before.
    ///
    /// - Returns: the base address of the API.
    @discardableResult
    package func start() async throws -> URL {
        let port = state.withLock { $0.port }
        let (server, serving, taken, url) = try await listen(on: port)
        state.withLock { state in
            state.port = taken
            state.running = Running(server: server, serving: serving)
        }
        return url
    }

    /// Listens, and waits for a port of its own that is still taken: a process that was started at the moment of an
    /// outage may have come by the socket, and holds it until it ends.
    private func listen(
        on port: UInt16
    ) async throws -> (server: HTTPServer, serving: Task<Void, any Error>, port: UInt16, url: URL) {
        let start = ContinuousClock.now
        while true {
            let server = HTTPServer(
                config: try .loopback(port: port),
                handler: BackendHandler(routes: routes, faults: faults, accounts: accounts))
            do {
                let (serving, taken, url) = try await server.serve()
                return (server, serving, taken, url)
            } catch {
                guard port != 0, ContinuousClock.now - start < .seconds(20) else { throw error }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    /// Closes the port and every connection, as an outage does; what is stored stays.
    package func stop() async {
        let running = state.withLock { state in
            defer { state.running = nil }
            return state.running
        }
        await running?.server.stop(timeout: 0)
    }

    /// Serves until the task is cancelled.
    package func serve() async throws {
        try await state.withLock { $0.running }?.serving.value
    }
}

/// Why the backend does not run.
package enum BackendFailure: Error {
    case notListening
    /// The connection is cut on purpose.
    case cut
}

extension HTTPServer {
    /// Begins to listen, or throws what keeps the server from it, such as a port that is taken.
    package func serve() async throws -> (serving: Task<Void, any Error>, port: UInt16, url: URL) {
        let serving = Task { try await run() }
        let listening = Task { try await waitUntilListening(timeout: 60) }
        Task {
            _ = await serving.result
            listening.cancel()
        }
        guard case .success = await listening.result, case .ip4(_, port: let port)? = listeningAddress,
            let url = URL(string: "http://127.0.0.1:\(port)")
        else {
            serving.cancel()
            try await serving.value
            throw BackendFailure.notListening
        }
        return (serving, port, url)
    }
}

/// Answers one request: counts it, lets a fault happen, asks for the token, and calls the route.
struct BackendHandler: HTTPHandler {
    let routes: BackendRoutes
    let faults: BackendFaults
    let accounts: Accounts

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        let fault = await faults.admit(method: request.method.rawValue, path: request.path)
        switch fault {
        case .lostRequest: return .cutConnection
        case .status(let status, let retryAfter):
            var answer = BackendResponse(status: status)
            if let retryAfter { answer.headers["Retry-After"] = "\(retryAfter)" }
            return answer.http
        case .stall, .lostAnswer, nil: break
        }
        let answer = await answer(to: request)
        if let webSocket = answer.webSocket, fault == nil { return try await webSocket.handleRequest(request) }
        return fault == .lostAnswer ? .cutConnection : answer.http
    }

    private func answer(to request: HTTPRequest) async -> BackendResponse {
        do {
            guard let (route, parameters) = routes.route(method: request.method.rawValue, path: request.path) else {
                return BackendResponse(status: 404)
            }
            // The body is read even where it is not wanted: the next request follows it on the same connection.
            let body = try await request.bodyData
            var asked = BackendRequest(
                path: request.path, parameters: parameters,
                query: Dictionary(request.query.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }),
                headers: { request.headers[HTTPHeader($0)] }, body: body)
            switch route.action {
            case .open(let action):
                return try await action(asked)
            case .signedIn(let action):
                guard let token = asked.bearerToken, let session = try await accounts.session(ofToken: token) else {
                    return BackendResponse(status: 401, headers: ["WWW-Authenticate": "Bearer"])
                }
                asked.session = session.id
                return try await action(asked, session.user)
            }
        } catch let refusal as BackendRefusal {
            return refusal.response
        } catch {
            return BackendResponse(status: 500)
        }
    }
}

extension HTTPResponse {
    /// Closes the connection in the middle of an answer. Before its first byte would not do: clients repeat a request
    /// by themselves when a connection that they used before was closed without an answer.
    static var cutConnection: HTTPResponse {
        HTTPResponse(statusCode: .ok, body: HTTPBodySequence(from: CutBody(), count: 1_000))
    }

    private struct CutBody: AsyncBufferedSequence, AsyncBufferedIteratorProtocol {
        typealias Element = UInt8

        func makeAsyncIterator() -> CutBody { self }

        mutating func next() async throws -> UInt8? { throw BackendFailure.cut }

        mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? { throw BackendFailure.cut }
    }
}

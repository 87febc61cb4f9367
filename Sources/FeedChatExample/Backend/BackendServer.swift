package import FlyingFox
import FlyingSocks
package import Foundation
import GRDB
import PaginatorCore

/// The configuration of a backend. Each variable documents its default.
package struct BackendConfiguration: Sendable {
    /// The port to listen on; 0, the default, uses a free one, which later starts reuse.
    package var port: UInt16 = 0
    /// The path of the database; `nil`, the default, keeps it in memory.
    package var databasePath: String?
    /// Whether a commit is on disk before it is answered; if not, it survives only the end of the process. True by
    /// default.
    package var survivesPowerCuts = true
    /// The number of posts in a new database, 3,000 by default.
    package var corpusSize = 3_000
    /// The kind of the posts; awkward texts by default.
    package var corpus = PostCorpus.Kind.awkward
    /// The answer of `GET /v1/config`.
    package var clientConfig = ClientConfigAnswer()
    /// Whether `PUT /control/faults` is answered, for a backend in its own process; false by default.
    package var hasControl = false
    /// The configuration of the chat.
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

    /// Opens the database and creates the routes, without listening.
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

    /// Starts listening; after a ``stop()`` on the same port as before.
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

    /// Listens, and waits for its port if it is taken: a process started during an outage may have inherited the
    /// socket, and holds it until it ends.
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

    /// Closes the port and every connection, as an outage does; stored data stays.
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

/// The reason why the backend does not run.
package enum BackendFailure: Error {
    case notListening
    /// The connection is closed on purpose.
    case cut
}

extension HTTPServer {
    /// Starts listening, or throws the reason why it cannot, such as a port in use.
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

/// Answers one request: counts it, applies a fault, checks the token, and calls the route.
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
            // The body is read even if it is unused, because the next request follows it on the same connection.
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
    /// Closes the connection in the middle of an answer. Before the first byte is not enough: clients repeat a request
    /// by themselves if a reused connection was closed without an answer.
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

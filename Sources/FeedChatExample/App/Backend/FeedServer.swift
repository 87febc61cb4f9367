import FlyingFox
import FlyingSocks
import Foundation

/// The feed's HTTP server on the loopback interface.
final class FeedServer: Sendable {
    let corpus = PostCorpus()
    let conditions = FeedConditions()
    private let server: HTTPServer

    /// Makes a server that listens once it is started.
    ///
    /// - Parameter port: the port; 0 takes a free one.
    init(port: UInt16 = 0) throws {
        let configuration = HTTPServer.Configuration(
            address: try .inet(ip4: "127.0.0.1", port: port), timeout: 7_200, logger: .disabled)
        server = HTTPServer(config: configuration)
    }

    /// Starts to listen.
    ///
    /// - Returns: the base address of the API, and the task that serves until ``stop()``.
    func start() async throws -> (url: URL, serving: Task<Void, any Error>) {
        let handler = FeedHandler(pager: FeedPager(corpus: corpus), conditions: conditions)
        await server.appendRoute("GET /v1/feed", to: handler)
        let serving = Task { try await server.run() }
        try await server.waitUntilListening()
        guard case .ip4(_, port: let port)? = await server.listeningAddress,
            let url = URL(string: "http://127.0.0.1:\(port)")
        else { throw FeedServerError.noAddress }
        return (url, serving)
    }

    /// Closes the port and every connection.
    func stop() async {
        await server.stop(timeout: 0)
    }
}

/// Why the server does not run.
enum FeedServerError: Error {
    case noAddress
}

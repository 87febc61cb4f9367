import Browser
import Foundation
import PaginatorCore
import PaginatorHTTP
import PaginatorTesting
import Server
import Testing

/// The server on loopback, between clients and an API on loopback.
@Suite(.timeLimit(.minutes(1))) struct ServerTests {
    private let clock = ManualPaginatorClock()
    private let observer = RecordingObserver()
    private let api = FakeAPI(Table("abc", perLetter: 40))
    private let folder = Folder()
    private let session = HTTPSession()

    private struct Answer: Decodable {
        let items: [Repository]
    }

    /// Runs the API and the server for as long as `body` takes.
    private func serve(
        _ body: (_ address: String) async throws -> Void
    ) async throws {
        var config = PaginatorConfig()
        config.clock = clock
        config.observer = observer
        try await api.serve { upstream in
            let server = try RepositoryServer(upstream: upstream, folder: folder.path, token: "secret", config: config)
            try await withServer({ try await server.run() }) { try await body(try await server.address) }
        }
    }

    private func get(_ address: String) async throws -> (headers: [String: String], names: [String]) {
        let answer = try await session.send(HTTPEndpoint(address))
        return (answer.headers, try JSONDecoder().decode(Answer.self, from: answer.body).items.map(\.name))
    }

    @Test func `fifty clients at once cause one call of the API for each page`() async throws {
        try await serve { address in
            await api.gate.close()
            try await withThrowingTaskGroup(of: Data.self) { group in
                for client in 0..<50 {
                    let page = "\(address)/search/repositories?q=b&per_page=10&page=\(client % 2 + 1)"
                    group.addTask { try await session.send(HTTPEndpoint(page)).body }
                }
                try await observer.waitForEvents(50, of: .fetchStarted)
                await api.gate.open()
                for try await body in group {
                    #expect(try JSONDecoder().decode(Answer.self, from: body).items.count == 10)
                }
            }
            #expect(api.requests.sorted() == [1, 2].map { "GET /search/repositories?page=\($0)&per_page=10&q=b" })
        }
    }

    @Test func `a page links to the pages beside it`() async throws {
        try await serve { address in
            let page = try await get("\(address)/search/repositories?q=b&per_page=10&page=2")
            #expect(page.names == (10..<20).map { "b-\($0)" })
            #expect(page.headers["link"]?.contains("page=1>; rel=\"prev\"") == true)
            #expect(page.headers["link"]?.contains("page=3>; rel=\"next\"") == true)
        }
    }

    @Test func `a stale page is sent at once, and renewed for who asks next`() async throws {
        try await serve { address in
            let url = "\(address)/search/repositories?q=b-1&per_page=10"
            _ = try await get(url)
            api.table.change { $0.removeAll { $0.name == "b-1" } }
            clock.advance(by: .minutes(6))
            await api.gate.close()
            let stale = try await get(url)
            #expect(stale.headers["x-cache"] == "stale")
            #expect(stale.headers["age"] == "360")
            #expect(stale.names.first == "b-1")
            await api.gate.open()
            try await observer.waitForEvents(2, of: .loadEnded)
            #expect(try await get(url).names.first == "b-10")
            #expect(api.requests.count == 2)
        }
    }

    @Test func `a write is seen by the next read of every page that it concerns`() async throws {
        try await serve { address in
            let url = "\(address)/search/repositories?q=b-3&per_page=1"
            func stars() async throws -> String {
                String(decoding: try await session.send(HTTPEndpoint(url)).body, as: UTF8.self)
            }
            #expect(try await stars().contains(#""isStarred":false"#))
            _ = try await session.send(HTTPEndpoint("\(address)/user/starred/b-3", method: "PUT"))
            #expect(try await stars().contains(#""isStarred":true"#))
            #expect(api.requests.count == 3)
        }
    }

    @Test func `pages outlive the server on disk`() async throws {
        for _ in 0..<2 {
            try await serve { address in
                let page = try await get("\(address)/search/repositories?q=c&per_page=10")
                #expect(page.names.count == 10)
            }
        }
        #expect(api.requests.count == 1)
    }

    @Test(arguments: ["page=x", "page=1&per_page=500", "page=1&per_page=zero"])
    func `what a client asks for has limits`(_ query: String) async throws {
        try await serve { address in
            let error = await #expect(throws: HTTPSourceError.self) {
                try await session.send(HTTPEndpoint("\(address)/search/repositories?\(query)"))
            }
            #expect(error?.status == 400)
            #expect(api.requests.isEmpty)
        }
    }

    @Test func `metrics tell what the caches did`() async throws {
        try await serve { address in
            for _ in 0..<3 { _ = try await get("\(address)/search/repositories?q=a") }
            let metrics = String(
                decoding: try await session.send(HTTPEndpoint("\(address)/metrics")).body, as: UTF8.self)
            #expect(metrics.contains("pages_answers{origin=\"memory\"} 2\n"))
            #expect(metrics.contains("pages_answers{origin=\"source\"} 1\n"))
        }
    }
}

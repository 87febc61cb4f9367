import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

/// Who gets to see a secret: the endpoint's own origin, and nobody else; no error, event or log either.
struct SecrecyTests {
    static let secret = "s3cr3t-value"

    private func endpoint(_ server: LoopbackServer) -> HTTPEndpoint {
        HTTPEndpoint(
            server.url + "/rows?access_token=\(Self.secret)",
            headers: ["Authorization": "Bearer \(Self.secret)", "X-Api-Key": Self.secret])
    }

    @Test func `follows a redirect of the same origin`() async throws {
        let server = try LoopbackServer { request in
            request.path == "/rows"
                ? LoopbackServer.reply("", status: 302, headers: ["Location": "/moved"])
                : LoopbackServer.reply(rows(1...2))
        }
        let page = try await HTTPDataSource<Row>(endpoint(server), style: .linkHeader(size: nil)).page().get()
        #expect(page.content.count == 2)
        #expect(server.requests.map(\.path) == ["/rows", "/moved"])
        #expect(server.requests[1].headers["authorization"] == "Bearer \(Self.secret)")
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `refuses a redirect elsewhere`(_ status: Int) async throws {
        let other = try LoopbackServer { _ in LoopbackServer.reply(rows(1...2)) }
        let server = try LoopbackServer { _ in
            LoopbackServer.reply("", status: status, headers: ["Location": other.url + "/rows"])
        }
        let error = await HTTPDataSource<Row>(endpoint(server), style: .linkHeader(size: nil)).failure()
        #expect(error?.httpError?.code == .otherOrigin)
        #expect(error?.httpError?.message.contains("leads to another host") == true)
        // A network that wants its users to sign in redirects for now.
        #expect(error?.isRetryable == [302, 303, 307].contains(status))
        #expect(other.requests.isEmpty)
    }

    @Test func `tells allowed origins nothing`() async throws {
        let other = try LoopbackServer { _ in LoopbackServer.reply(rows(1...2)) }
        let server = try LoopbackServer { request in
            request.query["page"] == nil
                ? LoopbackServer.reply(rows(1...2), headers: ["Link": "<\(other.url)/more?page=2>; rel=next"])
                : LoopbackServer.reply("", status: 307, headers: ["Location": other.url + "/redirected"])
        }
        var options = HTTPSourceOptions()
        options.allowedOrigins = [other.url]
        options.authentication = .bearer { Self.secret }
        let source = HTTPDataSource<Row>(endpoint(server), style: .linkHeader(size: nil), options: options)
        let next = try #require(try await source.page().get().nextKey)
        _ = try await source.page(next).get()
        _ = try await source.page("/rows?page=3").get()
        #expect(other.requests.map(\.path) == ["/more", "/redirected"])
        for request in other.requests {
            #expect(!"\(request)".contains(Self.secret), "\(request)")
        }
        #expect(server.requests.allSatisfy { $0.headers["authorization"] == "Bearer \(Self.secret)" })
    }

    @Test func `ends a loop of redirects`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("", status: 302, headers: ["Location": "/rows"]) }
        let error = await HTTPDataSource<Row>(endpoint(server), style: .linkHeader(size: nil)).failure()
        #expect(error?.httpError?.code == .redirect)
        #expect(error?.httpError?.message.contains("redirects too often") == true)
        #expect(server.requests.count == 6)
    }

    /// Everything that goes wrong, and not one text with the secret in it.
    @Test(arguments: [
        LoopbackServer.reply("{\"access_token\": \"\(secret)\"}", status: 500), LoopbackServer.reply("\(secret)"),
        LoopbackServer.reply("[{\"id\": \"\(secret)\"}]"),
        LoopbackServer.reply("{\"error\": \"\(secret)\"}", status: 400),
        LoopbackServer.reply("", status: 302, headers: ["Location": "http://127.0.0.2/?t=\(secret)"]),
        LoopbackServer.reply("", status: 401), [.close],
        [.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n[\"\(secret)"), .close],
    ])
    func `keeps secrets out of errors`(_ steps: [WireStep]) async throws {
        let server = try LoopbackServer { _ in steps }
        let recorder = RecordingObserver()
        var config = DefaultPaginatorConfig()
        config.observer = recorder
        config.maxAttempts = 1
        var options = HTTPSourceOptions()
        options.authentication = HTTPAuthentication(
            adapt: { $0.set("api_key", to: Self.secret) }, refresh: { throw LoggedOut(token: Self.secret) })
        let source = HTTPDataSource<Row>(endpoint(server), style: .linkHeader(size: nil), options: options)
        let paginator = CallbackPaginator(dataSource: source, config: config)
        let result = await paginator.answer(source.firstKey)
        guard case .failure(let error) = result else {
            Issue.record("there was a page")
            return
        }
        for text in ["\(error)", error.metricsLabel, error.message, "\(String(describing: error.underlying))"] {
            #expect(!text.contains(Self.secret), "\(text)")
        }
        #expect(!"\(recorder.events)".contains(Self.secret))
    }
}

/// An error of an app that says too much.
private struct LoggedOut: Error {
    let token: String
}

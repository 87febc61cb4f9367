import Foundation
import PaginatorCore
import Testing

@testable import PaginatorHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A network that wants its users to sign in answers in place of the server: that passes, and is told as what it is.
@Suite(.timeLimit(.minutes(1))) struct PortalTests {
    private func source(
        _ server: LoopbackServer, method: String = "GET", _ options: HTTPSourceOptions = HTTPSourceOptions()
    ) -> HTTPDataSource<Row> {
        HTTPDataSource(
            HTTPEndpoint(server.url + "/rows", method: method), items: "rows", style: .cursor("c", from: "next"),
            options: options)
    }

    private static let page = "<!DOCTYPE html><html>Please sign in.</html>"
    private static let html = ["Content-Type": "Text/HTML; charset=utf-8"]

    @Test(
        arguments: [
            (200, html, .webPage), (200, ["Content-Type": "application/xhtml+xml"], .webPage),
            (302, ["Location": "http://portal.example/"], .otherOrigin),
            (303, ["Location": "https://portal.example/sign-in"], .otherOrigin),
            (307, ["Location": "http://127.0.0.1:9/"], .otherOrigin), (511, html, .status),
        ] as [(Int, [String: String], HTTPSourceError.Code)])
    func `what a portal answers is tried again`(
        _ status: Int, _ headers: [String: String], _ code: HTTPSourceError.Code
    ) async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply(Self.page, status: status, headers: headers) }
        let error = try #require(await source(server).failure())
        #expect(error.httpError?.code == code && error.isRetryable)
        // Whether a request was carried out that may not be repeated, only 511 tells.
        let posted = try #require(await source(server, method: "POST").failure())
        #expect(posted.isRetryable == (status == 511))
    }

    @Test(arguments: [
        (200, ["Content-Type": "application/json"]), (200, ["Content-Type": "text/plain"]),
        (301, ["Location": "http://portal.example/"]), (308, ["Location": "http://portal.example/"]),
    ])
    func `what would come again is not`(_ status: Int, _ headers: [String: String]) async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply(Self.page, status: status, headers: headers) }
        let error = try #require(await source(server).failure())
        #expect(error.httpError?.code == (status == 200 ? .notJSON : .otherOrigin) && !error.isRetryable)
    }

    @Test func `JSON that is labelled as a web page is JSON`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("{\"rows\": \(rows(1...3))}", headers: Self.html) }
        #expect(try await source(server).page().get().content.map(\.id) == [1, 2, 3])
    }

    @Test func `an own transport that was led to a portal is told so`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("{}") }
        for (type, code) in [("text/html", HTTPSourceError.Code.webPage), ("application/json", .otherOrigin)] {
            var options = HTTPSourceOptions()
            options.session = HTTPSession { _ in
                let response = HTTPURLResponse(
                    url: URL(string: "http://portal.example/")!, statusCode: 200, httpVersion: "HTTP/1.1",
                    headerFields: ["Content-Type": type])
                return (Data(Self.page.utf8), response!)
            }
            let error = try #require(await source(server, options).failure())
            #expect(error.httpError?.code == code && error.isRetryable == (code == .webPage))
        }
    }
}

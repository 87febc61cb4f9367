import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

/// Which media type a server is asked for, RFC 9110, section 12.5.1.
struct ContentNegotiationTests {
    /// The quality that an `Accept` field gives a type: that of its most specific range.
    private static func quality(of type: String, in accept: String) -> Double {
        var best = (specificity: -1, quality: 0.0)
        for range in accept.split(separator: ",") {
            let parts = range.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            let name = parts[0]
            let specificity = name == type ? 2 : name == "\(type.prefix { $0 != "/" })/*" ? 1 : name == "*/*" ? 0 : -1
            guard specificity > best.specificity else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            best = (specificity, weight ?? 1)
        }
        return best.quality
    }

    private func server(_ types: [String]) throws -> LoopbackServer {
        try LoopbackServer { request in
            let accept = request.headers["accept"] ?? "*/*"
            // Ruby on Rails takes a list with `*/*` in it for a browser's, and answers with HTML.
            if accept.contains("*/*"), accept.contains(",") {
                return LoopbackServer.reply("<html>", headers: ["Content-Type": "text/html"])
            }
            let ranked = types.map { (type: $0, quality: Self.quality(of: $0, in: accept)) }.filter { $0.quality > 0 }
            guard let best = ranked.max(by: { $0.quality < $1.quality }) else {
                return LoopbackServer.reply(
                    "{\"errors\": [{\"detail\": \"Could not satisfy the request Accept header.\"}]}", status: 406)
            }
            return LoopbackServer.reply(
                "{\"data\": \(rows(1...2)), \"links\": {\"next\": null, \"prev\": null}}",
                headers: ["Content-Type": best.type])
        }
    }

    /// djangorestframework-jsonapi offers this type alone, and says 406 to everything else.
    @Test func `the documented line for JSON API works against a server that speaks nothing else`() async throws {
        let server = try server(["application/vnd.api+json"])
        let source = HTTPDataSource<Row>(
            HTTPEndpoint(server.url), items: "data",
            style: .nextURL("links.next", previous: "links.prev", size: "page[size]"))
        #expect(try await source.page().get().content.map(\.id) == [1, 2])
    }

    /// JSON:API 1.1: instances of its media type with parameters are ignored.
    @Test func `no media type carries a parameter other than its weight`() async throws {
        let server = try server(["application/json"])
        _ = try await HTTPDataSource<Row>(HTTPEndpoint(server.url), items: "data", style: .linkHeader).page().get()
        let accept = try #require(server.requests.first?.headers["accept"])
        for range in accept.split(separator: ",") where range.contains(";") {
            #expect(
                range.split(separator: ";").dropFirst().allSatisfy {
                    $0.trimmingCharacters(in: .whitespaces).hasPrefix("q=")
                })
        }
        #expect(Self.quality(of: "application/json", in: accept) == 1)
        #expect(Self.quality(of: "application/vnd.api+json", in: accept) < 1)
    }

    @Test func `an endpoint's own header field goes before`() async throws {
        let server = try server(["application/vnd.api+json"])
        let endpoint = HTTPEndpoint(server.url, headers: ["Accept": "application/vnd.api+json"])
        _ = try await HTTPDataSource<Row>(endpoint, items: "data", style: .linkHeader).page().get()
        #expect(server.requests.map { $0.headers["accept"] } == ["application/vnd.api+json"])
    }
}

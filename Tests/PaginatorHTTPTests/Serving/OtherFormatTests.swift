import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

struct OtherFormatTests {
    private struct NoNumber: Error {}

    /// One number a line.
    private static func numbers(_ body: Data) throws -> (items: [Int], fields: [String: String]) {
        let lines = String(decoding: body, as: UTF8.self).split(separator: "\n")
        return (
            try lines.map { line in
                guard let number = Int(line) else { throw NoNumber() }
                return number
            }, [:]
        )
    }

    @Test func `pages through lines of text, with the sources' retries and authentication`() async throws {
        let server = try LoopbackServer { request in
            guard request.headers["authorization"] != nil else { return LoopbackServer.reply("", status: 401) }
            let page = Int(request.query["page"] ?? "") ?? 0
            return LoopbackServer.reply(
                page < 3 ? "\(page * 2 - 1)\n\(page * 2)\n" : "5\n", headers: ["Content-Type": "text/plain"])
        }
        var options = HTTPSourceOptions()
        options.authentication = .basic(user: "a", password: "b")
        let source = HTTPDataSource<Int>(
            HTTPEndpoint(server.url), style: .pageNumber(page: "page", size: "rows"), options: options,
            decodeBody: Self.numbers)
        var (key, all): (String?, [Int]) = (source.firstKey, [])
        while let current = key {
            let page = try await source.page(current, size: 2).get()
            all += page.content
            key = page.nextKey
        }
        #expect(all == [1, 2, 3, 4, 5])
        #expect(server.requests.first?.headers["accept"] == "*/*")
    }

    @Test func `a style finds its cursor among the fields`() async throws {
        let server = try LoopbackServer { request in
            let page = request.query["cursor"] == nil ? "1,2;next=b c" : "3"
            return LoopbackServer.reply(page, headers: ["Content-Type": "text/csv"])
        }
        let source = HTTPDataSource<Int>(HTTPEndpoint(server.url), style: .cursor("cursor", from: "next")) { body in
            let parts = String(decoding: body, as: UTF8.self).split(separator: ";")
            let next = parts.dropFirst().first.map { String($0.dropFirst("next=".count)) }
            return (parts[0].split(separator: ",").compactMap { Int($0) }, next.map { ["next": $0] } ?? [:])
        }
        let first = try await source.page().get()
        #expect(first.content == [1, 2])
        let second = try await source.page(first.nextKey).get()
        #expect(second.content == [3])
        #expect(second.nextKey == nil)
        #expect(server.requests.last?.query["cursor"] == "b c")
    }

    @Test func `a body that cannot be decoded fails, and so do more items than asked for`() async throws {
        let server = try LoopbackServer { request in
            LoopbackServer.reply(request.path == "/bad" ? "one" : "1\n2\n3", headers: ["Content-Type": "text/plain"])
        }
        let style = HTTPStyle.pageNumber(page: "page", size: "rows")
        let bad = HTTPDataSource<Int>(HTTPEndpoint(server.url + "/bad"), style: style, decodeBody: Self.numbers)
        #expect(await bad.failure()?.httpError?.code == .brokenItem)
        let long = HTTPDataSource<Int>(HTTPEndpoint(server.url + "/long"), style: style, decodeBody: Self.numbers)
        #expect(await long.failure(size: 2)?.httpError?.code == .pageSizeDiffers)
    }

    /// The whole body as one item.
    private func texts(_ server: LoopbackServer, _ headers: [String: String] = [:]) -> HTTPDataSource<String> {
        HTTPDataSource<String>(HTTPEndpoint(server.url, headers: headers), style: .offset()) { body in
            ([String(decoding: body, as: UTF8.self)], [:])
        }
    }

    @Test func `a web page is decoded only if the endpoint accepts one`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackServer.reply("<p>Please sign in.</p>", headers: ["Content-Type": "text/html"])
        }
        for headers: [String: String] in [[:], ["Accept": "text/csv"]] {
            let error = try #require(await texts(server, headers).failure())
            #expect(error.httpError?.code == .webPage && error.isRetryable)
        }
        #expect(try await texts(server, ["Accept": "text/html"]).page().get().content == ["<p>Please sign in.</p>"])
    }

    @Test func `a feed of XML is decoded also where it is labelled as a web page`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackServer.reply("\n<rss version=\"2.0\"/>", headers: ["Content-Type": "text/html"])
        }
        #expect(try await texts(server).page().get().content == ["\n<rss version=\"2.0\"/>"])
    }

    @Test func `a failed status is read as a failure, whatever its format`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackServer.reply("<oops/>", status: 500, headers: ["Content-Type": "text/xml"])
        }
        let source = HTTPDataSource<Int>(
            HTTPEndpoint(server.url), style: .pageNumber(page: "page", size: "rows"), decodeBody: Self.numbers)
        let error = await source.failure()
        #expect(error?.isRetryable == true)
        #expect(error?.httpError?.status == 500)
    }
}

import Foundation
import PaginatorAsync
import PaginatorCore
import PaginatorStorage
import PaginatorTesting
import StorageTesting
import Testing

@testable import PaginatorHTTP

/// A server that repeats in its links whatever query it was asked with, as many do: RFC 8288 says nothing against it.
private func echoingServer(_ last: Int = 3, adding constant: String? = nil) throws -> LoopbackServer {
    try LoopbackServer { request in
        let page = request.query["page"].flatMap { Int($0) } ?? 1
        var parts = request.target.split(separator: "?").dropFirst().joined().split(separator: "&").map(String.init)
        parts.removeAll { $0.hasPrefix("page=") }
        if let constant, !parts.contains(constant) { parts.append(constant) }
        func link(_ page: Int, _ relation: String) -> String {
            "<\(request.path)?\((parts + ["page=\(page)"]).joined(separator: "&"))>; rel=\"\(relation)\""
        }
        var links: [String] = []
        if page < last { links.append(link(page + 1, "next")) }
        if page > 1 { links.append(link(page - 1, "prev")) }
        let headers = links.isEmpty ? [:] : ["Link": links.joined(separator: ", ")]
        return LoopbackServer.reply(rows([page]), headers: headers)
    }
}

/// Who reads keys, in events, in error texts and on disk, must not learn who asks; and what the server itself put into
/// its links must come back to it.
struct KeySecrecyTests {
    private static let secret = "s3cr3t-value"

    private func walk(_ source: HTTPDataSource<Row>) async throws -> [PaginatorPage<Row>] {
        var pages = [try await source.page().get()]
        while let next = pages.last?.nextKey { pages.append(try await source.page(next).get()) }
        return pages
    }

    @Test(arguments: [
        "private_token", "api_token", "oauth_token", "appid", "X-Amz-Signature", "session", "what_nobody_has_heard_of",
    ])
    func `what the authentication adds to a query is in no key, whatever its name is`(_ name: String) async throws {
        let server = try echoingServer()
        var options = HTTPSourceOptions()
        options.authentication = HTTPAuthentication(adapt: { $0.set(.query(name), to: Self.secret) })
        let source = HTTPDataSource<Row>(
            HTTPEndpoint(server.url + "/rows?state=open"), style: .linkHeader(size: nil), options: options)
        let pages = try await walk(source)
        #expect(pages.map { $0.content.map(\.id) } == [[1], [2], [3]])
        #expect(pages.compactMap(\.nextKey) == ["/rows?state=open&page=2", "/rows?state=open&page=3"])
        #expect(pages.compactMap(\.prevKey) == ["/rows?state=open&page=1", "/rows?state=open&page=2"])
        #expect(server.requests.allSatisfy { $0.query[name] == Self.secret && $0.query["state"] == "open" })
    }

    @Test(arguments: ["private_token", "api_token", "oauth_token", "appid", "X-Amz-Signature", "session"])
    func `a secret of the endpoint's address is in no key and in every request`(_ name: String) async throws {
        let server = try echoingServer()
        let source = HTTPDataSource<Row>(
            HTTPEndpoint(server.url + "/rows?\(name)=\(Self.secret)"), style: .linkHeader(size: nil))
        let pages = try await walk(source)
        #expect(pages.compactMap(\.nextKey) == ["/rows?page=2", "/rows?page=3"])
        #expect(server.requests.map { $0.query[name] } == [Self.secret, Self.secret, Self.secret])
    }

    @Test func `a token that was renewed during a walk is in no key either`() async throws {
        let server = try echoingServer()
        let token = Handshake(0)
        var options = HTTPSourceOptions()
        options.authentication = HTTPAuthentication(adapt: { request in
            request.set("ticket", to: "\(Self.secret)-\(token.update { $0 += 1; return $0 })")
        })
        let source = HTTPDataSource<Row>(
            HTTPEndpoint(server.url + "/rows"), style: .linkHeader(size: nil), options: options)
        #expect(try await walk(source).compactMap(\.nextKey) == ["/rows?page=2", "/rows?page=3"])
    }

    @Test func `no secret reaches events, error texts or the disk by way of a key`() async throws {
        let server = try echoingServer()
        let recorder = RecordingObserver()
        let file = ScriptedPageFile()
        var config = DefaultPaginatorConfig()
        config.observer = recorder
        config.maxAttempts = 1
        var options = HTTPSourceOptions()
        options.authentication = HTTPAuthentication(adapt: { $0.set("appid", to: Self.secret) })
        let source = HTTPDataSource<Row>(
            HTTPEndpoint(server.url + "/rows"), style: .linkHeader(size: nil), options: options)
        let paginator = CallbackPaginator(
            dataSource: source, store: PageFileStore<Row>(file: file, codec: JSONPageCodec()), config: config)
        let first = try await paginator.answer(source.firstKey).get()
        let next = try #require(first.page.nextKey)
        _ = try await paginator.answer(next).get()
        server.stop()
        guard case .failure(let error) = await paginator.answer("/rows?page=9") else {
            Issue.record("there was a page")
            return
        }
        try await paginator.shutdownAndWait()
        let stored = try file.recover().map(\.identity)
        #expect(stored.count == 2)
        for identity in stored {
            let record = try #require(try file.read(identity))
            #expect(!"\(record)".contains(Self.secret))
            #expect(!String(decoding: record.content, as: UTF8.self).contains(Self.secret))
        }
        for text in ["\(error)", "\(recorder.events)", "\(stored)", paginator.dump()] {
            #expect(!text.contains(Self.secret), "\(text)")
        }
    }

    /// The second page sent it and the third dropped it.
    @Test(arguments: ["token=t1", "key=k1", "sig=s1", "auth=a1", "access_token=c1"])
    func `a parameter that the server put into its links is sent on every page`(_ constant: String) async throws {
        let server = try echoingServer(5, adding: constant)
        let source = HTTPDataSource<Row>(HTTPEndpoint(server.url + "/rows?q=a"), style: .linkHeader(size: nil))
        #expect(try await walk(source).flatMap { $0.content.map(\.id) } == [1, 2, 3, 4, 5])
        let name = String(constant.prefix { $0 != "=" })
        let value = String(constant.drop { $0 != "=" }.dropFirst())
        #expect(server.requests.map { $0.query[name] } == [nil, value, value, value, value])
        #expect(server.requests.allSatisfy { $0.query["q"] == "a" })
    }

    @Test func `a server's own parameter of a secret's name is kept beside the endpoint's secret`() async throws {
        // The endpoint's `key` says who asks; the server's `token` says which page.
        let server = try LoopbackServer { request in
            let page = request.query["token"].flatMap { Int($0) } ?? 1
            let link = "<?key=\(request.query["key"] ?? "")&token=\(page + 1)>; rel=next"
            return LoopbackServer.reply(rows([page]), headers: page < 4 ? ["Link": link] : [:])
        }
        let source = HTTPDataSource<Row>(
            HTTPEndpoint(server.url + "/rows?key=\(Self.secret)"), style: .linkHeader(size: nil))
        let pages = try await walk(source)
        #expect(pages.flatMap { $0.content.map(\.id) } == [1, 2, 3, 4])
        #expect(pages.compactMap(\.nextKey) == ["/rows?token=2", "/rows?token=3", "/rows?token=4"])
        #expect(server.requests.allSatisfy { $0.query["key"] == Self.secret })
    }

    @Test func `what the authentication puts into the path is in no key either`() async throws {
        let server = try echoingServer()
        var options = HTTPSourceOptions()
        options.authentication = HTTPAuthentication(adapt: { request in
            let address = request.url.absoluteString.replacing("/rows", with: "/\(Self.secret)/rows")
            request.url = URL(string: address) ?? request.url
        })
        let source = HTTPDataSource<Row>(
            HTTPEndpoint(server.url + "/rows"), style: .linkHeader(size: nil), options: options)
        #expect(try await walk(source).compactMap(\.nextKey) == ["/rows?page=2", "/rows?page=3"])
        #expect(server.requests.allSatisfy { $0.path == "/\(Self.secret)/rows" })
    }

    @Test func `an app names the secrets of its own endpoint`() async throws {
        let server = try echoingServer()
        var options = HTTPSourceOptions()
        options.secretParameters = ["Tenant-Pass"]
        let source = HTTPDataSource<Row>(
            HTTPEndpoint(server.url + "/rows?tenant-pass=\(Self.secret)&key=open"), style: .linkHeader(size: nil),
            options: options)
        #expect(try await walk(source).compactMap(\.nextKey) == ["/rows?key=open&page=2", "/rows?key=open&page=3"])
        #expect(server.requests.allSatisfy { $0.query["tenant-pass"] == Self.secret && $0.query["key"] == "open" })
    }

    @Test func `a secret that only the first page's address has is put back too`() async throws {
        let server = try echoingServer()
        let source = HTTPDataSource<Row>(
            HTTPEndpoint(server.url + "/rows"), first: HTTPEndpoint(server.url + "/rows?api_key=\(Self.secret)"),
            style: .linkHeader(size: nil))
        let first = try await source.page().get()
        #expect(first.nextKey == "/rows?page=2")
        #expect(try await source.page("/rows?page=2").get().nextKey == "/rows?page=3")
        #expect(server.requests.map { $0.query["api_key"] } == [Self.secret, Self.secret])
    }

    @Test func `a secret of a first page at another origin is in no key, and goes back to that origin alone`()
        async throws
    {
        let later = try echoingServer(9)
        let first = try LoopbackServer { request in
            let page = request.query["page"].flatMap { Int($0) } ?? 1
            // The second page names the third one at the other server, and repeats the secret there too.
            let target = page == 1 ? "/rows?page=2" : "\(later.url)/rows?page=3"
            let link = "<\(target)&api_key=\(request.query["api_key"] ?? "none")>; rel=next"
            return LoopbackServer.reply(rows([page]), headers: ["Link": link])
        }
        var options = HTTPSourceOptions()
        options.allowedOrigins = [first.url]
        let source = HTTPDataSource<Row>(
            HTTPEndpoint(later.url + "/rows"), first: HTTPEndpoint(first.url + "/rows?api_key=\(Self.secret)"),
            style: .linkHeader(size: nil), options: options)
        var keys: [String?] = [try await source.page().get().nextKey]
        keys.append(try await source.page(keys[0]).get().nextKey)
        _ = try await source.page(keys[1]).get()
        #expect(keys == ["\(first.url)/rows?page=2", "/rows?page=3"])
        #expect(first.requests.map { $0.query["api_key"] } == [Self.secret, Self.secret])
        #expect(later.requests.map { $0.query["api_key"] } == [nil])
    }

    @Test func `a secret that a redirect adds is in no key`() async throws {
        let pages = try echoingServer()
        let server = try LoopbackServer { request in
            guard request.query["session"] == nil else { return pages.answer(request) }
            let mark = request.target.contains("?") ? "&" : "?"
            let target = request.target + mark + "lang=en&session=\(Self.secret)"
            return LoopbackServer.reply("", status: 302, headers: ["Location": target])
        }
        let source = HTTPDataSource<Row>(HTTPEndpoint(server.url + "/rows"), style: .linkHeader(size: nil))
        let walked = try await walk(source)
        #expect(walked.map { $0.content.map(\.id) } == [[1], [2], [3]])
        // What it adds beside secrets is the server's own business, as in its links.
        #expect(walked.compactMap(\.nextKey) == ["/rows?lang=en&page=2", "/rows?lang=en&lang=en&page=3"])
    }

    @Test func `several values under a secret's name are a filter, and every request has them all`() async throws {
        let server = try echoingServer()
        let source = HTTPDataSource<Row>(
            HTTPEndpoint(server.url + "/rows?code=a&code=b&key=\(Self.secret)"), style: .linkHeader(size: nil))
        let pages = try await walk(source)
        #expect(pages.compactMap(\.nextKey) == ["/rows?code=a&code=b&page=2", "/rows?code=a&code=b&page=3"])
        #expect(server.requests.allSatisfy { $0.target.contains("code=a&code=b") })
        #expect(server.requests.allSatisfy { $0.query["key"] == Self.secret })
    }

    @Test func `a link with the endpoint's secret beside another value of its name has neither in the key`() throws {
        let source = HTTPDataSource<Row>(
            HTTPEndpoint("https://h/rows?key=\(Self.secret)"), style: .linkHeader(size: nil))
        let link = "</rows?key=\(Self.secret)&key=open&page=2>; rel=next"
        #expect(try source.read("[]", headers: ["Link": link]).get().nextKey == "/rows?page=2")
    }
}

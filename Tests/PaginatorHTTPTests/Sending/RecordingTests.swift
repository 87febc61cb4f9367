import Foundation
import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

/// Answers that were recorded to files, and come from these when the server is gone.
struct RecordingTests {
    private static let secret = "s3cr3t-value"
    private let folder = FileManager.default.temporaryDirectory.appending(path: "recordings-\(UUID().uuidString)")

    private func source(
        _ server: LoopbackServer, _ session: HTTPSession, method: String = "GET", body: String? = nil
    ) -> HTTPDataSource<Row> {
        var options = HTTPSourceOptions()
        options.session = session
        options.authentication = .bearer { Self.secret }
        let endpoint = HTTPEndpoint(
            server.url + "/rows?api_key=\(Self.secret)", method: method, body: body)
        return HTTPDataSource<Row>(endpoint, style: .linkHeader, options: options)
    }

    private func server() throws -> LoopbackServer {
        try LoopbackServer { request in
            let page = Int(request.query["page"] ?? "1") ?? 1
            // It repeats what it was sent, as servers do.
            let next = "</rows?page=\(page + 1)&api_key=\(Self.secret)>; rel=\"next\""
            return LoopbackServer.reply(
                rows([page * 10, page * 10 + 1]),
                headers: ["Link": page < 3 ? next : "", "Set-Cookie": "sid=\(Self.secret)"])
        }
    }

    private var files: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? []
    }

    private func walk(_ source: HTTPDataSource<Row>) async throws -> [Int] {
        var (ids, key): ([Int], String?) = ([], source.firstKey)
        while let next = key {
            let page = try await source.page(next, size: 2).get()
            (ids, key) = (ids + page.content.map(\.id), page.nextKey)
        }
        return ids
    }

    @Test func `a walk that was recorded is replayed when the server is gone`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try server()
        let recorded = try await walk(source(server, HTTPSession(replaying: folder, recordingFrom: .shared)))
        #expect(recorded == [10, 11, 20, 21, 30, 31])
        #expect(server.requests.count == 3 && files.count == 3)
        server.stop()
        let replayed = try await walk(source(server, HTTPSession(replaying: folder)))
        #expect(replayed == recorded)
        #expect(server.requests.count == 3)
    }

    @Test func `a paginator with a list replays, too`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try server()
        for session in [HTTPSession(replaying: folder, recordingFrom: .shared), HTTPSession(replaying: folder)] {
            let paginator = CallbackPaginator(dataSource: source(server, session))
            var config = PaginatorListConfig()
            config.pageSize = 2
            let list = PaginatorList(paginator, config: config)
            let end: PaginatorError? = await withCheckedContinuation { continuation in
                list.loadAll { continuation.resume(returning: $0) }
            }
            #expect(end == nil)
            #expect(list.snapshot.map(\.id) == [10, 11, 20, 21, 30, 31])
            server.stop()
        }
    }

    @Test func `files are for people, and have no secret`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try server()
        _ = try await walk(source(server, HTTPSession(replaying: folder, recordingFrom: .shared)))
        for file in files {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            #expect(!text.contains(Self.secret))
            #expect(file.hasPrefix("GET-127.0.0.1-rows-"))
            #expect(text.contains(#""method" : "GET""#) && text.contains(#""status" : 200"#))
            #expect(text.contains(#"\"name\": \"row "#) && text.contains(#""Authorization" : "SECRET""#))
        }
        let names = files.filter { $0.hasPrefix("GET-127.0.0.1-rows-page-2-") }
        #expect(names.count == 1 && names[0].hasSuffix("-1.json"))
    }

    @Test func `the same request gets the recorded answers in their order`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let calls = Guarded(0)
        let server = try LoopbackServer { _ in
            let call = calls.withLock { count in
                count += 1
                return count
            }
            return call == 2 ? LoopbackServer.reply("gone", status: 404) : LoopbackServer.reply(rows([call]))
        }
        for session in [HTTPSession(replaying: folder, recordingFrom: .shared), HTTPSession(replaying: folder)] {
            let source = source(server, session)
            #expect(try await source.page().get().content.map(\.id) == [1])
            #expect(await source.failure()?.httpError?.status == 404)
            #expect(try await source.page().get().content.map(\.id) == [3])
            server.stop()
        }
        #expect(calls.withLock { $0 } == 3)
    }

    @Test func `a request that was not recorded names the file, and is not tried again`() async throws {
        let server = try server()
        let told = Handshake<[HTTPExchange]>([])
        let session = HTTPSession(replaying: folder, onExchange: { exchange in told.update { $0.append(exchange) } })
        let listener = RecordingListener<Row>()
        CallbackPaginator(dataSource: source(server, session)).fetch(key: "1", pageSize: 2, listener: listener)
        _ = try await listener.waitForEnd()
        let failure = await source(server, session).failure()
        let error = try #require(failure?.httpError)
        #expect(error.code == .notRecorded && failure?.isRetryable == false)
        #expect(error.field?.hasPrefix("GET-127.0.0.1-rows-") == true && error.message.contains(error.field ?? "?"))
        #expect(!error.message.contains(Self.secret))
        #expect(server.requests.isEmpty && files.isEmpty)
        #expect(told.read { $0 }.last?.error?.code == .notRecorded)
    }

    /// Recordings stay beside the tests that use them, so a later version has to find them.
    @Test func `a file's name stays the same from version to version, and is not as long as its request`() async {
        let session = HTTPSession(replaying: folder)
        let issues = "https://api.example.com/v1/organizations/swiftlang/repositories/swift/issues"
        let query = "?state=all&labels=compiler&sort=updated&direction=desc"
        let words = "GET-api.example.com-v1-organizations-swiftlang-repositories-swift-issues-state-a"
        for number in 1...2 {
            let error = await #expect(throws: HTTPSourceError.self) {
                try await session.send(HTTPEndpoint(issues + query))
            }
            #expect(error?.field == "\(words)-c602f7d4-\(number).json")
        }
    }

    @Test func `only what is missing is recorded, by method and body`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try LoopbackServer { request in LoopbackServer.reply(rows([request.body.utf8.count])) }
        for (count, body) in [(1, nil), (1, nil), (2, "{\"q\":1}"), (3, "{\"q\":22}"), (3, "{\"q\":1}")]
            as [(Int, String?)]
        {
            let session = HTTPSession(replaying: folder, recordingFrom: .shared)
            let page = try await source(server, session, method: body == nil ? "GET" : "POST", body: body).page().get()
            #expect(page.content.map(\.id) == [body?.utf8.count ?? 0])
            #expect(server.requests.count == count)
        }
    }

    @Test func `a body that is no text comes back byte by byte`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let bytes: [UInt8] = [0xff, 0, 0xfe, 10, 13]
        let server = try LoopbackServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\n"), .sendBytes(bytes), .close]
        }
        for session in [HTTPSession(replaying: folder, recordingFrom: .shared), HTTPSession(replaying: folder)] {
            let answer = try await session.send(HTTPEndpoint(server.url + "/image"))
            #expect(Array(answer.body) == bytes && answer.status == 200)
            server.stop()
        }
    }

    @Test func `a redirect is replayed from where it led`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try LoopbackServer { request in
            request.path == "/rows"
                ? LoopbackServer.reply("", status: 302, headers: ["Location": "/v2/rows"])
                : LoopbackServer.reply(rows([1]), headers: ["Link": "<more?page=2>; rel=\"next\""])
        }
        for session in [HTTPSession(replaying: folder, recordingFrom: .shared), HTTPSession(replaying: folder)] {
            #expect(try await source(server, session).page().get().nextKey == "/v2/more?page=2")
            server.stop()
        }
        #expect(server.requests.map(\.path) == ["/rows", "/v2/rows"])
    }

    @Test func `a file that is damaged is named`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try server()
        _ = try await source(server, HTTPSession(replaying: folder, recordingFrom: .shared)).page().get()
        try Data("{".utf8).write(to: folder.appending(path: files[0]))
        let error = await source(server, HTTPSession(replaying: folder)).failure()?.httpError
        #expect(error?.code == .notRecorded && error?.field == files[0])
    }

    @Test(arguments: 0..<4)
    func `a body is recorded without its credentials, and replayed`(_ kind: Int) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try LoopbackServer { request in
            LoopbackServer.reply(request.body.contains(Self.secret) ? "[1]" : "[]")
        }
        let secret = Self.secret
        let request = [
            HTTPEndpoint.form(
                server.url, ["user": "ann", "token": "page-1", "password": secret, "code_verifier": secret]),
            HTTPEndpoint.search(
                server.url,
                body: "{\"user\":\"ann\",\"token\":\"page-1\",\"login\":[{\"Password\":\"\(secret)\"}]}"),
            HTTPEndpoint(
                server.url, method: "POST", data: Data("user=ann&pass%77ord=\(secret)".utf8),
                contentType: "application/x-www-form-urlencoded; charset=utf-8"),
            HTTPEndpoint(
                server.url, method: "POST", data: Data("{\"user\":\"ann\",\"own\":\"\(secret)\"}".utf8),
                contentType: "application/json"),
        ][kind]
        for session in [
            HTTPSession(replaying: folder, recordingFrom: .shared, secretParameters: ["OWN"]),
            HTTPSession(replaying: folder, secretParameters: ["OWN"]),
        ] {
            #expect(try await String(decoding: session.send(request).body, as: UTF8.self) == "[1]")
            server.stop()
        }
        let text = try String(contentsOf: folder.appending(path: files[0]), encoding: .utf8)
        #expect(!text.contains(Self.secret) && text.contains("SECRET") && text.contains("ann"))
        // In bodies, a token also names a page.
        #expect(text.contains("page-1") == (kind < 2))
    }

    @Test(arguments: [("abc", true), ("abcd", false)])
    func `a credential of up to three bytes leaves the answer as it came`(_ key: String, _ stays: Bool) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try LoopbackServer { _ in LoopbackServer.reply("[\"abcdef\"]") }
        let session = HTTPSession(replaying: folder, recordingFrom: .shared)
        _ = try await session.send(HTTPEndpoint(server.url), authentication: .header("X-Api-Key", key))
        let text = try String(contentsOf: folder.appending(path: files[0]), encoding: .utf8)
        #expect(text.contains("abcdef") == stays)
        #expect(text.contains("SECRET"))
    }
}

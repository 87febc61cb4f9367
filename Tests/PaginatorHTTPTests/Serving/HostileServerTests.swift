import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server that breaks every rule: each line ends in a clear error that names the field or the limit.
struct HostileServerTests {
    private func source(
        _ server: LoopbackServer, _ adjust: (inout HTTPSourceOptions) -> Void = { _ in }
    ) -> HTTPDataSource<Row> {
        var options = HTTPSourceOptions()
        adjust(&options)
        return HTTPDataSource<Row>(
            HTTPEndpoint(server.url + "/rows"), items: "rows", style: .cursor("c", from: "next", size: "n"),
            options: options)
    }

    @Test(
        arguments: [
            ("<html>Welcome, please log in</html>", .notJSON, "body"), ("\"text\"", .notJSON, "body"),
            ("{\"rows\": [1,]}", .notJSON, "body"), ("{\"rows\": ", .endedEarly, "body"), ("", .endedEarly, "body"),
            (String(repeating: "[", count: 100_000), .limitExceeded, "jsonDepth"),
            ("{\"rows\": {\"a\": 1}}", .wrongType, "rows"), ("{\"other\": []}", .missingField, "rows"),
            ("[]", .missingField, "rows"), ("{\"rows\": [], \"next\": true}", .wrongType, "next"),
            ("{\"rows\": [{\"id\": []}]}", .brokenItem, "rows[0].id"), ("{\"rows\": [null]}", .brokenItem, "rows[0]"),
            ("{\"rows\": [{\"id\": null}]}", .brokenItem, "rows[0].id"),
            ("{\"rows\": [], \"error\": \"nothing for you\"}", nil, nil),
            ("{\"error\": \"nothing for you\"}", .refusedInBody, "rows"),
            ("{\"rows\": [\(String(repeating: "{\"id\":1},", count: 20))]}", .notJSON, "body"),
            ("{\"rows\": \(rows(1...11))}", .pageSizeDiffers, "rows"),
        ] as [(String, HTTPSourceError.Code?, String?)])
    func `names what is wrong`(_ body: String, _ code: HTTPSourceError.Code?, _ field: String?) async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply(body) }
        let error = await source(server).failure()?.httpError
        #expect(error?.code == code)
        #expect(error?.field == field)
        if let field, let error {
            #expect(
                error.message.contains(field) || field == "jsonDepth" || field == "body" || field == "rows", "\(error)")
        }
    }

    @Test func `refuses duplicate IDs`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("{\"rows\": \(rows([1, 2, 1]))}") }
        let error = await source(server) { $0.itemID = "id" }.failure()?.httpError
        #expect(error?.code == .duplicateID)
        #expect(error?.field == "rows[2].id")
    }

    /// The rest of the body is never sent: the server holds it until the client has gone.
    @Test(arguments: [
        (
            "{\"rows\": [\(String(repeating: "{\"id\":1},", count: 40))", HTTPSourceError.Code.limitExceeded,
            "itemsPerPage"
        ),
        ("{\"rows\": [\"\(String(repeating: "x", count: 5_000))", .limitExceeded, "bodyBytes"),
        ("<html>", .notJSON, "body"), (String(repeating: "[", count: 50), .limitExceeded, "jsonDepth"),
    ])
    func `stops a transfer early`(_ start: String, _ code: HTTPSourceError.Code, _ field: String) async throws {
        let server = try LoopbackServer { _ in
            [
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                .send("\(String(start.utf8.count, radix: 16))\r\n\(start)\r\n"), .hold("never"),
            ]
        }
        let error = await source(server) { options in
            options.limits.bodyBytes = 4_000
            options.limits.itemsPerPage = 30
            options.limits.jsonDepth = 20
        }.failure()?.httpError
        #expect(error?.code == code)
        #expect(error?.field == field)
        try await server.log.wait { $0.lost == 1 }
    }

    @Test func `stops before a body that is announced too large`() async throws {
        let server = try LoopbackServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n["), .hold("never")]
        }
        #expect(await source(server).failure()?.httpError?.code == .limitExceeded)
        try await server.log.wait { $0.lost == 1 }
    }

    @Test func `bounds the header`() async throws {
        let server = try LoopbackServer { _ in
            [.send("HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "x", count: 20_000))\r\n\r\n"), .hold("never")]
        }
        let error = await source(server) { $0.limits.headerBytes = 10_000 }.failure()?.httpError
        #expect(error?.code == .limitExceeded)
        #expect(error?.field == "headerBytes")
    }

    /// One byte now and then keeps nobody waiting for ever.
    @Test func `ends a trickle`() async throws {
        let clock = ManualPaginatorClock()
        let server = try LoopbackServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n["), .hold("second"), .send(" "), .hold("third")]
        }
        let session = HTTPSession(configuration: .ephemeral, clock: clock)
        let source = source(server) { $0.session = session }
        async let failure = source.failure()
        try await clock.waitForTimer()
        clock.advance(by: .seconds(10))
        let error = await failure
        #expect(error?.httpError?.code == .tooSlow)
        #expect(error?.httpError?.field == "slowestBytes")
        #expect(error?.isRetryable == true)
        try await server.log.wait { $0.lost == 1 }
    }

    @Test(arguments: [
        [WireStep.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"rows\": ["), .close],
        [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"row\r\n"), .close],
        [.send("HTTP/1.1 200 OK\r\n\r\n{\"rows\": ["), .close],
        [.close], [.send("HTTP/1.1 2"), .close], [.send("\u{0}\u{1}\u{2}nonsense\r\n\r\n"), .close],
        [.send("HTTP/1.1 200 OK\r\nContent-Length: nonsense\r\n\r\n{\"rows\": ["), .close],
    ])
    func `tells a connection that ends early`(_ steps: [WireStep]) async throws {
        let server = try LoopbackServer { _ in steps }
        let error = await source(server).failure()
        #expect([.endedEarly, .connection, .notJSON].contains(error?.httpError?.code), "\(String(describing: error))")
        if error?.httpError?.code == .endedEarly { #expect(error?.isRetryable == true) }
    }

    @Test func `finds a server that goes in a circle`() async throws {
        let server = try LoopbackServer { request in
            let next = ["": "a", "a": "b", "b": "c", "c": "a"][request.query["c"] ?? ""] ?? "a"
            return LoopbackServer.reply("{\"rows\": [], \"next\": \"\(next)\"}")
        }
        let source = source(server)
        for key in ["first", "a", "b"] { _ = try await source.page(key).get() }
        let error = await source.failure("c")?.httpError
        #expect(error?.code == .repeatedCursor)
        #expect(error?.field == "next")
    }

    @Test func `ends a walk that never ends`() async throws {
        let server = try LoopbackServer { request in
            let page = Int(request.query["c"] ?? "0") ?? 0
            return LoopbackServer.reply("{\"rows\": [], \"next\": \"\(page + 1)\"}")
        }
        let source = source(server) { $0.limits.pagesPerWalk = 5 }
        var key: String? = source.firstKey
        var last: HTTPSourceError?
        for _ in 0..<10 where last == nil {
            switch await source.page(key) {
            case .success(let page): key = page.nextKey
            case .failure(let error): last = error.httpError
            }
        }
        #expect(last?.code == .limitExceeded)
        #expect(last?.field == "pagesPerWalk")
    }

    @Test func `stops the transfer on cancel`() async throws {
        let server = try LoopbackServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n["), .hold("never")]
        }
        let session = HTTPSession(configuration: .ephemeral)
        let source = source(server) { $0.session = session }
        let answers = Handshake(0)
        let identity = PageIdentity(key: source.firstKey, pageSize: 10)
        let cancellation = source.fetch(SourceRequest(identity: identity)) { _ in answers.update { $0 += 1 } }
        try await server.log.wait { !$0.heldAt.isEmpty }
        cancellation.cancel()
        try await server.log.wait { $0.lost == 1 }
        cancellation.cancel()
        try await answers.wait { $0 == 1 }
    }

    @Test func `cancels before anything is sent`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply("{\"rows\": []}") }
        let answers = Handshake(0)
        for _ in 0..<50 {
            let source = source(server)
            source.fetch(SourceRequest(identity: PageIdentity(key: "first", pageSize: 10))) { _ in
                answers.update { $0 += 1 }
            }.cancel()
        }
        try await answers.wait { $0 == 50 }
    }
}

import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct AuthenticationTests {
    private static func server() throws -> LoopbackServer {
        try LoopbackServer { request in
            request.headers["authorization"] == "Bearer token-1"
                ? LoopbackServer.reply(rows(1...2)) : LoopbackServer.reply("", status: 401)
        }
    }

    private func source(
        _ server: LoopbackServer, _ authentication: HTTPAuthentication, session: HTTPSession = .shared
    ) -> HTTPDataSource<Row> {
        var options = HTTPSourceOptions()
        options.session = session
        options.authentication = authentication
        return HTTPDataSource<Row>(HTTPEndpoint(server.url), style: .linkHeader, options: options)
    }

    @Test func `refreshes once for all that wait`() async throws {
        let server = try Self.server()
        let token = Handshake(0)
        let adapted = Handshake(0)
        let refreshes = Handshake(0)
        let session = HTTPSession(configuration: .ephemeral)
        let authentication = HTTPAuthentication.bearer {
            // Nobody is sent before all are past the question whether a refresh runs, which waits for them below.
            adapted.update { $0 += 1 }
            try await adapted.wait { $0 >= 20 }
            return "token-\(token.read { $0 })"
        } refresh: {
            refreshes.update { $0 += 1 }
            // Everybody has been refused before there is a new token.
            try await server.log.wait { $0.requests.count >= 20 }
            while session.transferCount > 0 { await Task.yield() }
            token.update { $0 = 1 }
        }
        // Two sources share one authentication.
        let sources = (0..<2).map { _ in source(server, authentication, session: session) }
        let results = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<20 {
                group.addTask { (try? await sources[index % 2].page("/rows?page=\(index)").get()) != nil }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count { $0 } == 20)
        #expect(refreshes.read { $0 } == 1)
        #expect(server.requests.count == 40)
    }

    @Test func `repeats a request once`() async throws {
        let server = try Self.server()
        let refreshes = Handshake(0)
        let source = source(
            server,
            .bearer {
                "wrong"
            } refresh: {
                refreshes.update { $0 += 1 }
            })
        let error = await source.failure()
        #expect(error?.httpError?.code == .unauthorized)
        #expect(error?.isRetryable == false)
        #expect(server.requests.count == 2)
        #expect(refreshes.read { $0 } == 1)
    }

    /// With status 200: resolvers of Apollo Server and NestJS, another code and a status inside, Hot Chocolate, Hasura,
    /// Slack. With 400 and 500: the context of Apollo Server 3 and 4.
    private static let refusals: [(Int, String)] = [
        (200, #"{"data": null, "errors": [{"message": "no", "extensions": {"code": "UNAUTHENTICATED"}}]}"#),
        (200, #"{"data": {"rows": null}, "errors": [{"extensions": {"code": "UNAUTHENTICATED"}}]}"#),
        (200, #"{"data": {"rows": {"nodes": []}}, "errors": [{"extensions": {"code": "UNAUTHENTICATED"}}]}"#),
        (200, #"{"errors": [{"message": "no", "extensions": {"code": "UNAUTHORIZED"}}]}"#),
        (200, #"{"errors": [{"message": "no", "extensions": {"http": {"status": 401}}}]}"#),
        (200, #"{"errors": [{"message": "no", "extensions": {"code": "AUTH_NOT_AUTHENTICATED"}}]}"#),
        (200, #"{"errors": [{"extensions": {"path": "$", "code": "invalid-jwt"}, "message": "JWTExpired"}]}"#),
        (200, #"{"ok": false, "error": "token_expired"}"#),
        (400, #"{"errors": [{"message": "no", "extensions": {"code": "UNAUTHENTICATED"}}]}"#),
        (500, #"{"errors": [{"message": "no", "extensions": {"code": "UNAUTHENTICATED"}}]}"#),
    ]

    /// Pages through a GraphQL server; its token is renewed to another one.
    private func graphQL(
        _ server: LoopbackServer, renewedTo renewed: String, refreshes: Handshake<Int>
    ) -> HTTPDataSource<Row> {
        let token = Handshake("token-0")
        var options = HTTPSourceOptions()
        options.authentication = .bearer {
            token.read { $0 }
        } refresh: {
            refreshes.update { $0 += 1 }
            token.update { $0 = renewed }
        }
        return HTTPDataSource<Row>(
            .graphQL(server.url, query: "query"), style: .relayConnection("data.rows"), options: options)
    }

    private static let connection = #"{"rows": {"nodes": \#(rows(1...2)), "pageInfo": {"hasNextPage": false}}}"#

    @Test(arguments: refusals) func `a refusal in the body renews the token, and the page comes`(
        _ status: Int, _ refusal: String
    ) async throws {
        let server = try LoopbackServer { request in
            request.headers["authorization"] == "Bearer token-1"
                ? LoopbackServer.reply("{\"data\": \(Self.connection)}")
                : LoopbackServer.reply(refusal, status: status)
        }
        let refreshes = Handshake(0)
        let source = graphQL(server, renewedTo: "token-1", refreshes: refreshes)
        #expect(try await source.page("c").get().content.map(\.id) == [1, 2])
        #expect(server.requests.map { $0.headers["authorization"] } == ["Bearer token-0", "Bearer token-1"])
        #expect(refreshes.read { $0 } == 1)
    }

    @Test(arguments: refusals) func `a second refusal in the body is that of a 401`(
        _ status: Int, _ refusal: String
    ) async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply(refusal, status: status) }
        let refreshes = Handshake(0)
        let error = await graphQL(server, renewedTo: "token-1", refreshes: refreshes).failure("c")
        #expect(error?.httpError?.code == .unauthorized && error?.httpError?.status == status)
        #expect(error?.httpError?.body?.data == Data(refusal.utf8))
        #expect(error?.isRetryable == false && error?.isKeyExpired == false)
        #expect(server.requests.count == 2)
        #expect(refreshes.read { $0 } == 1)
    }

    @Test(
        arguments: [
            (200, "{\"data\": \(connection), \"errors\": [{\"extensions\": {\"code\": \"UNAUTHENTICATED\"}}]}", nil),
            (200, "{\"data\": \(connection), \"errors\": [{\"extensions\": {\"code\": \"FORBIDDEN\"}}]}", nil),
            (200, #"{"data": {"rows": null}, "errors": [{"extensions": {"code": "FORBIDDEN"}}]}"#, .refusedInBody),
            (400, #"{"errors": [{"extensions": {"code": "BAD_USER_INPUT"}}]}"#, .status),
            (403, #"{"errors": [{"extensions": {"code": "UNAUTHORIZED"}}]}"#, .status),
        ] as [(Int, String, HTTPSourceError.Code?)])
    func `an error beside the items, or of another kind, renews no token`(
        _ status: Int, _ body: String, _ code: HTTPSourceError.Code?
    ) async throws {
        let server = try LoopbackServer { _ in LoopbackServer.reply(body, status: status) }
        let refreshes = Handshake(0)
        let answer = await graphQL(server, renewedTo: "token-1", refreshes: refreshes).page()
        #expect(answer.httpError?.code == code)
        let ids = try? answer.get().content.map(\.id)
        #expect(ids == (code == nil ? [1, 2] : nil))
        #expect(server.requests.count == 1)
        #expect(refreshes.read { $0 } == 0)
    }

    @Test func `fails with the refresh`() async throws {
        struct LoggedOut: Error {}
        let server = try Self.server()
        let error = await source(
            server,
            .bearer {
                "wrong"
            } refresh: {
                throw LoggedOut()
            }
        ).failure()
        #expect(error?.httpError?.code == .authenticationFailed)
        #expect(error?.httpError?.underlying is LoggedOut)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [(400, false), (401, false), (403, false), (503, true), (429, true)])
    func `a token that its server refuses is no expired cursor of the page`(
        _ status: Int, _ isRetryable: Bool
    ) async throws {
        let server = try LoopbackServer { request in
            request.path == "/token"
                ? LoopbackServer.reply("{\"error\": \"invalid_grant\"}", status: status)
                : LoopbackServer.reply("", status: 401)
        }
        let authentication = HTTPAuthentication.bearer {
            "old"
        } refresh: {
            _ = try await HTTPSession.shared.send(.form(server.url + "/token", ["grant_type": "refresh_token"]))
        }
        let error = await source(server, authentication).failure(server.url + "/?page=5")
        #expect(error?.httpError?.code == .authenticationFailed)
        #expect((error?.httpError?.underlying as? HTTPSourceError)?.status == status)
        #expect(error?.isKeyExpired == false)
        #expect(error?.isRetryable == isRetryable)
    }

    @Test func `a refresh that was cancelled on its own cancels no fetch`() async throws {
        let server = try Self.server()
        let error = await source(
            server,
            .bearer {
                "wrong"
            } refresh: {
                throw CancellationError()
            }
        ).failure()
        #expect(error?.httpError?.code == .authenticationFailed)
    }

    @Test(arguments: [
        (URLError.Code.networkConnectionLost, true), (.notConnectedToInternet, true), (.cannotFindHost, true),
        (.userAuthenticationRequired, false), (.badServerResponse, false), (.cancelled, false),
    ])
    func `a refresh without a connection is retried, and a refused one is not`(
        _ code: URLError.Code, _ isRetryable: Bool
    ) async throws {
        let server = try Self.server()
        // Not idempotent, but the server did not carry it out.
        var options = HTTPSourceOptions()
        options.authentication = .bearer {
            "wrong"
        } refresh: {
            throw URLError(code)
        }
        let source = HTTPDataSource<Row>(
            HTTPEndpoint(server.url, method: "POST", body: "{}"), style: .linkHeader, options: options)
        let error = await source.failure()
        #expect(error?.httpError?.code == .authenticationFailed)
        #expect(error?.httpError?.urlErrorCode == code)
        #expect(error?.isRetryable == isRetryable)
    }

    @Test func `a cancelled request does not wait for the refresh, which goes on for the others`() async throws {
        let server = try Self.server()
        let token = Handshake(0)
        let refreshes = Handshake(0)
        let isHeld = Handshake(true)
        let authentication = HTTPAuthentication.bearer {
            "token-\(token.read { $0 })"
        } refresh: {
            refreshes.update { $0 += 1 }
            try await isHeld.wait { !$0 }
            token.update { $0 = 1 }
        }
        @Sendable func send() async -> HTTPSourceError.Code? {
            do {
                _ = try await HTTPSession.shared.send(HTTPEndpoint(server.url), authentication: authentication)
                return nil
            } catch { return error.code }
        }
        // The request that began the refresh, and one that came during it.
        let refused = Task { await send() }
        try await refreshes.wait { $0 == 1 }
        let later = Task { await send() }
        for task in [refused, later] {
            task.cancel()
            #expect(await task.value == .cancelled)
        }
        let staying = Task { await send() }
        isHeld.update { $0 = false }
        #expect(await staying.value == nil)
        #expect(refreshes.read { $0 } == 1)
    }

    @Test func `a request that comes during a refresh is sent once, with the new credentials`() async throws {
        let server = try Self.server()
        let (token, adapted) = (Handshake(0), Handshake(0))
        let later = Handshake<(@Sendable () -> Void)?>(nil)
        let authentication = HTTPAuthentication.bearer {
            adapted.update { $0 += 1 }
            return "token-\(token.read { $0 })"
        } refresh: {
            later.read { $0 }?()
            // Enough for the later request to be on its way, if it did not wait.
            for _ in 0..<10_000 where adapted.read({ $0 }) < 2 { await Task.yield() }
            token.update { $0 = 1 }
        }
        @Sendable func send() async throws {
            _ = try await HTTPSession.shared.send(HTTPEndpoint(server.url), authentication: authentication)
        }
        let ended = Handshake(0)
        later.update {
            $0 = {
                // A request of the refresh's own would not wait.
                Task.detached {
                    try await send()
                    ended.update { $0 += 1 }
                }
            }
        }
        try await send()
        try await ended.wait { $0 == 1 }
        let sent = server.requests.compactMap { $0.headers["authorization"] }
        #expect(sent == ["Bearer token-0", "Bearer token-1", "Bearer token-1"])
    }

    /// If the refresh waited for itself, this would not end.
    @Test(arguments: [200, 401]) func `a refresh may send requests with the authentication that it renews`(
        _ status: Int
    ) async throws {
        let server = try LoopbackServer { request in
            if request.path == "/token" { return LoopbackServer.reply("{}", status: status) }
            return request.headers["authorization"] == "Bearer token-1"
                ? LoopbackServer.reply(rows(1...2)) : LoopbackServer.reply("", status: 401)
        }
        let token = Handshake(0)
        let own = Handshake<HTTPAuthentication?>(nil)
        let authentication = HTTPAuthentication.bearer {
            "token-\(token.read { $0 })"
        } refresh: {
            _ = try await HTTPSession.shared.send(
                HTTPEndpoint(server.url + "/token", method: "POST"), authentication: own.read { $0 })
            token.update { $0 = 1 }
        }
        own.update { $0 = authentication }
        defer { own.update { $0 = nil } }
        let answer = await source(server, authentication).page()
        if status == 200 {
            #expect(try answer.get().content.map(\.id) == [1, 2])
        } else {
            #expect(answer.httpError?.code == .authenticationFailed)
        }
    }

    @Test func `fails without a refresh`() async throws {
        let server = try Self.server()
        #expect(await source(server, .header("X-Api-Key", "k")).failure()?.httpError?.code == .unauthorized)
        #expect(server.requests.map { $0.headers["x-api-key"] } == ["k"])
    }

    @Test func `keeps the adapter at its origin`() async throws {
        let server = try Self.server()
        let elsewhere = HTTPAuthentication(adapt: { request in
            request.url = URL(string: "http://127.0.0.2:9/")!
        })
        #expect(await source(server, elsewhere).failure()?.httpError?.code == .otherOrigin)
        #expect(server.requests.isEmpty)
    }
}

import Foundation
import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorHTTP

/// What a server says about a failure reaches the app, which can show it; and no text of the library.
struct ErrorBodyTests {
    private func failure(
        _ body: String, status: Int, type: String = "application/json", limit: Int? = nil
    ) async throws -> (error: HTTPSourceError?, outer: PaginatorError?, events: String) {
        let server = try LoopbackServer { _ in
            LoopbackServer.reply(body, status: status, headers: ["Content-Type": type])
        }
        let recorder = RecordingObserver()
        var config = DefaultPaginatorConfig()
        config.maxAttempts = 1
        config.observer = recorder
        var options = HTTPSourceOptions()
        if let limit { options.limits.errorBodyBytes = limit }
        let source = HTTPDataSource<Row>(
            HTTPEndpoint(server.url), items: "data.rows", style: .cursor("c", from: "next"), options: options)
        let paginator = CallbackPaginator(dataSource: source, config: config)
        guard case .failure(let error) = await paginator.answer(source.firstKey) else { return (nil, nil, "") }
        return (error.underlying as? HTTPSourceError, error, "\(recorder.events) \(paginator.dump())")
    }

    /// RFC 9457, section 3.
    @Test func `problem details can be read`() async throws {
        let body = """
            {"type": "https://example.com/probs/out-of-credit", "title": "You do not have enough credit.",
            "status": 403, "detail": "Your balance is 30, but that costs 50.", "instance": "/account/12345/msgs/abc",
            "balance": 30}
            """
        let (error, _, _) = try await failure(body, status: 403, type: "application/problem+json; charset=utf-8")
        let said = try #require(error?.body)
        #expect(said.contentType == "application/problem+json")
        #expect(said.text(at: "type") == "https://example.com/probs/out-of-credit")
        #expect(said.text(at: "title") == "You do not have enough credit.")
        #expect(said.text(at: "detail") == "Your balance is 30, but that costs 50.")
        #expect(said.text(at: "status") == "403")
        #expect(said.text(at: "instance") == "/account/12345/msgs/abc")
        #expect(said.text(at: "balance") == "30")
        #expect(said.messages == ["Your balance is 30, but that costs 50."])
    }

    /// RFC 9457, section 3.1: a member of another type is ignored.
    @Test func `no message is made of what is no text`() async throws {
        let (error, _, _) = try await failure(
            "{\"title\": 5, \"detail\": null, \"message\": {\"a\": 1}}", status: 403, type: "application/problem+json")
        #expect(error?.body?.messages == [])
        #expect(error?.body?.text(at: "detail") == nil && error?.body?.text(at: "type") == nil)
        #expect(error?.body?.text(at: "message") == "{\"a\":1}")
    }

    @Test func `an error of another media type can be read all the same`() async throws {
        let (error, _, _) = try await failure(
            "{\"__type\": \"com.amazonaws#ResourceNotFoundException\", \"message\": \"gone\"}", status: 400)
        #expect(error?.body?.code == "ResourceNotFoundException")
        #expect(error?.body?.messages == ["gone"])
        #expect(error?.body?.text(at: "__type") == "com.amazonaws#ResourceNotFoundException")
    }

    @Test func `the messages of GraphQL can be read, though the status is 200`() async throws {
        let (error, _, _) = try await failure(
            "{\"data\": null, \"errors\": [{\"message\": \"first\", \"extensions\": {\"code\": \"FORBIDDEN\"}}, {\"message\": \"second\"}]}",
            status: 200)
        #expect(error?.code == .refusedInBody)
        #expect(error?.body?.messages == ["first", "second"])
        #expect(error?.body?.code == "FORBIDDEN")
    }

    @Test func `a body that is no JSON is there as bytes`() async throws {
        let (error, _, _) = try await failure("<h1>Bad gateway</h1>", status: 502, type: "text/html")
        #expect(error?.body.map { String(decoding: $0.data, as: UTF8.self) } == "<h1>Bad gateway</h1>")
        #expect(error?.body?.contentType == "text/html")
        #expect(error?.body?.code == nil && error?.body?.messages == [] && error?.body?.isTruncated == false)
    }

    @Test func `a large body is cut`() async throws {
        let (error, _, _) = try await failure(
            "{\"message\": \"\(String(repeating: "x", count: 5_000))\"}", status: 500, limit: 1_000)
        #expect(error?.body?.data.count == 1_000)
        #expect(error?.body?.isTruncated == true)
        let (none, _, _) = try await failure("{\"message\": \"no\"}", status: 500, limit: 0)
        #expect(none?.body == nil)
    }

    @Test(arguments: [400, 401, 403, 429, 500]) func `no text for metrics, logs or events says what the server said`(
        _ status: Int
    ) async throws {
        let secret = "s3cr3t-value"
        let (error, outer, events) = try await failure(
            "{\"title\": \"\(secret)\", \"detail\": \"\(secret)\", \"errors\": [{\"message\": \"\(secret)\"}]}",
            status: status, type: "application/problem+json")
        #expect(error?.body?.text(at: "detail") == secret)
        for text in [
            "\(error as Any)", String(reflecting: error), error?.message ?? "", outer?.metricsLabel ?? "",
            "\(outer as Any)",
            events, "\(error?.body as Any)", String(reflecting: error?.body),
        ] {
            #expect(!text.contains(secret), "\(text)")
        }
    }
}

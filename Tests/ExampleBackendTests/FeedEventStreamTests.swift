import FlyingFox
import FlyingSocks
import Foundation
import GRDB
import Testing

@testable import ExampleBackend

/// The feed's stream of events: who may read it for how long, and how much comes at once.
@Suite(.timeLimit(.minutes(1))) struct FeedEventStreamTests {
    /// Opens the stream of a client's session behind an event.
    private func open(_ client: LoopbackClient, after lastID: String? = nil) async throws -> HTTPBodySequence {
        var routes = BackendRoutes()
        client.server.feed.addRoutes(to: &routes)
        let session = try #require(try await client.server.accounts.session(ofToken: client.token))
        guard case .signedIn(let action)? = routes.route(method: "GET", path: "/v1/feed/events")?.0.action else {
            throw BackendFailure.notListening
        }
        var request = BackendRequest(
            path: "/v1/feed/events", parameters: [:], query: [:],
            headers: { $0 == "Last-Event-ID" ? lastID : nil }, body: Data())
        request.session = session.id
        return try #require(try await action(request, session.user).stream)
    }

    /// Whether a client is told of a new post from the beginning on.
    private func isTold(_ client: LoopbackClient) async throws -> Bool {
        var events = try await open(client, after: "0").makeAsyncIterator()
        return String(decoding: try #require(try await events.next()), as: UTF8.self).contains("new-posts")
    }

    @Test func `a stream ends with its session, and others go on`() async throws {
        let client = try await LoopbackClient.signedIn(posts: 1)
        var other = client
        other.token = try await client.newToken("Other")
        var own = try await open(client).makeAsyncIterator()
        var others = try await open(other).makeAsyncIterator()
        try #require(try await own.next() != nil)
        #expect(try await client.ask("DELETE", "/v1/session").status == 204)
        let post = try client.server.feed.add("news", by: try client.server.accounts.user(named: "Somebody"))
        // What was on its way when the session ended may still come.
        while try await own.next() != nil {}
        var text = ""
        while !text.contains("new-posts"), let piece = try await others.next() {
            text += String(decoding: piece, as: UTF8.self)
        }
        #expect(text.contains("new-posts"))
        #expect(post > 0)
        await client.server.stop()
    }

    @Test func `a post is announced to all devices but the one that wrote it, which may sign in again`() async throws {
        let client = try await LoopbackClient.signedIn(posts: 1)
        func signIn(_ name: String, on device: String? = nil) async throws -> LoopbackClient {
            var signedIn = client
            signedIn.token = try await client.newToken(name, device: device)
            return signedIn
        }
        let phone = try await signIn("Test", on: "phone")
        let post = ["requestId": "a", "content": "<p>mine</p>"]
        #expect(try await phone.ask("POST", "/v1/posts", post).status == 201)
        #expect(try await !isTold(phone))
        #expect(try await phone.ask("DELETE", "/v1/session").status == 204)
        let again = try await signIn("Test", on: "phone")
        let (tablet, other) = (try await signIn("Test", on: "tablet"), try await signIn("Other", on: "phone"))
        #expect(try await !isTold(again))
        for device in [client, tablet, other] { #expect(try await isTold(device)) }
        // As it was stored before devices were known.
        try await client.server.feed.database.queue.write { db in
            try db.execute(sql: "UPDATE postEvent SET device = NULL")
        }
        for device in [client, again, tablet] { #expect(try await !isTold(device)) }
        #expect(try await isTold(other))
        await client.server.stop()
    }

    @Test func `a client without a device is its session`() async throws {
        let client = try await LoopbackClient.signedIn(posts: 1)
        var other = client
        other.token = try await client.newToken("Test")
        let post = ["requestId": "a", "content": "<p>mine</p>"]
        #expect(try await client.ask("POST", "/v1/posts", post).status == 201)
        #expect(try await !isTold(client))
        #expect(try await isTold(other))
        await client.server.stop()
    }

    @Test func `what was missed comes in pieces, whole and in order`() async throws {
        let client = try await LoopbackClient.signedIn(posts: 1)
        let user = try client.server.accounts.user(named: "Somebody")
        for number in 0..<250 { _ = try client.server.feed.add("post \(number)", by: user) }
        var stream = try await open(client, after: "0").makeAsyncIterator()
        var (ids, largest): ([Int64], Int) = ([], 0)
        while ids.count < 250, let piece = try await stream.next() {
            let events = String(decoding: piece, as: UTF8.self).components(separatedBy: "\n\n")
                .filter { $0.contains("event:") }
            largest = max(largest, events.count)
            ids += events.flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix("id: ") }
                .compactMap { Int64($0.dropFirst(4)) }
        }
        #expect(ids.count == 250 && ids == ids.sorted() && Set(ids).count == 250)
        #expect(largest <= 100)
        await client.server.stop()
    }
}

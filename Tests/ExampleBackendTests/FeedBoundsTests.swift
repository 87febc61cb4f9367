import Foundation
import GRDB
import Testing

@testable import ExampleBackend

/// What no client may do to the feed of everybody.
@Suite(.timeLimit(.minutes(1))) struct FeedBoundsTests {
    private func post(_ id: String, _ content: String = "later", at time: Double) -> [String: Any] {
        ["requestId": id, "content": content, "publishAt": time]
    }

    private var soon: Double { (Date().timeIntervalSince1970 + 3_600) * 1_000 }

    @Test func `empty posts, times too far ahead and more than a hundred posts are not scheduled`() async throws {
        let client = try await LoopbackClient.signedIn(posts: 1)
        #expect(try await client.ask("POST", "/v1/posts", post("empty", "", at: soon)).status == 400)
        for time in [1e30, 1e15] {
            #expect(try await client.ask("POST", "/v1/posts", post("far", at: time)).status == 400)
        }
        for number in 0..<100 {
            #expect(try await client.ask("POST", "/v1/posts", post("\(number)", at: soon)).status == 202)
        }
        #expect(try await client.ask("POST", "/v1/posts", post("one more", at: soon)).status == 409)
        #expect(try await client.ask("POST", "/v1/posts", post("0", at: soon)).status == 202)
        await client.server.stop()
    }

    @Test func `a scheduled post that cannot appear holds up nobody else's`() async throws {
        let client = try await LoopbackClient.signedIn(posts: 1)
        let time = soon
        for id in ["broken", "good"] {
            #expect(try await client.ask("POST", "/v1/posts", post(id, at: time)).status == 202)
        }
        try await client.server.feed.database.queue.write { db in
            try db.execute(
                sql: "UPDATE scheduledPost SET post = replace(post, 'later', '') WHERE requestId = 'broken'")
        }
        try await client.server.feed.publishDue(at: Date(timeIntervalSinceNow: 7_200))
        #expect(try client.server.feed.posts(of: try client.server.accounts.user(named: "Test")) == ["later"])
        #expect((try await client.ask("GET", "/v1/scheduled").json["scheduled"] as! [Any]).isEmpty)
        await client.server.stop()
    }

    @Test func `a scheduled post that was taken back stays so when its request comes again`() async throws {
        let client = try await LoopbackClient.signedIn(posts: 1)
        let body = post("s", at: soon)
        let path = try #require(try await client.ask("POST", "/v1/posts", body).headers["location"])
        #expect(try await client.ask("DELETE", path).status == 204)
        #expect(try await client.ask("POST", "/v1/posts", body).status == 202)
        #expect((try await client.ask("GET", "/v1/scheduled").json["scheduled"] as! [Any]).isEmpty)
        try await client.server.feed.publishDue(at: Date(timeIntervalSinceNow: 7_200))
        #expect(try await client.posts("/v1/feed").posts.count == 1)
        await client.server.stop()
    }

    @Test func `an upload is read by its path only, and named by its owner only`() async throws {
        var client = try await LoopbackClient.signedIn(posts: 1)
        let path = try await client.upload("x")
        let id = try await client.uploadID("x")
        #expect(try await client.ask("GET", path).status == 200)
        #expect(try await client.ask("GET", "/cdn/uploads/\(id)").status == 404)
        #expect(try await client.post(path) == 201)
        for other in ["https://evil.example/x", "/v1/session", "/cdn/uploads/\(id)", "/cdn/images/sea"] {
            #expect(try await client.post(other) == 400)
        }
        client.token = try await client.newToken("Somebody")
        #expect(try await client.post(path) == 400)
        await client.server.stop()
    }

    @Test func `what a post names is kept, and what nothing names goes after a day`() async throws {
        let client = try await LoopbackClient.signedIn(posts: 1)
        let (named, unnamed) = (try await client.upload("named"), try await client.upload("unnamed"))
        #expect(try await client.post(named) == 201)
        #expect(try await client.ask("DELETE", "/v1/uploads/\(try await client.uploadID("named"))").status == 204)
        #expect(try await client.ask("GET", named).status == 200)
        for (hours, status) in [(23.0, 200), (25.0, 404)] {
            try await client.server.feed.database.queue.write { db in
                try FeedBackend.sweepUploads(db, at: Date(timeIntervalSinceNow: hours * 3_600))
            }
            #expect(try await client.ask("GET", unnamed).status == status)
            #expect(try await client.ask("GET", named).status == 200)
        }
        await client.server.stop()
    }
}

extension LoopbackClient {
    /// The id of an image of three bytes, which is begun where it is not there yet.
    fileprivate func uploadID(_ requestID: String) async throws -> Int {
        let begin: [String: Any] = ["requestId": requestID, "type": "image", "byteCount": 3]
        return try await ask("POST", "/v1/uploads", begin).json["uploadId"] as! Int
    }

    /// Uploads an image of three bytes.
    ///
    /// - Returns: its path.
    func upload(_ requestID: String) async throws -> String {
        let end = try await ask(
            "PATCH", "/v1/uploads/\(try await uploadID(requestID))?offset=0", body: Data([1, 2, 3]))
        return try #require(try end.json["contentUrl"] as? String)
    }

    /// Posts an image.
    ///
    /// - Returns: the answer's status.
    fileprivate func post(_ path: String) async throws -> Int {
        let attachments = [["type": "image", "contentUrl": path]]
        let body: [String: Any] = ["requestId": UUID().uuidString, "content": "", "attachments": attachments]
        return try await ask("POST", "/v1/posts", body).status
    }
}

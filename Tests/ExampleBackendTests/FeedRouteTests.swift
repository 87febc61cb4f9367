import ExampleBackend
import Foundation
import Testing

/// Batches, threads and schedules over HTTP.
@Suite(.timeLimit(.minutes(3))) struct FeedRouteTests {
    @Test func `anybody may ask whether the backend is there`() async throws {
        var client = try await LoopbackClient.signedIn(posts: 1)
        client.token = ""
        #expect(try await client.ask("GET", "/v1/health").status == 204)
        await client.server.stop()
    }

    @Test func `a batch takes effect once and in its order, and says which posts are gone`() async throws {
        let client = try await LoopbackClient.signedIn()
        let posts = try await client.posts("/v1/feed?limit=3").posts.map { $0["postId"] as! Int }
        try client.server.feed.delete(Int64(posts[1]))
        let batch = [
            ["requestId": "a", "postId": posts[2], "type": "SHARED"],
            ["requestId": "b", "postId": posts[1], "type": "LIKED"],
            ["requestId": "c", "postId": posts[0], "type": "LIKED"],
            ["requestId": "d", "postId": posts[0], "type": "REMOVED_LIKE"],
        ]
        for _ in 0..<2 {
            let answer = try await client.ask("POST", "/v1/interactions", ["interactions": batch])
            #expect(answer.status == 200)
            let counters = try answer.json["counters"] as! [[String: Any]]
            #expect(Set(counters.map { $0["postId"] as! Int }) == [posts[0], posts[2]])
            #expect(counters.first { $0["postId"] as! Int == posts[2] }?["shareCount"] as? Int == 1)
            #expect(try answer.json["gone"] as! [Int] == [posts[1]])
        }
        let taken = try client.server.feed.interactions(of: try client.server.accounts.user(named: "Test"))
        #expect(taken.map(\.requestId) == ["a", "c", "d"])
        #expect(taken.allSatisfy { $0.repetitions == 1 })
        #expect(try await client.ask("POST", "/v1/interactions", ["interactions": []]).status == 400)
        await client.server.stop()
    }

    @Test func `replies are a thread of their own, one level deep`() async throws {
        let client = try await LoopbackClient.signedIn()
        let id = try await client.firstPostID()
        let path = "/v1/posts/\(id)/comments"
        let comment =
            try await client.ask("POST", path, ["requestId": "1", "content": "first"]).made["commentId"] as! Int
        let reply = try await client.ask("POST", path, ["requestId": "2", "content": "reply", "parentId": comment]).made
        #expect(reply["parentId"] as? Int == comment)
        let deeper: [String: Any] = ["requestId": "3", "content": "deeper", "parentId": reply["commentId"] as! Int]
        #expect(try await client.ask("POST", path, deeper).made["parentId"] as? Int == comment)
        let top = try await client.ask("GET", path).json["comments"] as! [[String: Any]]
        #expect(top.map { $0["content"] as! String } == ["first"])
        #expect(top.map { $0["replyCount"] as! Int } == [2])
        let thread = try await client.ask("GET", "/v1/comments/\(comment)/replies?limit=1").json
        #expect((thread["comments"] as! [[String: Any]]).map { $0["content"] as! String } == ["deeper"])
        #expect((thread["paging"] as! [String: Any])["next"] is String)
        let astray: [String: Any] = ["requestId": "4", "content": "astray", "parentId": 1]
        #expect(try await client.ask("POST", path, astray).status == 400)
        await client.server.stop()
    }

    @Test func `a scheduled post is kept once, is its author's alone, and appears in its time`() async throws {
        var client = try await LoopbackClient.signedIn(posts: 2)
        let time = Date(timeIntervalSinceNow: 3_600)
        let post: [String: Any] = [
            "requestId": "s", "content": "later", "publishAt": Int64(time.timeIntervalSince1970 * 1_000),
        ]
        var path = ""
        for _ in 0..<2 {
            let answer = try await client.ask("POST", "/v1/posts", post)
            #expect(answer.status == 202)
            path = try #require(answer.headers["location"])
        }
        #expect((try await client.ask("GET", "/v1/scheduled").json["scheduled"] as! [[String: Any]]).count == 1)
        #expect(try await client.posts("/v1/feed").posts.count == 2)
        let author = client.token
        client.token = try await client.newToken("Somebody")
        #expect((try await client.ask("GET", "/v1/scheduled").json["scheduled"] as! [[String: Any]]).isEmpty)
        #expect(try await client.ask("DELETE", path).status == 404)
        client.token = author
        try await client.server.feed.publishDue(at: time.addingTimeInterval(-1))
        #expect(try await client.posts("/v1/feed").posts.count == 2)
        try await client.server.feed.publishDue(at: time)
        #expect(try await client.posts("/v1/feed").posts.first?["contentSummary"] as? String == "later")
        // A late repetition finds the post that it made.
        #expect(try await client.ask("POST", "/v1/posts", post).status == 201)
        #expect(try await client.posts("/v1/feed").posts.count == 3)
        #expect(try await client.ask("DELETE", path).status == 404)
        await client.server.stop()
    }
}

extension LoopbackClient.Answer {
    /// The comment that was made.
    fileprivate var made: [String: Any] { get throws { try json["comment"] as! [String: Any] } }
}

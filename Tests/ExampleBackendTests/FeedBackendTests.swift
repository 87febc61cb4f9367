import ExampleBackend
import Foundation
import Testing

@Suite(.timeLimit(.minutes(3))) struct FeedBackendTests {
    @Test func `nobody is answered without a token, nor with one that was signed out`() async throws {
        var client = try await LoopbackClient.signedIn()
        #expect(try await client.ask("GET", "/v1/feed").status == 200)
        #expect(try await client.ask("DELETE", "/v1/session").status == 204)
        #expect(try await client.ask("GET", "/v1/feed").status == 401)
        client.token = ""
        #expect(try await client.ask("GET", "/v1/config").status == 401)
        await client.server.stop()
    }

    @Test func `pages bring every post once, in the order of the server`() async throws {
        let client = try await LoopbackClient.signedIn(posts: 95)
        var (ids, after, pages): ([Int], String, Int) = ([], "", 0)
        while true {
            let page = try await client.posts("/v1/feed?after=\(LoopbackClient.query(after))&limit=30")
            ids += page.posts.map { $0["postId"] as! Int }
            pages += 1
            guard let next = page.next else { break }
            after = next
        }
        #expect(pages == 4)
        #expect(ids.count == 95)
        #expect(ids == ids.sorted(by: >) && Set(ids).count == 95)
        #expect(ids.allSatisfy { $0 > 1 << 40 })
        await client.server.stop()
    }

    @Test func `a cursor that has run out is gone, one that is none is a bad request`() async throws {
        let client = try await LoopbackClient.signedIn()
        let next = try #require(try await client.posts("/v1/feed?limit=5").next)
        let path = "/v1/feed?limit=5&after=\(LoopbackClient.query(next))"
        #expect(try await client.ask("GET", path).status == 200)
        client.server.feed.expireCursors()
        #expect(try await client.ask("GET", path).status == 410)
        #expect(try await client.ask("GET", "/v1/feed?after=nonsense").status == 400)
        #expect(try await client.ask("GET", "/v1/feed?limit=0").status == 400)
        await client.server.stop()
    }

    @Test func `an interaction takes effect once however often its request comes`() async throws {
        let client = try await LoopbackClient.signedIn()
        let id = try await client.firstPostID()
        let before = try await client.ask("GET", "/v1/posts/\(id)").json["likeCount"] as! Int
        for _ in 0..<3 {
            let answer = try await client.ask(
                "POST", "/v1/posts/\(id)/interactions", ["requestId": "a", "type": "LIKED"])
            #expect(answer.status == 201)
            #expect(try answer.json["likeCount"] as! Int == before + 1)
        }
        for request in ["b", "c", "c"] {
            _ = try await client.ask("POST", "/v1/posts/\(id)/interactions", ["requestId": request, "type": "SHARED"])
        }
        let unliked = try await client.ask(
            "POST", "/v1/posts/\(id)/interactions", ["requestId": "d", "type": "REMOVED_LIKE"])
        #expect(try unliked.json["likeCount"] as! Int == before)
        #expect(try unliked.json["shareCount"] as! Int == 2)
        let user = try client.server.accounts.user(named: "Test")
        let taken = try client.server.feed.interactions(of: user)
        #expect(taken.map(\.requestId) == ["a", "b", "c", "d"])
        #expect(taken.map(\.repetitions) == [2, 0, 1, 0])
        await client.server.stop()
    }

    @Test func `a post is made once, stands at the head, and is found`() async throws {
        let client = try await LoopbackClient.signedIn()
        let post: [String: Any] = [
            "requestId": "p", "content": "<p>A very <b>unusual</b> word: xylophone</p>",
            "attachments": [["type": "image", "contentUrl": try await client.upload("x"), "caption": "X"]],
        ]
        let first = try await client.ask("POST", "/v1/posts", post)
        let again = try await client.ask("POST", "/v1/posts", post)
        #expect(first.status == 201 && first.body.isEmpty)
        let location = try #require(first.headers["location"])
        #expect(again.headers["location"] == location)
        let head = try await client.posts("/v1/feed?limit=2").posts[0]
        #expect(location == "/v1/posts/\(head["postId"] as! Int)")
        #expect(head["contentSummary"] as! String == "A very unusual word: xylophone")
        #expect(head["attachmentCount"] as! Int == 1)
        let found = try await client.posts("/v1/search?q=xylo").posts
        #expect(found.map { $0["postId"] as! Int } == [head["postId"] as! Int])
        #expect(try await client.ask("POST", "/v1/posts", ["requestId": "e", "content": ""]).status == 400)
        await client.server.stop()
    }

    @Test func `an edit names the version that it is based on, and a deleted post is gone`() async throws {
        let client = try await LoopbackClient.signedIn()
        let made = try await client.ask("POST", "/v1/posts", ["requestId": "p", "content": "one"])
        let path = try #require(made.headers["location"])
        let edited = try await client.ask("PUT", path, ["content": "two", "baseVersion": 1])
        #expect(edited.status == 200)
        #expect(try edited.json["version"] as! Int == 2)
        #expect(try await client.ask("PUT", path, ["content": "two", "baseVersion": 1]).status == 200)
        let conflict = try await client.ask("PUT", path, ["content": "three", "baseVersion": 1])
        #expect(conflict.status == 409)
        #expect(try conflict.json["content"] as! String == "two")
        let foreign = try await client.firstPostID()
        #expect(path.hasSuffix("\(foreign)"))
        #expect(try await client.ask("DELETE", path).status == 204)
        #expect(try await client.ask("GET", path).status == 410)
        #expect(
            try await client.ask("POST", "/v1/posts", ["requestId": "p", "content": "one"]).headers["location"] == path)
        let other = try await client.firstPostID()
        #expect(try await client.ask("DELETE", "/v1/posts/\(other)").status == 403)
        await client.server.stop()
    }

    @Test func `comments page from the newest to the oldest, each made once`() async throws {
        let client = try await LoopbackClient.signedIn()
        let id = try await client.firstPostID()
        for number in [0, 1, 2, 3, 3, 4] {
            let comment = ["requestId": "\(number)", "content": "comment \(number)"]
            #expect(try await client.ask("POST", "/v1/posts/\(id)/comments", comment).status == 201)
        }
        let first = try await client.ask("GET", "/v1/posts/\(id)/comments?limit=3").json
        let next = try #require((first["paging"] as! [String: Any])["next"] as? String)
        let second = try await client.ask(
            "GET", "/v1/posts/\(id)/comments?limit=3&after=\(LoopbackClient.query(next))"
        ).json
        let texts = [first, second].flatMap { $0["comments"] as! [[String: Any]] }.map { $0["content"] as! String }
        #expect(texts == (0..<5).reversed().map { "comment \($0)" })
        #expect(try await client.ask("GET", "/v1/posts/\(id)").json["commentCount"] as! Int == 5)
        await client.server.stop()
    }

    @Test func `nobody goes on behind an event that there never was`() async throws {
        let client = try await LoopbackClient.signedIn()
        for id in ["1", "x"] {
            let answer = try await client.ask("GET", "/v1/feed/events", headers: ["Last-Event-ID": id])
            #expect(answer.status == 410)
        }
        await client.server.stop()
    }

    @Test func `an upload takes its bytes in chunks and goes on where it stopped`() async throws {
        let client = try await LoopbackClient.signedIn()
        let image = SampleImage.png(seed: "x", width: 480, height: 320)
        let begin: [String: Any] = ["requestId": "u", "type": "image", "byteCount": image.count]
        let id = try await client.ask("POST", "/v1/uploads", begin).json["uploadId"] as! Int
        #expect(try await client.ask("POST", "/v1/uploads", begin).json["uploadId"] as! Int == id)
        let chunk = Data(image.prefix(1_000))
        #expect(try await client.ask("PATCH", "/v1/uploads/\(id)?offset=0", body: chunk).status == 200)
        #expect(try await client.ask("PATCH", "/v1/uploads/\(id)?offset=0", body: chunk).status == 200)
        #expect(try await client.ask("PATCH", "/v1/uploads/\(id)?offset=1500", body: chunk).status == 409)
        let state = try await client.ask("GET", "/v1/uploads/\(id)").json
        #expect(state["received"] as! Int == 1_000)
        #expect(state["contentUrl"] == nil)
        let rest = try await client.ask(
            "PATCH", "/v1/uploads/\(id)?offset=1000", body: Data(image.dropFirst(1_000)))
        let path = try #require(try rest.json["contentUrl"] as? String)
        #expect(try await client.ask("GET", path).body == image)
        await client.server.stop()
    }
}

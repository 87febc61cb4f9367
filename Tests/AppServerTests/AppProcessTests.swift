import ExampleBackend
import FeedSoak
import Foundation
import TestFolders
import Testing

@testable import FeedChatExample

/// The app in a process of its own, with a page that is none.
@MainActor @Suite(.timeLimit(.minutes(3))) struct AppProcessTests {
    private let server: BackendServer
    private let backend: URL
    private let folder = TemporaryFolder()

    init() async throws {
        var configuration = BackendConfiguration()
        configuration.corpusSize = 200
        server = try BackendServer(configuration)
        backend = try await server.start()
    }

    private func start(
        _ user: String, _ options: [String] = []
    ) async throws -> (process: ClientProcess, page: PageDouble) {
        let process = try ClientProcess(
            Self.executable,
            [
                "app", "--backend", backend.absoluteString, "--user", user, "--folder",
                folder.url.appending(path: user).path, "--port", "0",
            ] + options)
        let line = try #require(try await process.nextLine())
        let url = try #require(URL(string: String(line.split(separator: " ").last ?? "")))
        return (process, try await PageDouble(url))
    }

    private static var executable: URL {
        let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        return folder.appending(path: "FeedChatExample")
    }

    @Test func `a like without a connection outlives the kill of the app, and is sent once`() async throws {
        let first = try await start("Ada")
        first.page.open(1, "feed")
        #expect(await first.page.wait { $0.screens[1]?.rows.contains { $0["liked"] == false } == true })
        let row = try #require(first.page.screens[1]?.rows.first { $0["liked"] == false })
        let (id, likes) = (try #require(row["id"]), try #require(row["likes"]?.int))
        let post = try #require(Int64((id.string ?? "").dropFirst()))
        first.page.say(["t": "network", "offline": true])
        #expect(await first.page.wait { $0.screens[1]?.state["offline"] == true })
        first.page.act(1, "like", ["row": id])
        #expect(await first.page.wait { $0.screens[1]?.rows.first { $0["id"] == id }?["liked"] == true })
        #expect(try server.feed.likeCount(of: post) == Int(likes))
        await first.process.kill()

        let second = try await start("Ada")
        second.page.open(1, "feed")
        #expect(
            await second.page.wait { page in
                let row = page.screens[1]?.rows.first { $0["id"] == id }
                return row?["liked"] == true && row?["likes"] == .int(likes + 1)
            })
        try await server.faults.waitForRequests(1, "POST", "/v1/posts/\(post)")
        // A second like would come with the next start at the latest.
        await second.process.kill()
        let third = try await start("Ada")
        third.page.open(1, "feed")
        #expect(await third.page.wait { $0.screens[1]?.rows.first { $0["id"] == id }?["liked"] == true })
        #expect(try server.feed.likeCount(of: post) == Int(likes) + 1)
        #expect(!third.page.hasLostCount)
        await third.process.kill()
    }

    @Test(arguments: ["socket", "events"])
    func `two users write to each other and see what was read`(_ carrier: String) async throws {
        let (ada, grace) = (
            try await start("Ada", ["--chat", carrier]), try await start("Grace", ["--chat", carrier])
        )
        ada.page.open(1, "chats")
        let isGrace: (AppJSON) -> Bool = { $0["name"] == "Grace" }
        #expect(await ada.page.wait { $0.screens[1]?.rows.contains(where: isGrace) == true })
        let contact = try #require(ada.page.screens[1]?.rows.first(where: isGrace)?["conversation"])
        ada.page.open(2, "conversation", with: ["conversation": contact])
        #expect(await ada.page.wait { $0.screens[2] != nil })
        ada.page.act(2, "send", ["text": "Hello <b>Grace</b>"])
        #expect(await ada.page.wait { $0.screens[2]?.rows.last?["status"] == "delivered" })

        grace.page.open(1, "chats")
        #expect(await grace.page.wait { $0.screens[1]?.rows.contains { $0["unread"] == 1 } == true })
        let other = try #require(grace.page.screens[1]?.rows.first { $0["unread"] == 1 }?["conversation"])
        grace.page.open(2, "conversation", with: ["conversation": other])
        #expect(await grace.page.wait { $0.screens[2]?.rows.last?["kind"] == "message" })
        #expect(grace.page.screens[2]?.rows.last?["text"] == [["s": "Hello <b>Grace</b>"]])
        let last = try #require(grace.page.screens[2]?.rows.last?["id"])
        grace.page.say(["t": "visible", "id": 2, "first": last, "last": last])
        #expect(await ada.page.wait { $0.screens[2]?.rows.last?["status"] == "read" })
        grace.page.act(2, "draft", ["text": "I"])
        #expect(await ada.page.wait { $0.screens[2]?.state["typing"] != nil })
        #expect(server.faults.count("GET", "/v1/socket/events") == (carrier == "events" ? 2 : 0))
        await ada.process.kill()
        await grace.process.kill()
    }

    @Test func `one's own post is edited, a conflict is settled, and it is deleted`() async throws {
        let (process, page) = try await start("Ada")
        let ada = try server.accounts.user(named: "Ada")
        let id = try server.feed.add("<p>First <b>words</b></p>", by: ada)
        page.open(1, "post", with: ["post": .string("p\(id)")])
        #expect(await page.wait { $0.screens[1]?.state["plain"] == "First words" })
        #expect(page.screens[1]?.state["isOwn"] == true)
        page.act(1, "save", ["text": "Second words"])
        #expect(await page.wait { $0.screens[1]?.rows.first?["text"]?.string(of: "s") == "Second words" })
        #expect(try server.feed.posts(of: ada) == ["<p>Second <strong>words</strong></p>"])

        for (choice, text) in [("keepMine", "Mine keepMine"), ("takeTheirs", "Theirs takeTheirs")] {
            page.act(1, "write", ["text": .string("Mine \(choice)")])
            #expect(await page.wait { $0.screens[1]?.state["edit"] == .string("Mine \(choice)") })
            try server.feed.edit(id, content: "<p>Theirs \(choice)</p>")
            page.act(1, "save")
            #expect(
                await page.wait { $0.screens[1]?.state["conflict"]?["theirs"] == .string("Theirs \(choice)") })
            page.act(1, choice)
            #expect(
                await page.wait { page in
                    let state = page.screens[1]?.state
                    return state?["edit"] == nil && state?["conflict"] == nil
                        && page.screens[1]?.rows.first?["text"]?.string(of: "s") == text
                })
        }
        page.act(1, "delete")
        #expect(await page.wait { $0.screens[1]?.state["gone"] == true })
        #expect(try server.feed.posts(of: ada) == [])
        await process.kill()
    }

    @Test func `the post of another cannot be edited`() async throws {
        let (process, page) = try await start("Ada")
        let id = try server.feed.add("<p>Not yours</p>", by: try server.accounts.user(named: "Somebody"))
        page.open(1, "post", with: ["post": .string("p\(id)")])
        #expect(await page.wait { $0.screens[1]?.rows.first?["text"]?.string(of: "s") == "Not yours" })
        #expect(page.screens[1]?.state["isOwn"] == false && page.screens[1]?.state["plain"] == nil)
        page.act(1, "write", ["text": "Mine now"])
        #expect(await page.wait { $0.others.contains { $0["t"] == "done" } })
        #expect(page.screens[1]?.state["edit"] == nil)
        await process.kill()
    }

    @Test func `a thread goes on when it is asked to, and again where that failed`() async throws {
        let (process, page) = try await start("Ada")
        let somebody = try server.accounts.user(named: "Somebody")
        let post = try server.feed.add("<p>A post</p>", by: somebody)
        let comment = try server.feed.comment("A comment", on: post, by: somebody)
        for number in 0..<25 {
            _ = try server.feed.comment("\(number)", on: post, by: somebody, replyingTo: comment)
        }
        let row: AppJSON = .string("c\(comment)")
        page.open(1, "post", with: ["post": .string("p\(post)")])
        #expect(await page.wait { $0.screens[1]?.rows.contains { $0["id"] == row } == true })
        page.act(1, "thread", ["row": row])
        #expect(await page.wait { $0.threadEnd?["state"] == "more" })
        #expect(page.replies == 20)
        server.faults.plan(Array(repeating: .status(503), count: 20), "GET", "/v1/comments")
        page.act(1, "moreReplies", ["row": .string("t\(comment)")])
        #expect(await page.wait { $0.threadEnd?["state"] == "failed" })
        #expect(page.threadEnd?["text"] == "The server cannot be reached.")
        server.faults.heal()
        page.act(1, "retry", ["row": .string("t\(comment)")])
        #expect(await page.wait { $0.threadEnd == nil && $0.replies == 25 })
        await process.kill()
    }

    @Test func `the settings learn of a sign-out, and the switches of the backend`() async throws {
        let (process, page) = try await start("Ada")
        page.open(1, "settings")
        #expect(await page.wait { $0.screens[1]?.state["signedOut"] == false })
        #expect(await page.wait { $0.others.last { $0["t"] == "network" }?["reached"] == true })
        server.faults.plan([.status(401)], "GET", "/v1/feed")
        page.open(2, "feed")
        #expect(await page.wait { $0.screens[1]?.state["signedOut"] == true })
        page.say(["t": "network", "offline": true])
        #expect(await page.wait { $0.others.last { $0["t"] == "network" }?["reached"] == false })
        await process.kill()
    }

    @Test func `what the app does is written where it is asked to`() async throws {
        let (process, page) = try await start("Ada", ["--log"])
        page.open(1, "feed")
        #expect(await page.wait { $0.screens[1]?.rows.contains { $0["liked"] == false } == true })
        let row = try #require(page.screens[1]?.rows.first { $0["liked"] == false }?["id"])
        page.act(1, "like", ["row": row])
        var missing: Set = ["log network info: feed: ", "log network info: chat: connected", "log ui info: shows feed"]
        missing.insert("log sync info: outbox: 1 sent")
        while !missing.isEmpty, let line = try await process.nextLine() {
            missing = missing.filter { !line.hasPrefix($0) }
        }
        #expect(missing.isEmpty)
        await process.kill()
    }

    @Test func `to scroll to the contacts below all chats ends nothing`() async throws {
        _ = try server.accounts.user(named: "Grace")
        _ = try server.accounts.user(named: "Edsger")
        let (process, page) = try await start("Ada")
        page.open(1, "chats")
        #expect(await page.wait { $0.screens[1]?.rows.count ?? 0 >= 2 })
        let last = try #require(page.screens[1]?.rows.last?["id"])
        page.say(["t": "visible", "id": 1, "first": last, "last": last])
        page.act(1, "refresh")
        #expect(await page.wait { $0.others.contains { $0["t"] == "done" } })
        await process.kill()
    }

    @Test func `the process ends with its input`() async throws {
        let (process, _) = try await start("Ada")
        try process.closeInput()
        while try await process.nextLine() != nil {}
    }
}

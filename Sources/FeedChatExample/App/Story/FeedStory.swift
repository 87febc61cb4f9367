import AppFoundation
import ExampleBackend
import FeedClient
import Foundation
import MediaLoader
import PaginatorCore
import PaginatorStorage

/// The feed's story: a backend, a client in this process, one that is killed, and chapters that show what they do.
@MainActor struct FeedStory {
    let transcript: Transcript
    let server: BackendServer
    let url: URL
    let root: URL
    let environment = AppEnvironment()
    let postCount = 3_000

    /// Runs every chapter.
    static func tell(_ transcript: Transcript) async throws {
        let server = try BackendServer()
        let url = try await server.start()
        Transcript.say("A feed of 3000 posts is served at \(url)/v1/feed")
        let root = FileManager.default.temporaryDirectory.appending(path: "feed-story-\(UUID().uuidString)")
        let story = FeedStory(transcript: transcript, server: server, url: url, root: root)
        try await story.tell()
        await server.stop()
        try FileManager.default.removeItem(at: root)
    }

    private func tell() async throws {
        let app = try await transcript.limit { try await signIn() }
        let feed = FeedStateHolder(app)
        let parts: [@MainActor () async throws -> Void] = [
            { try await loadFirst(feed) },
            { try await scroll(feed) },
            { try await readWithAsync(app) },
            { try await openDetails(app, feed) },
            { try await likeAndKill() },
            { try await compose(app, feed) },
            { try await commentAndShare(app, feed) },
            { try await likeALot(app, feed) },
            { try await resolveConflict(app, feed) },
            { try await sitOutAnOutage(app, feed) },
            { try await search(app, feed) },
            { try await workInTheBackground(app) },
            { try await pageThroughEverything() },
            { try await followTheServer() },
            { try await logOut(app) },
        ]
        for part in parts { try await transcript.limit(part) }
    }

    private func signIn() async throws -> FeedApp {
        transcript.begin("Ada signs in")
        let app = try await FeedApp.signIn(
            "Ada", at: url, root: root.appending(path: "ada"), environment: environment)
        transcript.verify(app.session.user?.name, equals: "Ada", "the backend knows her")
        transcript.verify(app.config.pageSize, equals: 30, "it says how large pages are, and other limits")
        return app
    }

    private func loadFirst(_ feed: FeedStateHolder) async throws {
        transcript.begin("The first page")
        transcript.show(TextFrames.feed(feed.state))
        transcript.verify(feed.state.isLoading, "placeholders stand where posts will be, no blank screen")
        feed.start()
        let state = try await feed.first { !$0.items.isEmpty && !$0.isLoading }
        transcript.show(TextFrames.feed(state))
        transcript.verify(state.items.count, equals: 30, "thirty posts came")
        transcript.verify(state.items.first?.text.hasPrefix("Post 0:") ?? false, "the newest one is first")
    }

    private func scroll(_ feed: FeedStateHolder) async throws {
        transcript.begin("Scrolling through 300 posts")
        var position = 0
        var waits = 0
        while position + 10 < 300 {
            feed.visible(position..<(position + 10))
            // Rows become visible one after the other. A wait is a row that is not loaded yet.
            position += 1
            if feed.state.items.count < position + 10 {
                waits += 1
                _ = try await feed.first { $0.items.count >= position + 10 }
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        let state = feed.state
        transcript.note("\(state.items.count) posts are loaded, \(waits) rows were waited for")
        let expected = (0..<300).map { "Post \($0):" }
        let isInOrder = zip(state.items.prefix(300), expected).allSatisfy { $0.text.hasPrefix($1) }
        transcript.verify(isInOrder, "every post came once, in the order of the server")
        // On a busy machine some pages are late; without prefetching each of nine pages would be a wait.
        transcript.verify(waits <= 6, "pages were there before they were looked at", found: "\(waits) waits")
        let pages = server.faults.count("GET", "/v1/feed")
        transcript.verify(pages <= 12, "about one request a page", found: "\(pages) requests")
    }

    private func openDetails(_ app: FeedApp, _ feed: FeedStateHolder) async throws {
        transcript.begin("Ada opens a post, and likes it there")
        guard let row = feed.state.items.prefix(60).first(where: { !$0.isLiked && $0.attachmentCount > 0 }) else {
            return transcript.verify(false, "there is a post with attachments that she does not like yet")
        }
        let coordinator = FeedCoordinator(app)
        transcript.verify(
            URL(string: "paginator-example://posts/\(row.id)").map(coordinator.open) ?? false,
            "a link opens the post's screen by its id")
        let detail = coordinator.makeDetail(row.id)
        try await detail.start()
        let shown = try await detail.first { $0.post != nil }
        transcript.show(TextFrames.detail(shown))
        transcript.verify(shown.post?.attachments.count, equals: row.attachmentCount, "its attachments are there")
        try await showImage(feed, row)
        try await detail.toggleLike()
        let liked = try await feed.first { $0.items.first { $0.id == row.id }?.isLiked == true }
        transcript.verify(
            liked.items.first { $0.id == row.id }?.likeCount, equals: row.likeCount + 1,
            "the like shows in the feed as well, at once")
        try await drain(app)
        transcript.verify(try server.feed.likeCount(of: row.id), equals: row.likeCount + 1, "the server has it")
    }

    /// The image of a row appears in steps, each better than the one before.
    private func showImage(_ feed: FeedStateHolder, _ row: PostRow) async throws {
        let (steps, continuation) = AsyncStream<String>.makeStream()
        let request = feed.image(of: row) { step in
            switch step {
            case .preview(let item, let quality): continuation.yield("\(quality.width) px, \(item.bytes.count) bytes")
            case .image(let item, let quality):
                continuation.yield("done: \(quality.width) px, \(item.bytes.count) bytes")
                continuation.finish()
            case .failed: continuation.finish()
            }
        }
        var all: [String] = []
        for await step in steps { all.append(step) }
        transcript.note("the image: \(all.joined(separator: ", then "))")
        transcript.verify(all.last?.hasPrefix("done: 480 px") ?? false, "the row's image came in its quality")
        withExtendedLifetime(request) {}
    }

    /// Waits until the outbox is empty.
    func drain(_ app: FeedApp) async throws {
        while try await app.interactions.waitingCount() > 0 { try await Task.sleep(for: .milliseconds(5)) }
    }

    func user(_ name: String) throws -> BackendUser { try server.accounts.user(named: name) }
}

import AppFoundation
import ChatClient
import ExampleBackend
import FeedClient
import Foundation
import PaginatorCore
import Testing

/// A server that does not take the token any more: the user sees it, loses nothing, and goes on after a sign-in.
@MainActor @Suite(.timeLimit(.minutes(3))) struct SignedOutTests {
    /// Ends a session behind the app's back.
    private func endSession(of app: FeedApp, _ rig: FeedRig) async throws {
        let token = app.user.token
        _ = try await APIClient(baseURL: rig.url) { token }.send(APIRequest("DELETE", "/v1/session"))
    }

    @Test func `a refused refresh signs out, keeps the content, and news come after a sign-in`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { !$0.items.isEmpty && !$0.isPaging }
        try await endSession(of: app, rig)
        feed.refresh()
        let state = try await feed.first { $0.isSignedOut && $0.errorMessage != nil && !$0.isRefreshing }
        #expect(state.errorMessage == "You are signed out. Sign in again.")
        #expect(
            TextFrames.feed(state, rows: 0..<1) == """
                ┌ Feed ─────────────────────────────────────────────────────────
                │ ! You were signed out. What you did is kept until you
                │   sign in again. [sign in]
                │ 李小龍
                │ Post 0: bold and italic 🇩🇪🇫🇷🇯🇵 Ω≈ç√∫˜µ≤≥÷ 100 % of nothing
                │ ♡ 38 · 0 comments
                └───────────────────────────────────────────────────────────────
                """)
        let news = try rig.server.feed.add("<p>News</p>", by: try rig.user("Somebody"))
        try await app.session.signInAgain(at: rig.url)
        _ = try await feed.first { !$0.isSignedOut && $0.errorMessage == nil && $0.items.first?.id == news }
        try await rig.end(app)
    }

    @Test func `a like that was refused is kept over a restart, and sent once after a sign-in`() async throws {
        let rig = try await FeedRig(posts: 1)
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        let row = try await feed.first { !$0.items.isEmpty && !$0.isPaging }.items[0]
        while try await app.feedMetadata().lastRefreshed == nil { try await nextTurn() }
        try await app.posts.flush()
        try await endSession(of: app, rig)
        try await feed.toggleLike(row)
        _ = try await feed.first { $0.isSignedOut && $0.items[0].isLiked }
        #expect(try await app.interactions.waitingCount() == 1)
        try await app.close()

        let requests = rig.server.faults.count("POST")
        let again = try await rig.reopen()
        let restarted = FeedStateHolder(again)
        #expect(restarted.state.isSignedOut)
        restarted.start()
        _ = try await restarted.first { $0.items.first?.isLiked == true }
        #expect(try await again.interactions.waitingCount() == 1)
        try await again.session.signInAgain(at: rig.url)
        try await again.drained()
        _ = try await restarted.first { !$0.isSignedOut && $0.items.first?.isLiked == true }
        let taken = try rig.server.feed.interactions(of: rig.user())
        #expect(taken.map(\.type) == ["LIKED"] && taken.first?.repetitions == 0)
        // The sign-in and the like; nothing was tried without a token.
        #expect(rig.server.faults.count("POST") == requests + 2)
        try await rig.end(again)
    }

    @Test func `screens that were opened while signed out load after a sign-in`() async throws {
        let rig = try await FeedRig(posts: 5)
        let app = try await rig.signIn()
        let id = try await app.firstPost()
        try await endSession(of: app, rig)
        let detail = PostDetailStateHolder(app, post: id)
        let profile = ProfileStateHolder(app, user: try rig.user().id)
        let scheduled = ScheduledStateHolder(app)
        try await detail.start()
        try await profile.start()
        await scheduled.refresh()
        _ = try await detail.first { $0.problem == .signedOut && $0.commentsProblem == .signedOut }
        _ = try await profile.first { $0.problem == .signedOut }
        #expect(scheduled.state.problem == .signedOut)
        try await app.session.signInAgain(at: rig.url)
        _ = try await detail.first { $0.post != nil && $0.problem == nil && $0.commentsProblem == nil }
        _ = try await profile.first { $0.profile != nil && $0.problem == nil }
        _ = try await scheduled.first { $0.problem == nil && !$0.isLoading }
        try await rig.end(app)
    }

    @Test func `a search while signed out says so, asks nobody on, and finds after a sign-in`() async throws {
        let rig = try await FeedRig(posts: 5)
        let app = try await rig.signIn()
        _ = try await app.firstPost()
        while try await app.posts.findSeen("Post").isEmpty { try await nextTurn() }
        try await endSession(of: app, rig)
        let waits = Guarded(0)
        let search = SearchStateHolder(app) { _ in
            waits.withLock { $0 += 1 }
            try await nextTurn()
        }
        search.type("Post")
        let state = try await search.first { !$0.isLoading && ($0.problem != nil || !$0.items.isEmpty) }
        #expect(state.problem == .signedOut && state.errorMessage == "You are signed out. Sign in again.")
        try await app.session.signInAgain(at: rig.url)
        let found = try await search.first { $0.problem == nil && !$0.isLoading && !$0.items.isEmpty }
        #expect(found.items.allSatisfy { $0.isFromServer })
        #expect(waits.withLock { $0 } == 0)
        try await rig.end(app)
    }

    @Test func `feed and chat of one session are signed out and in together`() async throws {
        let rig = try await FeedRig(posts: 1)
        let session = try await AppSession.open(rig.root)
        try await session.signIn("Ada", at: rig.url)
        let app = try #require(
            try await FeedApp.open(session, at: rig.url, environment: rig.environment, options: rig.options))
        var config = ChatServiceConfig()
        config.socket.backoffBase = .milliseconds(2)
        config.socket.backoffCap = .milliseconds(30)
        let chat = try await ChatApp.open(session, at: rig.url, environment: rig.environment, config: config)
        let (feed, chats) = (FeedStateHolder(app), ChatListScreen(chat.service))
        feed.start()
        await chats.open()
        try await chats.first { $0.isLive }
        _ = try await feed.first { !$0.items.isEmpty && !$0.isSignedOut }
        // The chat alone notices: its socket is closed, and no other is granted.
        try await endSession(of: app, rig)
        try await chats.first { $0.isSignedOut && !$0.isLive }
        _ = try await feed.first { $0.isSignedOut }
        try await session.signInAgain(at: rig.url)
        try await chats.first { !$0.isSignedOut && $0.isLive }
        _ = try await feed.first { !$0.isSignedOut }
        // The feed alone notices.
        rig.server.faults.plan([.status(401)], "GET", "/v1/feed")
        feed.refresh()
        _ = try await feed.first { $0.isSignedOut }
        try await chats.first { $0.isSignedOut && !$0.isLive }
        try await chat.service.shutDown()
        try await rig.end(app)
    }
}

import AppFoundation
import ExampleBackend
import Foundation
import GRDB
import PaginatorLists
import Testing

@testable import FeedClient

/// The search as a screen.
@MainActor @Suite(.timeLimit(.minutes(1))) struct SearchTests {
    @Test func `of a burst of typing only the last text asks the server, and pages come to the end`() async throws {
        let rig = try await FeedRig(posts: 50)
        let app = try await rig.signIn()
        let search = SearchStateHolder(app)
        for length in 1...4 { search.type(String("Post".prefix(length))) }
        var state = try await search.first { !$0.isLoading && !$0.items.isEmpty }
        #expect(rig.server.faults.count("GET", "/v1/search") == 1)
        #expect(state.text == "Post" && state.items.count == 20 && !state.isAtEnd && !state.isOfSeenPosts)
        while !state.isAtEnd {
            let count = state.items.count
            search.visible(count - 3..<count)
            state = try await search.first { $0.items.count > count || $0.isAtEnd }
        }
        #expect(Set(state.items.map(\.id)).count == 50)
        #expect(rig.server.faults.count("GET", "/v1/search") == 3)
        try await rig.end(app)
    }

    @Test func `an empty text shows nothing and asks nobody, and the same text finds again`() async throws {
        let rig = try await FeedRig(posts: 40)
        let app = try await rig.signIn()
        let search = FeedCoordinator(app).makeSearch("Post 39")
        let found = try await search.first { !$0.isLoading && !$0.items.isEmpty }
        #expect(found.items.contains { $0.summary.hasPrefix("Post 39:") })
        search.type(" …")
        let empty = try await search.first { $0.items.isEmpty && !$0.isLoading }
        #expect(!empty.foundNothing && empty.errorMessage == nil)
        search.type("Post 39")
        _ = try await search.first { !$0.items.isEmpty }
        #expect(rig.server.faults.count("GET", "/v1/search") == 1)
        search.type("xylophone")
        let nothing = try await search.first { $0.foundNothing }
        #expect(nothing.items.isEmpty)
        try await rig.end(app)
    }

    @Test func `without a server what was seen is found, paged too, and everything once it is back`() async throws {
        let rig = try await FeedRig(posts: 95)
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { $0.items.count >= 30 && !$0.isPaging }
        while try await app.posts.findSeen("Post 29").isEmpty { try await nextTurn() }
        await rig.goOffline()
        let search = SearchStateHolder(app)
        search.type("Post")
        var state = try await search.first { $0.isOfSeenPosts && !$0.isLoading }
        #expect(TextFrames.search(state).contains("Among the posts that you have seen:"))
        while !state.isAtEnd {
            let count = state.items.count
            search.loadMore()
            state = try await search.first { $0.items.count > count || $0.isAtEnd }
        }
        #expect(state.items.map(\.id) == Array(feed.state.items.map(\.id).prefix(state.items.count)))
        #expect(state.items.count >= 30)
        search.type("xylophone")
        let unknown = try await search.first { $0.errorMessage != nil }
        #expect(!unknown.foundNothing)
        search.type("Post")
        _ = try await search.first { $0.isOfSeenPosts && $0.errorMessage == nil && !$0.isLoading }
        await rig.goOnline()
        _ = try await search.first { !$0.isOfSeenPosts && !$0.items.isEmpty && !$0.isLoading }
        try await rig.end(app)
    }

    @Test func `a server that was away for a moment is asked again by itself`() async throws {
        let rig = try await FeedRig(posts: 40)
        let app = try await rig.signIn()
        _ = try await app.firstPost()
        while try await app.posts.findSeen("Post 29").isEmpty { try await nextTurn() }
        // Nobody tells the environment: it stays online.
        let search = SearchStateHolder(app, pause: { _ in try await nextTurn() })
        await rig.server.stop()
        search.type("Post")
        let seen = try await search.first { $0.isOfSeenPosts && !$0.isLoading }
        #expect(!seen.items.isEmpty)
        search.type("xylophone")
        _ = try await search.first { $0.errorMessage != nil }
        try await rig.server.start()
        _ = try await search.first { $0.foundNothing }
        search.type("Post")
        let all = try await search.first { !$0.isOfSeenPosts && !$0.items.isEmpty && !$0.isLoading }
        #expect(all.items.allSatisfy { $0.isFromServer })
        try await rig.end(app)
    }

    @Test func `what the server found shows, also where nothing more can be stored`() async throws {
        let rig = try await FeedRig(posts: 5)
        let app = try await rig.signIn()
        try await app.database.write { try $0.execute(sql: "DROP TABLE PostIndex") }
        let search = FeedCoordinator(app).makeSearch("Post")
        let state = try await search.first { !$0.isLoading && (!$0.items.isEmpty || $0.problem != nil) }
        #expect(state.items.count == 5 && !state.isOfSeenPosts && state.problem == nil)
        try await rig.end(app)
    }

    @Test func `a hit follows the changes of its post, and goes with it`() async throws {
        let rig = try await FeedRig(posts: 5)
        let app = try await rig.signIn()
        let id = try rig.server.feed.add("<p>xylophone one</p>", by: try rig.user())
        let search = FeedCoordinator(app).makeSearch("xylophone")
        _ = try await search.first { $0.items.map(\.summary) == ["xylophone one"] }
        _ = try await app.posts.edit(id, content: "<p>xylophone two</p>", baseVersion: 1)
        _ = try await search.first { $0.items.map(\.summary) == ["xylophone two"] }
        try await app.deletePost(id)
        _ = try await search.first { $0.items.isEmpty }
        try await rig.end(app)
    }

    @Test func `a page that was on its way when a post was deleted does not bring it back`() async throws {
        let rig = try await FeedRig(posts: 5)
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        let page = try await feed.first { $0.items.count == 5 }.items.snapshot
        while try await app.posts.findSeen("Post").count < 5 { try await nextTurn() }
        let post = try #require(page.first)
        try await app.posts.postIsGone(post.id)
        try await app.posts.index.add(Array(page))
        #expect(try await app.posts.findSeen("Post").map(\.id) == page.dropFirst().map(\.id))
        try await rig.end(app)
    }

    @Test func `a link leads to a search`() async throws {
        let rig = try await FeedRig(posts: 1)
        let app = try await rig.signIn()
        let coordinator = FeedCoordinator(app)
        #expect(coordinator.open(try #require(URL(string: "paginator-example://search?q=engines%20of%20Ada"))))
        #expect(coordinator.path == [.feed, .search("engines of Ada")])
        try await rig.end(app)
    }
}

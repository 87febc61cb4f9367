import ExampleBackend
import FeedClient
import Foundation
import PaginatorAsync
import PaginatorCore

extension FeedStory {
    /// The feed follows events of the server, also after a lost connection.
    func followTheServer() async throws {
        transcript.begin("Margaret leaves the feed open, and it follows the server")
        let events = PaginatorEvents()
        let connections = events.makeAsyncIterator()
        var options = FeedOptions()
        options.observer = events
        let app = try await FeedApp.signIn(
            "Margaret", at: url, root: root.appending(path: "margaret"), options: options)
        let feed = FeedStateHolder(app)
        app.posts.followServer()
        transcript.verify(await Self.next(.followed, in: connections), "it is connected")
        feed.start()
        _ = try await feed.first { $0.items.count >= 30 }
        feed.loadMore()
        _ = try await feed.first { $0.items.count >= 60 && !$0.isPaging }
        let requests = server.faults.count("GET", "/v1/feed")
        let edited = feed.state.items[1]
        try server.feed.edit(edited.id, content: "<p>Its author has changed it</p>")
        let state = try await feed.first { $0.items[1].text == "Its author has changed it" }
        transcript.show(TextFrames.feed(state, rows: 0..<2))
        transcript.verify(state.items[1].id, equals: edited.id, "a post that somebody edits changes by itself")
        transcript.verify(server.faults.count("GET", "/v1/feed"), equals: requests, "without a request")

        transcript.begin("The connection is cut, and two posts are written meanwhile")
        let before = state.items.map(\.id)
        await server.stop()
        transcript.verify(await Self.next(.followingLost, in: connections), "the app has noticed")
        let news = try (1...2).map { number in
            try server.feed.add("<p>Written meanwhile, \(number)</p>", by: user("Somebody"))
        }
        try await server.start()
        let told = try await feed.first { $0.newAbove == 2 }
        transcript.show(TextFrames.feed(told, rows: 0..<2))
        transcript.verify(told.items.map(\.id), equals: before, "it is back and says so; no row has moved")
        feed.showNew()
        let shown = try await feed.first { $0.newAbove == 0 && $0.items.first?.id == news.last }
        transcript.show(TextFrames.feed(shown, rows: 0..<3))
        transcript.verify(
            Array(shown.items.prefix(3).map(\.id)), equals: news.reversed() + before.prefix(1), "a tap shows them")
        feed.visible(26..<36)
        // The first page was loaded again. Its former last posts are loaded when they become visible.
        let all = try await feed.first { $0.items.contains { $0.id == before[29] } }
        transcript.verify(
            Array(all.items.prefix(62).map(\.id)), equals: news.reversed() + before.prefix(60),
            "she scrolls on: none twice, none missing")
        try await app.logOut()
    }

    private static func next(
        _ kind: PaginatorEvent.Kind, in events: PaginatorSequence<PaginatorEvent, Never>.Iterator
    ) async -> Bool {
        var events = events
        while let event = await events.next() { if event.kind == kind { return true } }
        return false
    }
}

import AppFoundation
import ExampleBackend
import FeedClient
import Foundation
import PaginatorAsync
import PaginatorCore
import PaginatorLists

extension FeedStory {
    /// Reads the same pages item by item.
    func readWithAsync(_ app: FeedApp) async throws {
        transcript.begin("The same posts one by one, with for try await")
        let requests = server.faults.count("GET", "/v1/feed")
        var ids: [Int64] = []
        for try await post in app.posts.feed.items(from: "first", pageSize: 30) {
            ids.append(post.id)
            if ids.count == 120 { break }
        }
        transcript.verify(ids, equals: app.posts.list.snapshot.prefix(120).map(\.id), "they are those of the list")
        transcript.verify(server.faults.count("GET", "/v1/feed"), equals: requests, "out of memory, without a request")
    }

    func search(_ app: FeedApp, _ feed: FeedStateHolder) async throws {
        transcript.begin("Ada searches")
        let search = FeedCoordinator(app).makeSearch()
        let asked = server.faults.count("GET", "/v1/search")
        for length in 1...9 { search.type(String("Post 2999".prefix(length))) }
        let found = try await search.first { !$0.isLoading && !$0.items.isEmpty }
        transcript.show(TextFrames.search(found))
        transcript.verify(
            found.items.contains { $0.summary.hasPrefix("Post 2999:") }, "the server finds the oldest post")
        transcript.verify(server.faults.count("GET", "/v1/search"), equals: asked + 1, "asked once for nine letters")
        await server.stop()
        search.type("Post 42")
        let seen = try await search.first { $0.isOfSeenPosts && !$0.isLoading }
        transcript.show(TextFrames.search(seen))
        transcript.verify(
            seen.items.contains { $0.summary.hasPrefix("Post 42:") },
            "without a server, the index on the device finds what she has seen")
        try await server.start()
        let all = try await search.first { !$0.isOfSeenPosts && $0.items.count > seen.items.count }
        transcript.verify(
            all.items.allSatisfy(\.isFromServer), "when it is back, the search goes on by itself to everything")
        _ = try await feed.first { !$0.isOffline }
    }

    /// Loads every post while the blocking of the main thread is measured.
    func pageThroughEverything() async throws {
        transcript.begin("Linus pages through all \(postCount) posts")
        let app = try await FeedApp.signIn("Linus", at: url, root: root.appending(path: "linus"))
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { !$0.items.isEmpty }
        let meter = StallMeter()
        let start = ContinuousClock.now
        while !feed.state.isAtEnd {
            let count = feed.state.items.count
            feed.visible(max(0, count - 10)..<count)
            _ = try await feed.first { $0.items.count > count || $0.isAtEnd }
        }
        let duration = ContinuousClock.now - start
        let stall = meter.stop()
        let ids = feed.state.items.map(\.id)
        transcript.verify(ids.count, equals: postCount + 1, "all posts came, one was deleted and two are new")
        transcript.verify(ids == ids.sorted(by: >), "each once, in the order of the server")
        transcript.note(
            "longest main-thread stall while paging through \(ids.count) posts: "
                + "\(stall.longest.formatted(.units(allowed: [.milliseconds], fractionalPart: .show(length: 1)))), "
                + "in \(stall.turns) turns and \(duration.formatted(.units(allowed: [.seconds], fractionalPart: .show(length: 1))))"
        )
        transcript.verify(stall.turns > 20, "the main thread was asked often enough to know")
        try await app.logOut()
    }

    func workInTheBackground(_ app: FeedApp) async throws {
        transcript.begin("The app works in the background")
        app.enterBackground()
        try await app.save()
        let work = try await app.runBackgroundTask()
        transcript.verify(work.feed.loaded.count, equals: 3, "the system's task has loaded the beginning of the feed")
        transcript.verify(work.feed.failed.isEmpty && work.feed.unfinished.isEmpty, "all of it, and put it on disk")
        app.enterForeground()
    }

    func logOut(_ app: FeedApp) async throws {
        transcript.begin("Ada logs out")
        let folder = root.appending(path: "ada")
        try await app.posts.flush()
        let before = try files(in: folder)
        transcript.note("\(before.count) files, \(before.reduce(0) { $0 + $1.bytes }) bytes")
        transcript.verify(!before.isEmpty, "what she did was on disk")
        try await app.logOut()
        // The id of the installation is nobody's.
        let after = try files(in: folder).filter { $0.path != "device" }
        transcript.verify(after.isEmpty, "nothing of hers is left", found: after.map(\.path).joined(separator: ", "))
        transcript.verify(
            try await FeedApp.open(root: folder, at: url) == nil, "and the next start finds nobody signed in")
    }

    private func files(in folder: URL) throws -> [(path: String, bytes: Int)] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).compactMap { path in
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: path).path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else { return nil }
            return (path, attributes[.size] as? Int ?? 0)
        }
    }
}

import ArgumentParser
import Foundation
import PaginatorCore
import PaginatorHTTP
import PaginatorSQLiteStore

/// A client in a process of its own: reads the feed from its beginning, keeps it on disk, and quits.
struct ReaderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reader", abstract: "Read the feed from its beginning, keep it on disk, and quit.")

    @Option(help: "Where the feed is served.")
    var url: String

    @Option(help: "The file that keeps the pages.")
    var store: String

    @Option(help: "How many pages to read.")
    var pages = 4

    func run() async throws {
        guard let baseURL = URL(string: url) else { throw ValidationError("\(url) is no address") }
        let source = FeedSource.feed(at: baseURL)
        let paginator = CallbackPaginator(
            dataSource: source, store: try SQLitePageStore<PostPreview>(path: store, namespace: "feed"))
        var key: String? = source.firstKey
        for _ in 0..<pages {
            guard let asked = key else { break }
            let fetched = try await paginator.answer(key: asked, pageSize: 30).get()
            let ids = fetched.page.content.map(\.postId).joined(separator: ",")
            Transcript.say("\(fetched.origin.rawValue) \(fetched.isStale ? "stale" : "fresh") \(ids)")
            key = fetched.page.nextKey
        }
        try await paginator.finish()
    }
}

extension CallbackPaginator {
    /// Shuts down and waits until everything is on disk.
    func finish() async throws {
        let result = await withCheckedContinuation { continuation in
            shutdown { continuation.resume(returning: $0) }
        }
        try result.get()
    }
}

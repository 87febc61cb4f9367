import ArgumentParser
import FeedClient
import Foundation
import PaginatorAsync
import PaginatorCore
import PaginatorSQLiteStore

/// Measures the page store against a normalized schema, each as the feed's repository uses it.
struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare-storage",
        abstract: "Load, page through and read again the same posts from the page store and from a normalized schema.")

    @Option(help: "How many posts.")
    var posts = 3_000

    @Option(help: "How many rounds; each measures both, and the medians are printed.")
    var rounds = 7

    private enum Kind: String, CaseIterable {
        case pages = "page store"
        case normalized = "normalized"
    }

    private struct Measurement {
        var load: [Double] = []
        var page: [Double] = []
        var reread: [Double] = []
    }

    func run() async throws {
        let corpus = SamplePosts.make(count: posts)
        var measurements: [Kind: Measurement] = [:]
        for round in 0..<(rounds + 1) {
            for kind in Kind.allCases {
                let (load, page, reread) = try await measure(kind, corpus)
                // The first round warms up.
                guard round > 0 else { continue }
                measurements[kind, default: Measurement()].load.append(load)
                measurements[kind, default: Measurement()].page.append(page)
                measurements[kind, default: Measurement()].reread.append(reread)
            }
        }
        Transcript.say("\(posts) posts in pages of 30, medians of \(rounds) interleaved rounds, milliseconds")
        let pages = measurements[.pages] ?? Measurement()
        let normalized = measurements[.normalized] ?? Measurement()
        for (name, path) in [
            ("load: from the source to the disk", \Measurement.load), ("page: from the disk, all pages", \.page),
            ("re-read: the same once more", \.reread),
        ] {
            let (new, old) = (median(pages[keyPath: path]), median(normalized[keyPath: path]))
            Transcript.say(
                "\(name): page store \(text(new)), normalized \(text(old)), \(text(old / max(new, 0.001))) times as long"
            )
        }
    }

    private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    private func text(_ value: Double) -> String { String(format: "%.1f", value) }

    /// Runs one round of one kind, and returns its times in milliseconds.
    private func measure(_ kind: Kind, _ corpus: [Post]) async throws -> (Double, Double, Double) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "compare-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            // The system cleans up the temporary folder.
            try? FileManager.default.removeItem(at: folder)
        }
        let writer = try makePaginator(kind, corpus, in: folder)
        let load = try await time {
            try await read(writer, policy: .networkOnly)
            try await writer.flush()
        }
        try await writer.shutdownAndWait()
        let reader = try makePaginator(kind, corpus, in: folder)
        let page = try await time { try await read(reader, policy: .cacheOnly) }
        let reread = try await time { try await read(reader, policy: .cacheOnly) }
        try await reader.shutdownAndWait()
        return (load, page, reread)
    }

    /// Creates a paginator whose memory holds one page, so that the disk is measured.
    private func makePaginator(_ kind: Kind, _ corpus: [Post], in folder: URL) throws -> CallbackPaginator<Post> {
        let store: any PaginatorStore<Post> =
            switch kind {
            case .pages:
                try SQLitePageStore<Post>(path: folder.appending(path: "pages.sqlite").path, namespace: "feed")
            case .normalized: try NormalizedPostStore(path: folder.appending(path: "normalized.sqlite").path)
            }
        var config = PaginatorConfig()
        config.inMemoryEvictionStrategy = .lru(maxPages: 1)
        return CallbackPaginator(dataSource: ArrayDataSource(corpus), store: store, config: config)
    }

    private func read(_ paginator: CallbackPaginator<Post>, policy: FetchPolicy) async throws {
        var key: String? = "0"
        var count = 0
        while let asked = key {
            let page = try await paginator.fetch(key: asked, pageSize: 30, policy: policy)
            count += page.content.count
            key = page.nextKey
        }
        guard count == posts else { throw ValidationError("\(count) posts came instead of \(posts)") }
    }

    private func time(_ body: () async throws -> Void) async throws -> Double {
        let start = ContinuousClock.now
        try await body()
        return (ContinuousClock.now - start) / .milliseconds(1)
    }
}

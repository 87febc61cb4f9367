import Foundation
import PaginatorCore
import PaginatorHTTP

/// The run: a server, clients of it, and chapters that show what the library does and check it.
struct FeedStory {
    let transcript = Transcript()
    let counting = CountingObserver()
    let server: FeedServer
    let baseURL: URL
    let source: FeedSource
    let pageSize = 30

    var conditions: FeedConditions { server.conditions }

    /// Runs every chapter.
    ///
    /// - Returns: whether everything shown was as it should be.
    static func run() async throws -> Bool {
        let server = try FeedServer()
        let (url, _) = try await server.start()
        let story = FeedStory(server: server, baseURL: url, source: .feed(at: url))
        Transcript.say("A feed of \(server.corpus.posts.count) posts is served at \(url)/v1/feed")
        endInTime()

        try await story.tell()
        return story.conclude()
    }

    private func tell() async throws {
        let keys = try await readWholeFeed()
        try await scrollByList()
        try await fetchAroundOnePage(keys)
        try await shareOneRequest(keys)
        try await startUrgentWorkFirst(keys)
        try await recoverFromUnavailability(keys)
        try await timeOut(keys)
        try await cancel(keys)
        try await evict(keys)
        try await compareWithTheServer()
        try await keepOnDisk()
        try await loseTheServer(keys)
        try await showCounters()
    }

    private func conclude() -> Bool {
        Transcript.say("")
        guard transcript.differences.isEmpty else {
            for difference in transcript.differences { Transcript.say("differs: \(difference)") }
            Transcript.say("run: \(transcript.differences.count) of the things shown were not as they should be")
            return false
        }
        Transcript.say("\(transcript.verified) things shown were verified")
        Transcript.say("run: ok")
        return true
    }

    /// Makes a paginator of its own for a chapter.
    func makePaginator(
        _ adjust: (inout PaginatorConfig) -> Void = { _ in }
    ) -> CallbackPaginator<PostPreview> {
        var config = DefaultPaginatorConfig()
        config.observer = counting
        config.randomSeed = 7
        adjust(&config)
        return CallbackPaginator(dataSource: source, config: config)
    }

    /// The server's cursor for a key.
    func cursor(_ key: String) -> String {
        source.cursor(ofKey: key)
    }

    /// Ends a run that hangs: an answer that never comes is a failure too.
    private static func endInTime(_ limit: TimeInterval = 120) {
        DispatchQueue.global().asyncAfter(deadline: .now() + limit) {
            Transcript.say("run: not finished after \(Int(limit)) seconds")
            exit(1)
        }
    }
}

/// placeholder
enum FeedStory {
    static func run() async throws -> Bool { true }
}

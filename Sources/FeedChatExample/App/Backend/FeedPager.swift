import Foundation

/// Cuts the corpus into pages: a pure function from a cursor and a limit to what the server answers.
struct FeedPager: Sendable {
    let corpus: PostCorpus

    enum Failure: Error {
        case badLimit
        case unknownCursor
    }

    /// The page of at most `limit` posts after the one that `cursor` names; the empty cursor names the first page.
    func page(after cursor: String, limit: Int) throws(Failure) -> FeedResponse {
        guard (1...100).contains(limit) else { throw .badLimit }
        let start = try index(of: cursor)
        let end = min(corpus.posts.count, start + limit)
        let paging = FeedResponse.Paging(
            previous: start == 0 ? nil : Self.cursor(at: max(0, start - limit)),
            next: end == corpus.posts.count ? nil : Self.cursor(at: end),
            total: corpus.posts.count)
        return FeedResponse(feed: Array(corpus.posts[start..<end]), paging: paging)
    }

    private func index(of cursor: String) throws(Failure) -> Int {
        if cursor.isEmpty { return 0 }
        guard let data = Data(base64Encoded: cursor), let text = String(bytes: data, encoding: .utf8),
            text.hasPrefix("feed/"), let index = Int(text.dropFirst(5)), (1..<corpus.posts.count).contains(index)
        else { throw .unknownCursor }
        return index
    }

    /// The cursor of the page that starts at `index`. It is Base64, so its `+`, `/` and `=` must survive the query.
    static func cursor(at index: Int) -> String {
        index == 0 ? "" : Data("feed/\(index)".utf8).base64EncodedString()
    }
}

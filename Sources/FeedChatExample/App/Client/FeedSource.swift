import Foundation
import PaginatorHTTP

/// The feed as a data source: cursors in the body, both ways, as `GET /v1/feed?after=&limit=` has them.
typealias FeedSource = HTTPDataSource<PostPreview>

extension FeedSource {
    /// Makes a source of the feed that is served at an address.
    static func feed(at baseURL: URL) -> FeedSource {
        FeedSource(
            HTTPEndpoint(baseURL.appending(path: "v1/feed")), items: "feed",
            style: .cursor(
                "after", from: "paging.next", previous: "paging.previous", emptyPreviousIsFirst: true, size: "limit",
                total: "paging.total"),
            decoder: .wire())
    }

    /// The server's cursor for a key; the empty one names the first page.
    func cursor(ofKey key: String) -> String {
        key == firstKey ? "" : key
    }
}

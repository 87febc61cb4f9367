// One source for each way that APIs page, and your own style. It makes no request.
import Foundation
import PaginatorCore
import PaginatorHTTP

struct Thing: Decodable, Sendable {
    let id: String
}

let token = "from the keychain"

// Page number and size, with the total number of items in a header.
let posts = HTTPDataSource<Thing>(
    "https://example.com/posts", style: .pageNumber(total: .items(.header("X-Total-Count"))))

// Offset and limit; the items are in the field `data`.
let rows = HTTPDataSource<Thing>(
    "https://example.com/rows", items: "data", style: .offset("skip", limit: "take", total: .items("total")))

// The answer to `GET /feed?after=CURSOR&limit=30` is `{"posts": […], "next": "CURSOR"}`; the last page has no `next`.
let feed = HTTPDataSource<Thing>(
    "https://api.example.com/feed", items: "posts", style: .cursor("after", from: "next", size: "limit"))

// A cursor in the body, and a token.
var options = HTTPSourceOptions()
options.authentication = .bearer { token }
options.skipsBrokenItems = true
options.onSkippedItem = { error, _ in print("left out: \(error)") }
let members = HTTPDataSource<Thing>(
    "https://slack.com/api/users.list", items: "members",
    style: .cursor("cursor", from: "response_metadata.next_cursor", size: "limit"), options: options)

// A search; its text is the request's scope.
var searching = HTTPSourceOptions()
searching.prepare = { request in request.set("q", to: request.scope) }
let search = HTTPDataSource<Thing>(
    "https://api.github.com/search/repositories", items: "items", style: .linkHeader, options: searching)

// Your own style.
struct SinceID: HTTPPagingStyle {
    let firstKey = "start"

    func prepare(_ request: inout HTTPPageRequest) {
        request.setPageSize("count")
        if !request.isFirst { request.set("since_id", to: request.key) }
    }

    func keys(in response: HTTPPageResponse) throws(HTTPSourceError) -> HTTPPageKeys {
        HTTPPageKeys(next: try response.text(of: "newest_id"))
    }
}

let notes = HTTPDataSource<Thing>("https://example.com/notes", items: "notes", style: SinceID())

print(posts.firstKey, rows.firstKey, feed.firstKey, members.firstKey, search.firstKey, notes.firstKey)

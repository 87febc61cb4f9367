// Keys and scopes: what identifies a page, and what keeps the pages of two searches, sort orders or users apart.
import Foundation
import PaginatorCore

let words = ["apple", "banana", "cherry", "date", "elder", "fig", "grape"]
let source = ClosureDataSource<String>(firstKey: "0") { (request: SourceRequest) -> PaginatorPage<String> in
    // The scope selects the rows; the key is the position of the page in them.
    let rows = request.scope == "Z to A" ? words.reversed() : words
    let start = Int(request.key) ?? 0
    let end = min(rows.count, start + request.pageSize)
    return PaginatorPage(
        content: Array(rows[start..<end]), key: request.key, nextKey: end < rows.count ? String(end) : nil,
        total: rows.count)
}

var config = PaginatorConfig()
// The keys of this source are offsets; any other key is refused without a call of the source.
config.keyRule = .offset
let feed = CallbackPaginator(dataSource: source, config: config)

feed.fetch(key: "0", pageSize: 3, scope: "A to Z") { _ in
    feed.fetch(key: "0", pageSize: 3, scope: "Z to A") { _ in
        // Two pages with the same key, since their scopes differ.
        print(feed.peek(key: "0", pageSize: 3, scope: "A to Z")?.content ?? [])
        print(feed.peek(key: "0", pageSize: 3, scope: "Z to A")?.content ?? [])
        // Another page size is another page.
        print(feed.peek(key: "0", pageSize: 5, scope: "A to Z") == nil ? "nothing in pages of five" : "")
        feed.fetch(key: "page two", pageSize: 3) { result in
            if case .failure(let error) = result { print(error.code) }
            // At log-out, or when the server's table was rebuilt.
            feed.clear(scope: "Z to A")
            exit(0)
        }
    }
}
dispatchMain()

import Foundation
import PaginatorCore

let posts = ArrayDataSource((1...500).map { "post \($0)" })
let feed = CallbackPaginator(dataSource: posts)

// The next ten pages of the feed, in a background task: no more than a megabyte, and only on a good link.
var request = PrefetchRequest(from: posts.firstKey, pages: 10, pageSize: 30)
request.allows = .background
request.maxBytes = 1_000_000
request.timeout = .seconds(25)
let execution = feed.prefetch(request) { summary in
    print(summary.loaded.count, "pages came,", summary.fresh.count, "were there,", summary.failed.count, "failed")
    exit(0)
}
// When the background time expires, call `execution.cancel()`. The completion is called anyway.
dispatchMain()

import Foundation
import PaginatorCore

let posts = ArrayDataSource((1...95).map { "post \($0)" })
let feed = CallbackPaginator(dataSource: posts)

/// Shows a page and then the next one, until there is none.
@Sendable func show(_ key: String) {
    feed.fetch(key: key, pageSize: 30) { result in
        switch result {
        case .success(let page):
            print("\(page.content.count) posts at \(page.key), from \(page.origin), next: \(page.nextKey ?? "none")")
            if let next = page.nextKey { show(next) } else { exit(0) }
        case .failure(let error):
            print("no page: \(error)")
            exit(1)
        }
    }
}

show(posts.firstKey)
dispatchMain()

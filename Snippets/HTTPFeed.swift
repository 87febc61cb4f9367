// Pages through the public API of GitHub: the address, the item type, and one line that describes how the API pages.
import Foundation
import PaginatorCore
import PaginatorHTTP

nonisolated struct Issue: Decodable, Sendable {
    let number: Int
    let title: String
}

let issues = HTTPDataSource<Issue>(
    "https://api.github.com/repos/swiftlang/swift/issues?state=open", style: .linkHeader)
let feed = CallbackPaginator(dataSource: issues)

feed.fetch(key: issues.firstKey, pageSize: 5) { result in
    switch result {
    case .success(let page):
        for issue in page.content { print("#\(issue.number) \(issue.title)") }
        print("next:", page.nextKey ?? "none")
        exit(0)
    case .failure(let error):
        print("no page: \(error)")
        exit(1)
    }
}
dispatchMain()

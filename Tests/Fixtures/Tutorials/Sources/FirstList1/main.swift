import PaginatorAsync
import PaginatorCore

let posts = ArrayDataSource((1...95).map { "post \($0)" })
let paginator = CallbackPaginator(dataSource: posts)

let page = try await paginator.fetch(key: posts.firstKey, pageSize: 30)
print("\(page.content.count) posts from \(page.origin), next: \(page.nextKey ?? "none")")

let again = try await paginator.fetch(key: posts.firstKey, pageSize: 30)
print("\(again.content.count) posts from \(again.origin), next: \(again.nextKey ?? "none")")

import PaginatorAsync
import PaginatorCore

let paginator = CallbackPaginator(dataSource: ArrayDataSource(Array(1...5)))
var items: [Int] = []
for try await item in paginator.items(from: "0", pageSize: 2) { items.append(item) }
if items == [1, 2, 3, 4, 5] { print("consumer: ok") }

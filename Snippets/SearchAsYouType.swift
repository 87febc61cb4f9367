import Foundation
import PaginatorCore
import PaginatorLists

/// Answers the empty text with an empty page, without a request.
func skippingEmptyText<T: Sendable>(_ source: some PaginatorDataSource<T>) -> ClosureDataSource<T> {
    ClosureDataSource<T>(
        firstKey: source.firstKey, needsConnection: source.needsConnection,
        neighborKeys: { source.neighborKeys(of: $0, pageSize: $1) }
    ) { request, completion in
        guard request.scope.isEmpty else { return source.fetch(request, completion: completion) }
        completion(.success(PaginatorPage(content: [], key: request.key)))
        return .none
    }
}

let cities = ["Aachen", "Aalen", "Bergen", "Berlin", "Bern", "Bremen", "Essen"]
// A source that reads the search text from the request's scope.
let search = ClosureDataSource<String>(firstKey: "0") { request in
    let found = cities.filter { $0.lowercased().hasPrefix(request.scope) }
    return PaginatorPage(content: found, key: request.key)
}
var config = PaginatorListConfig()
config.debounce = DebounceKey("search", delay: .milliseconds(300))
let list = PaginatorList(CallbackPaginator(dataSource: skippingEmptyText(search)), id: { $0 }, config: config)
let observation = list.observe { update in
    print(Array(update.snapshot), update.status.refresh.isLoading ? "loading" : "")
    if update.snapshot.count == 3 { exit(0) }
}
// Called by a text field: the old rows stay until the rows of the last text have arrived.
for text in ["b", "be", "ber"] { list.show(scope: text) }
dispatchMain()

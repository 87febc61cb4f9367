import PaginatorAsync
import PaginatorCore
import PaginatorLists

/// `fetchHandler`, which calls `receivedResults` or `failed`, becomes a data source, which returns a page or throws.
func strings(_ source: [[String]]) -> PaginatorList<String, String> {
    let pages = AsyncDataSource(firstKey: "0") { request in
        let number = Int(request.key) ?? 0
        guard source.indices.contains(number) else { throw SourceError.fatal(NotAPage()) }
        let isLast = number + 1 == source.count
        return PaginatorPage(
            content: source[number], key: request.key, nextKey: isLast ? nil : String(number + 1), total: 4)
    }
    var config = PaginatorListConfig()
    config.pageSize = 2
    return PaginatorList(CallbackPaginator(dataSource: pages), id: { $0 }, config: config)
}

/// `resultsHandler`, `resetHandler` and `failureHandler` become one closure.
@MainActor func show(_ list: PaginatorList<String, String>, in rows: @escaping @MainActor ([String]) -> Void) {
    list.observe(onMain: { update in
        rows(Array(update.snapshot))
        if let error = update.status.next.error { print(error.localizedDescription) }
    })
    // `fetchFirstPage()` when the screen appears, and `fetchNextPage()` at its end.
    list.loadNext()
}

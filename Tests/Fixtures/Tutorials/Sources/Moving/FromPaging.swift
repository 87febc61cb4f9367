import PaginatorCore
import PaginatorLists

/// A `PagingSource` becomes a data source: one method, which takes a key and answers with a page or an error.
struct PostSource: PaginatorDataSource {
    let api: any PostAPI
    let firstKey = "1"

    func fetch(
        _ request: SourceRequest, completion: @escaping @Sendable (Result<PaginatorPage<Post>, SourceError>) -> Void
    ) -> SourceCancellation {
        let task = Task {
            do {
                let number = Int(request.key) ?? 1
                let posts = try await api.posts(page: number, size: request.pageSize)
                let nextKey = posts.isEmpty ? nil : String(number + 1)
                completion(.success(PaginatorPage(content: posts, key: request.key, nextKey: nextKey)))
            } catch {
                completion(.failure(.retry(error)))
            }
        }
        return SourceCancellation { task.cancel() }
    }
}

/// A `Pager` with its `PagingConfig` becomes a list with its configuration.
func feed(of api: any PostAPI) -> PaginatorList<Post, Post.ID> {
    var config = PaginatorListConfig()
    config.pageSize = 20
    config.initialLoadSize = 60
    config.prefetchDistance = 20
    config.windowItems = 200
    config.addressing = .pageNumber()
    return PaginatorList(CallbackPaginator(dataSource: PostSource(api: api)), config: config)
}

/// `insertSeparators` becomes a separation, to which each update of the list is applied.
let letters = PaginatorListSeparation<Post, Post.ID, String>(by: { before, after in
    guard let after, before?.text.first != after.text.first else { return nil }
    return after.text.first.map(String.init)
})

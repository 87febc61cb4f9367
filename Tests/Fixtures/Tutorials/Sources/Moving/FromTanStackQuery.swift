import Foundation
import PaginatorAsync
import PaginatorCore
import PaginatorLists

/// `queryFn`, `initialPageParam` and `getNextPageParam` in one place. Keep it: the lists of all authors load from it.
func makeProjects(_ api: any PostAPI) -> CallbackPaginator<Post> {
    let source = AsyncDataSource(firstKey: "1") { request in
        let number = Int(request.key) ?? 1
        let posts = try await api.posts(author: request.scope, page: number, size: request.pageSize)
        return PaginatorPage(
            content: posts, key: request.key,
            // `staleTime`.
            expirationTime: .now + 60,
            // `getPreviousPageParam` and `getNextPageParam`.
            prevKey: number == 1 ? nil : String(number - 1), nextKey: posts.isEmpty ? nil : String(number + 1))
    }
    return CallbackPaginator(dataSource: source)
}

/// `useInfiniteQuery` with a query key of two parts becomes a list with a scope.
func projects(of author: String, from paginator: CallbackPaginator<Post>) -> PaginatorList<Post, Post.ID> {
    var config = PaginatorListConfig()
    config.scope = author
    // Shows a stale cached page while it is loaded again.
    config.policy = .staleWhileRevalidate
    // `maxPages: 3`.
    config.windowItems = 3 * config.pageSize
    return PaginatorList(paginator, config: config)
}

/// `useMutation` with `onMutate`, `onError` and `onSettled`.
func like(_ id: Post.ID, in list: PaginatorList<Post, Post.ID>, at api: any PostAPI) async {
    let edit = list.edits.begin(id) { Post(id: $0.id, text: $0.text, isLiked: true) }
    do {
        try await api.like(id)
        edit.commit()
    } catch {
        edit.rollBack()
    }
    // `queryClient.invalidateQueries`.
    list.paginator.invalidate(.all)
    list.refresh(.stalePages)
}

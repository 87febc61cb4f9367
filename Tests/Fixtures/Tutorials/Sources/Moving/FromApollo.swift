import PaginatorCore
import PaginatorHTTP
import PaginatorLists

let myQuery = """
    query MyQuery($first: Int!, $after: String) {
      posts(first: $first, after: $after) { nodes { id text isLiked } pageInfo { hasNextPage endCursor } }
    }
    """

/// `initialQuery`, `extractPageInfo` and `pageResolver` become an endpoint and a style.
func posts() -> PaginatorList<Post, Post.ID> {
    let source = HTTPDataSource<Post>(
        .graphQL("https://api.example.com/graphql", query: myQuery), style: .relayConnection("data.posts"))
    var config = PaginatorListConfig()
    config.pageSize = 10
    // The closest to `returnCacheDataAndFetch`: the source is asked if the cached page is stale.
    config.policy = .staleWhileRevalidate
    return PaginatorList(CallbackPaginator(dataSource: source), config: config)
}

/// `subscribe`, `loadNext` and `refetch`. The returned execution cancels the observation.
func use(_ pager: PaginatorList<Post, Post.ID>) -> PaginatorExecution {
    let observation = pager.observe(onMain: { update in
        print(update.snapshot.count, "posts, can load more:", update.status.hasNext)
    })
    pager.loadNext()
    pager.refresh()
    return observation
}

import Observation
import PaginatorAsync
import PaginatorCore
import PaginatorLists

@MainActor @Observable
final class FeedModel {
    private(set) var posts = PaginatorListSnapshot<Post, Post.ID>()
    private(set) var status = PaginatorListStatus()
    @ObservationIgnored private let list: PaginatorList<Post, Post.ID>
    @ObservationIgnored private let api: any PostAPI

    init(_ api: any PostAPI) {
        self.api = api
        let source = AsyncDataSource(firstKey: "1") { request in
            guard let number = Int(request.key) else { throw SourceError.fatal(NotAPage()) }
            let posts = try await api.posts(page: number, size: request.pageSize)
            let isLast = posts.count < request.pageSize
            return PaginatorPage(content: posts, key: request.key, nextKey: isLast ? nil : String(number + 1))
        }
        list = PaginatorList(CallbackPaginator(dataSource: source))
        list.observe(onMain: { [weak self] update in
            self?.posts = update.snapshot
            self?.status = update.status
        })
        list.loadNext()
    }

    /// The row at a position is on the screen: the rows after it are loaded in time.
    func didShow(_ position: Int) { list.hint(visible: position..<position + 1) }

    func refresh() async throws { try await list.refreshAndWait() }

    func retry() { list.retry() }

    func like(_ id: Post.ID) async {
        let edit = list.edits.begin(id) { post in
            var liked = post
            liked.isLiked = true
            return liked
        }
        do {
            try await api.like(id)
            edit.commit()
        } catch {
            edit.rollBack()
        }
    }
}

struct NotAPage: Error {}

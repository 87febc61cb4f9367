// A view model on the main actor, tested on one thread: a page, a failure, a like that the server refuses, and a
// refresh that needs a second attempt.
import PaginatorAsync
import PaginatorCore
import PaginatorLists
import PaginatorTesting

nonisolated struct Post: Sendable, Identifiable {
    let id: Int
    var isLiked = false
}

/// The view model of an app; it takes any paginator.
@MainActor final class FeedModel {
    private(set) var posts: [Post] = []
    private(set) var error: PaginatorError?
    private(set) var isRefreshing = false
    private let list: PaginatorList<Post, Post.ID>
    private let sendLike: (Post.ID) async throws -> Void

    init(_ paginator: some Paginator<Post>, sendLike: @escaping (Post.ID) async throws -> Void) {
        self.sendLike = sendLike
        list = PaginatorList(paginator)
        list.observe(onMain: { [weak self] update in
            self?.posts = Array(update.snapshot)
            self?.error = update.status.refresh.error ?? update.status.next.error
            self?.isRefreshing = update.status.refresh.isLoading
        })
    }

    func loadMore() { list.loadNext() }

    // The update of the list has the error.
    func pullToRefresh() async { try? await list.refreshAndWait() }

    func like(_ id: Post.ID) async {
        let edit = list.edits.begin(id) { Post(id: $0.id, isLiked: true) }
        do {
            try await sendLike(id)
            edit.commit()
        } catch {
            edit.rollBack()
        }
    }
}

struct Outage: Error {}

// The source runs on the executor, too. Without `executor:` it would answer on another thread.
let clock = ManualPaginatorClock()
let executor = SimulatedExecutor()
let source = ScriptedDataSource<Post>(clock: clock, executor: executor)
source.script([.page(PaginatorPage(content: [Post(id: 1)], key: "0", nextKey: "1"))], forKey: "0")
source.script([.fail(.fatal(Outage()))], forKey: "1")

var config = PaginatorConfig()
config.simulate(on: executor, clock: clock)
let (answers, answer) = AsyncStream.makeStream(of: Void.self)
let model = FeedModel(CallbackPaginator(dataSource: source, config: config)) { _ in
    for await _ in answers { throw Outage() }
}

// When `immediately` returns, everything that follows from the call has happened.
executor.immediately { model.loadMore() }
print(model.posts.count, model.error == nil)
executor.immediately { model.loadMore() }
print(model.posts.count, model.error?.code ?? "no error")

// Code that mixes tasks with the executor: `settle` runs both until the condition holds.
let like = Task { await model.like(1) }
try await executor.settle { model.posts[0].isLiked }
answer.yield()
try await executor.settle { !model.posts[0].isLiked }
await like.value
print("the like is gone")

// An `async` method that needs the clock, too: the server fails once, and is asked again after a pause.
source.script([.fail(.retry(Outage())), .page(PaginatorPage(content: [Post(id: 2)], key: "0"))], forKey: "0")
let refresh = Task { await model.pullToRefresh() }
try await executor.settle { model.isRefreshing }
clock.advance(by: .seconds(60))
try await executor.settle { !model.isRefreshing }
await refresh.value
print(model.posts.map(\.id), model.error == nil)

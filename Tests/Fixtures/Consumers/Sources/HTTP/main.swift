import Dispatch
import PaginatorCore
import PaginatorHTTP

struct Post: Decodable, Sendable { let id: Int }

// Nobody listens at this port: what counts is that a source is made, called, and says what went wrong.
let posts = HTTPDataSource<Post>("http://127.0.0.1:9/posts", style: .pageNumber())
var config = PaginatorConfig()
config.maxAttempts = 1
let paginator = CallbackPaginator(dataSource: posts, config: config)
let ended = DispatchSemaphore(value: 0)
paginator.fetch(key: posts.firstKey, pageSize: 10) { result in
    if case .failure(let error) = result, [.sourceFailed, .offline].contains(error.code) { print("consumer: ok") }
    ended.signal()
}
ended.wait()

// One scheduler for all paginators that call the same server: they share its parallel calls, rate limit and retry budget.
import PaginatorAsync
import PaginatorCore

var scheduling = PaginatorSchedulerConfig()
scheduling.maxParallelCalls = 6
scheduling.rateLimit = .init(permits: 20, per: .seconds(1), burst: 10)

var config = PaginatorConfig()
config.scheduler = PaginatorScheduler(config: scheduling)

let posts = CallbackPaginator(dataSource: ArrayDataSource(["first", "second"]), config: config)
let comments = CallbackPaginator(dataSource: ArrayDataSource([1, 2, 3]), config: config)

print(try await posts.fetch(key: "0", pageSize: 30).content)
print(try await comments.fetch(key: "0", pageSize: 30).content)

// One scheduler for every paginator that calls the same server: its slots, its rate and its retry budget are shared.
import PaginatorCore

var scheduling = PaginatorSchedulerConfig()
scheduling.maxParallelCalls = 6
scheduling.rateLimit = .init(permits: 20, per: .seconds(1), burst: 10)
scheduling.waitsForConnectivity = true

var config = DefaultPaginatorConfig()
config.scheduler = PaginatorScheduler(config: scheduling)

let posts = CallbackPaginator(dataSource: ArrayDataSource(["first", "second"]), config: config)
let comments = CallbackPaginator(dataSource: ArrayDataSource([1, 2, 3]), config: config)

posts.fetch(key: "0", pageSize: 30) { result in print(result) }
comments.fetch(key: "0", pageSize: 30) { result in print(result) }

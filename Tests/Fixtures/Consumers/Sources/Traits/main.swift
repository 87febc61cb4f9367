import Logging
import PaginatorAsync
import PaginatorCombine
import PaginatorCore

#if canImport(Combine)
    import Combine
#else
    import OpenCombine
#endif

var config = PaginatorConfig()
config.observer = PaginatorLogger.swiftLog(Logger(label: "pages")).and(PaginatorMetrics())
let paginator = CallbackPaginator(dataSource: ArrayDataSource([1, 2, 3]), config: config)
let (pages, continuation) = AsyncStream<[Int]>.makeStream()
let subscription = paginator.publisher(for: PageRequest(key: "0", pageSize: 3)).sink(
    receiveCompletion: { _ in continuation.finish() }, receiveValue: { continuation.yield($0.content) })
for await page in pages where page == [1, 2, 3] { print("consumer: ok") }
subscription.cancel()

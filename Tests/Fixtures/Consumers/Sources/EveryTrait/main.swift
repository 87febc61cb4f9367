import Dispatch
import Logging
import Metrics
import PaginatorAsync
import PaginatorCombine
import PaginatorCore
import PaginatorHTTP
import PaginatorInspector
import PaginatorLists
import PaginatorSQLiteStore
import PaginatorTesting
import PaginatorUI

#if canImport(Combine)
    import Combine
#else
    import OpenCombine
#endif

/// Tells everything to a logger of swift-log and to the metrics system of swift-metrics.
final class Everything: PaginatorObserver {
    let logger = PaginatorLogger.swiftLog(Logger(label: "numbers", factory: { _ in SwiftLogNoOpLogHandler() }))
    let metrics = PaginatorMetrics(factory: NOOPMetricsHandler.instance)

    func paginatorDidReport(_ event: PaginatorEvent) {
        logger.paginatorDidReport(event)
        metrics.paginatorDidReport(event)
    }
}

/// The number of items in each state of a list that its publisher publishes, and what ends that.
func counts(of list: PaginatorList<Int, Int>) -> (AsyncStream<Int>, AnyCancellable) {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    return (stream, list.publisher.sink { continuation.yield($0.snapshot.count) })
}

let numbers = ArrayDataSource(Array(1...5))
var config = PaginatorConfig()
config.observer = Everything()
let paginator = CallbackPaginator(dataSource: numbers, config: config)
let list = PaginatorList(paginator, id: \.self)

// The inspector serves its page in the browser.
let inspector = PaginatorInspector()
let attachment = inspector.attach(paginator, name: "Numbers")
let server = try await inspector.serve()

let (published, subscription) = counts(of: list)
try await list.refreshAndWait()
for await count in published where count == 5 { break }
print(server.url.absoluteString.hasPrefix("http") ? "consumer: ok" : "consumer: \(server.url)")
subscription.cancel()
attachment.detach()
await server.stop()

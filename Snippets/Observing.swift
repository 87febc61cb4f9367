// What a paginator reports: events as log messages, records for analytics, counters, and its whole state as text.
import Foundation
import PaginatorCore

var config = PaginatorConfig()
let log = PaginatorLogger(minimumLevel: .info) { level, text in print("[\(level)]", text) }
let analytics = PaginatorAnalytics { name, attributes in print("to the service:", name, attributes.count) }
config.observer = log.and(analytics)

let feed = CallbackPaginator(dataSource: ArrayDataSource(Array(1...95)), config: config)
feed.fetch(key: "0", pageSize: 30) { _ in
    feed.fetch(key: "0", pageSize: 30) { _ in
        let counters = feed.counters
        print("loads:", counters[.loadStarted], "hits:", counters.memoryHitRatio ?? 0)
        print("slowest hundredth of the calls:", counters.durations(of: .attemptEnded).percentile(0.99))
        // The whole state, for a bug report. It contains keys.
        print(feed.dump())
        exit(0)
    }
}
dispatchMain()

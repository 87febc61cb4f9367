import CBaseline
import Dispatch
import PaginatorAsync
import PaginatorCore
import Synchronization

// A server in front of a slow source, asked over loopback by 200 clients at once.
extension Group {
    static let server = Group(name: "server") { session in
        let keys = ServedPages.keys(session.scaled(100_000))
        let row = "200 clients, \(keys.count) requests for \(ServedPages.count) pages, a slow source"
        var rates: [String: [Double]] = [:]
        var tails: [String: [Double]] = [:]
        var latencies: [String: [Double]] = [:]
        var callsAPage = 0.0
        let rounds = session.isQuick ? 2 : 7
        for round in 0..<rounds {
            for step in ServedPages.Way.allCases.indices {
                let way = ServedPages.Way.allCases[(step + round) % ServedPages.Way.allCases.count]
                session.progress("server, round \(round + 1) of \(rounds): \(way.rawValue)")
                let run = try ServedPages.run(way, keys)
                rates[way.rawValue, default: []].append(Double(keys.count) / run.seconds)
                tails[way.rawValue, default: []].append(run.latencies.percentile(0.99))
                latencies[way.rawValue, default: []] += run.latencies
                if way == .paginator { callsAPage = max(callsAPage, Double(run.calls) / Double(run.pages)) }
            }
        }
        func figures(_ table: [String: [Double]], _ way: ServedPages.Way) -> [Double] { table[way.rawValue] ?? [] }
        /// The median of the rounds' own ratios.
        func ratio(_ table: [String: [Double]], to way: ServedPages.Way) -> Double {
            zip(figures(table, .paginator), figures(table, way)).map { $0 / $1 }.percentile(0.5)
        }
        for way in ServedPages.Way.allCases {
            session.record("\(row): requests a second", way.rawValue, samples: figures(rates, way), unit: "/s")
            session.record(row, way.rawValue, latencies: figures(latencies, way))
        }
        session.ratio("server-requests-a-second-to-dictionary", ratio(rates, to: .dictionary), .atLeast(0.9))
        session.ratio("server-p99-to-dictionary", ratio(tails, to: .dictionary), .atMost(1.1))
        session.ratio("server-requests-a-second-to-no-cache", ratio(rates, to: .source), .atLeast(2))
        session.count("server-source-calls-a-page", callsAPage, .exactly(1))
    }
}

private enum ServedPages {
    /// Where the route has its pages from.
    enum Way: String, CaseIterable {
        case source = "every request asks the source"
        case dictionary = "a dictionary behind a lock"
        case paginator = "await fetch"
    }

    static let count = 1_000
    private static let body = [UInt8](repeating: 0x61, count: 2_048)
    private static let sourceDelay = Duration.milliseconds(20)

    /// Few pages are asked for often, and many seldom.
    static func keys(_ requests: Int) -> [Int32] {
        Workloads.uniform(requests, below: 1_000_000, seed: 90).map { number in
            let part = Double(number) / 1_000_000
            return Int32(part * part * part * Double(count))
        }
    }

    /// A source that takes a while, and counts its calls.
    private final class Source: Sendable {
        let calls = Atomic(0)

        func page(_ key: String) async throws -> [UInt8] {
            calls.add(1, ordering: .relaxed)
            try await Task.sleep(for: sourceDelay)
            return body
        }
    }

    static func run(
        _ way: Way, _ keys: [Int32]
    ) throws -> (seconds: Double, latencies: [Double], calls: Int, pages: Int) {
        let source = Source()
        let server: PageServer
        var cleanUp: @Sendable () -> Void = {}
        switch way {
        case .source: server = PageServer { try await source.page($0) }
        case .dictionary:
            let pages = Mutex<[String: [UInt8]]>([:])
            server = PageServer { key in
                if let page = pages.withLock({ $0[key] }) { return page }
                let page = try await source.page(key)
                pages.withLock { $0[key] = page }
                return page
            }
        case .paginator:
            var config = DefaultPaginatorConfig()
            config.inMemoryEvictionStrategy = .adaptive(maxPages: count)
            config.defaultPolicy = .cacheThenRenew
            config.maxParallelCalls = 200
            let paginator = CallbackPaginator(
                dataSource: AsyncDataSource<[UInt8]>(firstKey: "0") { request in
                    PaginatorPage(content: [try await source.page(request.key)], key: request.key)
                }, config: config)
            cleanUp = { paginator.shutdown() }
            server = PageServer { try await paginator.fetch(key: $0, pageSize: 30).content[0] }
        }
        defer { cleanUp() }
        let result = Mutex<(seconds: Double, latencies: [Double])>((0, []))
        try Blocking.run {
            try await server.serve { port in
                var latencies = [Double](repeating: 0, count: keys.count)
                let begin = BenchClock.wall.nanoseconds
                guard baseline_load(Int32(port), 200, keys, Int32(keys.count), &latencies) == 0 else {
                    throw Command.Failure(description: "an answer of the server is missing")
                }
                let seconds = Double(BenchClock.wall.nanoseconds - begin) * 1e-9
                result.withLock { [latencies] in $0 = (seconds, latencies) }
            }
        }
        let (seconds, latencies) = result.withLock { $0 }
        return (seconds, latencies, source.calls.load(ordering: .relaxed), Set(keys).count)
    }
}

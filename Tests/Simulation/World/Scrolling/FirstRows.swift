import PaginatorCore
import PaginatorLists

/// When the first row of a page is seen over a slow link, and when all of it: at once, as a stream of rows, and in parts.
package struct FirstRows: Sendable {
    private static let link = SimulatedLink.all[0]
    private static let rows = 200
    private static let part = 10

    /// Seconds, on average.
    private struct Times {
        var first = 0.0
        var all = 0.0
    }

    private enum Way: UInt64 {
        case atOnce, streamed, inParts
    }

    package init() {}

    /// One figure a line behind a colon.
    package var lines: [String] {
        let (whole, streamed, parts) = (run(.atOnce), run(.streamed), run(.inParts))
        let page = "a page of \(Self.rows) rows on \(Self.link.name)"
        return [
            "\(page), in seconds: \(FleetReport.shown(whole.all))",
            "\(page), first row of a stream to the whole page at once: \(FleetReport.shown(streamed.first / whole.all)) "
                + "(goal: at most 0.25)",
            "\(page), first \(Self.part) rows as a part to the whole page at once: "
                + FleetReport.shown(parts.first / whole.all),
            "\(page), all rows of a stream to the whole page at once: \(FleetReport.shown(streamed.all / whole.all))",
            "\(page), part and rest to the whole page at once: \(FleetReport.shown(parts.all / whole.all))",
        ]
    }

    private func run(_ way: Way) -> Times {
        var sum = Times()
        let seeds = 20
        for seed in 1...seeds {
            let timeline = Timeline(seed: UInt64(seed), longDelay: .milliseconds(1))
            let process = SimulatedProcess(timeline)
            let source = RowsOverLink(
                Self.link, timeline, process.number, isStreamed: way == .streamed, seed: UInt64(seed))
            var config = DefaultPaginatorConfig()
            config.clock = timeline
            config.executor = process
            config.callbackExecutor = process
            config.randomSeed = 1
            let paginator = CallbackPaginator<Int>(dataSource: source, config: config)
            let start = timeline.nanoseconds
            func time() -> Double { Double(timeline.nanoseconds - start) * 1e-9 }
            func load(until isEnough: (Int) -> Bool, _ list: PaginatorList<Int, Int>) {
                while !isEnough(list.snapshot.count), timeline.runNext() {}
            }
            if way == .inParts {
                // A list asks for whole pages. A screen that is content with a part fetches that first.
                let isThere = Guarded(false)
                paginator.fetch(key: "0", pageSize: Self.rows, part: .items(Self.part)) { _ in
                    isThere.withLock { $0 = true }
                }
                while !isThere.withLock({ $0 }), timeline.runNext() {}
                sum.first += time()
            }
            var listing = PaginatorListConfig()
            listing.pageSize = Self.rows
            listing.prefetchDistance = 0
            let list = PaginatorList(paginator, id: { $0 }, config: listing)
            list.loadNext()
            if way != .inParts {
                load(until: { $0 > 0 }, list)
                sum.first += time()
            }
            load(until: { $0 == Self.rows }, list)
            sum.all += time()
            process.die()
        }
        return Times(first: sum.first / Double(seeds), all: sum.all / Double(seeds))
    }
}

/// One page of rows that come over a link one after the other.
private final class RowsOverLink: PaginatorDataSource {
    let firstKey = "0"
    private let link: SimulatedLink
    private let timeline: Timeline
    private let process: Int
    private let isStreamed: Bool
    private let random: Guarded<SplitMix64>

    init(_ link: SimulatedLink, _ timeline: Timeline, _ process: Int, isStreamed: Bool, seed: UInt64) {
        (self.link, self.timeline, self.process, self.isStreamed) = (link, timeline, process, isStreamed)
        random = Guarded(SplitMix64(seed: seed))
    }

    func fetch(
        _ request: SourceRequest, completion: @escaping @Sendable (Result<PaginatorPage<Int>, SourceError>) -> Void
    ) -> SourceCancellation {
        let start = request.continuation.flatMap { Int($0) } ?? 0
        var end = request.pageSize
        if case .items(let items) = request.part { end = min(end, start + items) }
        let (wait, transfer) = random.withLock { link.seconds(rows: end - start, &$0) }
        let key = request.key
        func at(_ row: Int, _ body: @escaping @Sendable () -> Void) {
            let seconds = wait + transfer * Double(row - start) / Double(end - start)
            timeline.add(at: timeline.nanoseconds + Int64(seconds * 1e9), process: process, body)
        }
        if isStreamed {
            for row in stride(from: start + 1, to: end, by: 10) {
                at(row) { request.preview(PaginatorPage(content: Array(start..<row), key: key, continuation: "")) }
            }
        }
        let (rows, rest) = (Array(start..<end), end < request.pageSize ? String(end) : nil)
        at(end) { completion(.success(PaginatorPage(content: rows, key: key, continuation: rest))) }
        return .none
    }
}

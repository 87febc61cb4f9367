import PaginatorCore
import PaginatorLists

/// Somebody who reads a long list at a steady pace, from a source that takes a steady time for each page.
package struct PrefetchSimulation: Sendable {
    /// How long the reader had to wait, and what it cost.
    package struct Outcome: Sendable {
        /// Pages read.
        package var pages: Int
        /// Time spent waiting for a page, the first one left out.
        package var stalled: Duration
        /// Calls of the source.
        package var requests: Int
    }

    package var pages = 1_000
    package var pageSize = 30
    package var call: Duration = .milliseconds(50)
    package var use: Duration = .milliseconds(50)
    /// How far ahead a hint loads, in items; zero for no prefetch.
    package var distance = 60

    package init() {}

    /// Reads the list to the last page.
    package func run(seed: UInt64) -> Outcome {
        let timeline = Timeline(seed: seed, longDelay: .milliseconds(1))
        let process = SimulatedProcess(timeline)
        let source = SteadySource(timeline: timeline, call: call, pages: pages, process: process.number)
        var paging = DefaultPaginatorConfig()
        paging.clock = timeline
        paging.executor = process
        paging.callbackExecutor = process
        paging.randomSeed = seed
        let paginator = CallbackPaginator<Int>(dataSource: source, config: paging)
        var listing = PaginatorListConfig()
        listing.pageSize = pageSize
        listing.prefetchDistance = distance
        let list = PaginatorList(paginator, id: { $0 }, config: listing)
        let total = pages * pageSize
        let step = use.wholeNanoseconds / Int64(pageSize)
        var position = 0
        var stalled: Int64 = 0
        list.loadNext()
        func wait(until time: Int64) {
            while let next = timeline.next, next <= time { _ = timeline.runNext() }
            timeline.wait(until: time)
        }
        while position < total {
            let start = timeline.nanoseconds
            while list.snapshot.count <= position {
                list.loadNext()
                guard timeline.runNext() else { break }
            }
            if position > 0 { stalled += timeline.nanoseconds - start }
            list.hint(visible: position..<position + 1)
            position += 1
            wait(until: timeline.nanoseconds + step)
        }
        process.die()
        return Outcome(pages: pages, stalled: .nanoseconds(stalled), requests: source.calls.withLock { $0 })
    }

    /// The measure of prefetching: with and without it, stalls and requests compared.
    package static func lines(seed: UInt64 = 1) -> [String] {
        var simulation = PrefetchSimulation()
        let with = simulation.run(seed: seed)
        simulation.distance = 0
        let without = simulation.run(seed: seed)
        let stalls = with.stalled.inSeconds / max(1e-9, without.stalled.inSeconds)
        let requests = Double(with.requests) / Double(max(1, without.requests))
        return [
            "pages: \(with.pages), \(FleetReport.shown(simulation.call.inSeconds * 1_000)) ms a call, one page used in "
                + "\(FleetReport.shown(simulation.use.inSeconds * 1_000)) ms",
            "stalled without prefetch: \(FleetReport.shown(without.stalled.inSeconds)) s, \(without.requests) requests",
            "stalled with prefetch: \(FleetReport.shown(with.stalled.inSeconds)) s, \(with.requests) requests",
            "stalls with prefetch against without: \(FleetReport.shown(stalls)) (goal: at most 0.10)",
            "requests with prefetch against without: \(FleetReport.shown(requests)) (goal: at most 1.05)",
        ]
    }
}

/// A source that takes the same time for each page.
private struct SteadySource: PaginatorDataSource {
    let firstKey = "0"
    let timeline: Timeline
    let call: Duration
    let pages: Int
    let process: Int
    let calls = Guarded(0)

    func fetch(
        _ request: SourceRequest, completion: @escaping @Sendable (Result<PaginatorPage<Int>, SourceError>) -> Void
    ) -> SourceCancellation {
        calls.withLock { $0 += 1 }
        let number = Int(request.key) ?? 0
        let size = request.pageSize
        timeline.add(at: timeline.nanoseconds + call.wholeNanoseconds, process: process) {
            completion(
                .success(
                    PaginatorPage(
                        content: Array(number * size..<(number + 1) * size), key: request.key,
                        prevKey: number > 0 ? String(number - 1) : nil,
                        nextKey: number + 1 < pages ? String(number + 1) : nil)))
        }
        return .none
    }
}

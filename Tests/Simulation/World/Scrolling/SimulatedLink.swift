import PaginatorCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A phone's way to a server.
package struct SimulatedLink: Sendable {
    package let name: String
    /// In seconds.
    let roundTrip: Double
    let bitsPerSecond: Double

    /// 2G, 3G and 4G are the profiles of WebPageTest ("2G", "3G", "4G"). 5G is what Ookla reported for the United States in
    /// the first quarter of 2021: the middle one of the medians of three networks, and the median latency of two of them.
    package static let all = [
        SimulatedLink(name: "2G", roundTrip: 0.8, bitsPerSecond: 280e3),
        SimulatedLink(name: "3G", roundTrip: 0.3, bitsPerSecond: 1.6e6),
        SimulatedLink(name: "4G", roundTrip: 0.17, bitsPerSecond: 9e6),
        SimulatedLink(name: "5G", roundTrip: 0.032, bitsPerSecond: 76.6e6),
    ]

    /// How long a server thinks about a page.
    static let thinking = 0.1
    static let bytesOfRow = 1_000.0

    // Profiles have a fixed round trip. Here it is that at least, and a quarter more on average; one in fifty is three
    // times as long on top, as when the radio wakes up.
    func seconds(rows: Int, _ random: inout SplitMix64) -> (until: Double, transfer: Double) {
        let jitter = -0.25 * log(1 - random.unitInterval())
        let wakesUp = random.unitInterval() < 0.02
        let wait = roundTrip * (1 + jitter + (wakesUp ? 3 : 0)) + Self.thinking
        return (wait, Double(rows) * Self.bytesOfRow * 8 / bitsPerSecond)
    }
}

extension SplitMix64 {
    mutating func number(from low: Double, to high: Double) -> Double { low + (high - low) * unitInterval() }
}

/// Rows by their numbers, over a link.
final class LinkedSource: PaginatorDataSource {
    struct Cost: Sendable {
        var requests = 0
        var rows = 0
    }

    private struct State: Sendable {
        var random: SplitMix64
        var cost = Cost()
        // When the link has brought what it was asked for before.
        var freeAt: Int64 = 0
    }

    let firstKey = "0"
    private let timeline: Timeline
    private let process: Int
    private let link: SimulatedLink
    // How many pages the first one counts for.
    private let firstPages: Int
    private let end: Int
    private let state: Guarded<State>

    init(_ link: SimulatedLink, _ timeline: Timeline, process: Int, firstPages: Int, end: Int, seed: UInt64) {
        (self.link, self.timeline, self.process) = (link, timeline, process)
        (self.firstPages, self.end) = (firstPages, end)
        state = Guarded(State(random: SplitMix64(seed: seed)))
    }

    var cost: Cost { state.withLock { $0.cost } }

    func fetch(
        _ request: SourceRequest, completion: @escaping @Sendable (Result<PaginatorPage<Int>, SourceError>) -> Void
    ) -> SourceCancellation {
        let start = Int(request.key) ?? 0
        let rows = request.pageSize * (start == 0 ? firstPages : 1)
        let now = timeline.nanoseconds
        let time = state.withLock { state in
            state.cost.requests += 1
            state.cost.rows += rows
            let (wait, transfer) = link.seconds(rows: rows, &state.random)
            state.freeAt = max(now + Int64(wait * 1e9), state.freeAt) + Int64(transfer * 1e9)
            return state.freeAt
        }
        let next = start + rows < end ? String(start + rows) : nil
        timeline.add(at: time, process: process) {
            completion(.success(PaginatorPage(content: Array(start..<start + rows), key: request.key, nextKey: next)))
        }
        return .none
    }
}

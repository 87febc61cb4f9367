import Foundation

/// How the server behaves at the moment, and what it has been asked: told by the story, read by the request handler.
actor FeedConditions {
    /// What happens to the next requests before the server is well again.
    enum Fault: Sendable {
        /// 503 with `Retry-After` in whole seconds.
        case unavailable(retryAfter: Int)
        /// No answer until the client gives up.
        case stall
    }

    /// A request that has arrived.
    struct Arrival: Sendable {
        let cursor: String
        let time: ContinuousClock.Instant
    }

    private(set) var arrivals: [Arrival] = []
    private var faults: [String: [Fault]] = [:]
    private var delay: Duration = .zero
    private var watchers: [(cursor: String, count: Int, arrived: CheckedContinuation<Void, Never>)] = []

    /// How many requests have arrived for the page after `cursor`.
    func requests(after cursor: String) -> Int {
        arrivals.count { $0.cursor == cursor }
    }

    /// Waits until `count` requests have arrived for the page after `cursor`.
    func waitForRequests(_ count: Int, after cursor: String) async {
        guard requests(after: cursor) < count else { return }
        await withCheckedContinuation { watchers.append((cursor, count, $0)) }
    }

    /// How many requests have arrived.
    var requestCount: Int { arrivals.count }

    /// Answers the next requests for the page after `cursor` with faults, one each.
    func inject(_ newFaults: [Fault], after cursor: String) {
        faults[cursor, default: []] += newFaults
    }

    /// Forgets the faults that have not happened.
    func heal() {
        faults = [:]
    }

    /// Takes some time over every answer.
    func answer(after newDelay: Duration) {
        delay = newDelay
    }

    /// Notes a request and says what to do with it.
    func admit(cursor: String) -> (fault: Fault?, delay: Duration) {
        arrivals.append(Arrival(cursor: cursor, time: .now))
        let count = requests(after: cursor)
        for watcher in watchers where watcher.cursor == cursor && watcher.count == count { watcher.arrived.resume() }
        watchers.removeAll { $0.cursor == cursor && $0.count == count }
        guard var waiting = faults[cursor], !waiting.isEmpty else { return (nil, delay) }
        let fault = waiting.removeFirst()
        faults[cursor] = waiting
        return (fault, delay)
    }
}

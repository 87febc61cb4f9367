/// Rejects requests at random while a source accepts too few of them.
///
/// Client-side throttling after Google's "Site Reliability Engineering", chapter 21, "Handling Overload": it counts the
/// requests of the last two minutes, rejected ones included, and those that the source accepted. A request is rejected
/// with probability (requests - 2 * accepts - 10) / (requests + 1).
///
/// Two parts differ from the book. Without the ten, the first failures of a client with few requests would reject its
/// next one. And ten accepted requests in a row end the throttling; by the formula alone it would last for five minutes
/// after the source has recovered. A source bad enough to be throttled accepts ten in a row once in a thousand times.
package struct AdaptiveThrottle: Sendable {
    private struct Span: Sendable {
        static let length: Int64 = 10_000_000_000
        /// The number of spans in the window; the oldest is dropped as a whole.
        static let count: Int64 = 12

        let number: Int64
        var requests = 0
        var accepts = 0
    }

    private static let recovery = 10

    private var spans: [Span] = []
    private var acceptedInARow = 0

    package init() {}

    func rejectProbability(at now: PaginatorInstant) -> Double {
        let current = now.nanoseconds / Span.length
        var (requests, accepts) = (0, 0)
        for span in spans where span.number > current - Span.count {
            requests += span.requests
            accepts += span.accepts
        }
        return max(0, Double(requests - 2 * accepts - 10) / Double(requests + 1))
    }

    /// Decides whether a request may start; a rejected one is counted.
    package mutating func admits(at now: PaginatorInstant, using random: inout SplitMix64) -> Bool {
        let probability = rejectProbability(at: now)
        guard probability > 0, random.unitInterval() < probability else { return true }
        count(accepted: false, at: now)
        return false
    }

    package mutating func ended(accepted: Bool, at now: PaginatorInstant) {
        acceptedInARow = accepted ? acceptedInARow + 1 : 0
        // Only while throttling: a good source keeps its history.
        if acceptedInARow >= Self.recovery, rejectProbability(at: now) > 0 { spans = [] }
        count(accepted: accepted, at: now)
    }

    private mutating func count(accepted: Bool, at now: PaginatorInstant) {
        let current = now.nanoseconds / Span.length
        spans.removeAll { $0.number <= current - Span.count }
        if spans.last?.number != current { spans.append(Span(number: current)) }
        spans[spans.count - 1].requests += 1
        if accepted { spans[spans.count - 1].accepts += 1 }
    }
}
